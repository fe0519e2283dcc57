"""The text of a BVH file: its hierarchy statements and its rows of numbers.

Errors name the file, the line and the way out; everything else is in `bvh`.
"""

from __future__ import annotations

import re
import warnings
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.visible import visible

MAX_NODES = 2000
"""Joints and end sites; a body with fingers and a face has 300."""
MAX_NUMBER = 1e9
"""Lengths and angles beyond it are damage, in any unit."""
MIN_FRAME_TIME, MAX_FRAME_TIME = 1e-4, 100.0
_CHANNEL = re.compile(r"([xyz])(position|rotation)", re.IGNORECASE)
_MAX_SHOWN, _MAX_NAME, _MAX_WORDS = 80, 200, 100
_PIECE = 1 << 24


class Hierarchy:
    """Reads the HIERARCHY section statement by statement."""

    def __init__(self, name: str) -> None:
        self.file = name
        self.line = 0
        self.names: list[str] = []
        self.parents: list[int] = []
        self.offsets: list[tuple[float, float, float]] = []
        self.channels: list[tuple[str, ...]] = []
        self.is_end: list[bool] = []
        self._open: list[int] = []
        self._pending: int | None = None
        self._has_offset: set[int] = set()

    def read(self, text: str) -> None:
        for self.line, line in enumerate(text.split("\n"), start=1):
            for part in re.split(r"([{}])", line):
                if part == "{":
                    self._open.append(self._take_pending())
                elif part == "}":
                    self._close()
                else:
                    self._statements(part)
        if self._open or self._pending is not None:
            at = self._open[-1] if self._pending is None else self._pending
            raise self._error(
                f'"{self.names[at]}" is never closed: "}}" is missing. '
                "The file is truncated; export it again"
            )
        if not self.names:
            raise self._error("there is no ROOT joint; export it again")

    def _error(self, what: str) -> FileFormatError:
        return FileFormatError(visible(f"{self.file}, line {self.line}: {what}."))

    def _statements(self, text: str) -> None:
        """Read what stands between two braces or line ends; may be several."""
        words = text.split()
        if len(words) > _MAX_WORDS:
            raise self._error(f"{len(words)} words; this is no line of a hierarchy")
        while words:
            keyword = words[0].upper()
            if keyword == "HIERARCHY":
                words = words[1:]
            elif keyword in ("ROOT", "JOINT", "END"):
                # Names may hold spaces: all that follows is the name.
                self._add(keyword, " ".join(words[1:]))
                words = []
            elif keyword == "OFFSET":
                self._offset(words[1:4])
                words = words[4:]
            elif keyword == "CHANNELS":
                words = self._channels(words[1:])
            else:
                raise self._error(
                    f'"{_shown(words)}" is not part of a BVH hierarchy '
                    "(ROOT, JOINT, End Site, OFFSET, CHANNELS and braces are)"
                )

    def _take_pending(self) -> int:
        if self._pending is None:
            raise self._error('"{" without a ROOT, JOINT or End Site before it')
        node, self._pending = self._pending, None
        return node

    def _close(self) -> None:
        if not self._open:
            raise self._error('one "}" too many')
        node = self._open.pop()
        if node not in self._has_offset:
            raise self._error(f'"{self.names[node]}" has no OFFSET')

    def _add(self, keyword: str, name: str) -> None:
        if self._pending is not None:
            raise self._error(f'"{{" is missing after "{self.names[self._pending]}"')
        if keyword == "ROOT" and self.names:
            raise self._error(
                f'second ROOT "{_shown([name])}": one skeleton per file; export each character '
                "to its own file"
            )
        if keyword != "ROOT" and not self._open:
            shown = _shown([keyword, name])
            raise self._error(f'"{shown}" stands outside the ROOT joint')
        parent = self._open[-1] if self._open else -1
        if keyword == "END":
            name = f"{self.names[parent]} End"
        if not name:
            raise self._error(f"{keyword} without a name")
        if len(name) > _MAX_NAME:
            raise self._error(f"a joint's name of {len(name)} characters; shorten it")
        if len(self.names) >= MAX_NODES:
            raise self._error(
                f"more than {MAX_NODES} joints and end sites; export the body alone"
            )
        self._pending = len(self.names)
        self.names.append(visible(name))
        self.parents.append(parent)
        self.offsets.append((0.0, 0.0, 0.0))
        self.channels.append(())
        self.is_end.append(keyword == "END")

    def _offset(self, words: list[str]) -> None:
        node = self._current("OFFSET")
        try:
            x, y, z = (float(word) for word in words)
        except ValueError:
            raise self._error(
                f'OFFSET of "{self.names[node]}" needs three numbers, '
                f'got "{_shown(words)}"'
            ) from None
        if not max(abs(x), abs(y), abs(z)) <= MAX_NUMBER:
            raise self._error(
                f'OFFSET of "{self.names[node]}" is not finite, or too large'
            )
        self.offsets[node] = (x, y, z)
        self._has_offset.add(node)

    def _channels(self, words: list[str]) -> list[str]:
        node = self._current("CHANNELS")
        count = int(words[0]) if words and words[0].isdecimal() else -1
        named = words[1 : 1 + count]
        matches = [_CHANNEL.fullmatch(word) for word in named]
        found = tuple(m[1].upper() + m[2].lower() for m in matches if m is not None)
        if not 0 <= count <= 6 or len(found) != count:
            raise self._error(
                f'CHANNELS of "{self.names[node]}" must be a count and that many '
                f'of Xposition ... Zrotation, got "{_shown(words)}"'
            )
        self.channels[node] = found
        return words[1 + count :]

    def _current(self, keyword: str) -> int:
        if not self._open or self._pending is not None:
            raise self._error(f"{keyword} outside the braces of a joint")
        return self._open[-1]


