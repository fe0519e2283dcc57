"""The screen as every command uses it."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from texedo.core.visible import visible


class _VisibleConsole(Console):
    """Shows control characters in names escaped, as `\\x1b`, and never obeys them."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text, keep="\n\t"), **options)


def make_console(
    *, stderr: bool = False, width: int | None = None, soft_wrap: bool = False
) -> Console:
    """A console that prints names as they are: `one:` is no emoji, 3.5 no colour.

    `width` is that of a file or a pipe, in which a table need not be folded.
    Square brackets are still markup: a user's text is escaped, or printed without it.
    """
    console = _VisibleConsole(
        stderr=stderr, emoji=False, highlight=False, soft_wrap=soft_wrap
    )
    if width is not None and not console.is_terminal:
        console.width = width
    return console
