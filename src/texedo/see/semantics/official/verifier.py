"""The released semantic verifier at work: R_text = exp(-distance).

Its networks are those of `paper.model`, wider and under other names. What differs is how
they are used. A frame is the root's step (frame 0 has that of frame 1), the quaternion
wxyz in the world, and the joints in Isaac Lab's order: so the heading counts. And the
motion's GRU does not know where a motion ends: in training every one was followed by
zeros up to 2048 frames, and the GRU read those too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.checkpoints.artifact import read_config
from texedo.checkpoints.bundled import bundled_folder
from texedo.checkpoints.registry import OFFICIAL
from texedo.checkpoints.tensor_table import layer, table_tensors
from texedo.checkpoints.torch_files import read_torch_file
from texedo.core.errors import CheckpointError
from texedo.core.threads import one_torch_thread
from texedo.motion import Motion
from texedo.robot.g1 import ISAACLAB_FROM_MUJOCO
from texedo.see.semantics.official.files import READINGS, SemanticFiles
from texedo.see.semantics.official.words import (
    WORD_SIZE,
    OfficialWords,
    read_array,
    read_glove,
)
from texedo.see.semantics.paper.artefact import KIND as PAPER_KIND
from texedo.see.semantics.paper.features import (
    FRAMES_PER_CODE,
    NUM_FEATURES,
    cut_to_codes,
)
from texedo.see.semantics.paper.model import PaperNet, PaperNetCfg, text_vectors
from texedo.see.semantics.paper.words import TAGS, Words
from texedo.see.semantics.protocol import Float64, Pairs
from texedo.see.semantics.vectors import Float32, nearness, net_digest, require_finite

TRAINED, PIPELINE = READINGS
TRAINED_FRAMES = 2048
"""Frames of every motion in training, zeros included."""
SIZES = PaperNetCfg(words=0, motion_width=1024, text_width=512)
_EXPECTED = "text_mot_match/model/finest.tar of the release"
_RECIPE = 1
"""Raise it when the same files begin to give other scores."""


def _reader(inputs: int, width: int) -> dict[str, tuple[int, ...]]:
    gru = {
        f"gru.{kind}_l0{way}": shape
        for way in ("", "_reverse")
        for kind, shape in (
            ("weight_ih", (3 * width, width)),
            ("weight_hh", (3 * width, width)),
            ("bias_ih", (3 * width,)),
            ("bias_hh", (3 * width,)),
        )
    }
    return {
        "hidden": (2, 1, width),
        **layer("input_emb", width, inputs),
        **gru,
        **layer("output_net.0", width, 2 * width),
        **layer("output_net.1", width),
        **layer("output_net.3", SIZES.size, width),
    }


SHAPES: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "movement_encoder": {
        **layer("main.0", SIZES.latent, NUM_FEATURES, 4),
        **layer("main.3", SIZES.latent, SIZES.latent, 4),
        **layer("out_net", SIZES.latent, SIZES.latent),
    },
    "motion_encoder": _reader(SIZES.latent, SIZES.motion_width),
    "text_encoder": {
        # One number per part of speech in, a word vector out.
        "pos_emb.weight": (WORD_SIZE, len(TAGS)),
        "pos_emb.bias": (WORD_SIZE,),
        **_reader(WORD_SIZE, SIZES.text_width),
    },
}
"""Of every tensor in the file, by encoder."""
_RENAMED = {
    "main.0": "down1",
    "main.3": "down2",
    "out_net": "out",
    "hidden": "start",
    "input_emb": "into",
    "output_net.0": "out.0",
    "output_net.1": "out.1",
    "output_net.3": "out.4",  # Dropout comes before it in ours.
}


class OfficialSemantics:
    """The released weights with their words: a `SemanticVerifier`."""

    def __init__(self, net: PaperNet, words: OfficialWords, *, reading: str) -> None:
        self.net = net.eval().requires_grad_(False)
        self.words, self.reading = words, reading

    @property
    def name(self) -> str:
        return OFFICIAL if self.reading == TRAINED else f"{OFFICIAL}@{self.reading}"

    @cached_property
    def digest(self) -> str:
        """Hash of the weights, the words and the way both are used."""
        lexicon = self.words.lexicon
        known = None if lexicon is None else lexicon.to_config()
        about = [_RECIPE, OFFICIAL, self.reading, self.words.numbers, known]
        return net_digest(self.net, about)

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """Words that it does not know."""
        unknown = self.words.unknown(prompt)
        if not unknown:
            return ()
        return (f"{self.name}: does not know {', '.join(map(repr, unknown))}.",)

    def texts(self, texts: Sequence[str]) -> Float32:
        """Vectors (N, 512); raises `GenerationError` for a sentence without words."""
        tokens = [self.words.read(text) for text in texts]
        with one_torch_thread(), torch.inference_mode():
            return text_vectors(self.net, tokens, alone=True)

    def motions(self, motions: Sequence[Motion]) -> Float32:
        """Vectors (N, 512)."""
        found = np.zeros((len(motions), self.net.cfg.size), dtype=np.float32)
        with one_torch_thread(), torch.inference_mode():
            for row, motion in zip(found, motions, strict=True):
                row[:] = self._vector(self._rows(motion.to_qpos())).cpu().numpy()
        return found

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair, (P,); only what is in a pair is read."""
        return nearness(self.texts, self.motions, texts, motions, pairs)

    def _rows(self, qpos: NDArray[Any]) -> Tensor:
        """Standardised frames (T, 36), followed by zeros where training had them."""
        rows = torch.from_numpy(official_features(qpos)).to(self.net.device)
        rows = (rows - self.net.feature_mean) / self.net.feature_std
        if self.reading == PIPELINE:
            return rows
        rows = rows[:TRAINED_FRAMES]
        return torch.nn.functional.pad(rows, (0, 0, 0, TRAINED_FRAMES - len(rows)))

    def _vector(self, rows: Tensor) -> Tensor:
        # The lengths are those of all rows: nothing tells motion from zeros.
        length = torch.tensor([len(rows)], device=rows.device)
        codes = self.net.movement(rows[None], length)
        found: Tensor = self.net.motion(codes, length // FRAMES_PER_CODE)
        return found[0]


def official_features(qpos: NDArray[Any]) -> Float32:
    """Poses (T, 36) as the released verifier reads them; whole codes, at least one."""
    require_finite(qpos)
    qpos = np.asarray(qpos, dtype=np.float32)
    steps = np.diff(qpos[:, :3], axis=0)
    steps = np.concatenate((steps[:1], steps)) if len(steps) else np.zeros((1, 3))
    joints = qpos[:, 7:][:, ISAACLAB_FROM_MUJOCO]
    rows = np.concatenate((steps, qpos[:, 3:7], joints), axis=1)
    return cut_to_codes(rows).astype(np.float32)


def load_official_semantics(
    files: SemanticFiles, *, reading: str = TRAINED, device: str = "cpu"
) -> OfficialSemantics:
    """From the files of the release; raises `CheckpointError`."""
    if reading not in READINGS:
        raise ValueError(f"A reading is one of {', '.join(READINGS)}, got {reading!r}.")
    numbers, vectors = read_glove(files.vectors, files.words, files.numbers)
    words = OfficialWords(numbers, _lexicon() if reading == TRAINED else None)
    mean, std = _scale(files.mean), _scale(files.std, positive=True)
    file = read_torch_file(files.weights)
    tensors = {
        section: table_tensors(file, section, shapes, expected=_EXPECTED)
        for section, shapes in SHAPES.items()
    }
    tags = tensors["text_encoder"].pop("pos_emb.weight").T
    state = {
        "words.weight": torch.from_numpy(vectors),
        # A row per part of speech, as the layer gives it for each alone.
        "tags.weight": tags + tensors["text_encoder"].pop("pos_emb.bias"),
        "feature_mean": mean,
        "feature_std": std,
    }
    for section, own in tensors.items():
        part = section.removesuffix("_encoder")
        state |= {f"{part}.{_renamed(name)}": own[name] for name in own}
    net = PaperNet(PaperNetCfg(**{**vars(SIZES), "words": len(vectors)}))
    net.load_state_dict(state, assign=True)
    return OfficialSemantics(net.to(device), words, reading=reading)


def _renamed(name: str) -> str:
    stem, _, kind = name.rpartition(".")
    if name in _RENAMED:
        return _RENAMED[name]
    return f"{_RENAMED.get(stem, stem)}.{kind}"


def _scale(path: Path, *, positive: bool = False) -> Tensor:
    found = read_array(path)
    if found.shape != (NUM_FEATURES,) or (positive and found.min() <= 0):
        rule = "positive numbers" if positive else "numbers"
        raise CheckpointError(
            f"{path}: must hold {NUM_FEATURES} {rule}, got the shape {found.shape}; take "
            "Comp_v6_KLD01/meta of the release."
        )
    return torch.from_numpy(found)


def _lexicon() -> Words:
    """Lemmas and parts of speech, which come with the paper's verifier."""
    otherwise = f"the reading {PIPELINE!r} does without: add @{PIPELINE} to the name."
    folder = bundled_folder(PAPER_KIND, otherwise=otherwise)
    return Words.from_config(read_config(folder, kind=PAPER_KIND)["words"])
