"""Where training starts."""

import numpy as np
import torch

from tests.support.reference_clips import packed, standing_qpos
from texedo.tracker.learn.start_sampling import SamplingMix, StartSampler
from texedo.tracker.sim.reference_library import ReferenceLibrary


def sampler_of(*lengths: int, mix: SamplingMix | None = None) -> StartSampler:
    clips = packed(*(standing_qpos(n) for n in lengths))
    library = ReferenceLibrary.build(clips.qpos, clips.starts, clips.lengths)
    return StartSampler(library, mix)


def test_every_second_has_its_bin() -> None:
    sampler = sampler_of(50, 51, 120)
    assert sampler.num_bins == 1 + 2 + 3
    assert sampler.bin_of[[0, 49, 50, 99, 100, 101, 220]].tolist() == [
        0,
        0,
        1,
        1,
        2,
        3,
        5,
    ]


def test_starts_leave_something_to_track() -> None:
    torch.manual_seed(0)
    sampler = sampler_of(60, 5, 200)
    frames = sampler.sample(4000)
    clip = sampler.library.clip_of[frames]
    left = sampler.library.ends[clip] - frames
    assert set(clip.tolist()) == {0, 1, 2}
    assert int(left[clip != 1].min()) >= 10
    # Too short to leave ten frames: it starts at its beginning.
    assert set(frames[clip == 1].tolist()) == {60}


def test_the_first_frame_gets_its_share() -> None:
    torch.manual_seed(0)
    sampler = sampler_of(500, mix=SamplingMix(first_frame=0.4))
    share = (sampler.sample(4000) == 0).float().mean()
    assert 0.38 < float(share) < 0.5


def test_bins_with_failures_are_visited_more_but_not_only() -> None:
    torch.manual_seed(0)
    sampler = sampler_of(*([50] * 100), mix=SamplingMix(first_frame=0.0))
    frames = torch.arange(5000)
    for _ in range(20):
        sampler.record(frames, failed=frames // 50 == 7)
    sampler.refresh()
    counts = torch.bincount(sampler.bin_of[sampler.sample(20000)], minlength=100)
    share = counts / 20000
    assert int(share.argmax()) == 7
    # The cap: hazard 0.5 at most, spread over what is left.
    assert 0.2 < float(share[7]) < 0.6
    assert float(share.min()) > 0.5 * 0.5 / 100


def test_statistics_survive_a_save_and_are_dropped_for_other_clips() -> None:
    first = sampler_of(100, 100)
    first.record(torch.arange(200), torch.ones(200, dtype=torch.bool))
    second, other = sampler_of(100, 100), sampler_of(300)
    second.load_state_dict(first.state_dict())
    other.load_state_dict(first.state_dict())
    np.testing.assert_array_equal(second.failures.numpy(), [50.0] * 4)
    assert not other.failures.any()
