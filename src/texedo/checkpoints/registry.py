"""The files of the TEXEDO release: what they are called, where they come from and go.

Nothing is downloaded here. A file is looked for under its own name in a folder of yours,
or in `$TEXEDO_HOME/official`; where it is missing, the message says how to get it.

A released model is named `official`, `official:FOLDER`, or by its own file or folder.
Where its files can be read in more than one way, `@READING` after the name says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from texedo.core.errors import CheckpointError
from texedo.core.files import texedo_home

CHECKPOINTS = "JianuoCao/TEXEDO-Checkpoint"
FLAN_T5 = "google/flan-t5-base"
OFFICIAL = "official"
"""What people call a model of the release."""


class ReleasedFile(NamedTuple):
    """A file of a model repository on Hugging Face."""

    repository: str
    path: str
    """In the repository."""
    size: str
    folder: str = ""
    """Where the repository lies in the folder of all released files."""
    sha256: str | None = None
    """Of the file, where it is known for certain."""

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


MODELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "official-generator": ("generator", "words"),
        "official-tokenizer": ("tokenizer",),
        "official-semantics": ("semantic-verifier", "glove"),
        "official-dynamics": ("dynamic-verifier", "dynamic-scales"),
    }
)
"""Models of the release, and the parts that each needs."""


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


class Named(NamedTuple):
    """What a name of a released model says."""

    path: Path | None
    """A file or folder of yours; None: `official_home()`."""
    reading: str | None
    """How to read it, if that is said."""
    official: bool
    """Whether the name says that it is of the release; else the files must."""


def released_name(which: str, readings: Sequence[str]) -> Named | None:
    """What `official[:PATH][@READING]` or `PATH[@READING]` says; None for other names."""
    name, at, reading = which.rpartition("@")
    official = (name if at else which).split(":", 1)[0] == OFFICIAL
    if at and official and reading not in readings:
        raise CheckpointError(
            f"{which}: there is no reading {reading!r}; there are {', '.join(readings)}."
        )
    if not at or reading not in readings:  # An @ may well be part of a path.
        name, reading = which, ""
    _, colon, path = name.partition(":") if official else ("", ":", name)
    found = Path(path).expanduser() if colon else None
    if found is not None and not found.exists():
        if not official:
            return None
        raise CheckpointError(f"{found}: there is no such file or folder.")
    return Named(found, reading or None, official)


def unpacked_file(part: str, names: Sequence[str], folders: Sequence[Path]) -> Path:
    """A file of a part that is an archive, where `names` are its places in folders.

    The first folder is where it is missed: `CheckpointError` says how to get it there.
    """
    file = RELEASED[part]
    for path in _places(names, folders):
        if path.is_file():
            return path
    home = official_home()
    places = [Path(p) for p in (file.place, file.place.name)]
    archives = [base / place for base in (*folders, home) for place in places]
    archive = next((path for path in archives if path.is_file()), None)
    if archive is None:
        archive = home / file.place
        get = f"{_way(part, archive)}, and unpack it"
    else:
        get = f"{archive} is there and not unpacked; do it"
    raise CheckpointError(
        f"{folders[0]}: has no {names[0]}. {get} with: tar -xzf {archive} -C "
        f"{archive.parent}"
    )


def holds_part(part: str, names: Sequence[str], folder: Path) -> bool:
    """Whether a folder holds a part, unpacked or not."""
    file = RELEASED[part]
    wanted = (*names, file.path, file.place.name)
    return any(path.is_file() for path in _places(wanted, [folder]))


def _places(names: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        for name in names:
            yield folder / name


def _way(part: str, wanted: Path) -> str:
    file = RELEASED[part]
    folder = wanted.parents[len(Path(file.path).parts) - 1]
    home = official_home() / file.folder
    ours = f"texedo models fetch {part}, or " if folder == home else ""
    say = (
        f"It is {file.path} ({file.size}) of https://huggingface.co/{file.repository}; "
        f"get it with: {ours}hf download {file.repository} '{file.path}' --local-dir "
        f"{folder}"
    )
    if part == "words" and (folder / "spiece.model").is_file():
        return f"The spiece.model beside it is not read. {say}"
    return say
