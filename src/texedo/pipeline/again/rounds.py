"""What is tried where no candidate fits, one after the other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.rewording import Rewording


@dataclass(frozen=True, kw_only=True)
class Again:
    """Both by default; None leaves one out."""

    edit: Editing | None = Editing()
    """Edit candidates."""
    reword: Rewording | None = Rewording()
    """Ask again in other words."""

    @classmethod
    def never(cls) -> Again:
        """Take what was drawn."""
        return cls(edit=None, reword=None)

    @property
    def rounds(self) -> tuple[Editing | Rewording, ...]:
        """Those that are tried, in their order."""
        return tuple(how for how in (self.edit, self.reword) if how is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)
