"""Text -> See -> Do with a generator, scorers and a robot that can be foretold."""

import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.support.forecasts import FakeDynamics
from tests.support.generators import GivenRText, StandingGenerator, TableScorer
from tests.support.standing import ON_THE_FLOOR, leap, standing, stiff
from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.pipeline import (
    BATCH,
    Failed,
    Generated,
    PerformedAndRead,
    Scores,
    default_rule,
    default_threshold,
    find,
    generate_stream,
)
from texedo.pipeline import generate as generate_and_confirm
from texedo.pipeline.drawing import Ask
from texedo.pipeline.oracle import STAND_IN, OracleScorer
from texedo.pipeline.pipe import Pipeline
from texedo.quality import Normalizers
from texedo.see.dynamics.scorer import DynamicsScorer
from texedo.text.generators.prompts import Sampling

NAN = float("nan")
generate = partial(generate_and_confirm, confirm=0)
"""Nobody is performed after the choice; tests/pipeline/test_confirm.py does that."""


def good(prompt: str) -> list[float]:
    return [0.6, 0.9, 0.7]


def test_the_candidate_of_the_highest_quality_is_chosen() -> None:
    (result,) = generate(["walk"], StandingGenerator(), TableScorer(good), n=3)
    assert result.selection.index == 1 and result.survived
    assert result.motion == result.candidates[1].motion
    assert "Highest Q* (0.9) among 3" in result.selection.reason


def test_a_candidate_without_a_quality_is_never_chosen() -> None:
    scorer = TableScorer(lambda _: [NAN, 0.2, 0.1])
    (result,) = generate(["walk"], StandingGenerator(), scorer, n=3)
    assert result.selection.index == 1
    assert result.survived is False
    assert result.selection.verdicts[0].outcome == "no_score"


def test_every_candidate_is_postprocessed_and_checked() -> None:
    generator = StandingGenerator(height=ON_THE_FLOOR + 0.05)
    (result,) = generate(["walk"], generator, TableScorer(good), n=3)
    for candidate in result.candidates:
        assert candidate.postprocess.largest_lowering == pytest.approx(0.045, abs=1e-3)
        assert candidate.check.verdict == "pass"


def test_a_prompt_that_fails_does_not_stop_the_others() -> None:
    generator = StandingGenerator()
    prompts = ["walk", "fail", "wave"]
    results = list(generate_stream(prompts, generator, TableScorer(good), ask=Ask(n=3)))
    assert [type(r) for r in results] == [Generated, Failed, Generated]
    assert [r.prompt for r in results] == prompts
    # Together first, then, since that failed, one by one.
    assert generator.batches == [prompts, ["walk"], ["fail"], ["wave"]]


def test_a_scorer_that_breaks_costs_one_prompt() -> None:
    def broken(prompt: str) -> list[float]:
        if prompt == "walk":
            raise RuntimeError("physics")
        return [0.6, 0.9, 0.7]

    scorer = TableScorer(broken)
    stream = generate_stream(
        ["walk", "wave"], StandingGenerator(), scorer, ask=Ask(n=3)
    )
    first, second = stream
    assert isinstance(first, Failed) and isinstance(first.error, RuntimeError)
    assert isinstance(second, Generated)
    with pytest.raises(RuntimeError, match="physics"):
        generate(["wave", "walk"], StandingGenerator(), scorer, n=3)


def test_prompts_share_batches_of_64_candidates() -> None:
    assert BATCH == 64
    generator = StandingGenerator(frames=3)
    scorer = TableScorer(lambda _: [0.9] * 20)
    generate(["a", "b", "c", "d"], generator, scorer, n=20)
    assert generator.batches == [["a", "b", "c"], ["d"]]


def test_candidates_do_not_depend_on_other_prompts_or_on_n() -> None:
    scorer = TableScorer(lambda _: [0.9, 0.8])
    (alone,) = generate(["wave"], StandingGenerator(), scorer, n=2)
    _, among = generate(["walk", "wave"], StandingGenerator(), scorer, n=2)
    assert alone.motion == among.motion


