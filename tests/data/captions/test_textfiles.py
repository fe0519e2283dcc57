"""Tokens with their part of speech, and the text files that hold them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.captions import Caption, read_captions, tag, tagging, write_captions
from texedo.data.captions.textfiles import format_line, parse_line

pytest.importorskip("HanTa", reason="the tagger is an extra: texedo[data]")

LINE = "a person walks forward#a/DET person/NOUN walk/VERB forward/ADV#0.0#0.0"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a person walks forward", "a/DET person/NOUN walk/VERB forward/ADV"),
        (
            "A man kicks something or someone with his left leg.",
            "a/DET man/NOUN kick/VERB something/PRON or/CCONJ someone/PRON with/ADP "
            "his/DET left/ADJ leg/NOUN",
        ),
        (
            "someone hops twice, turning to the right",
            "someone/PRON hop/VERB twice/ADV turn/VERB to/ADP the/DET right/ADJ",
        ),
        ("he is doing two lunges", "he/PRON is/AUX do/VERB two/NUM lunge/NOUN"),
        ("a zombie-like walk", "a/DET zombielike/ADJ walk/NOUN"),
    ],
)
def test_captions_are_tagged_as_in_humanml3d(text: str, tokens: str) -> None:
    assert " ".join(tag([Caption(text=text)])[0].tokens) == tokens


def test_digits_and_stops_are_no_tokens() -> None:
    tokens = tag([Caption(text="he turns 90 degrees.")])[0].tokens
    assert tokens == ("he/PRON", "turn/VERB", "degree/NOUN")
    assert tag([Caption(text="...")])[0].tokens == ()


def test_a_missing_tagger_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    tagging.load_tagger.cache_clear()
    monkeypatch.setattr(tagging.importlib, "import_module", missing)
    with pytest.raises(TexedoError, match=r"pip install 'texedo\[data\]'"):
        tagging.load_tagger()
    monkeypatch.undo()
    tagging.load_tagger.cache_clear()


def test_a_line_is_read_and_written() -> None:
    caption = parse_line(LINE)
    assert caption.text == "a person walks forward"
    assert caption.tokens[2] == "walk/VERB"
    assert (caption.start, caption.end) == (0.0, 0.0)
    assert format_line(caption) == LINE


def test_nan_times_mean_the_whole_motion() -> None:
    assert parse_line("he sits#he/PRON sit/VERB#nan#nan").start == 0.0


def test_a_hash_in_the_caption_of_others_is_kept() -> None:
    assert parse_line("move #1#move/NOUN#0.0#2.0").text == "move #1"
    with pytest.raises(ValueError, match="neither # nor"):
        format_line(Caption(text="move #1"))


plain = st.text(
    st.characters(exclude_characters="#", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
)
times = st.floats(0, 1e4)


@given(st.lists(st.tuples(plain.map(str.strip).filter(bool), times, times), max_size=5))
@settings(max_examples=40, deadline=None)
def test_files_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, float, float]]
) -> None:
    path = tmp_path_factory.mktemp("texts") / "000001.txt"
    written = [
        Caption(text=text, tokens=("a/DET", "b/NOUN"), start=start, end=end)
        for text, start, end in rows
    ]
    write_captions(path, written)
    assert read_captions(path) == written


def test_a_bad_line_names_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"{LINE}\n\nno fields here\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.txt, line 3: 1 fields"):
        read_captions(path)
    assert len(read_captions(path, strict=False)) == 1


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.txt cannot be read"):
        read_captions(tmp_path / "none.txt")


def test_one_meter_is_singular_and_every_other_distance_is_not() -> None:
    from texedo.data.captions.phrases.travel import distance_in_words

    assert distance_in_words(1.1) == "one meter"
    assert distance_in_words(1.4) == "one and a half meters"
    assert distance_in_words(3.0) == "three meters"
