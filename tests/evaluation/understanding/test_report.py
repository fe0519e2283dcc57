"""Figures over prompts, choices by scores, and the whole report on a generator."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.events_moves import Pose, walk
from tests.support.standing import standing, stiff
from texedo.core.errors import FileFormatError
from texedo.data.corpus.sample import load_sample
from texedo.evaluation.generation import Bench
from texedo.evaluation.understanding.choices import choose, read_columns
from texedo.evaluation.understanding.figures import Score, interval, pairs, table
from texedo.evaluation.understanding.page import page
from texedo.evaluation.understanding.report import judge_all, understanding_report
from texedo.evaluation.understanding.rules import parse_rule
from texedo.evaluation.understanding.suite import Form, Prompt
from texedo.evaluation.understanding.validate import cases, validation_report
from texedo.motion import Motion

WALK = parse_rule([{"travel": {"to": "forward", "min": 0.5}}])
STILL = parse_rule([{"still": {}}])


def prompt(text: str, *, topic: str, form: Form = "plain", item: str = "") -> Prompt:
    rule = {"locomotion": WALK, "negation": STILL}.get(topic)
    return Prompt(
        text=text, item=item or text, form=form, topic=topic, part="dev", rule=rule
    )


PROMPTS = [
    prompt("walk", topic="locomotion"),
    prompt("wlak", topic="locomotion", form="typo", item="walk"),
    prompt("freeze", topic="negation"),
    prompt("fly", topic="out_of_reach"),
]


class Obedient:
    """Walks with every second candidate of "walk", and else stands still."""

    name, digest = "obedient", "o1"

    def __init__(self) -> None:
        self.walk, self.stand = walk(5).motion(), Pose().stand(2.0).motion()
        self.asked: list[str] = []

    def sample(self, text: str, n: int, **_: object) -> list[Motion]:
        walks = [text == "walk" and k % 2 == 1 for k in range(n)]
        return [self.walk if walks[k] else self.stand for k in range(n)]

    def sample_many(self, texts: list[str], n: int, **_: object) -> list[list[Motion]]:
        self.asked += texts
        return [self.sample(text, n) for text in texts]

    def remarks(self, text: str) -> tuple[str, ...]:
        return ("I cannot fly.",) if text == "fly" else ()


def test_the_report_counts_right_candidates_and_choices(tmp_path: Path) -> None:
    bench = Bench(generator=Obedient(), policy=None, folder=tmp_path)
    columns = {p.text: {"R_text": np.array([0.1, 0.9, 0.2, 0.3])} for p in PROMPTS[:3]}
    report = understanding_report(bench, PROMPTS, n=4, part="dev", columns=columns)
    row = report["rows"]["locomotion"]
    assert (row["n"], row["right"], row["available"]) == (1, 0.5, 1.0)
    assert (row["chosen by first"], row["chosen by R_text"]) == (0.0, 1.0)
    assert report["rows"]["typos"]["available"] == 0.0
    assert report["rows"]["negation"]["right"] == 1.0
    assert report["rows"]["all"]["n"] == 3
    assert report["pairs"]["typo"]["right, change"] == -0.5
    assert report["out_of_reach"] == {"n": 1, "noted": 1}
    assert report["survivors"] == "all, none performed"
    # Who walks never stands still, and the floor of "walk" is drawn from "freeze".
    assert row["chance"] == 0.0
    assert "| locomotion | 1 | 0.50 [0.50, 0.50] |" in page(report)
    json.dumps(report, allow_nan=False)


def test_what_was_drawn_is_not_drawn_again(tmp_path: Path) -> None:
    generator = Obedient()
    bench = Bench(generator=generator, policy=None, folder=tmp_path)
    once = understanding_report(bench, PROMPTS, n=2, part="dev")
    again = understanding_report(bench, PROMPTS, n=2, part="dev")
    assert once == again
    assert generator.asked == ["walk", "wlak", "freeze"]


def test_a_report_on_the_test_half_holds_no_single_prompt(tmp_path: Path) -> None:
    bench = Bench(generator=Obedient(), policy=None, folder=tmp_path)
    assert "prompts" in understanding_report(bench, PROMPTS, n=2, part="dev")
    assert "prompts" not in understanding_report(bench, PROMPTS, n=2, part="test")


def test_only_survivors_are_chosen_where_candidates_are_performed(
    tmp_path: Path,
) -> None:
    class Falling(Obedient):
        def sample(self, text: str, n: int, **_: object) -> list[Motion]:
            return [standing(40, height=0.757 + 0.6 * (k == 0)) for k in range(n)]

    bench = Bench(generator=Falling(), policy=stiff(), folder=tmp_path, workers=1)
    report = understanding_report(bench, PROMPTS[2:3], n=2, part="dev")
    assert report["survivors"] == "by roll-outs"
    row = report["rows"]["negation"]
    assert set(row) >= {"chosen by first", "chosen by Q*", "random survivor"}


def test_the_floor_is_drawn_from_other_topics_with_other_rules() -> None:
    motions = [[walk(5).motion()], [walk(5).motion()], [Pose().stand(2.0).motion()]]
    own, floor = judge_all(PROMPTS[:3], motions)
    assert own[:, 0].tolist() == [2, 2, 2]
    assert floor[:, 0].tolist() == [0, 0, 0]


# Choices and intervals


def test_the_highest_finite_score_of_a_survivor_wins() -> None:
    scores = np.array([0.9, np.nan, 0.5, 0.5])
    assert choose(scores, np.array([True] * 4)) == 0
    assert choose(scores, np.array([False, True, True, True])) == 2
    assert choose(scores, np.array([False, True, False, False])) == 1
    assert choose(scores, np.array([False] * 4)) == 0


def test_scores_from_a_file_must_fit_the_candidates(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"prompt": "walk", "scores": {"R": [1, 2]}}\n')
    assert read_columns(path, ["walk"], 2)["walk"]["R"].tolist() == [1.0, 2.0]
    with pytest.raises(FileFormatError, match="R has 2 scores for 3 candidates"):
        read_columns(path, ["walk"], 3)
    with pytest.raises(FileFormatError, match="no scores for 1 of 1 prompts.*'run'"):
        read_columns(path, ["run"], 2)
    path.write_text("walk\n")
    with pytest.raises(FileFormatError, match="line 1"):
        read_columns(path, ["walk"], 2)


def test_intervals_hold_the_mean_and_shrink_with_the_number() -> None:
    few, many = (np.tile([0.0, 1.0], k) for k in (5, 500))
    low, high = interval(few)
    assert 0.1 <= low < 0.5 < high <= 0.9
    assert interval(few) == (low, high)
    assert np.ptp(interval(many)) < 0.1 * np.ptp(interval(few)) * 2
    assert interval(np.ones(3)) == (1.0, 1.0)


def test_classes_without_a_prompt_have_no_row() -> None:
    score = Score(PROMPTS[0], {"right": 1.0, "available": 1.0})
    assert list(table([score])) == ["locomotion", "all"]
    assert pairs([score]) == {}


# Validation


def test_judges_see_the_sample_clips_and_their_mirror_images_alike() -> None:
    report = validation_report(load_sample(), limit=12)
    assert report["clips"] == 12
    assert len(report["rows"]) == len(cases()) >= 40
    assert all(row["mirror differs"] == 0 for row in report["rows"].values())
    assert report["rows"]["travel forward 0.7"]["anywhere"] < 0.9
