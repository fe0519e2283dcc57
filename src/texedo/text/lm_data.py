"""What the language model learns from: the corpus as tokens and captions, in one file.

    python -m texedo.text.lm_data CORPUS_FOLDER TOKENIZER_FOLDER tokens.npz

Every clip of every kind is in it, mirrored ones too: their captions are mirrored as
well. Reading the file needs numpy alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.errors import FileFormatError, TexedoError
from texedo.files import atomic_path

if TYPE_CHECKING:
    from texedo.motion import Motion

VERSION = 1
_BATCH = 64
"""Clips that are encoded together."""

Int64 = NDArray[np.int64]
Encode = Callable[[Sequence["Motion"]], Sequence[Int64]]


class TokenData(NamedTuple):
    """Clips as codes, back to back, and what is said about each."""

    codes: NDArray[np.int32]
    """All codes, (tokens,)."""
    lengths: Int64
    """Codes of each clip, (C,)."""
    captions: list[list[str]]
    splits: list[str]
    kinds: list[str]
    families: list[str]
    ids: list[str]
    num_codes: int

    @property
    def starts(self) -> Int64:
        """First code of each clip, (C,)."""
        return np.cumsum(self.lengths) - self.lengths

    def where(self, split: str) -> list[int]:
        """Clips of a split that have a caption."""
        return [
            i
            for i, own in enumerate(self.splits)
            if own == split and self.captions[i] and self.lengths[i]
        ]


def pack(
    corpus_folder: str | Path,
    encode: Encode,
    path: str | Path,
    *,
    num_codes: int = 7776,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Encode a whole corpus and write it; returns the number of tokens."""
    from texedo.data.corpus import Corpus

    corpus = Corpus.load(corpus_folder)
    rows: list[Int64] = []
    for first in range(0, len(corpus), _BATCH):
        batch = range(first, min(first + _BATCH, len(corpus)))
        rows += encode([corpus.motion(i) for i in batch])
        progress(batch.stop, len(corpus))
    clips = [
        {
            "id": clip.id,
            "split": clip.split,
            "kind": clip.kind,
            "family": clip.family,
            "captions": list(dict.fromkeys(clip.captions)),
        }
        for clip in corpus
    ]
    return write_tokens(path, rows, clips, num_codes=num_codes)


def write_tokens(
    path: str | Path,
    rows: Sequence[NDArray[Any]],
    clips: Sequence[dict[str, Any]],
    *,
    num_codes: int,
) -> int:
    """Write codes and clips (id, split, kind, family, captions); returns the tokens."""
    codes = np.concatenate(rows).astype(np.int64)
    if codes.min() < 0 or codes.max() >= num_codes:
        raise ValueError(
            f"codes must be 0 to {num_codes - 1}, got {codes.min()} to {codes.max()}."
        )
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(list(clips), ensure_ascii=False, separators=(",", ":"))
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(
            stream,
            version=np.int64(VERSION),
            num_codes=np.int64(num_codes),
            codes=codes.astype(np.uint16 if num_codes < 1 << 16 else np.uint32),
            lengths=np.array([len(row) for row in rows], dtype=np.int64),
            clips=np.frombuffer(text.encode(), dtype=np.uint8),
        )
    return len(codes)


def read_tokens(path: str | Path) -> TokenData:
    """Read and check a token file; raises `FileFormatError`."""
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            version, num_codes = int(file["version"]), int(file["num_codes"])
            codes = file["codes"].astype(np.int32)
            lengths = file["lengths"].astype(np.int64)
            clips = json.loads(file["clips"].tobytes().decode())
    except (OSError, ValueError, KeyError) as error:
        raise FileFormatError(f"{path}: not a token file: {error}") from error
    if version != VERSION:
        raise FileFormatError(
            f"{path}: version {version} is not {VERSION}; pack the corpus again."
        )
    if len(clips) != len(lengths) or lengths.sum() != len(codes):
        raise FileFormatError(f"{path}: damaged: its counts differ; pack it again.")
    return TokenData(
        codes=codes,
        lengths=lengths,
        captions=[clip["captions"] for clip in clips],
        splits=[clip["split"] for clip in clips],
        kinds=[clip["kind"] for clip in clips],
        families=[clip["family"] for clip in clips],
        ids=[clip["id"] for clip in clips],
        num_codes=num_codes,
    )


def main(arguments: list[str]) -> int:
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    from texedo.text.tokenizer import load_tokenizer

    try:
        tokenizer = load_tokenizer(arguments[1])
        num_tokens = pack(
            arguments[0],
            tokenizer.encode,
            arguments[2],
            num_codes=tokenizer.num_codes,
            progress=lambda done, total: print(
                f"\r{done} / {total} clips", end="", file=sys.stderr
            ),
        )
    except TexedoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"\n{num_tokens} tokens: {arguments[2]}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
