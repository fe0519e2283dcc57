"""The files of the TEXEDO release: what they are called, where they come from and go.

Nothing is downloaded here. A file is looked for under its own name in a folder of yours,
or in `$TEXEDO_HOME/official`; where it is missing, the message says how to get it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from texedo.core.errors import CheckpointError
from texedo.core.files import texedo_home

CHECKPOINTS = "JianuoCao/TEXEDO-Checkpoint"
FLAN_T5 = "google/flan-t5-base"


class ReleasedFile(NamedTuple):
    """A file of a model repository on Hugging Face."""

    repository: str
    path: str
    """In the repository."""
    size: str
    folder: str = ""
    """Where the repository lies in the folder of all released files."""

    @property
    def place(self) -> Path:
        """Below the folder of all released files."""
        return Path(self.folder, self.path)


RELEASED: Mapping[str, ReleasedFile] = MappingProxyType(
    {
        "tokenizer": ReleasedFile(
            CHECKPOINTS, "tokenizer/checkpoint_epoch_95.pt", "216 MB"
        ),
        "generator": ReleasedFile(CHECKPOINTS, "generator/epoch=489.ckpt", "3.2 GB"),
        "words": ReleasedFile(FLAN_T5, "tokenizer.json", "2.4 MB", "flan-t5-base"),
        "dynamic-verifier": ReleasedFile(
            CHECKPOINTS, "verifiers/dynamic/checkpoint_last.pt", "40 MB"
        ),
        "dynamic-scales": ReleasedFile(
            CHECKPOINTS, "verifiers/dynamic/norm_stats.npz", "2 KB"
        ),
        "semantic-verifier": ReleasedFile(
            CHECKPOINTS, "verifiers/semantic/t2m_custom36_combinedv2.tar.gz", "archive"
        ),
        "glove": ReleasedFile(CHECKPOINTS, "glove/glove.tar.gz", "20 MB"),
    }
)
"""By part. `words` is how Flan-T5, which the generator grew from, reads text."""


def official_home() -> Path:
    """`$TEXEDO_HOME/official`."""
    return texedo_home() / "official"


def released_file(part: str, folder: Path | None = None) -> Path:
    """The file of a part; raises `CheckpointError` with the way to get it.

    Looked for in `folder` at its place in the release, then right in `folder`, then in
    `official_home()`.
    """
    file, home = RELEASED[part], official_home()
    base = folder or home
    places = (base / file.place, base / file.place.name, home / file.place)
    found = next((path for path in places if path.is_file()), None)
    if found is not None:
        return found
    raise CheckpointError(f"{places[0]}: is missing. {_way(part, places[0])}")


def _way(part: str, wanted: Path) -> str:
    file = RELEASED[part]
    folder = wanted.parents[len(Path(file.path).parts) - 1]
    say = (
        f"It is {file.path} ({file.size}) of https://huggingface.co/{file.repository}; "
        f"get it with: hf download {file.repository} '{file.path}' --local-dir {folder}"
    )
    if part == "words" and (folder / "spiece.model").is_file():
        return f"The spiece.model beside it is not read. {say}"
    return say
