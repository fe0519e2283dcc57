"""Small dynamic verifiers, and a folder of motions with labels that can be learnt."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.support.motions import random_motion
from texedo.data.corpus.trials import (
    Trial,
    TrialLabels,
    TrialPart,
    labels_folder,
    write_labels,
    write_trials,
)
from texedo.see.dynamics.hazard.model import HazardModel
from texedo.see.dynamics.hazard.net import HazardCfg, HazardNet
from texedo.see.dynamics.paper.model import PaperModel
from texedo.see.dynamics.paper.net import PaperCfg, PaperNet
from texedo.see.dynamics.verifier import TrainedVerifier

TRACKER = "0123456789abcdef"
DRAWS = 2


def small_net(variant: str = "texedo", **changes: Any) -> HazardNet | PaperNet:
    """A network of width 16 that looks at 100 frames, and reacts to what it sees."""
    torch.manual_seed(3)
    sizes: dict[str, Any] = {"width": 16, "heads": 2, "layers": 2, "frames": 100}
    sizes |= changes
    net: HazardNet | PaperNet
    if variant == "paper":
        net = PaperNet(PaperCfg(group_width=8, head_width=8, **sizes))
    else:
        net = HazardNet(HazardCfg(frame_width=8, **sizes))
        with torch.no_grad():
            net.head[-1].weight.mul_(20.0)  # type: ignore[operator, union-attr]
    qpos = torch.from_numpy(random_motion(0, 100).to_qpos())[None]
    rows = net.features(qpos, torch.tensor([100]), torch.tensor([True]))[0]
    net.feature_mean.copy_(rows.mean(0))
    net.feature_std.copy_(rows.std(0).clamp(min=0.05))
    return net.eval()


def small_verifier(variant: str = "texedo", **changes: Any) -> TrainedVerifier:
    """The same, ready to foresee."""
    net = small_net(variant, **changes)
    if isinstance(net, PaperNet):
        return TrainedVerifier(PaperModel(net))
    return TrainedVerifier(HazardModel(net))


def write_small_trials(folder: Path, motions: int = 40, frames: int = 50) -> Path:
    """Motions that fail where the pelvis is below 0.68 m; every fourth or so is held out."""
    trials, poses, executed = [], [], []
    for i in range(motions):
        qpos = random_motion(i % 5, frames + 5 * (i % 3)).to_qpos()
        qpos[:, 2] = 0.75
        if i % 2:  # A dip somewhere.
            qpos[10 + i % 7 * 5 :, 2] = 0.6
        low = np.flatnonzero(qpos[1:, 2] < 0.68)
        trials.append(
            Trial(
                id=f"m{i}",
                recipe="captured",
                split="val" if i % 10 in (1, 6) else "train",
                suite="",
                group=f"g{i // 20}",
                prompt="",
                family="",
                source="",
                settings={},
            )
        )
        poses.append(qpos)
        executed.append(int(low[0]) + 1 if len(low) else len(qpos))
    folder.mkdir(parents=True, exist_ok=True)
    write_trials(
        folder / "part-00000.npz", TrialPart(trials=tuple(trials), poses=poses)
    )
    labels = small_labels(np.array([len(q) for q in poses]), np.array(executed))
    write_labels(labels_folder(folder, TRACKER) / "part-00000.npz", labels)
    return folder


def small_labels(frames: Any, executed: Any) -> TrialLabels:
    """Labels of motions that end at `executed`; perturbed robots do the same."""
    count, success = len(frames), executed == frames
    failed = ~success[:, None]
    tau = np.repeat(executed[:, None], DRAWS, axis=1).astype(np.int32)
    errors = np.linspace(1.0, 3.0, count).astype(np.float32)
    return TrialLabels(
        valid=np.ones(count, dtype=np.bool_),
        frames=frames.astype(np.int32),
        executed=executed.astype(np.int32),
        success=success,
        reasons=failed & np.array([True, False, False]),
        limbs=failed & np.array([True, False, False, False]),
        e_mpjpe=errors,
        e_vel=errors,
        e_acc=np.where(executed > 2, errors / 2, np.nan).astype(np.float32),
        perturbed_executed=tau,
        perturbed_success=np.repeat(success[:, None], DRAWS, axis=1),
    )
