"""What is said of a failure: bad input in one line, a bug with the way to its place."""

from __future__ import annotations

import io
import os
import sys

from texedo.core.errors import RetargetError, TexedoError
from texedo.core.visible import visible

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
        # Skeletons that do not fit come with their tree, line by line.
        return visible(error, keep="\n" if isinstance(error, RetargetError) else "")
    said = visible(" ".join(str(error).split()))[:300]
    kind = type(error).__name__ + (f": {said}" if said else "")
    return (
        f"unexpected {kind}. This is a fault of texedo, not of your input; run it "
        f"again with {DEBUG}=1 for the traceback."
    )


def print_any_name() -> None:
    """Let standard output take file names that are no UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
