"""What is asked of an authored motion."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Literal

Base = Literal["stand", "walk", "backward", "left", "right", "turn", "march"]


@dataclass(frozen=True, kw_only=True)
class Spec:
    """A motion in words and numbers; equal specs give equal motions."""

    kind: str
    """What is done, a name from `author.kinds.KINDS`."""
    side: str = ""
    """"left", "right", "both", or "" where sides mean nothing."""
    count: int = 1
    """How often, or how many steps."""
    tempo: float = 1.0
    """1 is calm; 1.25 takes four fifths of the time."""
    size: float = 1.0
    """1 is normal."""
    base: Base = "stand"
    """What the legs do meanwhile; "walk" is ahead, "turn" goes by `angle`."""
    way: str = ""
    """Direction or variant, where the kind has several."""
    angle: int = 0
    """Of a turn, to the left [degrees]."""
    manner: str = "plain"
    """How, a name from `author.gait.gaits`."""
    take: int = 0
    """Chooses the small variations."""
    free: bool = False
    """Stance, resting arms and waits are drawn more widely."""
    parts: tuple[Spec, ...] = ()
    """Of a sequence: what is done, in order."""
    lesson: bool = False
    """Made to be learned from: it stands for nothing that is withheld for tests."""

    @property
    def id(self) -> str:
        """Stable name: the kind and a hash of everything that is not left out.

        `free`, `parts` and `lesson` came later; where they say nothing they change no
        name.
        """
        content = asdict(self)
        for name in ("free", "parts", "lesson"):
            if not content[name]:
                del content[name]
        return f"au-{self.kind}-{_digest(content)}"

    @property
    def group(self) -> str:
        """Shared by all specs that look alike: sides, tempo, size and take left out.

        Mirror images and other takes of one thing must not be split between learning
        and testing. The parts of a sequence may be in any order.
        """
        directions = {"left": "side", "right": "side"}
        parts: dict[str, object] = {
            "kind": self.kind,
            "count": self.count,
            "base": directions.get(self.base, self.base),
            "way": "+".join(directions.get(w, w) for w in self.way.split("-")),
            "angle": abs(self.angle),
            "manner": self.manner,
            "both": self.side == "both",
        }
        if self.parts:
            parts["parts"] = sorted(part.group for part in self.parts)
        if self.lesson:
            parts["lesson"] = True
        return f"au-{self.kind}-{_digest(parts)}"


def _digest(content: dict[str, object]) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:10]
