"""Judges by name, as the suites take them: one number for each performed motion.

A judge that labels one motion at a time, `judge(prompt, motion)` with a `score` from 1 to
10 or None in what it returns, is asked about each.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.evaluation.suites.base import Judge
from texedo.motion import Motion

KINEMATIC, VLM, NONE = "kinematic", "vlm", "none"
JUDGES: Mapping[str, str] = MappingProxyType(
    {
        KINEMATIC: "texedo.evaluation.judges.kinematic.judge:KinematicJudge",
        VLM: "texedo.evaluation.judges.vlm.judge:paper_judge",
    }
)
"""Who makes each, `module:name`; imported when it is needed."""


class Labels(Protocol):
    """A judge that labels one motion at a time."""

    @property
    def name(self) -> str: ...

    def judge(self, prompt: str, motion: Motion) -> Any:
        """Something with a `score`, None where it cannot tell."""
        ...


class OneByOne:
    """Asks a judge that labels about each motion."""

    def __init__(
        self, judge: Labels, *, name: str, digest: str, measures: bool = False
    ) -> None:
        """One that `measures` asks nobody outside, so worker processes may be it."""
        self._judge, self.name, self.digest = judge, name, digest
        self.measures = measures

    def score(self, prompt: str, motions: Sequence[Motion]) -> NDArray[np.float64]:
        said = [self._judge.judge(prompt, motion).score for motion in motions]
        return np.array([np.nan if own is None else own for own in said], np.float64)


def find_judges(names: Sequence[str]) -> tuple[Judge, ...]:
    """Those that are named; nothing said: the one that measures, if it is installed.

    One that asks somebody outside costs money, and is asked only by name.
    """
    if not names:
        names = [n for n, place in JUDGES.items() if n != VLM and _installed(place)]
    return tuple(find_judge(name) for name in names if name != NONE)


def find_judge(name: str) -> Judge:
    """The judge of that name."""
    place = JUDGES.get(name)
    if place is None or not _installed(place):
        known = [own for own, where in JUDGES.items() if _installed(where)]
        raise TexedoError(
            f"There is no judge {name!r}; there are {', '.join([*known, NONE])}."
        )
    module_name, _, made = place.partition(":")
    module = importlib.import_module(module_name)
    judge = getattr(module, made)()
    digest = _digest(judge.name, module)
    return OneByOne(judge, name=name, digest=digest, measures=name == KINEMATIC)


def _installed(place: str) -> bool:
    try:
        return importlib.util.find_spec(place.partition(":")[0]) is not None
    except ModuleNotFoundError:  # Of a package above it.
        return False


def _digest(name: str, module: Any) -> str:
    """The name, and all files of the judge: whatever they say is part of its scores."""
    files = sorted(
        path
        for path in Path(str(module.__file__)).parent.rglob("*")
        if path.suffix in (".py", ".toml", ".json", ".txt")
    )
    parts = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return hashlib.sha256(" ".join([name, *parts]).encode()).hexdigest()
