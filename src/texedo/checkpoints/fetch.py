"""The released weights, fetched because somebody asked for them.

Each file goes to its place below `$TEXEDO_HOME/official`, with its sha256 beside it in
NAME.sha256, by which it is known again. Archives are unpacked where they lie.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from texedo.checkpoints.registry import MODELS, RELEASED, ReleasedFile, official_home
from texedo.core.download import Download, DownloadError, Progress
from texedo.core.errors import CheckpointError
from texedo.core.files import file_sha256, write_whole

HUB = "https://huggingface.co"


class Fetched(NamedTuple):
    """A released file at its place."""

    place: Path
    size: int
    sha256: str
    checked: bool
    """Whether its hash was compared with one that was known."""
    new: bool
    """Whether it came just now."""


def released_parts(name: str) -> tuple[str, ...]:
    """The parts of a released model, or the part itself."""
    if name in MODELS:
        return MODELS[name]
    if name in RELEASED:
        return (name,)
    raise CheckpointError(
        f"There is no released model {name!r}; there are {', '.join(MODELS)}, and "
        f"single files: {', '.join(RELEASED)}."
    )


def file_url(file: ReleasedFile, base: str = HUB) -> str:
    """Where a file is fetched from; mirrors have the same paths below their address."""
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise CheckpointError(f"--url must be an address like {HUB}, got {base!r}.")
    return f"{base.rstrip('/')}/{file.repository}/resolve/main/{quote(file.path)}"


def fetch_part(
    part: str,
    *,
    base: str = HUB,
    sha256: str | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """A file of the release at its place; what is there already is only checked."""
    file = RELEASED[part]
    place = official_home() / file.place
    known = sha256 or file.sha256
    if place.is_file():
        return _there(place, known)
    download = Download(
        url=file_url(file, base), place=place, sha256=known, progress=progress
    )
    got = download.run()
    write_whole(hash_file(place), f"{got.sha256}  {place.name}\n".encode())
    unpack(place)
    return Fetched(place, got.size, got.sha256, got.checked, True)


def _there(place: Path, known: str | None) -> Fetched:
    digest, noted = file_sha256(place), noted_hash(place)
    wanted = known.lower() if known else noted
    if wanted is not None and digest != wanted:
        raise CheckpointError(
            f"{place}: its sha256 is {digest}, and should be {wanted}; remove it and "
            "fetch it again."
        )
    return Fetched(place, place.stat().st_size, digest, wanted is not None, False)


def hash_file(place: Path) -> Path:
    """Where the hash of a fetched file is noted."""
    return place.with_name(f"{place.name}.sha256")


def noted_hash(place: Path) -> str | None:
    """The hash that a file had when it was fetched, if that was noted."""
    path = hash_file(place)
    if not path.is_file():
        return None
    words = path.read_text(encoding="ascii", errors="replace").split()
    return words[0].lower() if words else None


def unpack(place: Path) -> None:
    """An archive where it lies; nothing in it may lead out of that folder."""
    if not place.name.endswith(".tar.gz"):
        return
    try:
        with tarfile.open(place) as archive:
            archive.extractall(place.parent, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise DownloadError(
            f"{place}: cannot be unpacked ({error}); remove it and fetch it again."
        ) from error
    except OSError as error:
        raise DownloadError(
            f"{place}: cannot be unpacked ({error.strerror or error}); make room, and "
            f"unpack it with: tar -xzf {place} -C {place.parent}"
        ) from error


class Released(NamedTuple):
    """A released model, and which of its files are there."""

    name: str
    there: tuple[Path, ...]
    missing: tuple[str, ...]
    """Parts that are not there."""


def released_models() -> Iterator[Released]:
    """All models of the release."""
    home = official_home()
    for name, parts in MODELS.items():
        places = {part: home / RELEASED[part].place for part in parts}
        there = tuple(place for place in places.values() if place.is_file())
        missing = tuple(part for part, place in places.items() if not place.is_file())
        yield Released(name, there, missing)
