"""Draw candidates for captions or everyday requests, on a GPU or on the CPU.

Prompts are drawn in parts: sampled and decoded together, then post-processed, measured
and told on all cores while the next part is sampled.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.core.pool import map_unordered
from texedo.data.captions.activities import RequestPrompt
from texedo.data.captions.activities import prompts as request_prompts
from texedo.data.corpus.drawn import REQUESTS, Candidate, Part, write_part
from texedo.data.synth.author import motions_of
from texedo.data.synth.prompted import specs_for
from texedo.language.reading import read_prompt
from texedo.motion import Motion
from texedo.text.learn.draw.tell import MAX_PHRASINGS, tell
from texedo.text.learn.lm.data import TokenData
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.postprocess import postprocess
from texedo.text.tokenizer.tokenizer import MotionTokenizer

Codes = NDArray[np.int64]
Poses = NDArray[np.float32]
Report = Callable[[int, int], None]
_Told = tuple[Candidate, Poses]
_WRITTEN = "written"
_SHARE = 64
"""Candidates that a worker tells about at once, all of a prompt together."""


class Prompt(NamedTuple):
    """A caption to draw for, and the clip it is of."""

    text: str
    id: str
    split: str
    family: str
    request: RequestPrompt | None = None
    """What is asked for, where it is no caption but a request with a rule."""


@dataclass(frozen=True, kw_only=True)
class DrawCfg:
    """How much is drawn, and how."""

    candidates: int = 2
    """Per prompt."""
    temperatures: tuple[float, ...] = (1.0,)
    guidances: tuple[float, ...] = (2.5,)
    """Parts take turns with all pairs of the two."""
    written: int = 0
    """Motions for each prompt that are written from what it says, beside those drawn."""
    prompts_per_part: int = 1024
    seed: int = 0

    def setting(self, part: int) -> tuple[float, float]:
        """Temperature and guidance of a part."""
        pairs = list(product(self.temperatures, self.guidances))
        return pairs[part % len(pairs)]


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


def choose_requests(*, number: int, seed: int) -> list[Prompt]:
    """Everyday requests, half of them put together from several."""
    return [
        Prompt(one.text, one.id, "train", REQUESTS, one)
        for one in request_prompts(seed, number)
    ]


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
    # Prompts of one length share a recording of the GPU's steps.
    ordered = sorted(prompts, key=lambda prompt: model.text_length(prompt.text))
    size, own_share = cfg.prompts_per_part, max(1, _SHARE // cfg.candidates)
    parts = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    paths = [out / f"part-{number:05d}.npz" for number in range(len(parts))]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    codes: dict[int, list[Codes]] = {}
    told: defaultdict[int, dict[int, list[_Told]]] = defaultdict(dict)

    def calls() -> Iterator[tuple[Any, ...]]:
        """Shares of the parts, each part sampled when workers become free."""
        for number in missing:
            codes[number], poses = _sample(parts[number], model, tokenizer, cfg, number)
            for i in range(0, len(poses), own_share):
                own = parts[number][i : i + own_share], poses[i : i + own_share]
                yield number, i, *own, cfg, cfg.setting(number)

    drawn = 0
    for number, start, share in map_unordered(_tell_share, calls(), workers=workers):
        told[number][start] = share
        if own_share * len(told[number]) >= len(parts[number]):
            part = _part(told.pop(number), codes.pop(number))
            write_part(paths[number], part)
            drawn += len(part.candidates)
            report(sum(path.exists() for path in paths), len(parts))
    return drawn


def _sample(
    part: Sequence[Prompt],
    model: MotionLanguageModel,
    tokenizer: MotionTokenizer,
    cfg: DrawCfg,
    number: int,
) -> tuple[list[Codes], list[list[Poses]]]:
    """Codes of all candidates, and the poses of each prompt's."""
    temperature, guidance = cfg.setting(number)
    rows = model.sample_tokens(
        [prompt.text for prompt in part],
        cfg.candidates,
        seed=cfg.seed,
        temperature=temperature,
        guidance=guidance,
    )
    codes = [row for own in rows for row in own]
    poses = tokenizer.decode(codes)
    n = cfg.candidates
    return codes, [poses[i * n : (i + 1) * n] for i in range(len(part))]


def _part(shares: Mapping[int, list[_Told]], codes: list[Codes]) -> Part:
    found = [one for start in sorted(shares) for one in shares[start]]
    drawn, none = iter(codes), np.zeros(0, dtype=np.int64)
    return Part(
        candidates=tuple(candidate for candidate, _ in found),
        codes=[none if _is_written(one) else next(drawn) for one, _ in found],
        poses=[qpos for _, qpos in found],
    )


def _tell_share(
    number: int,
    start: int,
    prompts: Sequence[Prompt],
    poses: Sequence[Sequence[Poses]],
    cfg: DrawCfg,
    setting: tuple[float, float],
) -> tuple[int, int, list[_Told]]:
    pairs = zip(prompts, poses, strict=True)
    return number, start, [one for pair in pairs for one in _one(*pair, cfg, setting)]


def _is_written(candidate: Candidate) -> bool:
    """It has no codes: nobody encoded it."""
    return candidate.id.startswith(f"{_WRITTEN}-")


def _written_for(prompt: Prompt, cfg: DrawCfg) -> list[Motion]:
    if not cfg.written:
        return []
    said = read_prompt(prompt.text).text
    return motions_of(specs_for(said, number=cfg.written, seed=cfg.seed))


def _one(
    prompt: Prompt,
    poses: Sequence[Poses],
    cfg: DrawCfg,
    setting: tuple[float, float],
) -> Iterator[_Told]:
    drawn = [Motion.from_qpos(qpos) for qpos in poses]
    motions, _ = postprocess([*drawn, *_written_for(prompt, cfg)])
    seed = cfg.seed
    key = hashlib.sha256(f"{seed}/{setting}/{prompt.text}".encode()).hexdigest()[:12]
    request = prompt.request
    told = tell(prompt.text, motions, seed=(seed, prompt.text), request=request)
    for k, (motion, own) in enumerate(zip(motions, told, strict=True)):
        how = "drawn" if k < len(drawn) else _WRITTEN
        candidate = Candidate(
            id=f"{how}-{key}-{k:02d}",
            split=prompt.split,
            family=prompt.family,
            prompt=prompt.text,
            temperature=setting[0],
            guidance=setting[1],
            true=own.true,
            false=own.false,
            obeys=own.obeys,
            still=own.still,
            phrasings=request.others[:MAX_PHRASINGS] if request else (),
        )
        yield candidate, motion.to_qpos().astype(np.float32)
