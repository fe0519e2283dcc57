"""What a sentence asks for drawn thing by thing, and put together.

A generator that knows every step of "walk three steps, turn around, bow and wave" seldom
does all four in their order, and of "tiptoe sideways with your arms out" it shows one: the
more there is, the rarer a candidate that has it all. So where no candidate fits a sentence
about several things, candidates are drawn for each of them and scored as motions for that
thing. The best ones are put together: one after the other, by bridges in which the feet do
not slide and the robot stays over them, or at once, the arms of one on the legs of the
other. What comes out is scored beside the others by the whole sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.motion import FPS, Motion, change_speed
from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.more import Drawn, Looked, More, is_r_text, raised
from texedo.pipeline.again.writing import Writing
from texedo.text.generators.protocol import ReadsPrompts
from texedo.text.postprocess.idle import without_pauses, without_waits

if TYPE_CHECKING:
    from texedo.data.captions.asked.things import Things
    from texedo.data.synth.compose.pieces import Piece

BELOW, CANDIDATES, BEST, MOST = 0.97, 16, 6, 8
"""See docs/generate.md."""
JOINED = "joined"
"""Column of the table of candidates: of which motions it is put together."""
LONGEST = 30.0
"""What is put together lasts no longer [s]."""
_WAIT, _WAIT_KEPT = 0.1, 0.04
"""A longer wait at either end of a step becomes one of so long [s]: the speeds that tell a
wait are means over a second, so that half a second of it is left anyway."""
_HELD = re.compile(
    r"\b(?:holds?|holding|waits?|stands?|still|stays?|pauses?|seconds?|freezes?|balances?)\b"
)
"""What a step says if its waits are what is asked for."""
_LONG = 0.15
"""Log-odds that a second less is worth: who is asked for four things does not dwell."""
_EFFORT = 0.7
"""Log-odds that a calm passage from one motion to the next is worth, for each unit of
effort."""
_OFTEN = 3
"""A motion is used no more often."""
_STRETCH = 1.5
"""Arms may do what they do so many times as fast or as slowly."""
_LEAST_ODDS = 0.02
"""R_text is kept off 0 and 1 by so much where log-odds are made of it."""


class _Part(NamedTuple):
    """A motion for one of the things."""

    number: int
    """Of the candidate."""
    piece: Piece
    worth: float
    """Log-odds that it is what was asked for, less for a long one."""


Row = tuple[_Part, ...]
"""A motion of each thing, in their order."""


@dataclass(frozen=True, kw_only=True)
class Joining:
    """When to draw thing by thing, and how much of it."""

    below: float = BELOW
    """R_text of the best candidate that passes, below which nothing fits."""
    candidates: int = CANDIDATES
    """So many are drawn for each thing."""
    best: int = BEST
    """So many of them are joined to the next thing, those that fit best; all of them
    where things are done at once."""
    most: int = MOST
    """Motions put together that are scored at most."""
    edit: Editing | None = Editing(below=0.85, candidates=4, most=4)
    """How candidates are edited where none fits its thing."""
    write: Writing | None = Writing(most=4, few=0)
    """How motions are written for a thing where none that was drawn fits."""

    def __post_init__(self) -> None:
        if not is_r_text(self.below):
            raise GenerationError(
                f"below must be 0 to 1, as R_text is, got {self.below:g}."
            )
        if min(self.candidates, self.best, self.most) < 1:
            raise GenerationError(
                "Joining needs at least one candidate for each thing, one of them to "
                "join and one joined motion, got "
                f"{self.candidates}, {self.best} and {self.most}."
            )

    def is_needed(self, drawn: Drawn) -> bool:
        """Whether nothing fits a sentence that may be about several things; not where
        these are somebody's motions, or where their length was asked for."""
        return drawn.lacks(self.below)

    def count(self, n: int) -> int:
        """Candidates that are made at most where n were drawn."""
        return self.most

    def make(self, drawn: Drawn) -> More | None:
        """Motions of all things; None where the sentence is about one, or where nothing
        that was drawn can be put together."""
        things = _things_of(drawn)
        if things is None:
            return None
        assert isinstance(drawn.generator, ReadsPrompts)
        said = [drawn.generator.read_as(sentence) for sentence in things.sentences]
        found = self._draw(said, drawn, in_turn=things.in_turn)
        if things.in_turn:
            dwells = any(_HELD.search(sentence) for sentence in said)
            made = list(_one_after_the_other(found, self.most, dwells=dwells))
        else:
            made = list(_at_once(found, self.most))
        if not made:
            return None
        how = "one after the other" if things.in_turn else "at once"
        return More(
            motions=[motion for motion, _ in made],
            column=JOINED,
            told=[_told(row) for _, row in made],
            remark="no candidate fitted well, so these were drawn one by one and put "
            f"together, {how}, in {len(made)} ways: "
            + ", ".join(f"'{sentence}'" for sentence in said),
        )

    def _draw(
        self, said: Sequence[str], drawn: Drawn, *, in_turn: bool
    ) -> list[list[_Part]]:
        """For each thing the motions that fit best, of those that can be put together."""
        # Here and not above: it is only loaded where it is needed.
        from texedo.data.synth.compose.pieces import pieces_of

        wanted = list(dict.fromkeys(said))
        rows = drawn.generator.sample_many(
            wanted,
            min(self.candidates, drawn.n),
            seed=drawn.seed,
            **drawn.sampling.to_dict(),
        )
        known: dict[str, list[_Part]] = {}
        for sentence, row in zip(wanted, rows, strict=True):
            looked = drawn.look(sentence, row)
            for how in (self.write, self.edit):
                looked = _with_more(how, sentence, looked, drawn)
            motions = looked.motions
            if in_turn:
                motions = [_brisk(motion, sentence) for motion in motions]
            pieces = pieces_of([motion.to_qpos() for motion in motions])
            found = zip(pieces, _log_odds(looked.r_text), looked.may_win, strict=True)
            known[sentence] = [
                _Part(number, piece, worth - _long(piece) * in_turn)
                for number, (piece, worth, passes) in enumerate(found)
                if passes
            ]
        fit = [
            [part for part in known[sentence] if not in_turn or _joins(part, at, said)]
            for at, sentence in enumerate(said)
        ]
        best = self.best if in_turn else self.candidates
        return [sorted(own, key=lambda part: -part.worth)[:best] for own in fit]


