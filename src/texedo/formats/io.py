"""Load and save motions: any rate in the file, 50 Hz inside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from texedo.core.atomic import atomic_file, atomic_folder
from texedo.core.budget import Budget
from texedo.core.errors import AmbiguousFormatError, FileFormatError, MotionError
from texedo.core.visible import visible
from texedo.formats.clip import FileClip, clip_from_motion
from texedo.formats.cost import check_clips
from texedo.formats.folders import find_sources
from texedo.formats.motion_file import MotionFile
from texedo.formats.registry import choose, formats, get_format
from texedo.formats.spec import Format, written_at
from texedo.motion import Motion

OWN_FORMAT = "texedo"


class Loaded(NamedTuple):
    """What a file holds, before it is resampled."""

    format: Format
    evidence: str
    """Why this format."""
    clips: dict[str, FileClip]


def read_clips(
    path: Path | str, *, format: str | None = None, fps: float | None = None
) -> Loaded:
    """All clips of a file as they are in it, in our layout."""
    source = MotionFile(path)
    chosen, evidence = choose(source, format, fps=fps)
    source.budget = Budget(source.path, size=source.size)
    clips = chosen.read(source, fps=fps)
    check_clips(source.path, clips, size=source.size)
    return Loaded(chosen, evidence, clips)


def motion_from_clip(clip: FileClip, path: Path | str) -> Motion:
    """The clip at 50 Hz; a clip that makes no motion is the file's error."""
    try:
        return clip.to_motion()
    except MotionError as error:
        raise _no_motion(path, error) from error


def check_clip(clip: FileClip, path: Path | str) -> None:
    """Refuse a clip that makes no motion, whatever its rate."""
    try:
        clip.check()
    except MotionError as error:
        raise _no_motion(path, error) from error


def _no_motion(path: Path | str, error: MotionError) -> FileFormatError:
    said = str(error).rstrip(".")
    mark = "" if said.endswith("?") else "."
    return FileFormatError(
        f"{path}: makes no motion: {said}{mark} Repair the file, or name the format or "
        "fps it really has."
    )


def load_motion(
    path: Path | str, *, format: str | None = None, fps: float | None = None
) -> Motion:
    """The one motion in a file or SONIC folder, at 50 Hz.

    `format` is needed where the file does not prove its layout; `fps` is the file's
    rate, instead of what it or its format says.
    """
    return motion_from_clip(load_clip(path, format=format, fps=fps), path)


def load_clip(
    path: Path | str, *, format: str | None = None, fps: float | None = None
) -> FileClip:
    """The one clip in a file or SONIC folder, as it is there."""
    loaded = read_clips(path, format=format, fps=fps)
    if len(loaded.clips) != 1:
        names = visible(", ".join(list(loaded.clips)[:3])[:200])
        raise FileFormatError(
            f"{path}: holds {len(loaded.clips)} motions ({names}, ...); use "
            "load_motions, or 'texedo convert' to a folder."
        )
    return next(iter(loaded.clips.values()))


def load_motions(
    path: Path | str, *, format: str | None = None, fps: float | None = None
) -> dict[str, Motion]:
    """All motions of a file, a SONIC clip, or a folder of either, by name.

    In a folder the names are paths relative to it, without the ending.
    """
    root = Path(path)
    found = find_sources(root)
    motions: dict[str, Motion] = {}
    for item in found.sources:
        loaded = read_clips(item, format=format, fps=fps)
        parent = item.relative_to(root).parent if item != root else Path()
        for name, clip in loaded.clips.items():
            key = (parent / name).as_posix()
            if key in motions:
                raise FileFormatError(
                    f"{item}: a second motion called {key[:200]!r}; rename one of them."
                )
            motions[key] = motion_from_clip(clip, f"{item} ({visible(name[:80])})")
    if not motions:
        raise FileFormatError(f"{path}: there is no motion file in this folder.")
    return motions


def save_motion(
    motion: Motion,
    path: Path | str,
    *,
    format: str | None = None,
    fps: float | None = None,
) -> None:
    """Write a motion, whole or not at all.

    Without `format`, the ending decides: npz is our own. Without `fps`, the rate is
    what readers of the format assume, and 50 where the file carries its rate.
    """
    save_clip(clip_from_motion(motion), path, format=format, fps=fps)


def save_clip(
    clip: FileClip,
    path: Path | str,
    *,
    format: str | None = None,
    fps: float | None = None,
) -> FileClip:
    """Write the frames of a file as another file, whole or not at all.

    Without `fps`, the rate is what readers of the format assume, and the clip's own
    where the file carries its rate. At its own rate not a frame changes. Returns what
    was written.
    """
    path = Path(path)
    chosen = format_for_writing(path, format)
    clip = clip_for_writing(clip, chosen, fps)
    with written_clip(clip, path, chosen):
        pass
    return clip


def clip_for_writing(clip: FileClip, chosen: Format, fps: float | None) -> FileClip:
    """The clip at the rate asked for, else at that which readers of the format assume."""
    rate = fps if fps is not None else written_at(chosen)
    return clip if rate is None else clip.at_rate(rate)


@contextmanager
def written_clip(clip: FileClip, path: Path, chosen: Format) -> Iterator[Path]:
    """The clip in a temporary file, which becomes `path` when the block ends well."""
    write = chosen.write
    if write is None:
        raise FileFormatError(
            f"{path}: {chosen.name} is only read here; write one of "
            f"{', '.join(writable_formats())}."
        )
    if chosen.kind == "folder":
        with atomic_folder(path, owned=chosen.owned) as temporary:
            write(temporary, clip)
            yield temporary
    else:
        with atomic_file(path) as temporary:
            write(temporary, clip)
            yield temporary


def writable_formats() -> tuple[str, ...]:
    """Names of the formats that can be written."""
    return tuple(name for name, row in formats().items() if row.write is not None)


def _file_endings() -> set[str]:
    return {ending for row in formats().values() for ending in row.extensions}


def format_for_writing(path: Path, name: str | None) -> Format:
    """The named format, or the only one that the ending leaves."""
    suffix = path.suffix.lower()
    if name is not None:
        chosen = get_format(name)
        if chosen.extensions and suffix not in chosen.extensions:
            raise FileFormatError(
                f"{path}: {chosen.name} files end in {' or '.join(chosen.extensions)}; "
                "change the name or the format."
            )
        if not chosen.extensions and suffix in _file_endings():
            raise FileFormatError(
                f"{path}: {chosen.name} is a folder; leave out the ending {suffix}."
            )
        return chosen
    own = get_format(OWN_FORMAT)
    if suffix in own.extensions:
        return own
    fits = [n for n in writable_formats() if suffix in get_format(n).extensions]
    if len(fits) == 1:
        return get_format(fits[0])
    if not fits:
        raise FileFormatError(
            f"{path}: the ending {suffix!r} says no format; name one of "
            f"{', '.join(writable_formats())}."
        )
    raise AmbiguousFormatError(
        f"{path}: the ending {suffix!r} leaves {', '.join(fits)}; name the right one, "
        f'as in --to {fits[0]} or format="{fits[0]}".'
    )
