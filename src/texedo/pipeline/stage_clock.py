"""Where the time of a prompt goes, stage by stage."""

from __future__ import annotations

import time


class StageClock:
    """Seconds between notes, added up by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def note(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now
