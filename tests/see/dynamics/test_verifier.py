"""Dynamic verifiers in use and on disk."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.dynamics import small_net, small_verifier
from tests.support.motions import random_motion
from tests.support.paper_semantics import elsewhere
from texedo.core.errors import CheckpointError
from texedo.motion import Motion
from texedo.quality import Normalizers, oracle_quality
from texedo.see.dynamics.artifact import (
    About,
    load_hazard,
    load_paper,
    save_dynamics,
    store_threshold,
    stored_normalizers,
)
from texedo.see.dynamics.calibration import Line, decided
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.hazard.net import HazardCfg, HazardNet
from texedo.see.dynamics.paper.net import PaperCfg, PaperNet
from texedo.see.dynamics.protocol import Forecast, filter_of, screened
from texedo.see.dynamics.verifier import _Replay

NORMALIZERS = Normalizers(e_acc=3.0, e_vel=9.0)
BOTH = pytest.mark.parametrize("variant", ["texedo", "paper"])
COLUMNS = ("success", "quality", "progress", "r_dyn")


def numbers(forecast: Forecast) -> np.ndarray:
    return np.stack([getattr(forecast, name) for name in COLUMNS], axis=1)


@BOTH
def test_a_forecast_depends_on_the_motion_alone(variant: str) -> None:
    verifier = small_verifier(variant)
    lengths = [2, 9, 37, 64, 100]
    motions = [random_motion(i, frames=n) for i, n in enumerate(lengths)]
    together = numbers(verifier.foresee(motions))
    alone = np.concatenate([numbers(verifier.foresee([m])) for m in motions])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    moved = [elsewhere(m, (3.0, -2.0), 2.5) for m in motions]
    np.testing.assert_allclose(numbers(verifier.foresee(moved)), together, atol=1e-5)
    assert np.ptp(together[:, 0]) > 0.01, "a network that sees nothing proves nothing"


@BOTH
def test_what_is_replayed_is_what_is_calculated_call_after_call(variant: str) -> None:
    verifier = small_verifier(variant)
    replay = _Replay(verifier.model, (2, 40), torch.device("cpu"))
    with torch.inference_mode():
        for seed in range(4):
            poses = [random_motion(seed, 37).to_qpos(), random_motion(9, 12).to_qpos()]
            wanted = verifier.foresee_poses(poses)
            rows = replay(poses).numpy()
            assert rows[:, 2] == pytest.approx(wanted.quality)
            assert rows[:, 3] == pytest.approx(wanted.progress)


@BOTH
def test_r_dyn_is_q_star_of_what_is_expected(variant: str) -> None:
    found = small_verifier(variant).foresee([random_motion(3), random_motion(4)])
    wanted = oracle_quality(found.success, found.quality, found.progress)
    np.testing.assert_allclose(found.r_dyn, wanted)
    for name in COLUMNS:
        assert ((getattr(found, name) >= 0) & (getattr(found, name) <= 1)).all()


def test_hazards_are_there_for_every_frame_and_multiply_to_success() -> None:
    motions = [random_motion(i, frames=n) for i, n in ((0, 33), (1, 80), (2, 260))]
    found = small_verifier().foresee(motions)
    assert found.hazard is not None
    assert [len(h) for h in found.hazard] == [33, 80, 260]
    for hazard, success in zip(found.hazard, found.success, strict=True):
        assert hazard[0] == 0
        left = np.prod(1 - hazard.astype(np.float64))
        assert left == pytest.approx(success, rel=1e-4)
    assert found.reasons.shape == (3, 3) and found.limbs.shape == (3, 4)


def test_the_papers_knows_no_hazards_causes_or_perturbed_robots() -> None:
    found = small_verifier("paper").foresee([random_motion(0)])
    assert found.hazard is None and np.isnan(found.robust).all()
    assert np.isnan(found.reasons).all() and np.isnan(found.limbs).all()


def test_a_long_motion_is_as_risky_as_its_windows_say() -> None:
    verifier = small_verifier()
    long = random_motion(0, frames=230)
    found = verifier.foresee([long])
    assert found.hazard is not None
    first = verifier.foresee([Motion.from_qpos(long.to_qpos()[:100])])
    assert first.hazard is not None
    # Windows begin at 0, 50, 100 and 130: the first speaks for its own frames.
    np.testing.assert_allclose(found.hazard[0][:100], first.hazard[0], atol=1e-6)
    assert found.success[0] <= first.success[0]


def test_the_papers_forecast_of_a_long_motion_is_that_of_its_worst_window() -> None:
    verifier = small_verifier("paper")
    qpos = random_motion(0, frames=150).to_qpos()
    windows = verifier.foresee_poses([qpos[:100], qpos[50:]])
    found = verifier.foresee_poses([qpos])
    assert found.success[0] == pytest.approx(windows.success.min(), abs=1e-6)
    assert found.quality[0] == pytest.approx(windows.quality.min(), abs=1e-6)
    worst = int(windows.success.argmin())
    frame = 50 * worst + 100 * windows.progress[worst]
    assert found.progress[0] == pytest.approx(frame / 150, abs=1e-6)


@BOTH
def test_ten_minutes_are_foreseen_in_one_call(variant: str) -> None:
    qpos = np.tile(random_motion(0, frames=1000).to_qpos(), (30, 1))
    found = small_verifier(variant).foresee_poses([qpos])
    assert np.isfinite(numbers(found)).all()


@BOTH
def test_what_is_no_motion_is_not_a_number_and_spoils_no_other(variant: str) -> None:
    verifier = small_verifier(variant)
    good = random_motion(0, frames=40).to_qpos()
    broken = good.copy()
    broken[7, 12] = np.nan
    found = verifier.foresee_poses([good[:1], good, broken, good[:0]])
    assert np.isnan(numbers(found)[[0, 2, 3]]).all()
    alone = verifier.foresee_poses([good])
    np.testing.assert_allclose(numbers(found)[1], numbers(alone)[0], atol=1e-6)
    assert len(verifier.foresee([])) == 0


@BOTH
def test_what_was_stored_comes_back(variant: str, tmp_path: Path) -> None:
    net = small_net(variant)
    about = About(
        tracker="abc",
        normalizers=NORMALIZERS,
        success=Line(1.5, -0.5),
        metadata={"step": 3},
    )
    kind = "dynamics" if variant == "texedo" else "dynamics-paper"
    folder = save_dynamics(tmp_path / kind, net, about)
    load = load_hazard if variant == "texedo" else load_paper
    verifier = load(folder)
    assert (verifier.tracker, verifier.threshold) == ("abc", 0.8)
    assert verifier.metadata == {"step": 3} and verifier.name == kind
    assert stored_normalizers(folder) == NORMALIZERS
    motions = [random_motion(i, frames=50) for i in range(3)]
    before, after = small_verifier(variant).foresee(motions), verifier.foresee(motions)
    np.testing.assert_allclose(before.quality, after.quality, atol=0.02)  # int8
    assert not np.allclose(before.success, after.success, atol=1e-3)  # The line.
    assert find_dynamics(str(tmp_path), variant=variant).digest == verifier.digest


def test_a_decision_changes_what_motions_are_ranked_by_and_no_probability(
    tmp_path: Path,
) -> None:
    net, motions = small_net(), [random_motion(i, frames=50) for i in range(3)]
    found = {}
    for name, line in (("plain", Line()), ("decided", Line(4.0, -4.0))):
        about = About(normalizers=NORMALIZERS, decision=line)
        found[name] = load_hazard(save_dynamics(tmp_path / name, net, about))
    plain, sharp = (found[name].foresee(motions) for name in ("plain", "decided"))
    np.testing.assert_array_equal(plain.success, sharp.success)
    wanted = oracle_quality(
        decided(plain.success, Line(4.0, -4.0)), plain.quality, plain.progress
    )
    np.testing.assert_allclose(sharp.r_dyn, wanted, atol=1e-9)
    assert found["plain"].digest != found["decided"].digest


def test_a_steep_line_leaves_a_half_at_its_centre_and_drives_others_apart() -> None:
    p = np.array([0.0, 0.3, 0.5, 0.8, 1.0])
    np.testing.assert_array_equal(decided(p, Line()), p)
    # Logits times 2: odds of 3 to 7 and of 4 to 1 are squared.
    squared = [0.0, 9 / 58, 0.5, 16 / 17, 1.0]
    np.testing.assert_allclose(decided(p, Line(2.0, 0.0)), squared, atol=1e-9)
    at = 1 / (1 + np.exp(-1.5))
    assert decided(np.array([at]), Line(8.0, -12.0))[0] == pytest.approx(0.5)


def test_another_threshold_is_another_promise_but_the_same_scores(
    tmp_path: Path,
) -> None:
    net = small_net()
    folder = save_dynamics(tmp_path / "v", net, About(normalizers=NORMALIZERS))
    digest = load_hazard(folder).digest
    store_threshold(folder, 0.9, {"max_failure": 0.01})
    verifier = load_hazard(folder)
    assert verifier.threshold == 0.9 and verifier.digest == digest
    assert verifier.metadata["guarantee"] == {"max_failure": 0.01}


def test_what_a_threshold_is_of_is_stored_and_older_ones_are_of_r_dyn(
    tmp_path: Path,
) -> None:
    about = About(normalizers=NORMALIZERS, filters_by="success")
    folder = save_dynamics(tmp_path / "v", small_net(), about)
    verifier, motions = load_hazard(folder), [random_motion(0, frames=50)]
    assert filter_of(verifier) == "success"
    said = verifier.foresee(motions)
    np.testing.assert_array_equal(screened(verifier, said), said.success)
    path = folder / "config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps({**config, "filters_by": "luck"}))
    with pytest.raises(CheckpointError, match="filters_by is 'luck'"):
        load_hazard(folder)
    del config["filters_by"]
    path.write_text(json.dumps(config))
    older = load_hazard(folder)
    assert filter_of(older) == "r_dyn" and older.digest == verifier.digest
    np.testing.assert_array_equal(screened(older, said), said.r_dyn)


def test_both_networks_are_of_the_papers_size_and_fit_into_four_megabytes(
    tmp_path: Path,
) -> None:
    paper, ours = PaperNet(PaperCfg()), HazardNet(HazardCfg())
    assert sum(p.numel() for p in paper.parameters()) == 3_485_060
    assert len(dict(paper.named_parameters())) == 78
    assert sum(p.numel() for p in ours.parameters()) < 5_000_000
    for net in (paper, ours):
        folder = save_dynamics(tmp_path / "v", net, About(normalizers=NORMALIZERS))
        assert (folder / "weights.safetensors").stat().st_size < 4_000_000


def test_folders_that_hold_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="neither a dynamic verifier's name"):
        find_dynamics("nowhere")
    with pytest.raises(CheckpointError, match="no variant 'best'"):
        find_dynamics(variant="best")
    with pytest.raises(CheckpointError, match="holds no dynamic verifier"):
        find_dynamics(str(tmp_path))
    (tmp_path / "config.json").write_text(json.dumps({"kind": "tokenizer"}))
    with pytest.raises(CheckpointError, match="'tokenizer', which is no dynamic"):
        find_dynamics(str(tmp_path))
    folder = save_dynamics(tmp_path / "v", small_net(), About(normalizers=NORMALIZERS))
    with pytest.raises(CheckpointError, match="holds 'dynamics', not 'dynamics-paper'"):
        find_dynamics(str(folder), variant="paper")
    config = json.loads((folder / "config.json").read_text())
    config["model"] = {"depth": 3}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="another version of texedo"):
        load_hazard(folder)


def test_a_trained_network_is_not_trained_further_by_use() -> None:
    verifier = small_verifier()
    assert not any(p.requires_grad for p in verifier.model.net.parameters())
    assert not verifier.model.net.training and verifier.device == torch.device("cpu")


@pytest.mark.gpu
@BOTH
def test_a_gpu_that_replays_a_batch_says_what_a_cpu_says(variant: str) -> None:
    motions = [random_motion(i, frames=40 + i) for i in range(8)]
    wanted = numbers(small_verifier(variant).foresee(motions))
    verifier = small_verifier(variant).to("cuda")
    for _ in range(5):
        found = numbers(verifier.foresee(motions))
        np.testing.assert_allclose(found, wanted, atol=1e-4)
        verifier.foresee(motions[::-1])  # Another batch of the same shape between.
