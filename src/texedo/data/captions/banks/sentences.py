"""Subjects, connectives and shapes of sentences."""

from __future__ import annotations

from typing import Any

from texedo.core.errors import FileFormatError
from texedo.data.captions.banks import check_templates, load_tables
from texedo.data.captions.grammar import Subject

_FILE = "sentences.toml"
_SLOTS = frozenset("subject ing a b c a_ing b_ing c_ing b_form pron".split())
_TABLES = load_tables("sentences")


def read_subjects(tables: dict[str, Any], file: str) -> dict[Subject, float]:
    """Who does it, and how often."""
    found: dict[Subject, float] = {}
    for number, row in enumerate(tables["subjects"], 1):
        place = f"{file}, subject {number}"
        if set(row) != {"name", "pronouns", "weight"}:
            raise FileFormatError(
                f"{place}: a subject has name, pronouns and weight; it has "
                f"{', '.join(row)}."
            )
        if row["pronouns"] not in tables["pronouns"]:
            raise FileFormatError(
                f"{place}: pronouns {row['pronouns']!r} are none of "
                f"{', '.join(tables['pronouns'])}."
            )
        found[Subject(row["name"], *tables["pronouns"][row["pronouns"]])] = row[
            "weight"
        ]
    return found


def _shapes(entry: str) -> tuple[str, ...]:
    return check_templates(_TABLES.get(entry), f"{_FILE}, {entry}", _SLOTS)


SUBJECTS = read_subjects(_TABLES, _FILE)
"""Who does it, and how often; gender and kind are words of the trade, not claims."""
YOU = Subject("you", "you", "your", "yourself")
FORMS: dict[str, float] = _TABLES["forms"]
"""Forms of a sentence, and how often."""
SEEN = _shapes("seen")
WHILE, WHILE_FINITE = _shapes("while"), _shapes("while_finite")
"""Two things at once; the second only where the verb has a person."""
THEN, THEN_FINITE = _shapes("then"), _shapes("then_finite")
AFTER_FINITE = _shapes("after_finite")
THREE, THREE_FINITE = _shapes("three"), _shapes("three_finite")
