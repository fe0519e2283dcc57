"""What a refused prompt gets instead of a motion. Light: whoever prints it needs no rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from texedo.core.errors import TexedoError


class Refusal(TexedoError):
    """No motion for a sentence: nothing known means what it says."""

    def __init__(self, prompt: str, reason: str, known: Sequence[str]) -> None:
        self.prompt, self.reason, self.known = prompt, reason, tuple(known)
        """Why, in a few words; what could be asked for instead."""
        super().__init__(f"{reason}. {self.offer}")

    @property
    def offer(self) -> str:
        """What is known and comes nearest, as a sentence."""
        phrases = ", ".join(f'"{phrase}"' for phrase in self.known)
        return f"I know: {phrases}."

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "prompt": self.prompt,
            "refused": self.reason,
            "known": list(self.known),
        }