def read_motion_header(text: bytes, name: str, line: int) -> tuple[int, float, int]:
    """Frame count, frame time [s], and where in `text` the rows begin.

    `text` is what follows the word MOTION; `line` is the number of its first line.
    """
    pattern = rb"\s*Frames[ \t]*:?[ \t]*(\S+)\s+Frame[ \t]*Time[ \t]*:?[ \t]*(\S+)"
    match = re.match(pattern, text, re.IGNORECASE)
    if match is None:
        raise FileFormatError(
            f'{name}, line {line}: MOTION must be followed by "Frames: N" and '
            '"Frame Time: seconds". The file is truncated or damaged; export it again.'
        )
    try:
        frames, frame_time = int(match[1]), float(match[2])
    except ValueError:
        shown = _shown(match[0].decode(errors="replace").split())
        raise FileFormatError(
            f'{name}, line {line + 1}: "{shown}" must give a whole number of frames and '
            "a time in seconds."
        ) from None
    if frames < 1:
        raise FileFormatError(
            f"{name} has {frames} frames: there is no motion in it. Export it again with "
            "its animation."
        )
    if not MIN_FRAME_TIME <= frame_time <= MAX_FRAME_TIME:
        raise FileFormatError(
            f"{name}: Frame Time is {frame_time:g} s; it must be positive, from "
            f"{MIN_FRAME_TIME:g} to {MAX_FRAME_TIME:g}. Write the time of one frame "
            "there, 0.0333333 for 30 frames per second."
        )
    return frames, frame_time, match.end()


def count_words(text: bytes) -> int:
    """Words of a text, counted piece by piece."""
    count, before = 0, False
    for start in range(0, len(text), _PIECE):
        piece = np.frombuffer(text, np.uint8, min(_PIECE, len(text) - start), start)
        inside = piece > ord(" ")
        count += int(np.count_nonzero(inside[1:] & ~inside[:-1]))
        count += bool(inside[0]) and not before
        before = bool(inside[-1])
    return count


def read_rows(
    text: bytes, shape: tuple[int, int], *, name: str, line: int
) -> NDArray[np.float64]:
    """The numbers of the MOTION section, one frame a line, (T, C).

    `line` is the number of the line on which `text` begins.
    """
    counts, lines = _words_per_line(text)
    if len(counts) != shape[0] or (counts != shape[1]).any():
        _refuse_rows(counts, lines + line, shape, name)
    with warnings.catch_warnings():
        # A word that is no number ends the parse with a warning and a short result.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            values = np.fromstring(text, dtype=np.float64, sep=" ")
        except ValueError:
            values = np.empty(0)
    if values.size != shape[0] * shape[1]:
        _refuse_word(text, name, line)
    values = values.reshape(shape)
    bad = ~(np.abs(values) <= MAX_NUMBER).all(axis=1)
    if bad.any():
        first = int(bad.argmax())
        raise FileFormatError(
            f"{name}, line {lines[first] + line}: frame {first} holds NaN, infinity or "
            f"a number beyond {MAX_NUMBER:g} ({int(bad.sum())} such frames). Cut them out or fill the gap, then export "
            "it again."
        )
    return values


def _words_per_line(text: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Words on each line that has any, and the index of that line."""
    characters = np.frombuffer(text, dtype=np.uint8)
    inside = characters > ord(" ")
    begins = inside[1:] & ~inside[:-1]
    words = np.flatnonzero(begins) + 1
    if inside[:1].any():
        words = np.concatenate(([0], words))
    line_ends = np.flatnonzero(characters == ord("\n"))
    per_line = np.diff(np.searchsorted(words, line_ends), prepend=0, append=len(words))
    lines = np.flatnonzero(per_line)
    return per_line[lines], lines


def _refuse_rows(
    counts: NDArray[np.int64],
    lines: NDArray[np.int64],
    shape: tuple[int, int],
    name: str,
) -> NoReturn:
    frames, channels = shape
    odd = np.flatnonzero(counts != channels)
    if odd.size == 1 and odd[0] == len(counts) - 1 and len(counts) <= frames:
        raise FileFormatError(
            f"{name}, line {lines[-1]}: the file is truncated: the last line has "
            f"{counts[-1]} of {channels} numbers (frame {len(counts) - 1} of {frames}). "
            "Copy or export it again."
        )
    if odd.size:
        at = int(odd[0])
        raise FileFormatError(
            f"{name}, line {lines[at]}: {counts[at]} numbers, but the joints have "
            f"{channels} channels together. Hierarchy and frames do not belong "
            "together; export the file again."
        )
    state = "is truncated" if len(counts) < frames else "has too many rows"
    raise FileFormatError(
        f'{name} {state}: "Frames: {frames}" is announced, {len(counts)} follow. '
        f'Export it again, or write "Frames: {len(counts)}" if these are all.'
    )


def _refuse_word(text: bytes, name: str, line: int) -> NoReturn:
    for number, row in enumerate(text.split(b"\n"), start=line):
        for word in row.split():
            try:
                float(word)
            except ValueError:
                shown = _shown([word.decode(errors="replace")])
                raise FileFormatError(
                    f'{name}, line {number}: "{shown}" is not a number. Export the file '
                    "again with decimal points."
                ) from None
    raise FileFormatError(
        f"{name}: the rows of MOTION cannot be read; export it again."
    )


def _shown(words: list[str]) -> str:
    """What stands in the file, as much of it as a message has room for."""
    return visible(" ".join(words)[:_MAX_SHOWN])
