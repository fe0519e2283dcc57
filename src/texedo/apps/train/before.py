"""What every trainer asks before it starts."""

from __future__ import annotations

import importlib.util
from dataclasses import fields
from typing import Annotated, Any, TypeVar

from tyro.conf import arg

from texedo.core.errors import TexedoError

OutFolder = Annotated[str, arg(aliases=["-o"], metavar="DIR")]
Options = TypeVar("Options")


def plain(cfg: Any, kind: type[Options]) -> Options:
    """The trainer's own options of a command's, which may have more."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: getattr(cfg, name) for name in names})


def need_packages(*packages: str, extra: str = "learn") -> None:
    """Raise unless all are installed; `extra` is the one of ours that brings them."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise TexedoError(
                f"Training needs {package}; install it with: pip install "
                f"'texedo[{extra}]'."
            )


def check_numbers(option: str, text: str) -> None:
    """Raise unless a text is whole numbers above 0, joined by commas."""
    for part in text.split(","):
        if not part.strip().isdecimal() or int(part) < 1:
            raise TexedoError(
                f"{option} takes whole numbers joined by commas, as in 256,128; got "
                f"{text!r}."
            )
