"""The judges themselves, on captured clips: do they see what was recorded?

`validation.jsonl` names for each judge the words by which people say that it is done, and
the wider ones that leave it open. Clips described by the first should be seen (`seen`);
those described by neither should not (`fires`): somebody may do a thing unmentioned, so
that is an upper bound of false alarms. `anywhere` is the share of all clips. Turned in a
mirror, every clip must get the verdict of the mirrored rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from texedo.data.corpus.store import Corpus
from texedo.evaluation.understanding.body import read_body
from texedo.evaluation.understanding.rules import Rule, mirrored, parse_rule
from texedo.evaluation.understanding.verdict import holds
from texedo.robot.mirror import mirror

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Case:
    """One clause, and the words for it."""

    name: str
    rule: Rule
    says: re.Pattern[str]
    unless: re.Pattern[str]


class Seen(NamedTuple):
    """Of one clip: what is said of it, and on which cases the judge fires."""

    texts: tuple[str, ...]
    holds: tuple[bool, ...]
    mirrored: tuple[bool, ...]


def cases() -> list[Case]:
    """What is validated, from the package's own table."""
    file = resources.files(__package__).joinpath("validation.jsonl")
    return [_case(json.loads(x)) for x in file.read_text("utf-8").splitlines()]


def validation_report(
    corpus: Corpus,
    *,
    written: dict[str, list[str]] | None = None,
    limit: int | None = None,
    progress: Progress = lambda done, total: None,
) -> dict[str, Any]:
    """Rows for all cases over the captured clips; captions by clip id may be given."""
    wanted = cases()
    chosen = corpus.select(kind="captured", copies=False)
    if limit is not None and limit < len(chosen):
        rng = np.random.default_rng(0)
        chosen = sorted(rng.choice(chosen, size=limit, replace=False).tolist())
    clips = []
    for done, i in enumerate(chosen, start=1):
        clips.append(_look(corpus, i, wanted, written))
        progress(done, len(chosen))
    rows = {case.name: _row(case, k, clips) for k, case in enumerate(wanted)}
    return {"clips": len(clips), "rows": rows}


def _look(
    corpus: Corpus, i: int, wanted: Sequence[Case], written: dict[str, list[str]] | None
) -> Seen:
    clip, motion = corpus.clips[i], corpus.motion(i)
    captions = clip.captions if written is None else written.get(clip.id, ())
    body, other = read_body(motion), read_body(mirror(motion))
    return Seen(
        (clip.description, *captions),
        tuple(holds(case.rule, body) for case in wanted),
        tuple(holds(mirrored(case.rule), other) for case in wanted),
    )


def _row(case: Case, k: int, clips: Sequence[Seen]) -> dict[str, Any]:
    says = [any(map(case.says.search, clip.texts[1:])) for clip in clips]
    open_ = [case.unless.search(" ".join(clip.texts)) is not None for clip in clips]
    fires = np.array([clip.holds[k] for clip in clips])
    positive, negative = np.array(says), ~np.array(open_)
    return {
        "said of": int(positive.sum()),
        "seen": _share(fires[positive]),
        "not said of": int(negative.sum()),
        "fires": _share(fires[negative]),
        "anywhere": _share(fires),
        "mirror differs": sum(clip.holds[k] != clip.mirrored[k] for clip in clips),
    }


def _share(values: Any) -> float | None:
    return float(values.mean()) if len(values) else None


def _case(record: dict[str, Any]) -> Case:
    ((judge, arguments),) = record["clause"].items()
    words = [str(value) for value in arguments.values()]
    return Case(
        " ".join([judge, *words]),
        parse_rule([record["clause"]]),
        re.compile(record["says"], re.IGNORECASE),
        re.compile(record["unless"], re.IGNORECASE),
    )
