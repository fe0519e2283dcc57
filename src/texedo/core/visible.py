"""Text from outside, as it may be shown: control characters are escaped.

A file may be called anything. A line break in its name would break a one-line message, an
escape sequence would paint the terminal, and half a character cannot be printed at all.
"""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, marks that turn the direction of
# text around, and halves of characters, as names that are no UTF-8 have.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: object, *, keep: str = "") -> str:
    """The text with every control character but those in `keep` as `\\n`, `\\x1b`."""

    def escape(match: re.Match[str]) -> str:
        character = match[0]
        if character in keep:
            return character
        code = ord(character)
        if 0xDC80 <= code <= 0xDCFF:  # A byte of a name that is no UTF-8.
            return f"\\x{code - 0xDC00:02x}"
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")

    return _HIDDEN.sub(escape, str(text))