def test_every_stage_tells_how_far_it_is_and_how_long_it_took() -> None:
    told: list[tuple[str, int, int]] = []
    pipe = Pipeline(StandingGenerator(), scorer=TableScorer(good), confirm=0)
    (result,) = pipe(["walk"], n=3, report=lambda *said: told.append(said))
    assert [stage for stage, done, _ in told if done == 0] == [
        "sample",
        "check",
        "perform",
        "choose",
    ]
    assert ("check", 3, 3) in told
    assert sorted(result.seconds) == ["check", "choose", "perform", "sample"]


def test_fewer_candidates_than_asked_for_are_remarked_upon() -> None:
    class Few(StandingGenerator):
        def sample_many(self, prompts, n, **settings):  # type: ignore[no-untyped-def]
            return super().sample_many(prompts, 3, **settings)

    (result,) = generate(["walk"], Few(), TableScorer(good), n=8)
    assert result.remarks == ("standing: has 3 candidates, not 8.",)


def test_a_generator_that_offers_nothing_is_an_error() -> None:
    class Empty(StandingGenerator):
        def sample_many(self, prompts, n, **settings):  # type: ignore[no-untyped-def]
            return [[] for _ in prompts]

    with pytest.raises(GenerationError, match="offered no candidate for 'walk'"):
        generate(["walk"], Empty(), TableScorer(good), n=3)


def test_wrong_input_is_found_before_anything_is_sampled() -> None:
    generator = StandingGenerator()
    for prompts, n in ((["walk"], 0), ([" "], 3)):
        with pytest.raises(GenerationError):
            generate(prompts, generator, TableScorer(good), n=n)
    assert generator.batches == []


# Settings and rules


def test_one_prompt_as_a_string_gives_one_result() -> None:
    result = generate("walk", StandingGenerator(), TableScorer(good), n=3)
    assert isinstance(result, Generated) and result.selection.index == 1


def test_settings_may_be_given_one_by_one_or_as_a_whole() -> None:
    class Listens(StandingGenerator):
        def sample_many(self, prompts, n, *, seed=0, **settings):  # type: ignore[no-untyped-def]
            self.told = settings
            return super().sample_many(prompts, n, seed=seed)

    generator = Listens()
    generate("walk", generator, TableScorer(good), n=3, temperature=0.7)
    assert generator.told == {"temperature": 0.7}
    whole = Sampling(top_k=5, guidance=2.0)
    generate("walk", generator, TableScorer(good), n=3, sampling=whole, top_k=9)
    assert generator.told == {"top_k": 9, "guidance": 2.0}
    with pytest.raises(GenerationError, match="no sampling setting 'temprature'"):
        generate("walk", generator, TableScorer(good), n=3, temprature=1)  # type: ignore[call-overload]


def test_a_rule_that_the_scorer_has_nothing_for_is_refused_at_once() -> None:
    generator = StandingGenerator()
    for rule, said in (
        ("texedo", "'texedo' needs the scores dynamics and semantics, which roll-outs"),
        ("best", "no rule 'best'; there are texedo, dynamics"),
    ):
        with pytest.raises(GenerationError, match=said):
            generate("walk", generator, OracleScorer(stiff()), n=3, rule=rule)
    with pytest.raises(GenerationError, match="threshold must be 0 to 1"):
        generate("walk", generator, TableScorer(good), n=3, threshold=80.0)
    assert generator.batches == []


def test_a_verifier_that_rolls_nothing_out_is_a_scorer_too() -> None:
    class Verifiers:
        name, digest = "verifiers", "v0"

        def score(self, prompt, candidates, **_):  # type: ignore[no-untyped-def]
            return Scores(
                dynamics=np.array([0.95, 0.85, 0.1]),
                semantics=np.array([0.4, 0.6, 0.9]),
                quality=np.full(3, NAN),
                survived=np.array([True, True, False]),
            )

    chosen = [
        generate(
            "walk", StandingGenerator(), Verifiers(), n=3, rule="texedo", threshold=t
        ).selection.index
        for t in (0.05, 0.8, 0.9)
    ]
    # Candidate 2 is feasible at 0.05 but falls; the others pass every check.
    assert chosen == [1, 1, 0]


