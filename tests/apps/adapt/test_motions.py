"""Which motions another tracker tries: by lot, whole groups, nothing twice."""

from pathlib import Path

import pytest

from tests.support.standing_trials import trial, write_standing
from texedo.apps.adapt import motions
from texedo.apps.adapt.motions import JUDGED, Wanted, choose, copy_motions
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.corpus.trials import read_trials, trial_parts

KNOWN = [
    *(trial(f"t{i}") for i in range(50)),
    *(
        trial(f"v{g}-{i}", split="val", group=f"g{g}")
        for g in range(8)
        for i in range(4)
    ),
    trial("tested", split="test", suite="plain"),
]


def test_more_motions_hold_all_of_fewer_whatever_their_order() -> None:
    few = choose(KNOWN, Wanted(learn=10, held=8))
    more = choose(reversed(KNOWN), Wanted(learn=30, held=8))
    assert few.count("train") == 10 and more.count("train") == 30
    assert few.items() <= more.items()
    other = choose(KNOWN, Wanted(learn=10, held=8, seed=1))
    assert set(other) != set(few)


def test_groups_stay_whole_and_are_dealt_out_in_halves() -> None:
    found = choose(KNOWN, Wanted(learn=1, held=16))
    assert found.count("val") == found.count(JUDGED) == 8
    for group in range(8):
        assert len({found.get(f"v{group}-{i}") for i in range(4)}) == 1
    assert "tested" not in choose(KNOWN, Wanted(learn=99, held=99))


def test_chosen_motions_are_copied_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(motions, "PART_SIZE", 5)
    source, out = tmp_path / "trials", tmp_path / "out"
    write_standing(source, train=20, groups=4)
    wanted = Wanted(learn=7, held=16)
    chosen = copy_motions(source, out, wanted)
    assert [chosen.count(split) for split in ("train", "val", JUDGED)] == [7, 8, 8]
    parts = [read_trials(path) for path in trial_parts(out)]
    assert [len(part.trials) for part in parts] == [5, 5, 5, 5, 3]
    # A motion's length says which it is: val-0-0 is number 20.
    lengths = {
        t.id: len(qpos)
        for part in parts
        for t, qpos in zip(part.trials, part.poses, strict=True)
    }
    assert lengths["val-0-0"] == 30 and lengths["val-3-3"] == 45
    stamps = [path.stat().st_mtime_ns for path in trial_parts(out)]
    assert copy_motions(source, out, wanted) == chosen
    assert stamps == [path.stat().st_mtime_ns for path in trial_parts(out)]


def test_a_copy_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    source, out = tmp_path / "trials", tmp_path / "out"
    write_standing(source, train=20, groups=4)
    wanted = Wanted(learn=7, held=16)
    chosen = copy_motions(source, out, wanted)
    (out / motions.INFO).unlink()
    (out / "part-00007.npz").write_bytes(b"half")
    assert copy_motions(source, out, wanted) == chosen


def test_what_does_not_fit_is_refused_with_the_way_out(tmp_path: Path) -> None:
    source, out = tmp_path / "trials", tmp_path / "out"
    source.mkdir()
    with pytest.raises(FileFormatError, match="texedo data trials"):
        copy_motions(source, out, Wanted(learn=7, held=16))
    write_standing(source, train=20, groups=4)
    copy_motions(source, out, Wanted(learn=7, held=16))
    with pytest.raises(TexedoError, match="choose another -o"):
        copy_motions(source, out, Wanted(learn=8, held=16))
    write_standing(tmp_path / "poor", train=5, groups=0)
    with pytest.raises(TexedoError, match="too few motions of val"):
        copy_motions(tmp_path / "poor", tmp_path / "none", Wanted(learn=7, held=16))
