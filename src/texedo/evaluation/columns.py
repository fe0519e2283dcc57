"""Scores by which one of a prompt's candidates may be chosen, kept on disk.

    FOLDER/SOURCE.jsonl     a line per prompt: a hash of prompt and candidates, the scores

SOURCE is a hash of what gives the scores: what was scored is never scored again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.core.files import write_whole
from texedo.data.corpus.label_table import clip_hash
from texedo.motion import Motion
from texedo.see.semantics.protocol import SemanticVerifier, r_text
from texedo.text.generators.protocol import Generator, Likelihood

if TYPE_CHECKING:
    from texedo.evaluation.embedding.model import TextMotionEmbedding

EMBEDDING = "cosine"
PER_TOKEN, RATIO = "log-likelihood per token", "log-likelihood ratio"
TOGETHER = 8
"""Prompts that are scored before they are written: an interruption costs no more."""

Float64 = NDArray[np.float64]
Columns = dict[str, Float64]
"""Scores of the candidates of a prompt by name, (N,) each; the highest is the best."""
Progress = Callable[[int, int], None]
"""Called with the number of prompts done and of all."""


Row = tuple[str, Sequence[Motion]]
"""A prompt and its candidates."""


class Source(NamedTuple):
    """Whatever scores the candidates of a prompt."""

    digest: str
    """Hash of everything that the scores depend on, and of their names."""
    score: Callable[[str, Sequence[Motion]], Columns]
    many: Callable[[Sequence[Row]], list[Columns]] | None = None
    """The same for many prompts at once, where that is faster."""


def semantic_sources(verifiers: Mapping[str, SemanticVerifier]) -> list[Source]:
    """R_text of each, by what the user calls it."""
    return [_semantic(v, f"R_text ({name})") for name, v in verifiers.items()]


def _semantic(verifier: SemanticVerifier, name: str) -> Source:
    return Source(
        f"{name} {verifier.digest}",
        lambda prompt, motions: {name: r_text(verifier, prompt, motions)},
    )


def embedding_source(embedding: TextMotionEmbedding) -> Source:
    """Cosine of sentence and motion in the space that is for evaluation only."""

    def score(prompt: str, motions: Sequence[Motion]) -> Columns:
        cosine = embedding.motions(motions) @ embedding.texts([prompt])[0]
        return {EMBEDDING: cosine.astype(np.float64)}

    return Source(f"{EMBEDDING} {embedding.digest}", score)


def likelihood_source(generator: Generator) -> Source:
    """What the generator itself thinks of its candidates."""
    if not isinstance(generator, Likelihood):
        raise GenerationError(
            f"{generator.name}: cannot tell how likely a motion is; leave --likelihood "
            "out."
        )
    likelihood: Likelihood = generator

    def score(prompt: str, motions: Sequence[Motion]) -> Columns:
        found = likelihood.log_likelihood(prompt, motions)
        return {
            PER_TOKEN: found.given / found.tokens,
            RATIO: found.given - found.alone,
        }

    return Source(f"likelihood {generator.digest}", score)


def score_all(
    sources: Sequence[Source],
    prompts: Sequence[str],
    drawn: Sequence[Sequence[Motion]],
    folder: Path,
    *,
    together: int = TOGETHER,
    progress: Progress = lambda done, total: None,
) -> dict[str, Columns]:
    """All columns of every prompt, from disk as far as they are there.

    So many prompts `together` are scored before they are written.
    """
    found: dict[str, Columns] = {prompt: {} for prompt in prompts}
    if not sources:
        return found
    keys = [_key(p, row) for p, row in zip(prompts, drawn, strict=True)]
    rows = dict(zip(keys, zip(prompts, drawn, strict=True), strict=True))
    total = len(sources) * len(prompts)
    for number, source in enumerate(sources):
        own = _Kept(folder / f"{_digest(source.digest)[:16]}.jsonl")
        todo = [key for key in rows if key not in own]
        before = number * len(prompts)
        progress(before + len(prompts) - len(todo), total)
        for start in range(0, len(todo), together):
            some = todo[start : start + together]
            for key, columns in _scored(source, [rows[key] for key in some], some):
                own.add(key, columns)
            own.write()
            progress(before + len(prompts) - len(todo) + start + len(some), total)
        for key, prompt in zip(keys, prompts, strict=True):
            found[prompt] |= own.of(key)
    return found


def _scored(
    source: Source, rows: Sequence[Row], keys: Sequence[str]
) -> Iterator[tuple[str, Columns]]:
    if source.many is not None:
        return zip(keys, source.many(rows), strict=True)
    each = (source.score(prompt, motions) for prompt, motions in rows)
    return zip(keys, each, strict=True)


class _Kept:
    """The scores of one source, by hash of prompt and candidates."""

    def __init__(self, path: Path) -> None:
        self._path, self._changed = path, False
        self._rows: dict[str, Mapping[str, list[float | None]]] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self._rows[record["key"]] = record["scores"]

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    def add(self, key: str, columns: Columns) -> None:
        self._rows[key] = {
            name: [float(v) if np.isfinite(v) else None for v in values]
            for name, values in columns.items()
        }
        self._changed = True

    def of(self, key: str) -> Columns:
        return {
            name: np.array([np.nan if v is None else v for v in values], np.float64)
            for name, values in self._rows[key].items()
        }

    def write(self) -> None:
        if self._changed:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = [
                json.dumps({"key": k, "scores": v}) + "\n"
                for k, v in self._rows.items()
            ]
            write_whole(self._path, "".join(lines).encode())
            self._changed = False


def _key(prompt: str, motions: Sequence[Motion]) -> str:
    return _digest(" ".join([*map(clip_hash, motions), prompt]))[:24]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
