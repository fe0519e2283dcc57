"""The page about a corpus."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.data.corpus.test_store import make_clip, write_sample
from texedo.core.errors import FileFormatError
from texedo.data.corpus.assemble import Rejected
from texedo.data.corpus.store import Corpus
from texedo.data.report import build_page, read_rejected, write_report
from texedo.data.report.charts import histogram, stacked_bars, table
from texedo.data.report.sections import (
    actions_section,
    quality_section,
    rejected_section,
)
from texedo.data.report.sheets import choose_clips
from texedo.data.report.words import count_words, prompt_coverage

SAID = ("A person jabs left, <b>then</b> hooks right.", "a person walks forward")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.load(write_sample(tmp_path / "corpus", captions=SAID))


def page_of(corpus: Corpus) -> str:
    return build_page(corpus, rejected=[], sheets=[])


def test_the_page_needs_nothing_else(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    done: list[tuple[int, int]] = []
    size = write_report(
        corpus, path, sheets=2, report=lambda n, total: done.append((n, total))
    )
    text = path.read_text(encoding="utf-8")
    assert size == path.stat().st_size < 200_000
    assert done == [(1, 2), (2, 2)]
    assert not re.search(r"<script|<link|https?:|url\(", text)
    for svg in re.findall(r"<svg.*?</svg>", text):
        ElementTree.fromstring(svg)
    pictures = re.findall(r"data:image/png;base64,([^\"]+)", text)
    assert len(pictures) == 2
    with Image.open(io.BytesIO(base64.b64decode(pictures[0]))) as image:
        assert image.size == (6 * 120 + 5 * 2, 120)


def test_the_same_seed_gives_the_same_page(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_report(corpus, tmp_path / name, sheets=1, seed=3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_clips_are_drawn_by_lot_and_each_once(corpus: Corpus) -> None:
    lots = [choose_clips(corpus, number=4, seed=seed) for seed in range(5)]
    assert all(sorted(lot) == [0, 1, 2, 3] for lot in lots)
    assert len({tuple(lot) for lot in lots}) > 1
    assert choose_clips(corpus, number=2, seed=1) == lots[1][:2]


def test_words_of_others_cannot_break_the_page(corpus: Corpus, tmp_path: Path) -> None:
    write_report(corpus, tmp_path / "r.html", sheets=1)
    text = (tmp_path / "r.html").read_text()
    assert "<b>then</b>" not in text
    assert "&lt;b&gt;then&lt;/b&gt; hooks right." in text


def test_a_corpus_without_captions_or_measures_has_a_page(tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "corpus", captions=(), quality={})
    text = page_of(Corpus.load(folder))
    assert "No clip has a caption." in text
    assert "No clip carries measures of quality." in text
    assert "Nothing is known to have been rejected." in text


def test_counts_are_given_by_kind_and_split(corpus: Corpus) -> None:
    text = page_of(corpus)
    assert "<td>captured</td><td>2</td><td>1</td><td>1</td><td>4</td>" in text
    assert "<tr><th>kind</th><th>train</th><th>val</th><th>test</th>" in text
    assert "<td>captions</td><td>8</td>" in text


def test_bars_are_as_long_as_their_numbers() -> None:
    svg = ElementTree.fromstring(
        stacked_bars({"walk": {"train": 3, "test": 1}, "jump": {"test": 2}}, title="t")
    )
    bars = {
        str(rect[0].text): float(rect.attrib["width"])
        for rect in svg.iter("rect")
        if len(rect)
    }
    assert bars["walk, train: 3"] == pytest.approx(3 * bars["walk, test: 1"], abs=0.3)
    assert bars["jump, test: 2"] == pytest.approx(2 * bars["walk, test: 1"], abs=0.3)


def test_a_histogram_counts_every_value_even_the_wild_one() -> None:
    values = np.concatenate((np.linspace(0, 1, 999), [1000.0]))
    svg = ElementTree.fromstring(histogram(values, title="t", unit="m", bins=10))
    hints = [rect[0].text or "" for rect in svg.iter("rect")]
    assert sum(int(hint.rsplit(": ", 1)[1]) for hint in hints) == 1000
    assert "(to 1e+03)" in "".join(svg.itertext())


def test_a_histogram_of_one_value_is_drawn() -> None:
    ElementTree.fromstring(histogram(np.array([2.0, 2.0]), title="t"))


def test_cells_are_escaped() -> None:
    assert "<td>&lt;i&gt;</td>" in table(("a",), [("<i>",)])


def test_actions_are_listed_by_size(corpus: Corpus) -> None:
    clips = [*corpus.clips, make_clip(4, 100, family="wave", kind="authored")]
    text = actions_section(clips)
    assert text.index(">jump<") < text.index(">wave<")
    assert "wave, authored: 1" in text


def test_quality_is_in_readable_units(corpus: Corpus) -> None:
    text = quality_section(corpus.clips)
    assert (
        "<td>Foot error, mean [cm]</td><td>captured</td><td>4</td><td>0.1</td>" in text
    )
    assert "skate" not in text


def test_reasons_tell_rejected_from_shortened() -> None:
    rows = [
        Rejected("a", 0, 1, ("too short",), False),
        Rejected("b", 0, 1, ("tilted", "too short"), False),
        Rejected("c", 0, 9, ("tilted",), True),
    ]
    text = rejected_section(rows)
    assert "<td>too short</td><td>2</td><td>0</td>" in text
    assert "<td>tilted</td><td>1</td><td>1</td>" in text


def test_what_was_rejected_is_read_from_the_folder(tmp_path: Path) -> None:
    assert read_rejected(tmp_path) == []
    path = tmp_path / "rejected.jsonl"
    path.write_text(
        '{"trial": "a", "start": 0, "end": 1, "reasons": ["x"], "kept": false}\n'
    )
    assert read_rejected(tmp_path)[0].trial == "a"
    path.write_text("{}\n")
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_rejected(tmp_path)


def test_words_and_skeletons_are_counted() -> None:
    said = ("a person turns left", "A person turns right.", "a robot turns")
    words = count_words([make_clip(0, 100, captions=said)])
    assert (words.captions, words.lengths) == (3, [4, 4, 3])
    assert len(words.skeletons) == 2
    assert words.top(2) == [("turns", 3), ("person", 2)]


def test_prompt_words_count_once_a_caption_in_any_form() -> None:
    said = (
        "a person throws a jab, then jabs, jabbing again",
        "he threw punches",
        "a slow, zombie-like shamble",
        "a zombie walks",
    )
    counts = prompt_coverage([make_clip(0, 100, captions=said)])
    assert (counts["jab"], counts["throw"], counts["punch"]) == (1, 2, 1)
    assert (counts["zombie-like"], counts["slow"], counts["slowly"]) == (1, 1, 0)
    assert counts["panic"] == 0
    assert len(counts) > 60


def test_a_negative_number_of_sheets_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="negative, got -1"):
        write_report(corpus, tmp_path / "r.html", sheets=-1)
