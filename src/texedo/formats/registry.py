"""All formats by name, and what speaks for each in a given file."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import NamedTuple

from texedo.core.errors import AmbiguousFormatError, FileFormatError, TexedoError
from texedo.formats.layouts import (
    bones_seed,
    holosoma,
    kimodo_npz,
    npz_bodies,
    pickles,
    rows36,
    sonic,
    texedo_npz,
)
from texedo.formats.motion_file import MotionFile
from texedo.formats.spec import Format

_ALIASES = {
    "lafan1": "unitree-csv",
    "beyondmimic": "beyondmimic-npz",
    "mjlab": "mjlab-npz",
    "holosoma": "holosoma-npz",
    "gmr": "gmr-pkl",
    "twist": "twist-pkl",
    "gmt": "twist-pkl",
    "motion-lib": "motion-lib-pkl",
    "bones-seed": "bones-seed-csv",
}
"""Other words people use for the same thing."""


class Candidate(NamedTuple):
    """A format that a file may be of, and why."""

    format: str
    evidence: str


def _collect() -> dict[str, Format]:
    formats: dict[str, Format] = {}
    modules = (
        texedo_npz,
        rows36,
        npz_bodies,
        holosoma,
        sonic,
        kimodo_npz,
        bones_seed,
        pickles,
    )
    for module in modules:
        for entry in module.FORMATS:
            if entry.name in formats:
                raise ValueError(f"Two formats are called {entry.name!r}.")
            formats[entry.name] = entry
    return formats


_FORMATS = _collect()


def formats() -> dict[str, Format]:
    """All formats by name; a copy."""
    return dict(_FORMATS)


def get_format(name: str) -> Format:
    """The format of that name or alias."""
    name = _ALIASES.get(name, name)
    if name not in _FORMATS:
        near = difflib.get_close_matches(name, _FORMATS, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise FileFormatError(
            f"There is no format {name!r}.{hint} Known: {', '.join(_FORMATS)}."
        )
    return _FORMATS[name]


def detect(path: Path | str) -> list[Candidate]:
    """Every format that the file may be of, with the evidence; none if it fits none.

    One candidate is certain only if its format's evidence is proof (`Format.proves`).
    """
    return detect_source(MotionFile(path))


def detect_source(source: MotionFile) -> list[Candidate]:
    found = ((entry, entry.sniff(source)) for entry in _FORMATS.values())
    return [Candidate(entry.name, evidence) for entry, evidence in found if evidence]


def choose(
    source: MotionFile, name: str | None, *, fps: float | None = None
) -> tuple[Format, str]:
    """The format to read a source with, and the evidence for it.

    `fps` is what whoever reads has named: only who has not is told the usual rates.
    """
    if name is not None:
        return get_format(name), "named"
    candidates = detect_source(source)
    if not candidates:
        raise FileFormatError(_unknown(source))
    certain = len(candidates) == 1 and _FORMATS[candidates[0].format].proves
    # Where every layout is contradicted, reading says how.
    refuted = all(npz_bodies.NO_FIT in c.evidence for c in candidates)
    if not (certain or refuted):
        raise AmbiguousFormatError(_ambiguous(source, candidates, fps))
    return _FORMATS[candidates[0].format], candidates[0].evidence


def _ambiguous(
    source: MotionFile, candidates: list[Candidate], fps: float | None
) -> str:
    rows = [f"{c.format} ({_FORMATS[c.format].description})" for c in candidates]
    name = candidates[0].format
    rates = _rate_choices(source, name) if fps is None else ""
    advice = f'name the right one, as in --from {name} or format="{name}".'
    if rates:
        advice = (
            f"name the right one and the rate, as in --from {name} --fps FPS or "
            f'format="{name}", fps=FPS.'
        )
    return (
        f"{source.path}: nothing in the file proves its layout; it may be "
        f"{', '.join(rows)}. {rates}'texedo info' shows how each would look; {advice}"
    )


def _rate_choices(source: MotionFile, name: str) -> str:
    """What a file that states no rate would be at the usual ones; else empty."""
    try:
        (clip,) = _FORMATS[name].read(source, fps=None).values()
        if clip.rate.origin != "format" or len(clip) < 2:
            return ""
        said = clip.at_usual_rates_in_words()
    except (TexedoError, ValueError):
        return ""  # Naming the format says what is wrong with it.
    return f"Nor is its rate in it: {said}. " if said else ""


def _unknown(source: MotionFile) -> str:
    if source.kind == "folder":
        return (
            f"{source.path}: is a folder and no SONIC clip (there is no "
            f"{sonic.MARKER} in it); give a file, or convert the whole folder."
        )
    return (
        f"{source.path}: is {source.summary()}, and fits no format known here "
        f"({', '.join(_FORMATS)}); convert it to one of them first."
    )
