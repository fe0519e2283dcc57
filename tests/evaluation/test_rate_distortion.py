"""The table of rate and distortion: its figures, and that no size is trained twice."""

import json
from pathlib import Path

import pytest

from tests.support.small_clips import pack_small_clips
from texedo.core.errors import TexedoError
from texedo.evaluation import rate_distortion as bench

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_small_clips(tmp_path_factory.mktemp("clips"))


def options(packed: Path, out: Path) -> dict[str, object]:
    return {
        "data": str(packed),
        "out": str(out),
        "sizes": "3,2;3,3,2",
        "steps": 2,
        "batch_frames": 128,
        "windows": "32",
        "width": 8,
        "encoder_depth": 1,
        "decoder_depth": 1,
        "device": "cpu",
    }


def test_a_code_of_4_frames_with_1024_values_has_125_bits_per_second() -> None:
    assert bench.bits_per_second(1024) == pytest.approx(10 * 12.5)


def test_the_sizes_are_1296_7776_and_31104() -> None:
    sizes = bench.RateDistortionCfg(data="", out="").sizes.split(";")
    assert [bench.num_codes(levels) for levels in sizes] == [1296, 7776, 31104]


def test_a_finished_size_is_not_trained_again(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cfg = bench.RateDistortionCfg(**options(packed, tmp_path))
    first = bench.measure(cfg)
    assert [row["codes"] for row in first] == [6, 18]
    assert [row["steps"] for row in first] == [2, 2]
    written = json.loads((tmp_path / "rate_distortion.json").read_text())
    assert written["rows"] == first
    table = (tmp_path / "rate_distortion.md").read_text().splitlines()
    # Clips of 1.4 s say nothing about what is after 8 s.
    assert len(table) == 4 and "- / -" in table[2]

    def no_training(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("texedo.text.learn.tokenizer.train.train", no_training)
    assert bench.measure(cfg) == first
    other = bench.RateDistortionCfg(**{**options(packed, tmp_path), "steps": 3})
    with pytest.raises(TexedoError, match="other options"):
        bench.measure(other)


@pytest.mark.parametrize("sizes", ["3,x", "1,2", ""])
def test_what_is_no_size_is_refused(sizes: str) -> None:
    with pytest.raises(TexedoError, match="--sizes takes whole numbers"):
        bench.measure(bench.RateDistortionCfg(data="", out="", sizes=sizes, steps=1))


def test_a_size_needs_steps_or_minutes() -> None:
    with pytest.raises(TexedoError, match="--steps or --minutes"):
        bench.measure(bench.RateDistortionCfg(data="", out=""))


def test_the_table_has_both_splits_in_one_cell() -> None:
    report = {
        "num_codes": 1024,
        "train_perplexity": 900.4,
        "test": {"mpjpe_mm": 25.36, "heading_deg": 4.0, "root_cm": 17.0},
        "test-subject": {"mpjpe_mm": 33.8, "heading_deg": 5.0, "root_cm": 30.55},
    }
    line = bench.markdown([bench.row_of(report, 6000)]).splitlines()[2]
    assert line == (
        "| 1,024 | 125 | 25.4 / 33.8 | 4.0 / 5.0 | 17.0 / 30.6 | 900 | 6,000 |"
    )
