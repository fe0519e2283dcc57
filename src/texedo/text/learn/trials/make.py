"""Make the motions to try, part by part.

Networks run here, on a GPU or on the CPU; all cores finish the parts meanwhile and write
them (`finish`). A part that is there is not made again, and a folder that was begun with
other options is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.resources import files
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.atomic import write_json
from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.pool import map_unordered
from texedo.data.synth.spoil import MAX_FRAMES
from texedo.data.trials.bvh import RecordingJob, read_recordings
from texedo.data.trials.plan import PartPlan, TrialsCfg
from texedo.data.trials.pool import ClipPool
from texedo.data.trials.prompts import PromptJob, read_prompts
from texedo.text.learn.trials.finish import (
    finish,
    finish_clips,
    finish_prompts,
    finish_recordings,
)
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.tokenizer.tokenizer import MotionTokenizer

TRIALS_VERSION = 2
"""Raise when the same options make other motions."""
INFO = "trials.json"
_ROWS = 512
"""Candidates that a GPU draws at once."""
Poses = NDArray[np.float32]
Report = Callable[[int, int], None]
"""Hears how many motions are made, and how many are to be."""
Task = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Models:
    """What draws candidates; loaded when first needed."""

    load: Callable[[], tuple[MotionLanguageModel, MotionTokenizer]]

    @cached_property
    def both(self) -> tuple[MotionLanguageModel, MotionTokenizer]:
        return self.load()


@dataclass(frozen=True, kw_only=True, eq=False)
class Maker:
    """All that parts are made from."""

    pool: ClipPool
    models: Models
    cfg: TrialsCfg
    recordings: Path | None = None
    """Where the motion capture lies that the corpus was built from."""

    @cached_property
    def unseen(self) -> dict[str, RecordingJob]:
        """Recordings of unseen people by name; reading them takes a while."""
        known = {
            row.recording: row
            for row in self.pool.rows
            if row.recording and row.split == "test-subject"
        }
        if self.recordings is None:
            return {}
        dataset = self.pool.corpus.info.get("dataset", "cmu")
        return {
            job.trial: job for job in read_recordings(dataset, self.recordings, known)
        }

    def task(self, part: PartPlan, path: Path) -> Task:
        """What a worker needs to finish a part; networks have run."""
        if part.recordings:
            if missing := [t for t in part.recordings if t not in self.unseen]:
                raise TexedoError(
                    f"{self.recordings}: does not hold the recording {missing[0]}; name "
                    "the motion capture that the corpus was built from."
                )
            jobs = [self.unseen[trial] for trial in part.recordings]
            skeletons = self.cfg.foreign_skeletons
            return finish_recordings, path, jobs, skeletons, self.cfg.seed
        if part.prompts:
            poses = self._drawn(part.prompts)
            return finish_prompts, path, part.prompts, poses, self.cfg.seed
        poses = [self.pool.frames(job.clip) for job in part.clips]
        if part.needs_model:
            poses = self._decoded(poses)
        rows = [self.pool.rows[job.clip]._replace(captions=()) for job in part.clips]
        others = [
            self.pool.frames(job.other) if job.other >= 0 else None
            for job in part.clips
        ]
        return finish_clips, path, part.clips, rows, poses, others, self.cfg.seed

    def _decoded(self, poses: Sequence[Poses]) -> list[Poses]:
        """What the tokenizer makes of clips, of the same lengths."""
        _, tokenizer = self.models.both
        found = tokenizer.decode(tokenizer.encode_qpos(poses))
        return [own[: len(clip)] for own, clip in zip(found, poses, strict=True)]

    def _drawn(self, jobs: Sequence[PromptJob]) -> list[Poses]:
        """Poses of all candidates of all prompts, in order."""
        model, tokenizer = self.models.both
        alike: defaultdict[tuple[float, float, int], list[int]] = defaultdict(list)
        for i, job in enumerate(jobs):
            alike[job.temperature, job.guidance, job.candidates].append(i)
        codes: list[list[NDArray[np.int64]]] = [[] for _ in jobs]
        for (temperature, guidance, count), own in alike.items():
            order = _spread(own, [model.text_length(jobs[i].text) for i in own], count)
            rows = model.sample_tokens(
                [jobs[i].text for i in order],
                count,
                seed=self.cfg.seed,
                # Of a longer motion the beginning is tried: no need to draw the rest.
                max_tokens=MAX_FRAMES // tokenizer.downsampling,
                temperature=temperature,
                guidance=guidance,
            )
            for i, found in zip(order, rows, strict=True):
                codes[i] = found
        return tokenizer.decode([row for own in codes for row in own])


def lively_prompts() -> list[str]:
    """Our list of everyday requests for lively motions."""
    path = files("texedo.text.learn.trials") / "lively_prompts.txt"
    return read_prompts(path.read_text(encoding="utf-8"))


def make_trials(
    maker: Maker,
    parts: Sequence[PartPlan],
    out: Path,
    *,
    workers: int | None = None,
    report: Report = lambda done, total: None,
) -> Counter[str]:
    """Write all of these parts that are not there yet; returns motions by recipe."""
    paths = {part.number: out / f"part-{part.number:05d}.npz" for part in parts}
    missing = [part for part in parts if not paths[part.number].exists()]
    made: Counter[str] = Counter()
    total = sum(part.motions for part in missing)

    def calls() -> Iterator[Task]:
        for part in _taking_turns(missing):
            yield maker.task(part, paths[part.number])

    for count in map_unordered(finish, calls(), workers=workers):
        made += count
        report(made.total(), max(total, made.total()))
    return made


def begin(out: Path, maker: Maker, generator: str, lively: Sequence[str]) -> None:
    """Make the folder, or see that it was begun with the same options."""
    said = {
        "version": TRIALS_VERSION,
        "options": _options(maker.cfg),
        "generator": generator,
        "corpus": maker.pool.digest,
        "lively": hashlib.sha256("\n".join(lively).encode()).hexdigest(),
    }
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
    path = out / INFO
    if path.exists():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))["digest"]
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(f"{path}: is damaged: {error}") from error
        if before != digest:
            raise TexedoError(
                f"{out}: was begun with other options, another corpus or another "
                f"generator (see {path}); name another folder."
            )
        return
    out.mkdir(parents=True, exist_ok=True)
    write_json(path, said | {"digest": digest})


def _options(cfg: TrialsCfg) -> dict[str, Any]:
    """What motions depend on; what asks for none is left out, so that folders from
    before it could be asked for go on."""
    options = asdict(cfg)
    if not cfg.promise_prompts:
        del options["promise_prompts"]
    return options


def _taking_turns(parts: Sequence[PartPlan]) -> Iterator[PartPlan]:
    """Parts with and without networks in turn: cores work while a GPU draws."""
    drawn = [part for part in parts if part.needs_model]
    others = [part for part in parts if not part.needs_model]
    # The slow ones first.
    others.sort(key=lambda part: not part.recordings)
    for part in chain.from_iterable(zip_longest(others, drawn)):
        if part is not None:
            yield part


def _spread(own: Sequence[int], lengths: Sequence[int], count: int) -> list[int]:
    """The order in which every batch of a GPU has one of the longest prompts.

    Batches whose prompts are padded alike share a recording of the GPU's steps.
    """
    longest_first = [own[k] for k in np.argsort(-np.array(lengths), kind="stable")]
    batches = -(-len(own) // max(1, _ROWS // count))
    return [i for first in range(batches) for i in longest_first[first::batches]]
