"""Which model is asked, where, and with whose key.

A model is written KIND:NAME or KIND:NAME@URL, such as openai:gpt-5.5,
gemini:gemini-2.5-flash or openai:qwen3-vl@http://localhost:8000/v1. Keys come from the
environment alone and never reach a message, a log or a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from texedo.core.errors import TexedoError

Kind = Literal["openai", "gemini"]
DEFAULT = ("openai:gpt-5.5", "gemini:gemini-2.5-flash")
"""Those of the paper."""
KEYS: Mapping[Kind, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Model(NamedTuple):
    """One model behind one interface."""

    kind: Kind
    name: str
    url: str | None = None
    """Base URL; None for the provider's own."""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" + (f"@{self.url}" if self.url else "")

    @property
    def local(self) -> bool:
        """On this machine, where no key is needed."""
        return self.url is not None and urlsplit(self.url).hostname in _LOCAL


def parse_model(text: str) -> Model:
    """From KIND:NAME[@URL]."""
    kind, colon, rest = text.partition(":")
    name, _, url = rest.partition("@")
    if kind not in KEYS or not colon or not name:
        raise TexedoError(
            f"{text!r} is no model; write openai:NAME or gemini:NAME, with @URL for a "
            "server of your own."
        )
    if url:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise TexedoError(f"{text!r}: the URL must begin with http:// or https://.")
        if parts.username or parts.password or parts.query:
            raise TexedoError(
                f"the URL of {kind}:{name} holds more than an address; keys belong in "
                f"{KEYS[kind][0]}."  # type: ignore[index]
            )
    return Model(kind, name, url or None)  # type: ignore[arg-type]


def key_of(model: Model) -> str:
    """From the environment."""
    for name in KEYS[model.kind]:
        if value := os.environ.get(name, "").strip():
            return value
    if model.local:
        return "none"
    raise TexedoError(
        f"{model} needs a key: set {' or '.join(KEYS[model.kind])} in the environment."
    )
