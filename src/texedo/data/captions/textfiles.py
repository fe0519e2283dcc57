"""Text files in the HumanML3D format, one caption a line.

    a person walks forward#a/DET person/NOUN walk/VERB forward/ADV#0.0#0.0

The last two fields are the seconds that the caption is about; 0.0#0.0 is the whole
motion. Lines that are not of this form are an error when we read our own files, and are
skipped, as others do, with `strict=False`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.data.captions.types import Caption

NUM_FIELDS = 4


def format_line(caption: Caption) -> str:
    """A caption as a line, without its end."""
    if "#" in caption.text or "\n" in caption.text:
        raise ValueError(
            f"a caption may hold neither # nor line ends: {caption.text!r}"
        )
    tokens = " ".join(caption.tokens)
    return f"{caption.text}#{tokens}#{caption.start!r}#{caption.end!r}"


def parse_line(line: str) -> Caption:
    """A line as a caption; a ValueError says what is wrong with it."""
    parts = line.split("#")
    if len(parts) < NUM_FIELDS:
        raise ValueError(f"{len(parts)} fields between #, should be {NUM_FIELDS}")
    # A caption of others may hold a "#" itself: the last three fields are ours.
    text = "#".join(parts[:-3]).strip()
    start, end = (_seconds(part) for part in parts[-2:])
    return Caption(text=text, tokens=tuple(parts[-3].split()), start=start, end=end)


def _seconds(text: str) -> float:
    value = float(text)
    return 0.0 if math.isnan(value) else value


def write_captions(path: Path | str, captions: Iterable[Caption]) -> None:
    """Write a text file, whole or not at all."""
    lines = [format_line(caption) + "\n" for caption in captions]
    with atomic_file(Path(path)) as temporary:
        temporary.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_captions(path: Path | str, *, strict: bool = True) -> list[Caption]:
    """Captions of a text file, in order; empty lines are passed over."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} cannot be read: {error}.") from error
    captions = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            captions.append(parse_line(line))
        except ValueError as error:
            if strict:
                raise FileFormatError(
                    f"{path}, line {number}: {error}; a line is "
                    "caption#token/POS token/POS#start#end."
                ) from error
    return captions
