"""Prompts: the requests one by one, and put together into orders of several things.

Half of the prompts ask for one thing. The other half ask for two or three, one after the
other or at once, in a manner, or without something: their rules are put together from the
rules of their parts. The order is such that the first so many are again half and half, and
that all requests come once before any of them comes twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from texedo.data.captions.activities.phrasing import doing, order, phrasings, with_count
from texedo.data.captions.activities.rules import (
    Rule,
    all_of,
    has_order,
    in_order,
    parse,
)
from texedo.data.captions.activities.table import Asked, asked_of, load_requests
from texedo.data.captions.choice import Choice

PER_ASKED = 3
"""Prompts of a request of one side and count."""
OTHERS = 5
"""Further phrasings that go with a prompt."""
_NO_JUMP = parse("no_jump()")
_WALKS = {
    "walking forward": ("walk forward", "walk(forward, 0.6)"),
    "walking": ("walk", "walk(any, 0.6)"),
    "walking backward": ("walk backward", "walk(backward, 0.5)"),
    "stepping sideways": ("step sideways", "travel(sideways, 0.4)"),
    "turning around": ("turn around", "turns(either, 90)"),
}
_SEQUENCES = (
    "{0}, then {1}",
    "{0} and then {1}",
    "first {0}, then {1}",
    "{0}. then {1}",
    "after {0_ing}, {1}",
    "{0} before {1_ing}",
    "{0}, and after that {1}",
    "start by {0_ing}, then {1}",
    "{0_ing} and then {1_ing}",
)
_TRIPLES = (
    "{0}, {1}, then {2}",
    "{0}, then {1}, and finally {2}",
    "first {0}, then {1}, then {2}",
    "{0}, after that {1}, and then {2}",
)
_AT_ONCE = ("{0} while {1_ing}", "{0} and {1}", "{0} and {1} at the same time")
_WHILE = ("{0} while {walking}", "{walk} while {0_ing}", "{walk} and {0}")
_ABSTAIN: dict[str, tuple[str, tuple[str, ...]]] = {
    "planted()": ("AB", ("without moving your feet", "with your feet planted")),
    "hands_still()": ("W", ("without moving your arms", "keeping your arms still")),
    "faces(35)": ("ABJ", ("without turning", "always facing the same way")),
    "stay(0.4)": ("BJ", ("on the spot", "without leaving your place")),
    "hand_speed(max=0.4)": ("A", ("slowly", "very gently", "in a calm way")),
    "hand_speed(min=0.5)": ("A", ("quickly", "fast", "with a lot of energy")),
    "pace(max=0.4)": ("W", ("slowly", "at a slow pace", "taking your time")),
    "pace(min=0.7)": ("W", ("quickly", "at a fast pace", "in a hurry")),
}


@dataclass(frozen=True, kw_only=True)
class RequestPrompt:
    """A text, and the rule that a motion for it must fulfil."""

    text: str
    id: str
    """Of the request, side and count; joined by "+" where there are several."""
    rule: Rule
    others: tuple[str, ...] = ()
    """The same in other words."""
    weight: float = 1.0
    """Both halves of the prompts weigh alike."""

    @property
    def is_single(self) -> bool:
        return "+" not in self.id


def name_of(asked: Asked) -> str:
    """ "wave-hand/left/2"."""
    parts = (asked.request.id, asked.side, str(asked.count or ""))
    return "/".join(part for part in parts if part)


def prompts(seed: int = 0, number: int | None = None) -> list[RequestPrompt]:
    """Different prompts, always the same for a seed: all, or the first `number`."""
    singles = list(_singles(seed))
    texts = {one.text for one in singles}
    together: dict[str, RequestPrompt] = {}
    makers: tuple[_Maker, ...] = (_sequence, _walking, _abstaining, _triple, _sequence)
    pool = [
        asked
        for request in load_requests()
        if request.measurable and not has_order(request.rule)
        for asked in asked_of(request)
    ]
    wanted = len(singles) if number is None else min(len(singles), number)
    turn = 0
    while len(together) < wanted:
        choice = Choice("compose", seed, turn)
        made = makers[turn % len(makers)](pool, choice)
        turn += 1
        if made is not None and made.text not in texts:
            together.setdefault(made.text, made)
    both = zip_longest(singles, together.values())
    return [one for pair in both for one in pair if one is not None][:number]


def _singles(seed: int) -> Iterator[RequestPrompt]:
    """Round after round: one of each request, then one more."""
    rows: list[list[RequestPrompt]] = []
    for request in load_requests():
        choice = Choice("counts", seed, request.id)
        counts = tuple(choice.shuffled((2, 3, 4, 5))[:2])
        own = [
            list(_prompts_of(asked, seed, 1 if not request.measurable else PER_ASKED))
            for asked in asked_of(request, counts)
        ]
        rows.append([p for turn in zip_longest(*own) for p in turn if p is not None])
    order_of = Choice("singles", seed)
    seen: set[str] = set()
    for turn in zip_longest(*order_of.shuffled(rows)):
        for one in turn:
            if one is not None and one.text not in seen:
                seen.add(one.text)
                yield one


def _prompts_of(asked: Asked, seed: int, number: int) -> Iterator[RequestPrompt]:
    texts = phrasings(asked, seed=seed, number=number + OTHERS)
    for text in texts[:number]:
        yield RequestPrompt(
            text=text,
            id=name_of(asked),
            rule=asked.rule,
            others=tuple(other for other in texts if other != text)[:OTHERS],
        )


_Maker = Callable[[Sequence[Asked], Choice], RequestPrompt | None]


def _said(asked: Asked, choice: Choice) -> str:
    """A wording with a verb, not one about standing; "" if there is none."""
    wordings = [w for w in asked.wordings if "~" in w and "stand" not in w]
    return with_count(choice.one(wordings), asked.count) if wordings else ""


def _filled(pattern: str, wordings: Sequence[str], **more: str) -> str:
    for i, wording in enumerate(wordings):
        pattern = pattern.replace(f"{{{i}_ing}}", doing(wording))
        pattern = pattern.replace(f"{{{i}}}", order(wording))
    for name, value in more.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    return pattern


def _several(
    patterns: Sequence[str], asked: Sequence[Asked], rule: Rule, choice: Choice
) -> RequestPrompt | None:
    """The same rule in two or three wordings."""
    texts = []
    for _ in range(3):
        wordings = [_said(one, choice) for one in asked]
        if not all(wordings):
            return None
        texts.append(_filled(choice.one(patterns), wordings))
    name = "+".join(name_of(one) for one in asked)
    texts = list(dict.fromkeys(texts))
    return RequestPrompt(text=texts[0], id=name, rule=rule, others=tuple(texts[1:]))


def steps(asked: Sequence[Asked]) -> Rule:
    """In order; no jump unless one of them is about jumping."""
    whole = in_order(*(one.bare for one in asked))
    if all(one.request.kind in "ABW" for one in asked):
        return all_of(whole, _NO_JUMP)
    return whole


def _sequence(pool: Sequence[Asked], choice: Choice) -> RequestPrompt | None:
    first, second = choice.one(pool), choice.one(pool)
    if first.request == second.request:
        return None
    if first.request.kind == second.request.kind == "A" and choice.chance(0.3):
        return _at_once(first, second, choice)
    return _several(_SEQUENCES, (first, second), steps((first, second)), choice)


def _at_once(first: Asked, second: Asked, choice: Choice) -> RequestPrompt | None:
    """Two things that different hands can do."""
    if {first.side, second.side} != {"left", "right"}:
        return None
    rule = all_of(first.rule, second.bare)
    return _several(_AT_ONCE, (first, second), rule, choice)


def _triple(pool: Sequence[Asked], choice: Choice) -> RequestPrompt | None:
    asked = [choice.one(pool) for _ in range(3)]
    if len({one.request.id for one in asked}) < 3:
        return None
    return _several(_TRIPLES, asked, steps(asked), choice)


def _walking(pool: Sequence[Asked], choice: Choice) -> RequestPrompt | None:
    """Something that the arms do on the way."""
    asked = choice.one(pool)
    if asked.request.kind != "A":
        return None
    walking = choice.one(tuple(_WALKS))
    walk, rule = _WALKS[walking]
    made = _several(
        [
            pattern.replace("{walking}", walking).replace("{walk}", walk)
            for pattern in _WHILE
        ],
        (asked,),
        all_of(asked.bare, parse(rule), _NO_JUMP),
        choice,
    )
    return made and _renamed(made, walking)


def _abstaining(pool: Sequence[Asked], choice: Choice) -> RequestPrompt | None:
    """Without something, or in a manner that can be measured."""
    asked, text = choice.one(pool), choice.one(tuple(_ABSTAIN))
    kinds, words = _ABSTAIN[text]
    if asked.request.kind not in kinds:
        return None
    made = _several(
        [f"{{0}} {how}" for how in words],
        (asked,),
        all_of(asked.rule, parse(text)),
        choice,
    )
    return made and _renamed(made, text)


def _renamed(made: RequestPrompt, added: str) -> RequestPrompt:
    return RequestPrompt(
        text=made.text, id=f"{made.id}+{added}", rule=made.rule, others=made.others
    )
