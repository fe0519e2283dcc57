"""`texedo train dynamics`: the verifier that tells whether the robot will manage it."""

from __future__ import annotations

from dataclasses import dataclass

from texedo.apps.train.before import OutFolder, need_packages, plain
from texedo.apps.train.next_step import say_next
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(DynamicsTrainCfg):
    """Train the dynamic verifier on motions that a tracker performed.

    The default variant tells at which frame a motion goes wrong, and how perturbed
    robots fare. --variant paper trains the paper's, which has no use for --failures,
    --amid, --timing, --look-ahead and --patch.

    Example: texedo train dynamics --data trials --out dynamics-run
    """

    out: OutFolder = "dynamics-run"
    """Folder for the verifier, the state and the log."""


def run(cfg: Cfg) -> int:
    """Train; the log goes to the screen and to the output folder."""
    need_packages("torch", "safetensors")
    from texedo.see.learn.dynamics.run import artifact_folder, train_dynamics

    options = plain(cfg, DynamicsTrainCfg)
    train_dynamics(options)
    say_next("score", "motion.npz", "--dynamics", artifact_folder(options))
    return 0
