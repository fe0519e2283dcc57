"""Subjects, connectives and shapes of sentences."""

from __future__ import annotations

from texedo.data.captions.grammar import Subject

_THEY = ("they", "their", "themselves")
_HE = ("he", "his", "himself")
_IT = ("it", "its", "itself")

SUBJECTS: dict[Subject, float] = {
    Subject("a person", *_THEY): 24,
    Subject("a person", *_HE): 14,
    Subject("the person", *_THEY): 7,
    Subject("the person", *_HE): 4,
    Subject("person", *_THEY): 2,
    Subject("someone", *_THEY): 11,
    Subject("somebody", *_THEY): 2,
    Subject("a man", *_HE): 11,
    Subject("the man", *_HE): 7,
    Subject("man", *_HE): 1,
    Subject("he", *_HE): 4,
    Subject("they", *_THEY): 2,
    Subject("a figure", *_THEY): 3,
    Subject("the figure", *_THEY): 5,
    Subject("a human", *_THEY): 2,
    Subject("an individual", *_THEY): 1.5,
    Subject("the individual", *_THEY): 1,
    Subject("the subject", *_THEY): 1,
    Subject("a character", *_THEY): 1,
    Subject("the character", *_THEY): 1,
    Subject("the robot", *_IT): 4,
    Subject("a robot", *_IT): 3,
    Subject("a humanoid", *_IT): 1.5,
    Subject("the humanoid", *_IT): 1.5,
    Subject("a humanoid robot", *_IT): 1,
}
"""Who does it, and how often; gender and kind are words of the trade, not claims."""
YOU = Subject("you", "you", "your", "yourself")

FORMS: dict[str, float] = {
    "present": 50,
    "progressive": 15,
    "past": 9,
    "participle": 8,
    "gerund": 6,
    "imperative": 6,
    "seen": 3,
}
"""Present: walks. Progressive: is walking. Participle: a person walking. Gerund:
walking forward. Imperative: walk forward. Seen: there is a person walking."""

SEEN = (
    "there is {subject} {ing}",
    "we see {subject} {ing}",
    "{subject} can be seen {ing}",
    "this is {subject} {ing}",
)

WHILE = (
    "{a} while {b_ing}",
    "{a} while {b_ing}",
    "{a}, {b_ing}",
    "{a} and {b_form} at the same time",
    "{b_form} while {a_ing}",
    "{a} and meanwhile {b_form}",
)
"""Two things at once; {a} is the one that goes on longer."""
WHILE_FINITE = (
    "{a} as {pron} {b}",
    "{a} while {pron} {b}",
    "as {pron} {b}, {subject} {a}",
)
"""Only where the verb has a person."""

THEN = (
    "{a} and then {b}",
    "{a} and then {b}",
    "{a}, then {b}",
    "{a}, and then {b}",
    "{a} before {b_ing}",
    "{a} and {b}",
    "{a}, followed by {b_ing}",
    "first {a}, then {b}",
    "{a} and after that {b}",
    "{a} and next {b}",
    "{a} and subsequently {b}",
    "{a}, afterwards {b}",
)
THEN_FINITE = (
    "{a}, after which {pron} {b}",
    "{a}. {pron} then {b}",
    "{a}. after that, {pron} {b}",
    "{a}. next, {pron} {b}",
)
AFTER_FINITE = (
    "after {a_ing}, {subject} {b}",
    "shortly after {a_ing}, {subject} {b}",
)
THREE = (
    "{a}, {b}, and then {c}",
    "{a}, {b} and {c}",
    "{a}, then {b}, and finally {c}",
    "{a}, then {b}, then {c}",
    "{a} and {b}, then {c}",
    "{a} before {b_ing} and {c_ing}",
    "first {a}, then {b}, and at last {c}",
    "{a}, {b}, and {c} in that order",
)
THREE_FINITE = (
    "{a}, then {b}. finally, {pron} {c}",
    "{a}. {pron} then {b} and {c}",
    "{a} and {b}, after which {pron} {c}",
    "{a}. after that, {pron} {b}, and then {c}",
)
