"""A sentence as specs: one thing, several in turn, or two at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice, product

from texedo.data.captions.asked.at_once import at_once_of
from texedo.data.captions.asked.lengths import in_meters
from texedo.data.captions.asked.parse import Step as Said
from texedo.data.captions.asked.parse import steps_of
from texedo.data.captions.asked.things import things_of
from texedo.data.captions.asked.tokens import FAST, SLOW, plainer, tokens_of
from texedo.data.captions.reader import Clause, read
from texedo.data.synth.author.gestures import GESTURES
from texedo.data.synth.author.routines import load_routines
from texedo.data.synth.author.routines.steps import Step
from texedo.data.synth.author.spec import Base, Spec
from texedo.data.synth.author.takes import varied
from texedo.data.synth.prompted.clauses import ways_of_clause
from texedo.data.synth.prompted.named import named_ways
from texedo.data.synth.prompted.table import Parts, ways_to_do

_MOST_WAYS = 6
"""So many ways to do a thing are tried."""
_KNOWN = 0.45
"""Part of a sentence that must be understood for its requests to be taken."""
_PACES = {SLOW: (0.62, "slow"), FAST: (1.45, "brisk")}
"""Tempo, and manner of walking."""
_GAITS = frozenset(("walk", "steps", "walk_far", "walk_turn", "turn"))
_RESTS = frozenset(
    "stop freeze stand-still stand-relaxed stand-attention stand-any stand-straight "
    "feet-together stand-up".split()
)
"""What ends another thing, or is one by itself."""
_PASSING = frozenset(("other", "stop", "recover", "stand"))
"""Clauses of what only goes on from another one, or that nobody knows."""
_OVER_LEGS = frozenset(GESTURES) - {"bow"} | {"routine", "punch", "hold_pose"}
"""What is done while the legs go somewhere."""
_BASES: dict[str, Base] = {
    "forward": "walk",
    "backward": "backward",
    "left": "left",
    "right": "right",
}
_POSES = {
    "hands_on_hips": "hips",
    "hand_to_head": "head",
    "spread_arms": "side",
    "salute": "salute",
}
"""Gestures as ways of holding arms."""
_ROUTINE_POSES = {
    "arms-crossed": "crossed",
    "hands-back": "back",
    "hand-back": "back",
    "hands-hips": "hips",
    "hand-hip": "hips",
    "hands-head": "head",
    "hand-head": "head",
    "hand-chest": "chest",
    "hand-heart": "chest",
    "hand-belly": "belly",
    "hands-belly": "belly",
    "hand-chin": "chin",
    "salute": "salute",
}


def specs_for(text: str, *, number: int, seed: int = 0) -> list[Spec]:
    """For a sentence in its normal form, at most so many; empty if nobody knows how."""
    things = things_of(text)
    if things is None or not things.in_turn:
        ways = _ways(text)
        return [
            _taken(ways[i % len(ways)], i // len(ways), seed)
            for i in range(number)
            if ways
        ]
    found = [_ways(sentence) for sentence in things.sentences]
    if not all(found):
        return []
    return [
        _taken(
            tuple(chain(*(w[(take + at) % len(w)] for at, w in enumerate(found)))),
            take,
            seed,
        )
        for take in range(number)
    ]


def told(spec: Spec) -> str:
    """A spec in a few words: "steps forward 3, then turn 180"."""
    if spec.parts:
        link = " with " if spec.kind == "posed" else ", then "
        parts = spec.parts[::-1] if spec.kind == "posed" else spec.parts
        return link.join(told(part) for part in parts)
    manner = "" if spec.manner == "plain" else spec.manner
    base = "" if spec.base == "stand" else f"while going {spec.base}"
    kind = "" if spec.kind == "routine" else spec.kind.replace("_", " ")
    words = (manner, kind, spec.way, spec.side)
    numbers = [str(x) for x, plain in ((spec.count, 1), (spec.angle, 0)) if x != plain]
    return " ".join(word for word in (*words, *numbers, base) if word)


def _ways(sentence: str) -> list[Parts]:
    """Ways to do one thing, or two at once; those that are likelier first."""
    at_once = at_once_of(sentence)
    if len(at_once) == 2:
        at_once = [part for part in at_once if not _only_rests(part)] or at_once
    if len(at_once) == 2:
        one, two = (_single_ways(part) for part in at_once)
        return list(islice(_together(one, two), _MOST_WAYS))
    return _single_ways(at_once[0])


def _single_ways(sentence: str) -> list[Parts]:
    text = in_meters(plainer(sentence))
    clauses = [c for c in read(text).clauses if c.action not in _PASSING]
    clauses = [c for c in clauses if c.action != "still"] or clauses
    steps = [step for step in steps_of(text) if step.units]
    steps = [step for step in steps if not _rests(step)] or steps
    units, told = _of_units(steps), _of_clauses(clauses)
    found = [*units, *told]
    if told and _has_numbers(clauses[0]):
        counted = _of_units(steps, counted=True)
        found = [*counted, *told, *_in_steps(units, clauses[0].count)]
    named = named_ways(text)
    found = [
        *(parts for alike, parts in named if alike == 1.0),
        *found,
        *(parts for alike, parts in named if alike < 1.0),
    ]
    pace = _pace(text)
    paced = (tuple(_paced(part, pace) for part in parts) for parts in found)
    return list(islice(dict.fromkeys(paced), _MOST_WAYS))


def _only_rests(sentence: str) -> bool:
    steps = steps_of(in_meters(plainer(sentence)))
    return all(step.units and _rests(step) for step in steps)


def _rests(step: Said) -> bool:
    return all(unit.asked.request.id in _RESTS for unit in step.units)


def _of_clauses(clauses: list[Clause]) -> list[Parts]:
    asked = [clause for clause in clauses if not clause.negated]
    if len(asked) != 1:
        return []
    return [(spec,) for spec in ways_of_clause(asked[0])]


def _has_numbers(clause: Clause) -> bool:
    return bool(clause.count or clause.angles or clause.distance)


def _in_steps(ways: list[Parts], count: int | None) -> list[Parts]:
    """Walks with a manner in so many steps; of other things the number is known."""
    walks = [parts[0] for parts in ways if len(parts) == 1 and parts[0].kind == "walk"]
    manners = [walk for walk in walks if walk.manner != "plain"]
    return [(replace(walk, count=count),) for walk in manners] if count else []


def _of_units(steps: list[Said], *, counted: bool = False) -> list[Parts]:
    """Of all that is asked for in one step, or of what is `counted`, what says most first."""
    if len(steps) != 1 or steps[0].known < _KNOWN:
        return []
    units = [unit for unit in steps[0].units if not unit.negated]
    units = [unit for unit in units if unit.asked.count or not counted]
    units.sort(key=lambda unit: -len(unit.words))
    return [parts for unit in units for parts in ways_to_do(unit.asked)]


def _pace(text: str) -> str:
    words = {token.word for token in tokens_of(text)}
    return next((word for word in _PACES if word in words), "")


def _paced(spec: Spec, pace: str) -> Spec:
    if pace not in _PACES:
        return spec
    tempo, manner = _PACES[pace]
    if spec.kind in _GAITS and spec.manner == "plain":
        return replace(spec, manner=manner)
    return replace(spec, tempo=tempo)


def _together(one: list[Parts], two: list[Parts]) -> list[Parts]:
    """Arms of one on the legs of the other, whichever of the two they are."""
    pairs = [(a[0], b[0]) for a, b in product(one, two) if len(a) == len(b) == 1]
    found = [(_at_once(legs, arms), _at_once(arms, legs)) for legs, arms in pairs]
    return [(spec,) for both in found for spec in both if spec is not None]


def _at_once(legs: Spec, arms: Spec) -> Spec | None:
    """What the arms do while the legs do theirs; None if nobody can."""
    base, angle = _base_of(legs)
    if base is not None and arms.kind in _OVER_LEGS and arms.base == "stand":
        count = legs.count if arms.kind == "hold_pose" else arms.count
        return replace(arms, base=base, angle=angle, count=count)
    pose = _as_pose(arms)
    if pose is None or (legs.kind in _OVER_LEGS and not _is_of_the_trunk(legs)):
        return None
    return Spec(kind="posed", parts=(pose, legs))


def _is_of_the_trunk(spec: Spec) -> bool:
    """A routine that leaves the arms alone."""
    if spec.kind != "routine":
        return False
    steps = load_routines()[spec.way].steps
    every = chain(*((s,) if isinstance(s, Step) else s.steps for s in steps))
    return not any(step.arms or step.circles for step in every)


def _base_of(legs: Spec) -> tuple[Base | None, int]:
    if legs.kind == "turn":
        return "turn", legs.angle
    if legs.kind == "march":
        return "march", 0
    plain = legs.kind in ("walk", "steps", "walk_far") and legs.manner == "plain"
    return (_BASES.get(legs.way), 0) if plain and not legs.angle else (None, 0)


def _as_pose(arms: Spec) -> Spec | None:
    if arms.kind == "hold_pose":
        return arms
    if arms.kind in ("raise_hand", "point"):
        return Spec(kind="hold_pose", way=arms.way, side=arms.side)
    way = _POSES.get(arms.kind)
    if arms.kind == "routine":
        way = _ROUTINE_POSES.get(arms.way)
    if way is None:
        return None
    return Spec(kind="hold_pose", way=way, side=arms.side or "both")


def _taken(parts: Parts, take: int, seed: int) -> Spec:
    """One take of a way: its own tempo, size and small variations."""
    if len(parts) == 1:
        return _varied(parts[0], take, seed)
    # A take of 1 brings the feet together after steps.
    done = [replace(_varied(part, take, seed), take=1, free=False) for part in parts]
    done = [replace(part, tempo=max(part.tempo, 1.0)) for part in done]
    return Spec(kind="sequence", parts=tuple(done), take=take, free=True)


def _varied(spec: Spec, take: int, seed: int) -> Spec:
    if spec.kind == "posed":
        pose, deed = spec.parts
        done = replace(_varied(deed, take, seed), free=False)
        return replace(
            spec, parts=(replace(pose, take=take % 2), done), take=take, free=True
        )
    made = varied(replace(spec, take=take, free=True), seed)
    return replace(
        made,
        tempo=made.tempo if spec.tempo == 1.0 else spec.tempo,
        size=made.size if spec.size == 1.0 else spec.size,
    )
