"""What a label names and no measurement can tell: dances, loads, tools, characters."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from texedo.core.errors import FileFormatError
from texedo.data.captions.banks import check_templates, load_tables


class Action(NamedTuple):
    """Phrases for an activity."""

    pattern: re.Pattern[str]
    """Asked with the label's description."""
    phrases: tuple[str, ...]
    going: tuple[str, ...] = ()
    """Used where the motion travels, {dir} being the direction."""


def read_actions(tables: dict[str, Any], file: str) -> tuple[Action, ...]:
    """The actions of a file, in order."""
    rows = tables.get("action")
    if not isinstance(rows, list) or set(tables) != {"action"}:
        raise FileFormatError(f"{file}: it is a list of [[action]] tables.")
    return tuple(
        _action(row, f"{file}, action {number}") for number, row in enumerate(rows, 1)
    )


def _action(row: dict[str, Any], place: str) -> Action:
    if not {"pattern", "phrases"} <= set(row) <= set(Action._fields):
        raise FileFormatError(
            f"{place}: an action has pattern, phrases and perhaps going; it has "
            f"{', '.join(row)}."
        )
    try:
        pattern = re.compile(row["pattern"])
    except (re.error, TypeError) as error:
        raise FileFormatError(
            f"{place}: {row['pattern']!r} is no regular expression ({error})."
        ) from error
    going = row.get("going")
    return Action(
        pattern,
        check_templates(row["phrases"], f"{place}, phrases"),
        check_templates(going, f"{place}, going") if going is not None else (),
    )


ACTIONS = read_actions(load_tables("actions"), "actions.toml")


def action_of(description: str) -> Action | None:
    """The first activity that a description names."""
    for action in ACTIONS:
        if action.pattern.search(description):
            return action
    return None
