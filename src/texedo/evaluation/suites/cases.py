"""Four cases that tell the ways to choose apart, found in results, and a picture of them.

    Texedo is right          it succeeds and does what was asked, and base does not do both
    dynamics only, generic   it succeeds and does not do what was asked, where Texedo does
    semantics only, falls    it does what was asked and falls, where Texedo succeeds
    base fails at both       its first candidate falls and does not do what was asked

Whether a motion does what was asked says the rule of the prompt, or else a judge (7 or
more of 10), or else R_text (a half or more). A case that no prompt of the results shows is
reported as such, not staged.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from texedo.evaluation.suites.selection import BASE, DYNAMICS, SEMANTICS, TEXEDO
from texedo.motion import FPS, Motion
from texedo.robot.render import (
    Backend,
    Image,
    View,
    draw_label,
    follow,
    make_renderer,
    tile,
)

PANELS = 6
_SIZE = (220, 220)
_RIGHT_SCORE, _RIGHT_TEXT = 7.0, 0.5

Choice = Mapping[str, Any]
Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A prompt that shows a case, and whose choice is shown."""

    title: str
    way: str
    prompt: str
    choice: Choice


def fits(choice: Choice) -> bool | None:
    """Whether the motion does what was asked; None if nobody can tell."""
    if choice.get("right") is not None:
        return bool(choice["right"])
    if scores := _judged(choice):
        return bool(np.mean(scores) >= _RIGHT_SCORE)
    text = choice.get("R_text")
    return None if text is None else bool(text >= _RIGHT_TEXT)


def _judged(choice: Choice) -> list[float]:
    return [
        value
        for name, value in choice.items()
        if name.startswith("judge") and value is not None
    ]


def _weakness(choice: Choice) -> int:
    """A rule is better evidence than a judge, and R_text, which chose, is the weakest."""
    if choice.get("right") is not None:
        return 0
    return 1 if _judged(choice) else 2


def succeeds(choice: Choice) -> bool:
    return bool(choice.get("success"))


def _texedo(own: Mapping[str, Choice]) -> bool:
    good, base = own[TEXEDO], own[BASE]
    return _both(good) and not _both(base)


def _generic(own: Mapping[str, Choice]) -> bool:
    dull = own[DYNAMICS]
    return succeeds(dull) and fits(dull) is False and _both(own[TEXEDO])


def _falls(own: Mapping[str, Choice]) -> bool:
    bold = own[SEMANTICS]
    return fits(bold) is True and not succeeds(bold) and succeeds(own[TEXEDO])


def _fails(own: Mapping[str, Choice]) -> bool:
    return not succeeds(own[BASE]) and fits(own[BASE]) is False


def _both(choice: Choice) -> bool:
    return succeeds(choice) and fits(choice) is True


CASES: Mapping[str, tuple[str, Callable[[Mapping[str, Choice]], bool]]] = {
    "Texedo is right": (TEXEDO, _texedo),
    "dynamics only, generic": (DYNAMICS, _generic),
    "semantics only, falls": (SEMANTICS, _falls),
    "base fails at both": (BASE, _fails),
}
"""Whose choice is shown, and what it takes, by title."""


def find_cases(records: Iterable[Record]) -> dict[str, Case | None]:
    """The first prompt that shows each case, one prompt for one case as far as possible;
    None: there is none."""
    rows = [row for record in records for row in record["details"].get("choices", ())]
    found: dict[str, Case | None] = {}
    used: set[str] = set()
    for title, (way, shows) in CASES.items():
        those = [row for row in rows if shows(row["choices"])]
        those.sort(
            key=lambda row: (row["prompt"] in used, _weakness(row["choices"][TEXEDO]))
        )
        if not those:
            found[title] = None
            continue
        prompt = str(those[0]["prompt"])
        used.add(prompt)
        choice = those[0]["choices"][way]
        found[title] = Case(title=title, way=way, prompt=prompt, choice=choice)
    return found


def draw_cases(
    cases: Mapping[str, Case | None],
    performed: Callable[[str], Motion | None],
    *,
    backend: Backend = "auto",
) -> Image:
    """A strip for each case, from the first frame of what the robot did to the last."""
    strips = []
    for title, case in cases.items():
        motion = None if case is None else performed(str(case.choice["clip"]))
        if case is None or motion is None:
            strips.append(_blank(f"{title}: in none of these results"))
            continue
        strips.append(_strip(motion, _words(case), backend))
    return tile(strips, columns=1, gap=6)


def _words(case: Case) -> str:
    end = "to the end" if succeeds(case.choice) else "ends early"
    said = textwrap.shorten(case.prompt, 80, placeholder=" ...")
    return f'{case.title}: "{said}" ({end})'


def _strip(motion: Motion, words: str, backend: Backend) -> Image:
    qpos = motion.to_qpos().astype(np.float64)
    at = np.linspace(0, len(qpos) - 1, PANELS).astype(np.int64)
    cameras = follow(qpos, View(), fps=FPS)
    renderer = make_renderer(*_SIZE, backend=backend)
    try:
        panels: Sequence[Image] = [renderer.render(qpos[i], cameras[i]) for i in at]
    finally:
        renderer.close()
    strip = tile(panels, columns=PANELS)
    return draw_label(strip, words, height=14)


def _blank(words: str) -> Image:
    width = PANELS * _SIZE[0] + (PANELS - 1) * 4
    empty = np.full((_SIZE[1], width, 3), 235, dtype=np.uint8)
    return draw_label(empty, words, height=14)
