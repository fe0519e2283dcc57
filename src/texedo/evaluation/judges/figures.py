"""How far the kinematic judge can be trusted, on captioned clips of a corpus.

Coverage: the share of captions of which it can measure an action. AUC: how often a true
caption scores higher than one of another clip. Mirrored: of captions that have a side
(`pairs`), how often the motion scores higher than its mirror image; reversed: of captions
that have an order, the same for the motion played backwards. Whether a caption has one is
read from its words, whatever was measured; a tie counts against the judge. Every choice
is by hash of the clip's id and the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from texedo.core.errors import TexedoError
from texedo.data.corpus.store import Clip, Corpus
from texedo.evaluation.dynamics.heads import auroc
from texedo.evaluation.judges.cells import cells
from texedo.evaluation.judges.kinematic import KinematicJudge
from texedo.evaluation.judges.kinematic.parse import Asked
from texedo.evaluation.judges.kinematic.scene import Scene
from texedo.evaluation.judges.pairs import has_order, has_side
from texedo.evaluation.judges.protocol import Judgement, Label
from texedo.evaluation.resample import share_interval, with_interval
from texedo.evaluation.tables import Record
from texedo.motion import Motion
from texedo.robot.mirror import mirror

GROUPS = {"captured": ("captured",), "composed": ("authored", "sequence", "overlay")}
OTHERS = 4
"""False captions for each clip."""
_T = TypeVar("_T")
Progress = Callable[[int, int], None]


class Answer(NamedTuple):
    """What the judge said of one clip."""

    clip: int
    true: Judgement
    false: list[tuple[Judgement, bool]]
    """Of captions of other clips, and whether those are of another family."""
    mirrored: tuple[float, float] | None
    """Score of the motion and of its mirror image, for a caption with a side."""
    reversed: tuple[float, float] | None
    units: tuple[int, int]
    """Units of the true caption that are labelled, and all."""


def judge_report(
    judge: KinematicJudge,
    corpus: Corpus,
    *,
    split: str,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> Record:
    """Rows for captured and for composed clips of a split, and for both together."""
    chosen = {
        name: _clips(corpus, split, kinds, limit) for name, kinds in GROUPS.items()
    }
    chosen = {name: clips for name, clips in chosen.items() if clips}
    total = sum(map(len, chosen.values()))
    if not total:
        raise TexedoError(
            f"split {split!r} of this corpus has no captioned clips; choose another "
            "with --split."
        )
    rows: Record = {}
    done = 0
    answers: list[Answer] = []
    captions: list[bool] = []
    for name, clips in chosen.items():
        asker = _Asker(judge, corpus, clips, seed)
        found = []
        for i in clips:
            if (answer := asker.ask(i)) is not None:
                found.append(answer)
            done += 1
            progress(done, total)
        covered = [
            judge.covers(text) for i in clips for text in _texts(corpus.clips[i])
        ]
        rows[name] = _row(found, covered, clips=len(clips))
        answers += found
        captions += covered
    rows["all"] = _row(answers, captions, clips=total)
    return {"judge": judge.name, "split": split, "seed": seed, "rows": rows}


class _Asker:
    """Puts the questions for one group of clips."""

    def __init__(
        self, judge: KinematicJudge, corpus: Corpus, clips: Sequence[int], seed: int
    ) -> None:
        self.judge, self.corpus, self.seed = judge, corpus, seed
        self.pool = [
            (i, text)
            for i in clips
            for text in _texts(corpus.clips[i])
            if judge.covers(text)
        ]

    def ask(self, i: int) -> Answer | None:
        """None if the clip has no caption that can be measured."""
        clip, motion = self.corpus.clips[i], self.corpus.motion(i)
        own = [text for text in _texts(clip) if self.judge.covers(text)]
        if not own:
            return None
        scene = Scene(motion)
        true = self.judge.judge_scene(_pick(own, f"{clip.id}", self.seed), scene)
        known = sum(unit.label is not Label.UNKNOWN for unit in true.units)
        return Answer(
            i,
            true,
            [self._other(clip, scene, k) for k in range(OTHERS)],
            self._pair(own, clip, scene, lambda: mirror(motion), has_side),
            self._pair(own, clip, scene, lambda: _backwards(motion), has_order),
            (known, len(true.units)),
        )

    def _other(self, clip: Clip, scene: Scene, k: int) -> tuple[Judgement, bool]:
        own = {text.lower() for text in clip.captions}
        for attempt in range(100):
            j, text = _pick(self.pool, f"{clip.id} {k} {attempt}", self.seed)
            other = self.corpus.clips[j]
            if other.group != clip.group and text.lower() not in own:
                break
        return self.judge.judge_scene(text, scene), other.family != clip.family

    def _pair(
        self,
        own: Sequence[str],
        clip: Clip,
        scene: Scene,
        change: Callable[[], Motion],
        fits: Callable[[Sequence[Asked]], bool],
    ) -> tuple[float, float] | None:
        """The same caption on the motion and on the changed one."""
        order = sorted(own, key=lambda text: _digest(f"{self.seed} {clip.id} {text}"))
        for text in order:
            if fits(self.judge.reads(text)):
                before = self.judge.judge_scene(text, scene)
                return before.fine, self.judge.judge(text, change()).fine
        return None


def _row(answers: Sequence[Answer], covered: Sequence[bool], *, clips: int) -> Record:
    known = np.array([a.units for a in answers], dtype=np.float64).reshape(-1, 2)
    row: Record = {"clips": clips, "captions": len(covered)}
    row |= cells("coverage", share_interval(np.array(covered, dtype=np.float64)))
    row["units measured"] = float(known[:, 0].sum() / max(known[:, 1].sum(), 1))
    for name, families in (
        ("AUC, another family", True),
        ("AUC, any other clip", False),
    ):
        row |= cells(name, _auc(answers, families=families))
    for name, pairs in (
        ("mirrored lower", [a.mirrored for a in answers if a.mirrored]),
        ("reversed lower", [a.reversed for a in answers if a.reversed]),
    ):
        lower = np.array([first > second for first, second in pairs], dtype=np.float64)
        row[f"{name} n"] = len(pairs)
        row |= cells(name, share_interval(lower))
    row["mean score, true"] = _mean([a.true for a in answers])
    row["mean score, false"] = _mean([j for a in answers for j, _ in a.false])
    return row


def _mean(found: Sequence[Judgement]) -> float:
    scores = [j.score for j in found if j.score is not None]
    return float(np.mean(scores)) if scores else float("nan")


def _auc(
    answers: Sequence[Answer], *, families: bool
) -> tuple[float | None, list[float] | None]:
    """Area under the curve of true against false captions; clips are drawn again."""
    scores, labels, group = [], [], []
    for number, answer in enumerate(answers):
        false = [j.fine for j, other in answer.false if other or not families]
        scores += [answer.true.fine, *false]
        labels += [True, *([False] * len(false))]
        group += [number] * (1 + len(false))
    return with_interval(auroc(scores, labels), np.array(group, dtype=np.int64))


def _clips(
    corpus: Corpus, split: str, kinds: Sequence[str], limit: int | None
) -> list[int]:
    found = [
        i
        for i in corpus.select(split=split, kind=kinds, copies=False)
        if corpus.clips[i].captions
    ]
    if limit is None or limit >= len(found):
        return found
    return [found[k * len(found) // limit] for k in range(limit)]


def _texts(clip: Clip) -> list[str]:
    return list(dict.fromkeys(clip.captions))


def _backwards(motion: Motion) -> Motion:
    return Motion.from_qpos(motion.to_qpos()[::-1].copy())


def _pick(items: Sequence[_T], key: str, seed: int) -> _T:
    return items[int.from_bytes(_digest(f"{seed} {key}"), "big") % len(items)]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()
