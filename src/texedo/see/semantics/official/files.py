"""Where the files of the released semantic verifier are, and who loads them.

Both archives may be unpacked with or without the folder that is in them:

    t2m_custom36_combinedv2/custom36/t2m/
        text_mot_match/model/finest.tar           the three encoders
        Comp_v6_KLD01/meta/{mean,std}.npy         scales of a frame's 36 numbers
    glove/
        our_vab_{data.npy,words.pkl,idx.pkl}      word vectors

All six may also lie right in one folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from texedo.checkpoints.registry import (
    holds_part,
    official_home,
    released_name,
    unpacked_file,
)
from texedo.checkpoints.torch_files import require_torch
from texedo.core.errors import CheckpointError
from texedo.see.semantics.protocol import SemanticVerifier

READINGS = ("trained", "pipeline")
"""As it was trained (the default), and as the release's own best-of-N uses it."""
WEIGHTS = "text_mot_match/model/finest.tar"
_META = "Comp_v6_KLD01/meta"
_UNPACKED = ("t2m", "custom36/t2m", "t2m_custom36_combinedv2/custom36/t2m")
_ROOTS = ("", *_UNPACKED, *(f"verifiers/semantic/{root}" for root in _UNPACKED))
_WEIGHTS = (*(str(Path(root, WEIGHTS)) for root in _ROOTS), "finest.tar")
_DEPTH = 9
"""Folders above the weights in which word vectors are looked for."""


class SemanticFiles(NamedTuple):
    """All that the verifier is made of."""

    weights: Path
    mean: Path
    std: Path
    vectors: Path
    words: Path
    numbers: Path


def released_semantics(which: str) -> SemanticVerifier | None:
    """The released verifier that a name or path means; None if it means another."""
    named = released_name(which, READINGS)
    if named is None:
        return None
    path, reading, official = named
    if not official and path is not None and path.is_dir():
        if not holds_part("semantic-verifier", _WEIGHTS, path):
            return None
    files = semantic_files(path)
    require_torch("A semantic verifier")
    # Here and not above: it loads torch.
    from texedo.see.semantics.official.verifier import load_official_semantics

    return load_official_semantics(files, reading=reading or READINGS[0])


def semantic_files(path: Path | None = None) -> SemanticFiles:
    """The files in a folder, or beside the weights; raises `CheckpointError`."""
    home = official_home()
    if path is not None and path.is_file():
        if path.name.endswith(".tar.gz"):
            folder = path.parent
            raise CheckpointError(
                f"{path}: is an archive; unpack it with: tar -xzf {path} -C {folder}"
            )
        weights = path
    else:
        weights = unpacked_file("semantic-verifier", _WEIGHTS, [path or home])
    scales = _beside(weights)
    above = [folder for folder in weights.absolute().parents][:_DEPTH]
    return SemanticFiles(weights, *scales, *_glove([*above, home]))


def _beside(weights: Path) -> tuple[Path, Path]:
    folders = [folder / _META for folder in weights.absolute().parents[:3]]
    for folder in (*reversed(folders), weights.parent):
        found = (folder / "mean.npy", folder / "std.npy")
        if all(path.is_file() for path in found):
            return found
    raise CheckpointError(
        f"{folders[-1]}: mean.npy and std.npy are missing; they are in the archive that "
        f"{weights.name} came in. Put them there or beside {weights}."
    )


def _glove(folders: list[Path]) -> tuple[Path, Path, Path]:
    """The three files of word vectors, in one folder."""
    names = ("our_vab_data.npy", "our_vab_words.pkl", "our_vab_idx.pkl")
    wanted = [f"{folder}{names[0]}" for folder in ("glove/", "glove/glove/", "")]
    # Missed at home, which is where the message sends them.
    folder = unpacked_file("glove", wanted, [folders[-1], *folders[:-1]]).parent
    for name in names[1:]:
        if not (folder / name).is_file():
            raise CheckpointError(
                f"{folder / name}: is missing; it is in glove.tar.gz of the release, "
                f"beside {names[0]}."
            )
    data, words, numbers = (folder / name for name in names)
    return data, words, numbers
