"""The words of captions: TOML files in this folder, read and checked here.

An entry is a template or a list of them, and may be nested: `out.side` is the entry
`side` of `out`. In a template "~" marks a verb, "[a|b]" a choice, and braces a slot.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from texedo.core.errors import FileFormatError

SLOTS = frozenset(
    "angle arm dir gait hand it level n noun other poss refl rot side sides times "
    "where".split()
)
"""What the braces of a caption's template may name."""
_SLOT = re.compile(r"\{([a-z_0-9]+)\}")
_CHOICE = re.compile(r"\[[^\[\]]*\]")


class Bank:
    """The templates of one file by their entry's name."""

    def __init__(
        self,
        name: str,
        lists: Mapping[str, tuple[str, ...]],
        texts: Mapping[str, str],
    ) -> None:
        self.name = name
        self._lists, self._texts = lists, texts

    def __getitem__(self, entry: str) -> tuple[str, ...]:
        """The templates of an entry that is a list."""
        return self._lists[self._known(entry, self._lists)]

    def text(self, entry: str) -> str:
        """The template of an entry that is a single one."""
        return self._texts[self._known(entry, self._texts)]

    def __contains__(self, entry: str) -> bool:
        return entry in self._lists or entry in self._texts

    def templates(self) -> Iterator[str]:
        """All of them, in no particular order."""
        yield from self._texts.values()
        for templates in self._lists.values():
            yield from templates

    def _known(self, entry: str, entries: Mapping[str, object]) -> str:
        if entry not in entries:
            raise FileFormatError(
                f"{self.name}: there is no entry {entry!r}; there are "
                f"{', '.join(entries)}."
            )
        return entry


@cache
def load_bank(name: str, *, package: str = __name__) -> Bank:
    """The file `name`.toml of a package."""
    tables = load_tables(name, package=package)
    # Phrases of authored motions have slots of their own, a set for each kind.
    return make_bank(tables, f"{name}.toml", SLOTS if package == __name__ else None)


@cache
def load_tables(name: str, *, package: str = __name__) -> dict[str, Any]:
    """The same as it stands there, for files that are no plain lists."""
    path = files(package) / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileFormatError(
            f"{path} cannot be read ({error}): install texedo again."
        ) from error


def make_bank(
    tables: Mapping[str, Any], name: str, slots: Collection[str] | None = None
) -> Bank:
    """Entries of a TOML file, flattened and checked; `slots` are those allowed."""
    lists: dict[str, tuple[str, ...]] = {}
    texts: dict[str, str] = {}
    for entry, value in _flat(tables):
        if isinstance(value, str):
            texts[entry] = value
            check_template(value, f"{name}, {entry}", slots)
        else:
            lists[entry] = check_templates(value, f"{name}, {entry}", slots)
    return Bank(name, lists, texts)


def check_templates(
    value: object, place: str, slots: Collection[str] | None = SLOTS
) -> tuple[str, ...]:
    """A list of templates as a tuple."""
    if not isinstance(value, list) or not value:
        raise FileFormatError(f"{place}: a list of templates, not {value!r}.")
    for template in value:
        check_template(template, place, slots)
    return tuple(value)


def check_template(
    template: object, place: str, slots: Collection[str] | None = SLOTS
) -> None:
    """Refuse a template whose marks do not fit together."""
    if not isinstance(template, str) or not template.strip():
        raise FileFormatError(f"{place}: a template is a text, not {template!r}.")
    unknown = [s for s in _SLOT.findall(template) if slots and s not in slots]
    if unknown:
        raise FileFormatError(
            f"{place}: {template!r} has a slot {{{unknown[0]}}}; there are "
            f"{', '.join(sorted(slots or ()))}."
        )
    bare, before = _SLOT.sub("", template), ""
    while bare != before:
        bare, before = _CHOICE.sub("", bare), bare
    if set(bare) & set("[]{}|") or re.search(r"~(?![a-z])", template):
        raise FileFormatError(
            f"{place}: {template!r} has a bracket, a brace, a | or a ~ too many."
        )


def _flat(
    tables: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, str | list[str]]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
