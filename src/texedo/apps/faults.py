"""What is said of a failure: bad input in one line, a bug with the way to its place."""

from __future__ import annotations

import os

from texedo.core.errors import TexedoError

EXIT_BAD_INPUT, EXIT_REFUSED = 2, 3
"""Exit codes of a command that has nothing to show."""

DEBUG = "TEXEDO_DEBUG"
"""With this variable set, every failure ends in a full traceback."""


def debugging() -> bool:
    """Whether failures are raised instead of told."""
    return bool(os.environ.get(DEBUG))


def is_bad_input(error: BaseException) -> bool:
    """The input's fault, or the machine's, and not ours."""
    return isinstance(error, TexedoError | OSError)


def fault_text(error: BaseException) -> str:
    """One line: of a bug also its kind, and how to see where it is."""
    if is_bad_input(error):
        return str(error)
    said = " ".join(str(error).split())
    kind = type(error).__name__ + (f": {said}" if said else "")
    return (
        f"unexpected {kind}. This is a fault of texedo, not of your input; run it "
        f"again with {DEBUG}=1 for the traceback."
    )