def _with_more(
    how: Writing | Editing | None, sentence: str, looked: Looked, drawn: Drawn
) -> Looked:
    """With what is written or edited for a part where none that was drawn fits it."""
    aside = replace(drawn, prompt=sentence, **looked._asdict())
    more = how.make(aside) if how is not None and how.is_needed(aside) else None
    if more is None:
        return looked
    beside = drawn.look(sentence, more.motions)
    return Looked(
        [*looked.motions, *beside.motions],
        np.concatenate((looked.r_text, raised(beside.r_text, more.odds))),
        np.concatenate((looked.may_win, beside.may_win)),
    )


def _things_of(drawn: Drawn) -> Things | None:
    """Of the prompt, as the generator reads it; None if it is about one thing."""
    if not isinstance(drawn.generator, ReadsPrompts):
        return None
    # Here and not above: the grammar of captions is only loaded where it is needed.
    from texedo.data.captions.asked.things import things_of

    return things_of(drawn.generator.read_as(drawn.prompt))


def _joins(part: _Part, at: int, said: Sequence[str]) -> bool:
    """Whether it can be entered from the step before it and left to the next one."""
    enters = at == 0 or part.piece.enter is not None
    return enters and (at == len(said) - 1 or part.piece.leave is not None)


def _brisk(motion: Motion, sentence: str) -> Motion:
    """Without the waits before and after, where none is asked for."""
    if _HELD.search(sentence):
        return motion
    return without_waits(motion, longest=_WAIT, kept=_WAIT_KEPT, held=True)[0]