def foreseeing(monkeypatch: pytest.MonkeyPatch, **options: Any) -> FakeDynamics:
    """Ours is a verifier that believes in nobody but the first of three candidates."""
    first = StandingGenerator().sample("walk", 1)[0].joint_pos[-1, 20]
    verifier = FakeDynamics(
        lambda m: 0.9 if abs(m.joint_pos[-1, 20] - first) < 1e-3 else 0.2, **options
    )
    monkeypatch.setattr(find, "has_dynamics", lambda: True)
    monkeypatch.setattr(find, "find_dynamics", lambda which: verifier)
    monkeypatch.setattr(find, "has_semantics", lambda: False)
    return verifier


def test_a_scorer_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = foreseeing(monkeypatch, threshold=0.7)
    for scorer in (None, "verifier"):
        result = generate("walk", StandingGenerator(), scorer, n=3)
        assert result.selection.index == 0 and result.selection.rule == "dynamics"
        assert result.survived is None and result.expected is True
        assert result.threshold == 0.7
    assert verifier.calls == 2
    with pytest.raises(GenerationError, match="no scorer 'judge'; there are verifier"):
        generate("walk", StandingGenerator(), "judge", n=3)


def test_what_is_expected_depends_on_the_threshold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    foreseeing(monkeypatch)
    # Its R_dyn is 0.9 * 1.2 / 1.4 + 0.1 * 0.15 = 0.786.
    found = [
        generate("walk", StandingGenerator(), n=3, threshold=threshold).expected
        for threshold in (0.78, 0.79)
    ]
    assert found == [True, False]


def test_a_scorer_brings_its_threshold_also_through_another() -> None:
    class Reads:
        name, digest = "reads", "r0"

    foresees = DynamicsScorer(FakeDynamics(lambda _: 0.9, threshold=0.83))
    assert default_threshold(foresees) == 0.83
    both = PerformedAndRead(foresees, Reads())  # type: ignore[arg-type]
    assert default_threshold(both) == 0.83 and default_rule(both) == "texedo"
    performs = PerformedAndRead(TableScorer(good), Reads())  # type: ignore[arg-type]
    assert default_threshold(performs) == default_threshold(TableScorer(good)) == 0.8
    assert default_rule(foresees) == "dynamics"


def test_a_verifier_answers_for_its_own_tracker_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digest = stiff().digest
    monkeypatch.setattr("texedo.tracker.policies.find.find_policy", lambda _: stiff())
    for known, agrees in ((digest, True), (digest[:12], True), ("another", False)):
        foreseeing(monkeypatch).tracker = known
        if agrees:
            assert find.find_scorer("verifier", tracker="mine").weights == {
                "dynamics": "d0",
                "tracker": known,
            }
        else:
            with pytest.raises(GenerationError, match="texedo adapt --tracker mine"):
                find.find_scorer("verifier", tracker="mine")
    # Whoever names a tracker and no scorer wants it to perform.
    assert find.default_scorer(tracker="mine") == "oracle"
    assert find.default_scorer() == find.default_scorer(dynamics="run") == "verifier"


# What passes `check` comes first


class Leaps(StandingGenerator):
    """Candidates in `bad` are a metre further from one frame to the next."""

    def __init__(self, *bad: int) -> None:
        super().__init__()
        self.bad = bad

    def _motion(self, prompt: str, seed: int, i: int) -> Motion:
        motion = super()._motion(prompt, seed, i)
        return leap(motion) if i in self.bad else motion


def test_a_candidate_that_fails_its_check_gives_way_to_one_that_passes() -> None:
    (result,) = generate(["walk"], Leaps(1), TableScorer(good), n=3)
    assert [c.check.verdict for c in result.candidates] == ["pass", "fail", "pass"]
    assert result.selection.index == 2
    assert result.selection.verdicts[1].outcome == "fails_check"
    assert "2 that fail no check, of 3" in result.selection.reason


