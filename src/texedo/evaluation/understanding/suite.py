"""The prompts: an item is a rule with one or more wordings, in one of two halves.

A line of `prompts/CLASS.jsonl` is an item:

    {"texts": {"plain": ..., "imperative": ..., "hyphen": ..., "typo": ...},
     "rule": [clause, ...]}

Only `plain` must be there. All wordings share the rule and the half, so that they can be
compared. A wording in the imperative or with typos counts in a class of that name. Items
without a right motion have `"out": reason` in place of a rule.

Three more sets are by other authors, who had seen neither these prompts nor the program:
`prompts/others/steps.jsonl`, several things one after the other or at once,
`visitors.jsonl`, everyday requests, and `strangers.jsonl`, what a coach, a boy, a student, a
director, an owner and a teacher ask for. There an item names its class and its half.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from texedo.core.errors import FileFormatError
from texedo.evaluation.understanding.rules import Rule, parse_rule

Part = Literal[
    "dev",
    "test",
    "steps-dev",
    "steps-test",
    "visitors-dev",
    "visitors-test",
    "strangers-dev",
    "strangers-test",
]
Half = Literal["dev", "test"]
OTHERS = ("steps", "visitors", "strangers")
"""Sets by other authors."""
Form = Literal["plain", "imperative", "hyphen", "typo"]
FORMS: tuple[Form, ...] = get_args(Form)
OUT_OF_REACH = "out_of_reach"
"""The class of prompts that no motion does."""
_OWN_CLASS: dict[Form, str] = {"imperative": "imperatives", "typo": "typos"}

CLASSES = (
    "locomotion",
    "turns",
    "counts",
    "order",
    "speed",
    "sides",
    "arms",
    "legs",
    "whole_body",
    "styles",
    "imperatives",
    "typos",
    "negation",
    "objects",
    OUT_OF_REACH,
)
"""Of prompts, in the order of the table."""


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One wording, and how its motions are judged."""

    text: str
    item: str
    """Shared by all wordings of one rule."""
    form: Form
    topic: str
    """The file it is from: what it is about, whatever its form."""
    part: str
    """One of `Part`."""
    rule: Rule | None
    """None: nothing that the robot can do is right."""
    out: str | None = None
    """Why nothing is right: "robot", "impossible", "nonsense", "no motion", "language"."""

    @property
    def name(self) -> str:
        """The class that it counts in."""
        return _OWN_CLASS.get(self.form, self.topic)


@cache
def all_prompts() -> tuple[Prompt, ...]:
    """Both halves, in the order of the files."""
    topics = [name for name in CLASSES if name not in _OWN_CLASS.values()]
    return tuple(prompt for topic in topics for prompt in _read(topic))


def prompts_of(part: Part) -> tuple[Prompt, ...]:
    """One half of a set: `dev` to develop with, `test` for the figure in the end."""
    prompts = all_prompts() if part in get_args(Half) else others_prompts()
    return tuple(prompt for prompt in prompts if prompt.part == part)


def is_shown(part: Part) -> bool:
    """Whether a report may speak of single prompts of it."""
    return part.endswith("dev")


@cache
def others_prompts() -> tuple[Prompt, ...]:
    """Those of other authors, in the order of the files."""
    return tuple(prompt for name in OTHERS for prompt in _read_others(name))


def _read_others(name: str) -> Iterator[Prompt]:
    for where, line in _lines(f"others/{name}"):
        record = _record(where, line)
        text = record["texts"]["plain"]
        yield Prompt(
            text=text,
            item=_digest(text)[:12],
            form="plain",
            topic=record["class"],
            part=f"{name}-{record['half']}",
            rule=parse_rule(record["rule"]),
        )


def _lines(topic: str) -> list[tuple[str, str]]:
    """The lines of a file, and where each of them is."""
    file = resources.files(__package__).joinpath("prompts", f"{topic}.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [(f"{topic}.jsonl, line {i}", line) for i, line in enumerate(lines, 1)]


def _read(topic: str) -> Iterator[Prompt]:
    records = [_record(where, line) for where, line in _lines(topic)]
    halves = _halves(records)
    for record in records:
        item = _digest(record["texts"]["plain"])[:12]
        rule = parse_rule(record["rule"]) if "rule" in record else None
        for form, text in record["texts"].items():
            yield Prompt(
                text=text,
                item=item,
                form=form,
                topic=topic,
                part=halves[record["texts"]["plain"]],
                rule=rule,
                out=record.get("out"),
            )


def _record(where: str, line: str) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads(line)
        texts = record["texts"]
        good = "plain" in texts and set(texts) <= set(FORMS)
        good = good and (("rule" in record) != ("out" in record))
    except (ValueError, KeyError, TypeError) as error:
        raise FileFormatError(f"{where}: is not an item ({error}).") from error
    if not good:
        raise FileFormatError(
            f"{where}: an item has texts ({', '.join(FORMS)}; plain among them) and "
            "either a rule or out."
        )
    return record


def _halves(records: list[dict[str, Any]]) -> dict[str, Half]:
    """Every second item is for the test; items with the same forms take turns.

    Sorted by hash: which half a text is in tells nothing about it.
    """

    def rank(record: dict[str, Any]) -> tuple[list[str], str]:
        return sorted(record["texts"], reverse=True), _digest(record["texts"]["plain"])

    ranked = [record["texts"]["plain"] for record in sorted(records, key=rank)]
    return {text: "test" if i % 2 else "dev" for i, text in enumerate(ranked)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
