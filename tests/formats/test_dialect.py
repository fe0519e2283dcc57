"""Tables as spreadsheets and scripts write them: read without doubt, or named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from texedo.core.errors import AmbiguousFormatError, FileFormatError
from texedo.formats import detect, load_motion, read_clips

NUMBERS = ["0.1", "0.2", "0.8", "0", "0", "0", "1", *(f"0.{i:02d}" for i in range(29))]
ROW = ",".join(NUMBERS)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "clip.csv"
    path.write_bytes(text.encode())
    return path


def refusal(path: Path) -> str:
    """What is said of a table that is not read; never to delete a header."""
    with pytest.raises(FileFormatError) as caught:
        load_motion(path, format="unitree-csv")
    message = str(caught.value)
    assert "header line" not in message and "delete" not in message
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message


@pytest.mark.parametrize("separator", ["\t", ";", " ", ", ", "; ", "   "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends_leave_no_doubt(
    separator: str, end: str, tmp_path: Path
) -> None:
    row = ROW.replace(",", separator)
    path = written(tmp_path, end.join([row] * 3) + end)
    motion = load_motion(path, format="texedo-csv")
    assert len(motion) == 3
    np.testing.assert_allclose(motion.root_pos_w[2], [0.1, 0.2, 0.8], atol=1e-7)
    np.testing.assert_allclose(motion.joint_pos[1, 5:7], [0.05, 0.06], atol=1e-7)
    assert [c.format for c in detect(path)] == [
        "unitree-csv",
        "kimodo-csv",
        "texedo-csv",
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_separator_at_the_end_of_every_line_is_no_column(
    separator: str, tmp_path: Path
) -> None:
    row = ROW.replace(",", separator) + separator
    assert len(load_motion(written(tmp_path, f"{row}\n" * 4), format="texedo-csv")) == 4


def test_a_line_with_more_behind_its_end_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, f"{ROW},\n{ROW},\n{ROW},\n{ROW},\n{ROW},9,\n")
    assert "line 5 has 37 columns, not 36" in refusal(path)


def test_a_column_of_seconds_is_left_out_and_says_the_rate(tmp_path: Path) -> None:
    rows = "\n".join(f"{t / 60:.4f},{ROW}" for t in range(7))
    loaded = read_clips(written(tmp_path, rows), format="unitree-csv")
    clip = loaded.clips["clip"]
    assert (clip.fps, len(clip)) == (60.0, 7)
    np.testing.assert_allclose(clip.root_pos_w[0], [0.1, 0.2, 0.8])
    with pytest.raises(AmbiguousFormatError, match="unitree-csv .*kimodo-csv"):
        load_motion(tmp_path / "clip.csv")


def test_a_column_of_frame_numbers_is_left_out(tmp_path: Path) -> None:
    rows = "\n".join(f"{t + 1},{ROW}" for t in range(4))
    clip = read_clips(written(tmp_path, rows), format="texedo-csv").clips["clip"]
    assert (clip.fps, len(clip)) == (50.0, 4)


def test_times_that_jump_are_refused_by_name(tmp_path: Path) -> None:
    times = [0, 0.02, 0.04, 0.9, 0.92]
    message = refusal(written(tmp_path, "\n".join(f"{t},{ROW}" for t in times)))
    assert "looks like a time, but does not grow evenly" in message


def test_milliseconds_are_no_seconds(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, "\n".join(f"{20 * t},{ROW}" for t in range(4))))
    assert "grows by 20 from row to row" in message and "give the fps" in message


def test_a_counting_column_before_what_is_no_motion_is_refused(tmp_path: Path) -> None:
    rows = "\n".join(f"{t}" + ",7" * 36 for t in range(4))
    assert "columns 5 to 8 are no quaternions" in refusal(written(tmp_path, rows))


def test_a_column_too_many_that_does_not_count_is_named(tmp_path: Path) -> None:
    message = refusal(written(tmp_path, f"5,{ROW}\n5,{ROW}\n"))
    assert "one column too many" in message


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("\uff10\uff0e\uff18", "in full-width characters; write plain digits (0.8)"),
        ("\u22120.8", "with a typographic minus sign; write a plain one (-0.8)"),
        ('"0.8"', "in quotes; export numbers without quotes (0.8)"),
    ],
)
@pytest.mark.parametrize("line", [1, 3])
def test_numbers_as_only_people_read_them_are_named(
    number: str, words: str, line: int, tmp_path: Path
) -> None:
    rows = [ROW] * 4
    rows[line - 1] = ROW.replace("0.8", number)
    message = refusal(written(tmp_path, "\n".join(rows)))
    assert f"line {line}, column 3 is" in message and words in message


def test_a_whole_table_in_full_width_digits_is_no_header(tmp_path: Path) -> None:
    wide = {ord(c): chr(0xFEE0 + ord(c)) for c in "0123456789."}
    message = refusal(written(tmp_path, f"{ROW.translate(wide)}\n" * 3))
    assert "line 1, column 1" in message and "full-width" in message


@pytest.mark.parametrize("separator", [";", "\t", " "])
def test_decimal_commas_are_named(separator: str, tmp_path: Path) -> None:
    row = separator.join(f"{float(n):.3f}".replace(".", ",") for n in NUMBERS)
    message = refusal(written(tmp_path, f"{row}\n{row}\n"))
    assert "with a decimal comma; export decimal points (0.100)" in message


def test_decimal_commas_between_commas_are_suspected(tmp_path: Path) -> None:
    row = ",".join(f"{float(n):.3f}".replace(".", ",") for n in NUMBERS)
    message = refusal(written(tmp_path, f"{row}\n{row}\n"))
    assert "72 columns" in message and "are these decimal commas" in message


def test_one_word_in_the_first_line_is_no_header(tmp_path: Path) -> None:
    path = written(tmp_path, f"{ROW.replace('0.8', 'high')}\n{ROW}\n")
    assert "line 1, column 3 is 'high', not a number" in refusal(path)


def test_a_line_of_names_is_one(tmp_path: Path) -> None:
    names = "\t".join(f"joint {i}" for i in range(36))
    path = written(tmp_path, f"{names}\n" + f"{ROW}\n".replace(",", "\t") * 3)
    with pytest.raises(FileFormatError, match="starts with a line of names"):
        load_motion(path, format="unitree-csv")


def test_text_in_utf_16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "clip.csv"
    path.write_bytes(f"{ROW}\n".encode("utf-16"))
    assert "is text in UTF-16; save it as UTF-8" in refusal(path)


def test_named_columns_may_stand_between_tabs(tmp_path: Path) -> None:
    from tests.support.motions import random_motion
    from texedo.formats import save_motion

    path = tmp_path / "seed.csv"
    save_motion(random_motion(1, 9), path, format="bones-seed-csv")
    before = load_motion(path)
    path.write_text(path.read_text().replace(",", "\t").replace("\n", "\r"))
    assert load_motion(path) == before


def test_such_numbers_are_named_before_any_layout_is(tmp_path: Path) -> None:
    row = ";".join(f"{float(n):.3f}".replace(".", ",") for n in NUMBERS)
    path = written(tmp_path, f"{row}\n{row}\n")
    with pytest.raises(FileFormatError, match="its numbers are written with a decimal"):
        load_motion(path)