def test_a_candidate_that_falls_does_not_win_by_passing_its_check() -> None:
    scorer = TableScorer(lambda _: [0.9, 0.8, 0.2])
    (result,) = generate(["walk"], Leaps(0, 1), scorer, n=3)
    assert result.selection.index == 0 and result.survived
    assert "all of them fail a check" in result.selection.reason


def test_if_nobody_survives_the_highest_quality_wins_whatever_the_check_says() -> None:
    scorer = TableScorer(lambda _: [0.3, 0.2, 0.1])
    (result,) = generate(["walk"], Leaps(0), scorer, n=3)
    assert result.selection.index == 0 and "check" not in result.selection.reason


# The oracle


def test_the_oracle_performs_every_candidate() -> None:
    motions = [standing(30, swing=0.0), standing(40)]
    policy = replace(stiff(), normalizers=Normalizers(e_acc=5.0, e_vel=20.0))
    scores = OracleScorer(policy).score("", motions)
    assert scores.survived is not None and scores.survived.tolist() == [True, True]
    # A success has at least 1/1.4.
    assert (scores.quality > 0.714).all()
    assert scores.columns["progress"] == [1.0, 1.0]
    assert scores.columns["failure_frame"] == [None, None]
    assert scores.remarks == ()


def test_a_candidate_in_mid_air_has_an_error_and_no_quality() -> None:
    motions = [standing(30, height=2.0), standing(30)]
    scores = OracleScorer(stiff()).score("", motions)
    assert np.isnan(scores.quality[0]) and scores.quality[1] > 0.7
    assert "mid-air" in scores.columns["error"][0]
    assert scores.survived is not None and scores.survived.tolist() == [False, True]


def test_a_tracker_without_normalisers_gets_stand_ins_and_that_is_said() -> None:
    scorer = OracleScorer(stiff())
    scores = scorer.score("", [standing(30)])
    assert "no normalisers of its own" in scores.remarks[0]
    assert scorer.digest.endswith(f"/{STAND_IN.e_acc!r}/{STAND_IN.e_vel!r}/1")


def test_nothing_that_can_be_performed_is_an_error_that_says_why() -> None:
    class High(StandingGenerator):
        def _motion(self, prompt, seed, i):  # type: ignore[no-untyped-def]
            return standing(2)

    with pytest.raises(GenerationError, match="None of the 2 .* at least 3 frames"):
        generate(["walk"], High(), OracleScorer(stiff()), n=2)


def test_the_oracle_tells_of_each_performance_and_keeps_no_film() -> None:
    (done,) = OracleScorer(stiff()).score("", [standing(41)]).performed.values()
    assert done.success and done.verdict == "performed to the end"
    assert done.seconds == pytest.approx(0.8) and done.executed is None
    assert 0 < done.e_mpjpe < 100 and done.q_star > 0.7


def test_importing_the_pipeline_loads_neither_torch_nor_a_simulator() -> None:
    code = (
        "import sys, texedo.pipeline;"
        "bad = {'torch', 'mujoco', 'PIL', 'tokenizers'} & set(sys.modules);"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_motion_that_jumps_is_chosen_only_where_all_do() -> None:
    class Snaps(StandingGenerator):
        """All but the second candidate turn by half a radian in one frame."""

        def _motion(self, prompt: str, seed: int, i: int) -> Motion:
            qpos = super()._motion(prompt, seed, i).to_qpos()
            if i != 1:
                half = 0.25
                qpos[20:, 3], qpos[20:, 6] = np.cos(half), np.sin(half)
            return Motion.from_qpos(qpos)

    def chosen(r_text: list[float]) -> int:
        pipe = Pipeline(Snaps(), scorer=GivenRText(r_text), confirm=0)
        return pipe("wave", n=len(r_text)).selection.index

    assert chosen([0.99, 0.95]) == 1
    assert chosen([0.99]) == 0
