"""`texedo convert`: motion files from any layout to any other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape

from texedo.apps.bars import Bar
from texedo.apps.console import make_console
from texedo.apps.faults import debugging, fault_text, is_bad_input
from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.visible import visible
from texedo.formats import (
    FileClip,
    Format,
    Reading,
    check_clip,
    find_sources,
    get_format,
    read_clips,
    save_clip,
    tally,
    writable_formats,
)
from texedo.formats.io import OWN_FORMAT, Loaded, format_for_writing
from texedo.formats.runs import run_motion

_MAX_NAMES = 5


@dataclass(frozen=True)
class Cfg:
    """Write motions in another layout; at the same rate not a frame changes.

    A format whose readers assume a rate is written at that one: 30 for unitree-csv,
    kimodo-csv and kimodo-npz, 120 for bones-seed-csv, 50 for sonic, mjlab-npz,
    beyondmimic-npz, texedo-csv and texedo-npy. The others keep the rate of the input.
    Where the rates differ, the motion is resampled along smooth curves through its
    frames, within the joints' ranges.

    A folder is converted with all that is in it, into a folder of the same shape. A
    file with several clips becomes a folder of one file per clip. What fails is named and
    the rest is converted; the exit code is then 1.

    Formats: texedo, unitree-csv (also called lafan1), kimodo-csv, texedo-csv,
    texedo-npy, beyondmimic-npz, mjlab-npz, sonic, kimodo-npz, bones-seed-csv, gmr-pkl;
    and only to read: amass-npy, holosoma-npz, twist-pkl, motion-lib-pkl.

    Example: texedo convert dance.csv dance.npz --from lafan1

    Example: texedo convert lafan1/g1 out --from lafan1 --to sonic
    """

    input: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="IN")]]
    """A motion file, a SONIC clip, a run folder, or a folder of them."""
    place: tyro.conf.Positional[
        Annotated[Path | None, tyro.conf.arg(metavar="[OUT]")]
    ] = None
    """Where to write: a file for a file, a folder for a folder."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="OUT")] = None
    """The same as an option."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the input, where a file does not identify it."""
    to: Annotated[str | None, tyro.conf.arg(metavar="FORMAT")] = None
    """Format of the output; without it the ending decides, and our own is the default."""
    fps: float | None = None
    """Frame rate of the input [Hz], instead of what the file or format says."""
    to_fps: float | None = None
    """Frame rate of the output [Hz]; by default what readers of the format assume, and
    the rate of the input where the file carries it."""

    @property
    def output(self) -> Path:
        """Where to write, however it was said."""
        if self.place is not None and self.out is not None:
            raise FileFormatError(
                f"{self.place} and {self.out}: two outputs; name one of them."
            )
        output = self.place if self.out is None else self.out
        if output is None:
            raise FileFormatError(f"{self.input}: where to? Name an output: -o OUT.")
        return output


def run(cfg: Cfg) -> int:
    return rewrite(cfg, Job)


def rewrite(cfg: Cfg, make_job: Callable[[Cfg, Format, int], Job]) -> int:
    """Read everything, write it again as the job does; the exit code."""
    found = find_sources(cfg.input, skip=cfg.output)
    # A run folder stands for its motion: one file in, one file out.
    single = found.sources in ([cfg.input], [run_motion(cfg.input)])
    target = _target(cfg, single=single)
    if cfg.output.resolve() == cfg.input.resolve():
        raise FileFormatError(f"{cfg.output}: is the input too; name another output.")
    if not found.sources:
        raise FileFormatError(
            f"{cfg.input}: there is no motion file in this folder; give another."
        )
    job = make_job(cfg, target, len(found.sources))
    for path in found.unreadable:
        job.failures.append(f"{visible(path)}: this folder may not be read.")
    with job.bar:
        if single:
            # One file that fails is an error, not an entry in a list.
            job.convert(found.sources[0], cfg.output)
        else:
            for source in found.sources:
                job.convert_inside(source)
    _summarize(job, found.others)
    return 1 if job.failures else 0


def _target(cfg: Cfg, *, single: bool) -> Format:
    if cfg.to is not None:
        target = get_format(cfg.to)
    elif single and cfg.output.suffix and not cfg.output.is_dir():
        target = format_for_writing(cfg.output, None)
    else:
        target = get_format(OWN_FORMAT)
    if target.write is None:
        raise FileFormatError(
            f"{cfg.output}: {target.name} is only read here; write one of "
            f"{', '.join(writable_formats())}."
        )
    return target


