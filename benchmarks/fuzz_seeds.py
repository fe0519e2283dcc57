"""Valid files of every kind that texedo reads: what `fuzz_files.py` spoils.

Small on purpose: a spoiled byte should hit something that matters. `SEEDS` has a function
per kind, which writes into a folder and returns the file or folder to be named.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))


from texedo.formats import get_format, read_clips, save_motion, writable_formats
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_yaw
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

FRAMES = 12


def random_motion(seed: int, frames: int) -> Motion:
    """A walk in which every number is another."""
    rng = np.random.default_rng(seed)
    steps = np.linspace(0.0, 1.0, frames)[:, None]
    share = 0.5 + 0.2 * np.sin(3 * steps + rng.uniform(0, 6, 29))
    joints = JOINT_LOWER + share * (JOINT_UPPER - JOINT_LOWER)
    place = np.concatenate((steps, 0.3 * steps**2, 0.79 + 0.01 * steps), axis=1)
    return Motion(
        root_pos_w=place.astype(np.float32),
        root_quat_w=quat_from_yaw(0.5 * steps[:, 0]).astype(np.float32),
        joint_pos=joints.astype(np.float32),
    )


def _motion(name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        entry = get_format(name)
        path = folder / ("clip" + (entry.extensions[0] if entry.extensions else ""))
        save_motion(random_motion(1, FRAMES), path, format=name)
        return path

    return write


def _pickle(keys: tuple[str, str, str], joints: int, *, library: bool) -> bytes:
    motion = random_motion(2, FRAMES)
    clip = {
        keys[0]: motion.root_pos_w.astype(np.float64),
        keys[1]: np.roll(motion.root_quat_w, -1, axis=1).astype(np.float64),
        keys[2]: motion.joint_pos[:, :joints].astype(np.float64),
        "fps": 50,
    }
    return pickle.dumps({"a": clip, "b": clip} if library else clip, protocol=4)


def _twist(folder: Path) -> Path:
    path = folder / "clip.pkl"
    path.write_bytes(_pickle(("root_pos", "root_rot", "dof_pos"), 23, library=False))
    return path


def _library(folder: Path) -> Path:
    path = folder / "clip.pkl"
    keys = ("root_trans_offset", "root_rot", "dof")
    path.write_bytes(_pickle(keys, 29, library=True))
    return path


def _amass(folder: Path) -> Path:
    save_motion(random_motion(3, FRAMES), folder / "a.csv", format="texedo-csv")
    clip = next(iter(read_clips(folder / "a.csv", format="texedo-csv").clips.values()))
    (folder / "a.csv").unlink()
    rows = np.concatenate(
        (clip.root_pos_w, np.roll(clip.root_quat_w, -1, axis=1), clip.joint_pos), axis=1
    )
    np.save(folder / "clip_50_jpos.npy", rows.astype(np.float32))
    return folder / "clip_50_jpos.npy"


def _bvh(folder: Path) -> Path:
    from tests.support.rigs import motion_builder_names, walker, write_rig

    path = folder / "walk.bvh"
    path.write_text(write_rig(walker(FRAMES), motion_builder_names()))
    return path


def _mapping(folder: Path) -> Path:
    _bvh(folder)
    path = folder / "mapping.json"
    roles = {"hips": "Hips", "left_upper_leg": "LeftUpLeg", "head": "Head"}
    path.write_text(json.dumps(roles))
    return path


def _tracker(folder: Path) -> Path:
    from texedo.tracker.policies.actor import Actor, save_tracker
    from texedo.tracker.policies.spec import TrackerSpec

    spec = TrackerSpec(hidden_sizes=(8,), future_offsets=(1,), velocity_offsets=(1,))
    e95 = {"e_acc": 1.0, "e_vel": 1.0}
    return save_tracker(folder / "tracker", Actor(spec), metadata={"e95": e95})


def _onnx(folder: Path) -> Path:
    from tests.support.onnx_files import TERMS, linear, metadata

    from texedo.tracker.policies.onnx_metadata import TERM_SIZES

    size = sum(TERM_SIZES[term] for term in TERMS)
    path = folder / "policy.onnx"
    return linear(path, size=size, bias=np.zeros(29), props=metadata())


def _sonic_policy(folder: Path) -> Path:
    from tests.support.onnx_files import linear

    folder = folder / "sonic"
    folder.mkdir()
    (folder / "observation_config.yaml").write_text(
        "observations:\n  - name: token_state\n    enabled: true\n"
        "  - name: his_last_actions_4frame_step1\n    enabled: true\n"
        "encoder:\n  encoder_observations:\n"
        "    - name: motion_joint_positions_10frame_step5\n      enabled: true\n"
        "  encoder_modes:\n    - name: g1\n      required_observations:\n"
        "        - motion_joint_positions_10frame_step5\n"
    )
    linear(folder / "model_encoder.onnx", size=290, bias=np.zeros(64))
    linear(folder / "model_decoder.onnx", size=64 + 116, bias=np.zeros(29))
    return folder


def _generator(folder: Path) -> Path:
    from tests.support.small_lm import LEVELS, small_model

    from texedo.text.lm.artifact import save_language_model
    from texedo.text.tokenizer.net import NetSpec, TokenizerNet
    from texedo.text.tokenizer.tokenizer import MotionTokenizer, save_tokenizer

    root = folder / "weights"
    save_language_model(root / "generator", small_model())
    spec = NetSpec(levels=LEVELS, width=8, encoder_depth=1, decoder_depth=1)
    save_tokenizer(root / "tokenizer", MotionTokenizer(TokenizerNet(spec)))
    return root


def _folder_generator(folder: Path) -> Path:
    root = folder / "runs"
    (root / "a-person-waves").mkdir(parents=True)
    save_motion(random_motion(4, FRAMES), root / "a-person-waves" / "0.npz")
    (root / "prompts.txt").write_text("a person waves\n")
    return root


def _holosoma(folder: Path) -> Path:
    from texedo.robot.g1 import JOINT_NAMES

    motion = random_motion(5, FRAMES)
    path = folder / "clip.npz"
    np.savez(
        path, joint_pos=motion.to_qpos(), joint_names=np.array(JOINT_NAMES), fps=50
    )
    return path


SEEDS: Mapping[str, Callable[[Path], Path]] = {
    **{name: _motion(name) for name in writable_formats()},
    "twist-pkl": _twist,
    "motion-lib-pkl": _library,
    "amass-npy": _amass,
    "holosoma-npz": _holosoma,
    "bvh": _bvh,
    "mapping": _mapping,
    "tracker": _tracker,
    "onnx": _onnx,
    "sonic-policy": _sonic_policy,
    "generator": _generator,
    "folder-generator": _folder_generator,
}
"""By kind; the names of formats are those of `texedo info`."""