def _long(piece: Piece) -> float:
    return _LONG * len(piece.frames) / FPS


def _log_odds(r_text: NDArray[np.float64]) -> list[float]:
    safe = np.clip(np.nan_to_num(r_text), _LEAST_ODDS, 1 - _LEAST_ODDS)
    return [float(x) for x in np.log(safe / (1 - safe))]


def _one_after_the_other(
    found: Sequence[Sequence[_Part]], most: int, *, dwells: bool
) -> Iterator[tuple[Motion, Row]]:
    from texedo.data.synth.compose.joining import join_many

    rows = _rows(found, most) if all(found) else []
    longest = round(LONGEST * FPS)
    joined = join_many([[part.piece for part in row] for row in rows], longest=longest)
    for poses, row in zip(joined, rows, strict=True):
        if poses is not None:
            motion = Motion.from_qpos(poses)
            yield (motion if dwells else without_pauses(motion)), row


def _rows(found: Sequence[Sequence[_Part]], most: int) -> list[Row]:
    """Each begins with one of the first ones, in turn, and goes on with those that are
    worth most and calmly reached."""
    from texedo.data.synth.compose.joining import effort

    used: Counter[tuple[int, int]] = Counter()
    rows: dict[tuple[int, ...], Row] = {}
    for turn in range(2 * most):
        row = [found[0][turn % len(found[0])]]
        for at, own in enumerate(found[1:], 1):
            values = [
                part.worth
                - _EFFORT * effort(row[-1].piece, part.piece)
                - used[at, part.number] / _OFTEN
                for part in own
            ]
            row.append(own[int(np.argmax(values))])
        numbers = tuple(part.number for part in row)
        rows.setdefault(numbers, tuple(row))
        used.update(enumerate(numbers))
        if len(rows) == most:
            break
    return list(rows.values())


def _at_once(
    found: Sequence[Sequence[_Part]], most: int
) -> Iterator[tuple[Motion, Row]]:
    """The arms of those that move them alone on the legs of the others."""
    from texedo.data.synth.compose.overlay import arms_of_another

    if len(found) != 2 or not all(found):
        return
    busy = [np.mean([_busy_legs(part.piece.frames) for part in own]) for own in found]
    legs = int(busy[1] > busy[0])
    pairs = [(a, b) for a in found[legs] for b in found[1 - legs]]
    used: Counter[tuple[str, int]] = Counter()
    made = 0
    for below, above in sorted(pairs, key=lambda pair: -pair[0].worth - pair[1].worth):
        marks = ("legs", below.number), ("arms", above.number)
        frames = below.piece.frames
        arms = _lasting(above.piece.frames, len(frames))
        if len(arms) < len(frames) or any(used[mark] >= _OFTEN for mark in marks):
            continue
        row = (above, below) if legs else (below, above)
        poses = arms_of_another(frames, arms[: len(frames)]).frames
        yield Motion.from_qpos(poses), row
        used.update(marks)
        made += 1
        if made == most:
            return


def _lasting(poses: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
    """Poses (T, 36) at another pace, so that they last so many frames if they can."""
    pace = float(np.clip(len(poses) / (frames + 1), 1 / _STRETCH, _STRETCH))
    return change_speed(Motion.from_qpos(poses), pace).to_qpos()


def _busy_legs(poses: NDArray[np.float32]) -> float:
    """Mean speed of the pelvis [m/s] and of the legs' joints [rad/s], poses (T, 36)."""
    way = np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1).mean()
    bend = np.abs(np.diff(poses[:, 7:19], axis=0)).mean()
    return float(way + bend) * FPS


def _told(row: Row) -> str:
    """Which candidate for each of the things it is made of."""
    numbers = ", ".join(str(part.number) for part in row)
    return f"joined from candidates {numbers} of its parts"
