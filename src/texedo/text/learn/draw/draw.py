"""Draw candidates for the captions of a token file, on a GPU or on the CPU.

Prompts are drawn in parts: sampled and decoded together, then post-processed, measured
and told on all cores while the next part is sampled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.core.threads import available_cores
from texedo.data.corpus.drawn import Candidate, Part, write_part
from texedo.motion import Motion
from texedo.text.learn.draw.tell import tell
from texedo.text.learn.lm.data import TokenData
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.postprocess import postprocess
from texedo.text.tokenizer.tokenizer import MotionTokenizer

Report = Callable[[int, int], None]
_SHARE = 32
"""Prompts that a worker tells about at once."""


class Prompt(NamedTuple):
    """A caption to draw for, and the clip it is of."""

    text: str
    id: str
    split: str
    family: str


@dataclass(frozen=True, kw_only=True)
class DrawCfg:
    """How much is drawn, and how."""

    candidates: int = 2
    """Per prompt."""
    temperatures: tuple[float, ...] = (1.0,)
    guidances: tuple[float, ...] = (2.5,)
    """Parts take turns with all pairs of the two."""
    prompts_per_part: int = 1024
    seed: int = 0


def choose_prompts(
    data: TokenData, *, split: str, number: int, seed: int
) -> list[Prompt]:
    """Different captions of a split in random order, at most `number` of them.

    Clips take turns, so that a clip with many captions has no more than its share.
    """
    rng = np.random.default_rng((seed, 11))
    clips = data.captioned(split)
    rng.shuffle(clips)
    orders = {i: rng.permutation(len(data.captions[i])) for i in clips}
    found: dict[str, Prompt] = {}
    for turn in range(max((len(order) for order in orders.values()), default=0)):
        for i in clips:
            if turn < len(orders[i]) and len(found) < number:
                text = data.captions[i][orders[i][turn]]
                found.setdefault(
                    text, Prompt(text, data.ids[i], split, data.families[i])
                )
    return list(found.values())


def draw(
    prompts: Sequence[Prompt],
    model: MotionLanguageModel,
    tokenizer: MotionTokenizer,
    out: Path,
    *,
    cfg: DrawCfg,
    workers: int | None = None,
    report: Report = lambda done, total: None,
) -> int:
    """Write all parts that are not there yet; returns how many candidates were drawn."""
    if not prompts:
        raise TexedoError("There is no caption to draw for.")
    out.mkdir(parents=True, exist_ok=True)
    settings = [(t, g) for t in cfg.temperatures for g in cfg.guidances]
    # Prompts of one length share a recording of the GPU's steps.
    ordered = sorted(prompts, key=lambda prompt: model.text_length(prompt.text))
    size = cfg.prompts_per_part
    parts = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    drawn = 0
    with ProcessPoolExecutor(
        workers or available_cores(), mp_context=get_context("spawn")
    ) as pool:
        waiting: list[_Waiting] = []
        for number, part in enumerate(parts):
            path = out / f"part-{number:05d}.npz"
            if not path.exists():
                temperature, guidance = settings[number % len(settings)]
                waiting.append(
                    _start(
                        part, model, tokenizer, path, pool, cfg, temperature, guidance
                    )
                )
            while len(waiting) > 2 or (waiting and number == len(parts) - 1):
                drawn += _finish(waiting.pop(0))
            report(number + 1 - len(waiting), len(parts))
    return drawn


class _Waiting(NamedTuple):
    path: Path
    prompts: Sequence[Prompt]
    codes: list[list[NDArray[np.int64]]]
    setting: tuple[float, float]
    shares: list[Future[list[tuple[Candidate, NDArray[np.float32]]]]]


def _start(
    part: Sequence[Prompt],
    model: MotionLanguageModel,
    tokenizer: MotionTokenizer,
    path: Path,
    pool: ProcessPoolExecutor,
    cfg: DrawCfg,
    temperature: float,
    guidance: float,
) -> _Waiting:
    """Sample and decode here; the rest is for the workers."""
    codes = model.sample_tokens(
        [prompt.text for prompt in part],
        cfg.candidates,
        seed=cfg.seed,
        temperature=temperature,
        guidance=guidance,
    )
    flat = tokenizer.decode([row for rows in codes for row in rows])
    poses = [
        flat[i * cfg.candidates : (i + 1) * cfg.candidates] for i in range(len(part))
    ]
    shares = [
        pool.submit(
            _tell_share,
            part[i : i + _SHARE],
            poses[i : i + _SHARE],
            (temperature, guidance),
            cfg.seed,
        )
        for i in range(0, len(part), _SHARE)
    ]
    return _Waiting(path, part, codes, (temperature, guidance), shares)


def _tell_share(
    prompts: Sequence[Prompt],
    poses: Sequence[Sequence[NDArray[np.float32]]],
    setting: tuple[float, float],
    seed: int,
) -> list[tuple[Candidate, NDArray[np.float32]]]:
    return [
        one
        for pair in zip(prompts, poses, strict=True)
        for one in _one(*pair, setting, seed)
    ]


def _one(
    prompt: Prompt,
    poses: Sequence[NDArray[np.float32]],
    setting: tuple[float, float],
    seed: int,
) -> Iterator[tuple[Candidate, NDArray[np.float32]]]:
    motions, _ = postprocess([Motion.from_qpos(qpos) for qpos in poses])
    key = hashlib.sha256(f"{seed}/{setting}/{prompt.text}".encode()).hexdigest()[:12]
    told = tell(prompt.text, motions, seed=(seed, prompt.text))
    for k, (motion, own) in enumerate(zip(motions, told, strict=True)):
        candidate = Candidate(
            id=f"drawn-{key}-{k:02d}",
            split=prompt.split,
            family=prompt.family,
            prompt=prompt.text,
            temperature=setting[0],
            guidance=setting[1],
            true=own.true,
            false=own.false,
            obeys=own.obeys,
            still=own.still,
        )
        yield candidate, motion.to_qpos().astype(np.float32)


def _finish(waiting: _Waiting) -> int:
    found = [one for share in waiting.shares for one in share.result()]
    write_part(
        waiting.path,
        Part(
            candidates=tuple(candidate for candidate, _ in found),
            codes=[row for rows in waiting.codes for row in rows],
            poses=[qpos for _, qpos in found],
        ),
    )
    return len(found)