class Job:
    """One run of the command, and what came of it so far."""

    verb = "converting"
    same_rate = "; frames as they were"
    """Said where no rate was changed."""
    quiet = False
    """Standard output is kept for something else."""

    def __init__(self, cfg: Cfg, target: Format, num_sources: int) -> None:
        self.cfg = cfg
        self.target = target
        self.written: list[Path] = []
        self.read: list[Reading] = []
        self.saved: list[Reading] = []
        self.failures: list[str] = []
        self.total = num_sources
        self.source: Path | None = None
        self.loaded: Loaded | None = None
        self.bar = Bar(self.verb, total=num_sources)

    def convert_inside(self, source: Path) -> None:
        """Convert a source of the input folder; a failure is noted."""
        place = self.cfg.output / source.relative_to(self.cfg.input)
        name = place.name if source.is_dir() else place.stem
        ending = self.target.extensions[0] if self.target.extensions else ""
        try:
            self.convert(source, place.with_name(name + ending), inside=True)
        except Exception as error:  # A run goes on, whatever a file raises.
            if debugging() and not is_bad_input(error):
                raise
            self.failures.append(fault_text(error))
            self.bar.advance()

    def convert(self, source: Path, output: Path, *, inside: bool = False) -> None:
        """Convert one source; one clip that fails raises, one of several is noted.

        The folders of an output inside another one are made once there is one.
        """
        self.bar.show(description=visible(source.name)[:40])
        self.source = source
        self.loaded = read_clips(source, format=self.cfg.from_, fps=self.cfg.fps)
        clips = self.loaded.clips
        if inside:
            output.parent.mkdir(parents=True, exist_ok=True)
        into_folder = output.is_dir() and bool(self.target.extensions)
        if len(clips) == 1 and not into_folder:
            self.save(next(iter(clips.values())), output, where=str(source))
            return
        folder = output if into_folder else output.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        self.total += len(clips) - 1
        self.bar.show(total=self.total)
        paths = _clip_paths(folder, list(clips), target=self.target)
        for (name, clip), path in zip(clips.items(), paths, strict=True):
            where = str(source) if len(clips) == 1 else f"{source} ({name})"
            try:
                self.save(clip, path, where=where)
            except TexedoError as error:
                if len(clips) == 1:
                    raise
                self.failures.append(fault_text(error))
                self.bar.advance()

    def save(self, clip: FileClip, output: Path, *, where: str) -> None:
        self.refuse_twice(output, where)
        check_clip(clip, where)
        saved = save_clip(clip, output, format=self.target.name, fps=self.cfg.to_fps)
        self.note(output, read=clip.reading, saved=saved.reading)

    def refuse_twice(self, output: Path, where: str) -> None:
        """Two inputs must not become one output."""
        if output in self.written:
            raise FileFormatError(
                f"{where}: {output} was just made from another file; rename one of them."
            )

    def note(self, output: Path, *, read: Reading, saved: Reading) -> None:
        self.written.append(output)
        self.read.append(read)
        self.saved.append(saved)
        self.bar.advance()


def _clip_paths(folder: Path, names: list[str], *, target: Format) -> list[Path]:
    """One path per clip; names come from the file and must not lead out of the folder."""
    ending = target.extensions[0] if target.extensions else ""
    paths: list[Path] = []
    for name in names:
        safe = (
            re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII).strip("._")[:120] or "clip"
        )
        path, copy = folder / f"{safe}{ending}", 1
        while path in paths:
            copy += 1
            path = folder / f"{safe}_{copy}{ending}"
        paths.append(path)
    return paths


def _summarize(job: Job, others: list[Path]) -> None:
    console = make_console(soft_wrap=True, stderr=job.quiet)
    for failure in job.failures:
        console.print(f"[bold red]failed[/] {escape(failure)}")
    if others:
        names = [
            visible(path.relative_to(job.cfg.input)) for path in others[:_MAX_NAMES]
        ]
        more = ", ..." if len(others) > _MAX_NAMES else ""
        console.print(
            f"left alone, no motion files: {len(others)} "
            f"({escape(', '.join(names))}{more})"
        )
    if len(job.written) == 1:
        what = escape(visible(job.written[0]))
    else:
        what = f"{len(job.written)} motions to {escape(str(job.cfg.output))}"
    failed = f", {len(job.failures)} failed" if job.failures else ""
    console.print(f"wrote {what} ({job.target.name}){failed}{escape(_rates(job))}")


def _rates(job: Job) -> str:
    """At which rate the files were read, and what that meant for their frames."""
    if not job.read:
        return ""
    said = f"at {job.read[0]}" if len(job.read) == 1 else tally(job.read)
    changed = [
        (before.rate.fps, after.rate.fps)
        for before, after in zip(job.read, job.saved, strict=True)
        if before.rate.fps != after.rate.fps
    ]
    if not changed:
        return f": read {said}{job.same_rate}"
    some = "" if len(changed) == len(job.read) else f"{len(changed)} of them "
    pairs = sorted({f"{before:g} to {after:g} fps" for before, after in changed})
    rates = ", ".join(pairs[:_MAX_NAMES])
    return (
        f": read {said}; {some}resampled from {rates} (quintic splines, joints "
        "within their ranges)"
    )
