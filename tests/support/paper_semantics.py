"""A small verifier of the paper's kind with random weights."""

from __future__ import annotations

import numpy as np
import torch

from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw, quat_multiply
from texedo.see.semantics.paper.inference import PaperVerifier
from texedo.see.semantics.paper.model import PaperNet, PaperNetCfg
from texedo.see.semantics.paper.words import SPECIAL, Words

WORDS = Words(
    (*SPECIAL, "person", "walk", "wave", "left", "right"),
    {
        "person": ("person", "NOUN"),
        "walk": ("walk", "Act_VIP"),
        "walks": ("walk", "Act_VIP"),
        "waves": ("wave", "Act_VIP"),
        "left": ("left", "Loc_VIP"),
        "a": ("a", "DET"),
    },
)


def small_verifier() -> PaperVerifier:
    torch.manual_seed(0)
    cfg = PaperNetCfg(
        words=len(WORDS), size=16, latent=24, motion_width=20, text_width=12
    )
    net = PaperNet(cfg)
    net.feature_mean[0] = 0.75
    net.feature_std.fill_(0.5)
    return PaperVerifier(net, WORDS)


def elsewhere(motion: Motion, place: tuple[float, float], yaw: float) -> Motion:
    """The same motion from another place and heading."""
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    root = motion.root_pos_w.astype(np.float64)
    root[:, :2] = root[:, :2] @ turn.T + place
    quat = quat_multiply(quat_from_yaw(np.full(len(motion), yaw)), motion.root_quat_w)
    return Motion(root_pos_w=root, root_quat_w=quat, joint_pos=motion.joint_pos)
