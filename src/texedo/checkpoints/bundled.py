"""Where the weights are that ship with the package, and the hashes that name weights.

    bundled/tracker          the controller
    bundled/tokenizer        motion <-> tokens
    bundled/generator        prompt -> tokens
    bundled/semantics        does a motion fit a prompt
    bundled/semantics-paper  the same, by the paper's network
    bundled/dynamics         will the robot manage a motion
    bundled/dynamics-paper   the same, by the paper's network
    bundled/refusal          is anything known that a prompt asks for

Each is a folder that `texedo.checkpoints.artifact` wrote, or holds several such.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.core.errors import CheckpointError
from texedo.core.regular import CONFIG_BYTES, read_json, read_regular

BUNDLED = Path(__file__).parent / "bundled"
TRACKER, TOKENIZER, GENERATOR = "tracker", "tokenizer", "generator"
PARTS = (
    *(TRACKER, TOKENIZER, GENERATOR),
    *("semantics", "semantics-paper", "dynamics", "dynamics-paper"),
)
"""All that a complete installation has."""


def bundled_folder(part: str, *, otherwise: str) -> Path:
    """The folder of a part; without it `CheckpointError`, which ends in `otherwise`."""
    folder = BUNDLED / part
    if not has_weights(folder):
        raise CheckpointError(
            f"This installation has no {part} of its own ({folder} is missing); "
            f"{otherwise}"
        )
    return folder


def has_bundled(*parts: str) -> bool:
    """Whether all these parts came with this installation."""
    return all(has_weights(BUNDLED / part) for part in parts)


def has_weights(folder: Path) -> bool:
    """Whether a folder holds at least one sealed artefact."""
    return any(_configs(folder))


def weight_hashes(folder: Path) -> dict[str, str]:
    """The sha256 of the weights of every artefact in a folder, by relative path."""
    hashes = {}
    for path in _configs(folder):
        try:
            sealed = read_json(path)["sha256"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointError(f"{path}: is no config of weights.") from error
        hashes[path.parent.relative_to(folder).as_posix()] = str(sealed)
    return hashes


def folder_digest(*folders: Path) -> str:
    """One hash of all configs, each of which seals its weights; order counts."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in _configs(folder):
            name = path.parent.relative_to(folder).as_posix()
            digest.update(name.encode() + b"\0")
            try:
                content = read_regular(path, limit=CONFIG_BYTES)
            except OSError as error:
                raise CheckpointError(f"{path}: {error.strerror}.") from error
            digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def _configs(folder: Path) -> list[Path]:
    return sorted(folder.rglob(CONFIG_NAME)) if folder.is_dir() else []
