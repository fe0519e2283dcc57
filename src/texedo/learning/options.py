"""What every trainer is told, whatever it trains. Plain data: no torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """A run lives in the folder `out`: the same command resumes it until it is done."""

    out: str = "run"
    """Folder for what is trained, the state, the log and the report. A run that began
    there is resumed; one with other options is refused."""
    resume: str = ""
    """Folder of another run to begin with: its weights and steps. The minutes count
    from there, and options may differ."""
    minutes: float = 0.0
    """Training time of the run [min], evaluations included, start and final report not;
    it counts over all calls that resumed it, and the schedule ends with it. 0 for
    no limit."""
    steps: int = 0
    """Train this many steps instead, over all calls, however long they take; 0 goes
    by time."""
    wall: float = 0.0
    """Time from the start of this process to its end, final report included [s]; the
    same command resumes it later. Without minutes and steps the schedule ends with it."""
    device: str = ""
    """cuda:0 if there is one, else cpu."""
    seed: int = 0
    """Random seed."""

    FREE: ClassVar[frozenset[str]] = frozenset(
        "out resume minutes steps wall device log_every eval_every save_every".split()
    )
    """Options that may differ when a run is resumed: they do not change what it is."""
    PLACES: ClassVar[frozenset[str]] = frozenset()
    """Options that say where things lie: free too, but the data must be the same."""

    def lasting(self) -> dict[str, Any]:
        """Options that must stay the same while a run goes on."""
        given = asdict(self)
        return {
            name: value
            for name, value in given.items()
            if name not in self.FREE | self.PLACES
        }

    def public(self) -> dict[str, Any]:
        """Options to store with what was trained: not where things lay."""
        hidden = {"out", "resume", "device"} | self.PLACES
        return {k: v for k, v in asdict(self).items() if k not in hidden}
