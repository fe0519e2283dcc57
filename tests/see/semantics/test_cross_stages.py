"""Stages of a motion and the steps of a sentence."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.support.events_moves import walk
from texedo.motion import Motion
from texedo.see.semantics.cross.frames import FRAME_SIZE, RATE, frames_of
from texedo.see.semantics.cross.stages import fits, frames_between, places_of, stages_of


def motion_of(*shares: float) -> torch.Tensor:
    """Frames of 6 s whose last number says which step goes on, one share after another."""
    counts = [round(6 * RATE * share) for share in shares]
    frames = torch.zeros((sum(counts), FRAME_SIZE))
    frames[:, -1] = torch.from_numpy(np.repeat(np.arange(len(counts)), counts)).float()
    return frames


def same(rows: Sequence[torch.Tensor], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """4 if all of a stage is its step, -4 if none of it is."""
    return np.array(
        [8 * float((rows[j][:, -1] == i).float().mean()) - 4 for i, j in pairs]
    )


def test_a_motion_is_cut_where_its_steps_end() -> None:
    # Of 6 s: cuts may be at fifths.
    (found,) = fits([motion_of(0.2, 0.8)], 2, same)
    assert found.min() > 3.5
    (other,) = fits([motion_of(0.2, 0.4, 0.4)], 3, same)
    assert other.min() > 3.5


def test_a_step_that_is_missing_fits_no_stage() -> None:
    frames = motion_of(1.0)
    (found,) = fits([frames], 2, same)
    # The first step goes on all the while; the second has a fifth for itself.
    assert found[0] == pytest.approx(4.0) and found[1] == pytest.approx(-4.0)


def test_steps_in_the_wrong_order_fit_badly() -> None:
    backward = motion_of(0.5, 0.5)
    backward[:, -1] = 1 - backward[:, -1]
    (found,) = fits([backward], 2, same)
    assert found.min() < 0


def test_the_stages_cover_the_motion_and_leave_room_for_every_step() -> None:
    stages = stages_of(0, round(6 * RATE), 3)
    ends = len(places_of(round(6 * RATE), 3)) - 1
    assert ends == 5
    assert len(places_of(round(6 * RATE), 6)) - 1 == 8  # At least 0.7 s each.
    firsts = [stage for stage in stages if stage.first == 0]
    lasts = [stage for stage in stages if stage.last == ends]
    assert {stage.last for stage in firsts} == set(range(1, ends - 1))
    assert {stage.first for stage in lasts} == set(range(2, ends))
    assert len(stages) == len(firsts) + len(lasts) + sum(range(1, ends - 1))


def test_what_is_too_short_for_its_steps_fits_as_badly_as_can_be() -> None:
    (found,) = fits([torch.zeros((2, FRAME_SIZE))], 4, same)
    assert (found == -60.0).all()


def test_a_stage_is_seen_as_a_motion_of_its_own() -> None:
    motion = walk(6).motion()
    whole = torch.from_numpy(frames_of([motion.to_qpos()])[0])
    qpos = motion.to_qpos()[40:121]
    own = frames_of([Motion.from_qpos(qpos).to_qpos()])[0]
    stage = frames_between(whole, 20, 60).numpy()
    # All but the first frame, which by itself does not know how fast it was.
    np.testing.assert_allclose(stage[1:], own[1:], atol=2e-4)
    np.testing.assert_allclose(stage[0, :1], own[0, :1], atol=1e-5)


def test_motions_are_looked_at_one_by_one() -> None:
    motions = [motion_of(0.2, 0.8), motion_of(0.5, 0.5), motion_of(1.0)]
    together = fits(motions, 2, same)
    alone = np.concatenate([fits([frames], 2, same) for frames in motions])
    np.testing.assert_array_equal(together, alone)
