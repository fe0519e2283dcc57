"""What the language model learns from: the corpus as tokens and captions, in one file.

    texedo data tokens CORPUS --tokenizer FOLDER -o tokens.npz --views 8

Every clip of every kind is in it, mirrored ones too: their captions are mirrored as
well. Training clips come in several views (see `lm_views`), all others as they are. An
interrupted run goes on when it is started again. Reading the file needs numpy alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.core.files import atomic_path
from texedo.data.corpus.packed_clips import ClipTable
from texedo.data.corpus.store import check_weights

if TYPE_CHECKING:
    from texedo.data.corpus.store import Clip
    from texedo.motion import Motion
    from texedo.text.learn.lm.wordings import Rewriter

VERSION = 3
_READABLE = (1, 2, VERSION)
"""Version 1 has one view of every clip and does not say so, version 2 no weights."""

Int64 = NDArray[np.int64]
Encode = Callable[[Sequence["Motion"]], Sequence[Int64]]


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenData(ClipTable):
    """C clips as R rows of codes, back to back, and what is said about each clip.

    Row i is view 0 of clip i for the first C rows; then come the other views of the
    first clip, of the second, and so on.
    """

    codes: NDArray[np.int32]
    """All codes, (tokens,)."""
    lengths: Int64
    """Codes of each row, (R,)."""
    captions: list[list[str]]
    """Of each clip, (C,)."""
    num_codes: int
    views: Int64 | None = None
    """Rows of each clip, (C,); None for one of each."""
    weights: list[list[float]] | None = None
    """How often each caption is drawn, beside `captions`; None for all alike."""

    @property
    def starts(self) -> Int64:
        """First code of each row, (R,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def num_views(self) -> Int64:
        """Rows of each clip, (C,)."""
        own = self.views
        return np.ones(len(self.captions), dtype=np.int64) if own is None else own

    def captioned(self, split: str) -> list[int]:
        """Clips of a split that have a caption."""
        chosen = self.select(split=split)
        return [i for i in chosen if self.captions[i] and self.lengths[i]]


def row_clips(views: Int64) -> tuple[Int64, Int64]:
    """Clip and view of each row, (R,), for the views (C,) of each clip."""
    numbers, more = np.arange(len(views)), views - 1
    clips = np.concatenate((numbers, np.repeat(numbers, more)))
    firsts = np.repeat(np.cumsum(more) - more, more)
    later = 1 + np.arange(more.sum()) - firsts
    return clips, np.concatenate((np.zeros_like(numbers), later))


@dataclass(frozen=True, kw_only=True)
class PackCfg:
    """How a corpus becomes tokens."""

    views: int = 1
    """Of each training clip."""
    wordings: int = 0
    """Other wordings of each training caption, at most."""
    seed: int = 0
    """Of the views and wordings."""
    threads: int = 1
    """Cores to encode on."""


def pack(
    corpus_folder: str | Path,
    encode: Encode,
    path: str | Path,
    *,
    cfg: PackCfg | None = None,
    num_codes: int = 7776,
    tokenizer: str = "",
    rewrite: Rewriter | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Encode a whole corpus and write it; returns the number of tokens.

    `tokenizer` names the encoder, so that rows of another one are not mixed in;
    `rewrite` makes the other wordings, if not the package's own.
    """
    from texedo.data.corpus.store import Corpus
    from texedo.text.learn.lm.pack import Views, count_views, encode_rows
    from texedo.text.learn.lm.views import RECIPE

    cfg = cfg or PackCfg()
    corpus = Corpus.load(corpus_folder)
    clips = _described_all(corpus, cfg, rewrite)
    counts = count_views(corpus, cfg.views)
    part = Path(f"{path}.part")
    rows = encode_rows(
        Views(corpus, counts, cfg.seed),
        encode,
        part,
        about={
            "corpus": dict(corpus.info["sha256"]),
            "tokenizer": tokenizer,
            "views": cfg.views,
            "seed": cfg.seed,
            "recipe": RECIPE,
        },
        threads=cfg.threads,
        progress=progress,
    )
    count = write_tokens(path, rows, clips, num_codes=num_codes, views=counts)
    part.unlink()
    return count


def _described_all(
    corpus: Iterable[Clip], cfg: PackCfg, rewrite: Rewriter | None
) -> list[dict[str, Any]]:
    """What is said about each clip, with other wordings if they are wanted."""
    clips = [described(clip) for clip in corpus]
    if not cfg.wordings:
        return clips
    from texedo.text.learn.lm.wordings import add_wordings, load_rewriter

    rewrite = rewrite or load_rewriter()
    return [
        add_wordings(clip, rewrite, number=cfg.wordings, seed=cfg.seed)
        for clip in clips
    ]


def described(clip: Clip) -> dict[str, Any]:
    """What a trainer is told of a clip: its place in the corpus, its captions."""
    # A caption that occurs twice is drawn as often as both together.
    weights: dict[str, float] = {}
    own = clip.caption_weights or (1.0,) * len(clip.captions)
    for text, weight in zip(clip.captions, own, strict=True):
        weights[text] = weights.get(text, 0.0) + weight if clip.caption_weights else 1.0
    described: dict[str, Any] = {
        "id": clip.id,
        "split": clip.split,
        "kind": clip.kind,
        "family": clip.family,
        "captions": list(weights),
    }
    if clip.caption_weights:
        described["weights"] = list(weights.values())
    return described


def write_tokens(
    path: str | Path,
    rows: Sequence[NDArray[Any]],
    clips: Sequence[dict[str, Any]],
    *,
    num_codes: int,
    views: Int64 | None = None,
) -> int:
    """Write codes and clips (id, split, kind, family, captions); returns the tokens.

    A clip may have `weights` beside its captions. Rows are in the order of `TokenData`; `views` (C,) are one each unless given.
    """
    views = np.ones(len(clips), dtype=np.int64) if views is None else views
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
            views=views,
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
            views = file["views"].astype(np.int64) if version > 1 else None
    except (OSError, ValueError, KeyError) as error:
        raise FileFormatError(f"{path}: not a token file: {error}") from error
    if version not in _READABLE:
        raise FileFormatError(
            f"{path}: version {version} is not {VERSION}; pack the corpus again."
        )
    if views is None:
        views = np.ones(len(clips), dtype=np.int64)
    counts = (len(views), int(views.sum()), int(lengths.sum()))
    if counts != (len(clips), len(lengths), len(codes)) or (views < 1).any():
        raise FileFormatError(f"{path}: damaged: its counts differ; pack it again.")
    try:
        weights = [_weights(clip) for clip in clips]
    except ValueError as error:
        raise FileFormatError(f"{path}: damaged: {error} Pack it again.") from error
    return TokenData(
        codes=codes,
        lengths=lengths,
        captions=[clip["captions"] for clip in clips],
        splits=tuple(clip["split"] for clip in clips),
        kinds=tuple(clip["kind"] for clip in clips),
        families=tuple(clip["family"] for clip in clips),
        ids=tuple(clip["id"] for clip in clips),
        num_codes=num_codes,
        views=views,
        weights=weights if any("weights" in clip for clip in clips) else None,
    )


def read_token_files(paths: str) -> TokenData:
    """All clips of token files whose names are joined by commas, in their order."""
    parts = [read_tokens(path.strip()) for path in paths.split(",")]
    if len({part.num_codes for part in parts}) > 1:
        counts = ", ".join(str(part.num_codes) for part in parts)
        raise FileFormatError(
            f"{paths}: made with different tokenizers ({counts} codes)."
        )
    return parts[0] if len(parts) == 1 else _joined(parts)


def _joined(parts: Sequence[TokenData]) -> TokenData:
    """View 0 of all clips comes first, as in each part."""
    codes, lengths = [], []
    for later in (False, True):
        for part in parts:
            count, starts = len(part.captions), part.starts
            rows = slice(count, None) if later else slice(0, count)
            lengths.append(part.lengths[rows])
            edge = int(starts[count]) if count < len(starts) else len(part.codes)
            codes.append(part.codes[edge:] if later else part.codes[:edge])
    weighted = any(part.weights is not None for part in parts)
    alike = [part.weights or [[1.0] * len(c) for c in part.captions] for part in parts]
    return TokenData(
        codes=np.concatenate(codes),
        lengths=np.concatenate(lengths),
        captions=[own for part in parts for own in part.captions],
        splits=tuple(x for part in parts for x in part.splits),
        kinds=tuple(x for part in parts for x in part.kinds),
        families=tuple(x for part in parts for x in part.families),
        ids=tuple(x for part in parts for x in part.ids),
        num_codes=parts[0].num_codes,
        views=np.concatenate([part.num_views for part in parts]),
        weights=[own for part in alike for own in part] if weighted else None,
    )


def _weights(clip: dict[str, Any]) -> list[float]:
    captions = len(clip["captions"])
    weights = [float(w) for w in clip.get("weights", [1.0] * captions)]
    check_weights(weights, captions, of=clip["id"])
    return weights
