"""How it is done: manners with the words that they justify, and the styles they are of."""

from __future__ import annotations

from typing import Any, NamedTuple

from texedo.core.errors import FileFormatError
from texedo.data.captions.banks import check_templates, load_tables


class Manner(NamedTuple):
    """The language of a style."""

    manners: tuple[str, ...]
    """Adverbs and phrases that follow the verb."""
    verbs: tuple[str, ...] = ()
    """Verbs of going; a direction follows."""
    looks: tuple[str, ...] = ()
    """What the subject looks like: "~appear happy", "is in pain"."""


def read_manners(tables: dict[str, Any], file: str) -> dict[str, Manner]:
    """The manners of a file by name."""
    found = {}
    for name, table in tables.items():
        if not isinstance(table, dict) or "manners" not in table:
            raise FileFormatError(f"{file}, {name}: a manner is a table with manners.")
        if unknown := set(table) - set(Manner._fields):
            raise FileFormatError(
                f"{file}, {name}: {min(unknown)!r} is none of "
                f"{', '.join(Manner._fields)}."
            )
        words = {
            key: check_templates(value, f"{file}, {name}.{key}")
            for key, value in table.items()
        }
        found[name] = Manner(**words)
    return found


def read_styles(
    tables: dict[str, Any], manners: dict[str, Manner], file: str
) -> dict[str, Manner]:
    """The manner of each style of a file."""
    for style, name in tables.items():
        if name not in manners:
            raise FileFormatError(f"{file}, {style}: there is no manner {name!r}.")
    return {style: manners[name] for style, name in tables.items()}


MANNERS = read_manners(load_tables("manners"), "manners.toml")
STYLES = read_styles(load_tables("styles"), MANNERS, "styles.toml")
"""By the style's name; a style that starts with "like" and is not here speaks for
itself."""


def manner_of(style: str) -> Manner | None:
    """The language of a style, or None if it has none."""
    if style in STYLES:
        return STYLES[style]
    if style.startswith("like "):
        return Manner((style, style, f"{style} would"))
    return None
