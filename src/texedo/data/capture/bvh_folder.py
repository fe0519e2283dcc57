"""A folder of BVH files with captions: anybody's recordings as a source database.

The captions say what is known: who performed a file (`subject`), the kind of action, and
what which seconds show. Seconds with a caption of their own become clips as they are; a
file whose captions give no times is cut like any other. The files of a subject are never
divided between splits; a file without one is a subject of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import ClassVar

from texedo.core.errors import FileFormatError
from texedo.data.capture.archives import fingerprint
from texedo.data.capture.caption_files import (
    WHOLE,
    CaptionRow,
    caption_files,
    read_rows,
)
from texedo.data.capture.dataset import (
    UNLABELLED,
    CaptionSource,
    Recording,
    RecordingInfo,
    TrialLabel,
    WrittenCaptions,
)
from texedo.data.corpus.splits import SplitCfg


@dataclass(frozen=True, kw_only=True)
class BvhFolder:
    """BVH files and what their captions say; a `Dataset`."""

    files: Mapping[str, Path]
    """By the recording's name: the path below the folder, with _ between its parts."""
    captions: tuple[Path, ...]
    """The files that hold the captions."""
    about: Mapping[str, RecordingInfo] = field(repr=False)
    """By the recording's name; files without a caption are missing."""

    name: ClassVar[str] = "folder"
    splits: ClassVar[SplitCfg] = SplitCfg()
    caption_source: ClassVar[CaptionSource] = "written"

    @classmethod
    def open(cls, folder: Path) -> BvhFolder:
        """The folder with everything in it named and matched."""
        if not folder.is_dir():
            raise FileFormatError(f"{folder} is no folder; give one of BVH files.")
        files = _recordings(folder)
        captions = caption_files(folder, files)
        rows: dict[str, list[CaptionRow]] = {}
        trials = _trials_by_reference(folder, files)
        for path in captions:
            for row in read_rows(path):
                rows.setdefault(_trial(row, trials), []).append(row)
        about = {trial: _info(trial, said) for trial, said in rows.items()}
        return cls(files=files, captions=captions, about=about)

    def fingerprint(self) -> list[list[object]]:
        # A file may be renamed to another's name, so the recording's name counts too.
        return [list(self.files), *fingerprint((*self.files.values(), *self.captions))]

    def recordings(self) -> Iterator[Recording]:
        for trial, path in self.files.items():
            yield Recording(trial, path.read_bytes())

    def info(self, trial: str) -> RecordingInfo:
        return self.about.get(trial, RecordingInfo(subject=trial, split_unit=trial))

    def order(self, trial: str) -> tuple[str]:
        return (trial,)


def _recordings(folder: Path) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() != ".bvh" or not path.is_file():
            continue
        trial = "_".join(path.relative_to(folder).with_suffix("").parts)
        if trial in files:
            raise FileFormatError(
                f"{path} and {files[trial]} would both be called {trial}: rename one."
            )
        files[trial] = path
    if not files:
        raise FileFormatError(f"{folder} holds no .bvh file.")
    return files


def _trials_by_reference(folder: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """Recordings by what a caption may call them; "" where that is more than one."""
    trials: dict[str, str] = {}
    for trial, path in files.items():
        short = path.stem
        trials[short] = "" if short in trials else trial
    for trial, path in files.items():
        trials[path.relative_to(folder).with_suffix("").as_posix()] = trial
        trials[str(path.with_suffix(""))] = trial
    return trials


def _trial(row: CaptionRow, trials: Mapping[str, str]) -> str:
    name = row.file.replace("\\", "/").removeprefix("./")
    if PurePosixPath(name).suffix.lower() == ".bvh":
        name = name[: -len(".bvh")]
    if name not in trials:
        raise FileFormatError(
            f"{row.place}: there is no BVH file {row.file!r}; correct its name or remove "
            "the line."
        )
    if not trials[name]:
        raise FileFormatError(
            f"{row.place}: several files are called {row.file!r}; write its folder too."
        )
    return trials[name]


def _info(trial: str, rows: Sequence[CaptionRow]) -> RecordingInfo:
    spans: dict[tuple[float, float], tuple[str, ...]] = {}
    for row in rows:
        spans[row.span] = (*spans.get(row.span, ()), *row.texts)
    whole = tuple(dict.fromkeys(spans.get(WHOLE, ())))
    segments = tuple(sorted(span for span in spans if span != WHOLE))
    subject = _agreed(rows, "subject") or trial
    return RecordingInfo(
        subject=subject,
        label=TrialLabel(
            description=whole[0] if whole else "",
            family=_agreed(rows, "action") or UNLABELLED,
            captions=whole,
        ),
        segments=segments,
        exact_segments=bool(segments),
        written=tuple(
            WrittenCaptions(*span, tuple(dict.fromkeys(texts)))
            for span, texts in sorted(spans.items())
        ),
        split_unit=subject,
    )


def _agreed(rows: Sequence[CaptionRow], name: str) -> str:
    """What the rows of a file say about it; two of them may not differ."""
    first: CaptionRow | None = None
    for row in rows:
        if value := getattr(row, name):
            if first is None:
                first = row
            elif value != getattr(first, name):
                raise FileFormatError(
                    f"{row.place}: {name} {value!r}, but {getattr(first, name)!r} in "
                    f"{first.place}; a file has one."
                )
    return getattr(first, name) if first is not None else ""
