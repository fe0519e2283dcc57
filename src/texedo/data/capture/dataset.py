"""What a source database is to the corpus: `Dataset`.

A database says where its recordings come from, and of each recording who performed it,
what it shows, which faults of its file are known, where to cut, and what somebody wrote
about which seconds of it. Everything after that (retargeting, screening, the search for
copies, captions, splits) is the same for all of them. A new database is a module with a
class like `Cmu` or `BvhFolder` and a row in `datasets.DATASETS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from texedo.data.corpus.splits import SplitCfg

UNLABELLED = "unlabelled"
"""The kind of action of a recording about which nothing is known."""

CaptionSource = Literal["generated", "written", "both"]
"""Which captions a captured clip gets. "written": those that somebody wrote about these
seconds, word for word, and generated ones where there are none."""


class Recording(NamedTuple):
    """One recording as found."""

    trial: str
    """Its name; unique in the database, and the name of a file later."""
    data: bytes
    """The BVH file."""


@dataclass(frozen=True, kw_only=True)
class TrialLabel:
    """What an index says about a recording."""

    description: str = ""
    session: str = ""
    family: str = UNLABELLED
    """The kind of action."""
    style: tuple[str, ...] = ()
    atomic: bool = False
    """The description holds for any few seconds of it."""
    captions: tuple[str, ...] = ()
    """About the recording as a whole; a clip gets those that it bears out."""
    keep: bool = True
    """It makes sense for one humanoid on a flat, empty floor."""


class WrittenCaptions(NamedTuple):
    """What somebody wrote about some seconds of a recording, for use word for word."""

    start: float
    """[s]"""
    end: float
    """[s]; -1 is the recording's end."""
    texts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RecordingInfo:
    """All that a database knows about one of its recordings."""

    subject: str
    """Who performed it."""
    label: TrialLabel = TrialLabel()
    time_stretch: float = 1.0
    """Multiplies the frame time of its file, where the file is known to be wrong."""
    segments: tuple[tuple[float, float], ...] = ()
    """(start, end) of natural parts [s]; an end of -1 is the recording's."""
    exact_segments: bool = False
    """The segments are the clips; otherwise they are places to cut a long recording at."""
    written: tuple[WrittenCaptions, ...] = ()
    written_checked: bool = False
    """What was written is left out where the motion plainly contradicts it; otherwise
    it is taken word for word, whatever was measured."""
    split_unit: str = ""
    """Recordings with the same one are never divided between splits; "" is none, so that
    only copies stay together."""


class Dataset(Protocol):
    """A source database that lies somewhere on this machine."""

    @property
    def name(self) -> str:
        """Its name in `datasets.DATASETS`."""
        ...

    @property
    def splits(self) -> SplitCfg:
        """Its division, the same in every build."""
        ...

    @property
    def caption_source(self) -> CaptionSource:
        """Which captions its clips get unless a build asks for others."""
        ...

    def fingerprint(self) -> list[list[object]]:
        """Name, size and time of change of all it consists of: equal means unchanged."""
        ...

    def recordings(self) -> Iterator[Recording]:
        """Every recording once, also those not to be kept, always in the same order."""
        ...

    def info(self, trial: str) -> RecordingInfo:
        """What is known about a recording."""
        ...

    def order(self, trial: str) -> tuple[Any, ...]:
        """Sort key of a recording's clips in the corpus, and of who copies whom."""
        ...
