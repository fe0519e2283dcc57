"""Load and save motions: any rate in the file, 50 Hz inside."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from texedo.core.atomic import atomic_file, atomic_folder
from texedo.core.errors import AmbiguousFormatError, FileFormatError, MotionError
from texedo.formats.clip import FileClip, clip_from_motion
from texedo.formats.cost import check_clips
from texedo.formats.folders import find_sources
from texedo.formats.motion_file import MotionFile
from texedo.formats.registry import choose, formats, get_format
from texedo.formats.spec import Format
from texedo.motion import FPS, Motion
from texedo.motion.motion import MIN_FRAMES

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
    chosen, evidence = choose(source, format)
    clips = chosen.read(source, fps=fps)
    check_clips(source.path, clips, size=source.size)
    return Loaded(chosen, evidence, clips)


def motion_from_clip(clip: FileClip, path: Path | str) -> Motion:
    """The clip at 50 Hz; a clip that makes no motion is the file's error."""
    try:
        if len(clip) < MIN_FRAMES:
            raise MotionError(f"A motion needs {MIN_FRAMES} frames, got {len(clip)}.")
        return clip.to_motion()
    except MotionError as error:
        raise FileFormatError(
            f"{path}: makes no motion: {str(error).rstrip('.')}. Repair the file, or "
            "name the format or fps it really has."
        ) from error


def load_motion(
    path: Path | str, *, format: str | None = None, fps: float | None = None
) -> Motion:
    """The one motion in a file or SONIC folder, at 50 Hz.

    `format` is needed where the file does not prove its layout; `fps` overrides the
    rate that the file or its format gives.
    """
    loaded = read_clips(path, format=format, fps=fps)
    if len(loaded.clips) != 1:
        names = ", ".join(list(loaded.clips)[:3])
        raise FileFormatError(
            f"{path}: holds {len(loaded.clips)} motions ({names}, ...); use "
            "load_motions, or 'texedo convert' to a folder."
        )
    return motion_from_clip(next(iter(loaded.clips.values())), path)


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
                    f"{item}: a second motion called {key!r}; rename one of them."
                )
            motions[key] = motion_from_clip(clip, f"{item} ({name})")
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
    path = Path(path)
    chosen = format_for_writing(path, format)
    write = chosen.write
    if write is None:
        raise FileFormatError(
            f"{path}: {chosen.name} is only read here; write one of "
            f"{', '.join(writable_formats())}."
        )
    rate = fps if fps is not None else chosen.fps or FPS
    clip = clip_from_motion(motion, fps=rate)
    if chosen.kind == "folder":
        with atomic_folder(path, owned=chosen.owned) as temporary:
            write(temporary, clip)
    else:
        with atomic_file(path) as temporary:
            write(temporary, clip)


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
