"""What is tried where no candidate fits, one after the other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.joining import Joining
from texedo.pipeline.again.rewording import Rewording
from texedo.pipeline.again.writing import Writing


@dataclass(frozen=True, kw_only=True)
class Again:
    """All of them by default; None leaves one out."""

    write: Writing | None = Writing()
    """Write motions from what the sentence says."""
    join: Joining | None = Joining()
    """Draw the steps of a sentence one by one and join them."""
    edit: Editing | None = Editing()
    """Edit candidates."""
    reword: Rewording | None = Rewording()
    """Ask again in other words."""

    @classmethod
    def never(cls) -> Again:
        """Take what was drawn."""
        return cls(write=None, join=None, edit=None, reword=None)

    @property
    def rounds(self) -> tuple[Writing | Joining | Editing | Rewording, ...]:
        """Those that are tried, in their order."""
        ways = (self.write, self.join, self.edit, self.reword)
        return tuple(how for how in ways if how is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)
