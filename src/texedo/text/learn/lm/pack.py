"""Encode a corpus, view by view, so that an interruption loses nothing.

Rows of codes come in the order of the token file: view 0 of every clip, then the other
views, clip by clip. What is done is appended to `FILE.part`; the same command takes it up
again. A part of another corpus, tokenizer or choice of views is thrown away.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texedo.text.learn.lm.data import row_clips
from texedo.text.learn.lm.views import view_of

if TYPE_CHECKING:
    from texedo.data.corpus.store import Clip, Corpus
    from texedo.motion import Motion
    from texedo.text.learn.lm.data import Encode

_BATCH = 64
"""Rows that are encoded together."""
_MAX_FLIGHT = 0.04
"""Longer without the floor is a flight [s]."""

Int64 = NDArray[np.int64]
Progress = Callable[[int, int], None]


def count_views(corpus: Corpus, views: int) -> Int64:
    """Views of each clip, (C,): `views` of one that is trained on, else one."""
    if views < 1:
        raise ValueError(f"views must be 1 or more, got {views}.")
    return np.array(
        [views if c.split == "train" and c.captions else 1 for c in corpus], np.int64
    )


class Views:
    """The rows of a token file as motions."""

    def __init__(self, corpus: Corpus, views: Int64, seed: int) -> None:
        self._corpus, self._seed = corpus, seed
        self._clips, self._views = row_clips(views)

    def __len__(self) -> int:
        return len(self._clips)

    def motion(self, row: int) -> Motion:
        number = int(self._clips[row])
        clip = self._corpus.clips[number]
        # By its name: a clip has the same views whatever else is in the corpus.
        key = (self._seed, zlib.crc32(clip.id.encode()))
        motion = self._corpus.motion(number)
        return view_of(motion, int(self._views[row]), key, flies=flies(clip))


def flies(clip: Clip) -> bool:
    """Whether it leaves the floor: it then takes as long as gravity wants."""
    return clip.quality.get("airborne_max_s", 0.0) > _MAX_FLIGHT


def encode_rows(
    views: Views,
    encode: Encode,
    part: Path,
    *,
    about: Mapping[str, Any],
    threads: int,
    progress: Progress,
) -> list[Int64]:
    """Codes of all rows; `about` says what they are made of."""
    rows = read_part(part, about)
    with part.open("ab") as file:
        for batch in _encoded(views, encode, range(len(rows), len(views)), threads):
            rows += batch
            file.write(b"".join(map(_row_bytes, batch)))
            file.flush()
            progress(len(rows), len(views))
    return rows


def _encoded(
    views: Views, encode: Encode, rows: range, threads: int
) -> Iterator[list[Int64]]:
    """Batches in order, up to `threads` of them at work at once."""

    def work(first: int) -> list[Int64]:
        own = rows[first : first + _BATCH]
        return [np.asarray(row) for row in encode([views.motion(i) for i in own])]

    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[list[Int64]]] = []
        for first in range(0, len(rows), _BATCH):
            waiting.append(pool.submit(work, first))
            if len(waiting) > threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()


def read_part(part: Path, about: Mapping[str, Any]) -> list[Int64]:
    """Whole rows of a part that is `about` the same; else the part begins anew."""
    header = (json.dumps(dict(about), sort_keys=True) + "\n").encode()
    data = part.read_bytes() if part.exists() else b""
    rows: list[Int64] = []
    end = len(header)
    if data.startswith(header):
        numbers = np.frombuffer(data, "<u4", (len(data) - end) // 4, end)
        at = 0
        while at < len(numbers) and at + 1 + numbers[at] <= len(numbers):
            rows.append(numbers[at + 1 : at + 1 + numbers[at]].astype(np.int64))
            at += 1 + len(rows[-1])
        end += 4 * at
        with part.open("r+b") as file:
            file.truncate(end)
    else:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(header)
    return rows


def _row_bytes(row: Int64) -> bytes:
    return np.concatenate(([len(row)], row)).astype("<u4").tobytes()
