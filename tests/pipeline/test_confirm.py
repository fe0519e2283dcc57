"""The winner is performed before it is handed out, and the next best if it fails."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.generators import StandingGenerator
from tests.support.standing import standing, stiff
from texedo.core.errors import GenerationError
from texedo.do import Selection, select_best
from texedo.motion import Motion
from texedo.pipeline import Pipeline, Scores
from texedo.pipeline.confirm import Confirmation, Confirmed, Tracker, confirm, reselect
from texedo.pipeline.drawing import Ask
from texedo.pipeline.result import Generated
from texedo.pipeline.stream import Parts, run_stream
from texedo.see.scores import Performance
from texedo.tracker.policies.open_loop import OpenLoopPolicy

R_TEXT = [0.9, 0.7, 0.8, 0.6]
"""By R_text the candidates come in the order 0, 2, 1, 3."""


class Performs:
    """Motions of so many frames succeed, or these shares of the perturbed robots do."""

    name, digest = "performs", "p0"

    def __init__(self, good: Sequence[int], robust: dict[int, float] | None = None):
        self.good, self.robust = good, robust or {}
        self.tried: list[int] = []

    def perform(self, motion: Motion, *, robust: bool = False) -> Performance:
        number = len(motion) - 10
        self.tried.append(number)
        done = number in self.good
        said = "performed to the end" if done else "fails at 0.10 s"
        share = self.robust.get(number, 1.0) if robust else float("nan")
        return Performance(
            success=done, robust=share, robots=5 if robust else 0, verdict=said
        )


MOTIONS = [standing(10 + i) for i in range(4)]


def chosen() -> Selection:
    return select_best([0.9] * 4, R_TEXT)


def tried(performer: Performs, **options: int | bool) -> tuple[Confirmed, Selection]:
    top = int(options.pop("top", 1))
    how = Confirmation(performer=performer, **options)  # type: ignore[arg-type]
    found = confirm(chosen().order, MOTIONS, how, top=top)
    return found, reselect(chosen(), found)


def test_the_order_is_that_of_the_rule() -> None:
    assert chosen().order == (0, 2, 1, 3)
    # Who fails a check comes after those who pass, and who is infeasible not at all.
    passing = np.array([False, True, True, True])
    some = select_best([0.9, 0.9, 0.1, 0.9], R_TEXT, preferred=passing)
    assert some.order == (1, 3, 0)


def test_a_winner_that_holds_is_performed_once() -> None:
    performer = Performs([0])
    found, selection = tried(performer)
    assert performer.tried == [0] and found.holding == (0,)
    assert selection == chosen()


def test_the_next_best_is_taken_if_the_winner_falls() -> None:
    performer = Performs([1, 3])
    _, selection = tried(performer)
    assert performer.tried == [0, 2, 1] and selection.index == 1
    outcomes = [verdict.outcome for verdict in selection.verdicts]
    assert outcomes == ["fails_in_physics", "chosen", "fails_in_physics", "outranked"]
    assert selection.reason == (
        "Number 3 by rule texedo; candidates 0, 2 before it did not hold in physics."
    )
    assert "fails at 0.10 s" in selection.verdicts[0].reason


def test_if_nobody_holds_the_rule_s_own_choice_is_handed_out() -> None:
    performer = Performs([3])
    found, selection = tried(performer, tries=2)
    assert performer.tried == [0, 2] and found.holding == ()
    assert selection.index == 0 and not found.performed[0].holds


def test_a_robust_winner_finishes_with_every_robot() -> None:
    performer = Performs([0, 1, 2, 3], robust={0: 0.8, 2: 1.0})
    _, selection = tried(performer, robust=True)
    assert performer.tried == [0, 2] and selection.index == 2
    # None of them does: the one of which most robots finish, nominal success first.
    worse = Performs([0, 2], robust={0: 0.4, 2: 0.6, 1: 0.8})
    _, selection = tried(worse, robust=True)
    assert worse.tried == [0, 2, 1] and selection.index == 2


def test_several_motions_are_confirmed_one_by_one() -> None:
    performer = Performs([0, 1, 3])
    found, _ = tried(performer, top=2)
    assert found.holding == (0, 1) and performer.tried == [0, 2, 1]


# In the pipeline


class Frames(StandingGenerator):
    """Candidate i has 10 + i frames."""

    def _motion(self, prompt: str, seed: int, i: int) -> Motion:
        return MOTIONS[i]


class Reads:
    name, digest = "reads", "r0"

    def score(self, prompt: str, candidates: Sequence[Motion], **_: object) -> Scores:
        count = len(candidates)
        return Scores(
            dynamics=np.full(count, 0.9),
            semantics=np.array(R_TEXT[:count]),
            quality=np.full(count, np.nan),
        )


def run(performer: Performs, *, top: int = 1, robust: bool = False) -> Generated:
    from texedo.pipeline.choice import Choice

    how = Confirmation(performer=performer, robust=robust)
    parts = Parts(Frames(), Reads(), Choice(rule="texedo"), how)
    (result,) = run_stream(["wave"], parts, Ask(n=4, top=top))
    assert isinstance(result, Generated)
    return result


def test_a_result_knows_how_its_motion_went() -> None:
    result = run(Performs([2]))
    assert result.selection.index == 2 and result.survived is True
    assert result.expected is None and result.verdict == "performed to the end"
    assert len(result.motion) == 12 and "confirm" in result.seconds
    account = result.account
    # The one that fell is no runner-up.
    assert account.chosen == 2 and account.runners_up == (1, 3)
    assert account.rejected == {"lower R_text": 2, "fails in physics": 1}
    assert account.candidates[0].outcome == "fails_in_physics"
    assert result.candidates["confirmed"] == [False, None, True, None]


def test_several_motions_are_handed_out_best_first() -> None:
    result = run(Performs([0, 1, 3]), top=2)
    assert result.handed_out == (0, 1)
    assert [len(motion) for motion in result.motions] == [10, 11]
    assert result.account.rejected == {"lower R_text": 1, "fails in physics": 1}
    with pytest.raises(GenerationError, match="must be 1 to 4, .* got 5"):
        Ask(n=4, top=5)


def test_without_confirmation_nobody_is_performed() -> None:
    pipe = Pipeline(Frames(), scorer=Reads(), rule="texedo", confirm=0)
    result = pipe("wave", n=4, top=3)
    assert result.performance is None and result.survived is None
    assert result.expected is True and result.handed_out == (0, 2, 1)
    with pytest.raises(GenerationError, match="robust goes with confirm"):
        Pipeline(Frames(), scorer=Reads(), rule="texedo", confirm=0, robust=True)


# In physics


def test_a_tracker_performs_to_the_same_bit_and_says_which_robots_finish() -> None:
    motion, tracker = standing(40), Tracker(stiff())
    once, again = (tracker.perform(motion, robust=True) for _ in range(2))
    assert once.success and once.robots == 5 and 0 <= once.robust <= 1
    assert once.verdict.endswith("of 5 perturbed robots finish")
    assert once.robust == again.robust and once.executed is not None
    np.testing.assert_array_equal(once.executed, again.executed)
    assert once.seconds == pytest.approx(0.78) and len(once.executed) == 40


def test_what_cannot_be_performed_does_not_hold() -> None:
    done = Tracker(stiff()).perform(standing(30, height=2.0))
    assert not done.holds and "not performed: " in done.verdict
    fallen = Tracker(OpenLoopPolicy()).perform(standing(90))
    assert not fallen.success and fallen.seconds < 1.78
    assert fallen.verdict.startswith("fails at ")
