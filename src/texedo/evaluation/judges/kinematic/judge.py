"""`KinematicJudge`: prompt and motion to labels and a score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from texedo.evaluation.judges.kinematic.label import label_units
from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.parse import Asked, parse
from texedo.evaluation.judges.kinematic.scene import Scene
from texedo.evaluation.judges.protocol import Judgement
from texedo.evaluation.judges.rubric import holistic
from texedo.motion import Motion

VERSION = 2
"""Raise it when the same pair may be scored differently."""


class KinematicJudge:
    """Measures what a prompt asks for, and applies the holistic rubric."""

    name = f"kinematic-{VERSION}"

    def __init__(self) -> None:
        self._parse = lru_cache(4096)(parse)

    def judge(self, prompt: str, motion: Motion) -> Judgement:
        return self.judge_scene(prompt, Scene(motion))

    def judge_all(self, prompts: Sequence[str], motion: Motion) -> list[Judgement]:
        """Many prompts on one motion, which is measured once."""
        scene = Scene(motion)
        return [self.judge_scene(prompt, scene) for prompt in prompts]

    def judge_scene(self, prompt: str, scene: Scene) -> Judgement:
        """On a motion that has been looked at before."""
        units = label_units(scene, self._parse(prompt))
        scored = holistic(units)
        return Judgement(
            score=scored.score,
            units=tuple(units),
            fraction=scored.fraction,
            cap=scored.cap,
        )

    def covers(self, prompt: str) -> bool:
        """Whether any action of the prompt is among those that can be measured."""
        return any(one.action.see != UNSEEN for one in self._parse(prompt))

    def reads(self, prompt: str) -> tuple[Asked, ...]:
        """What the prompt asks for, as the judge has it."""
        return tuple(self._parse(prompt))
