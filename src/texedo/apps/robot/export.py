"""`texedo export`: a motion as a file that a robot's controller reads."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.robot.prepare import (
    MotionOptions,
    Prepared,
    prepare,
    refusal,
    report_lines,
)
from texedo.core.errors import FileFormatError
from texedo.core.files import file_sha256
from texedo.formats import Format, get_format, writable_formats
from texedo.formats.compare import Written, save_compared
from texedo.formats.io import format_for_writing


@dataclass(frozen=True, kw_only=True)
class Cfg(MotionOptions):
    """Hand a motion to a robot: a file in the layout that its controller reads.

    The motion is put between two times of standing: it begins in the standing pose at
    rest, goes over into its first frame without a jump, and returns. Then it is checked,
    scored by the dynamic verifier where one is installed, and performed in physics; what
    fails is refused, and the line that failed is named. The file carries the names of the
    joints, hashes and verdicts (beside it in FILE.json where the layout has no room), and
    is read back and compared with what was meant before it takes its place.
    Exit code 0: written. 1: refused, nothing is written. 2: a file could not be read or
    written.

    Other exports: texedo export tracker, texedo export text-encoder.

    Formats: sonic, beyondmimic, mjlab, unitree-csv (also lafan1), gmr, kimodo-csv,
    kimodo-npz, bones-seed, texedo, texedo-csv, texedo-npy; docs/robot.md has them.

    Example: texedo export out/generate/wave --to sonic -o reference/wave
    """

    to: Annotated[str, tyro.conf.arg(metavar="FORMAT")]
    """Layout of the file, see above."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="OUT")] = None
    """File or folder to write; NAME-FORMAT here if not given."""
    to_fps: float | None = None
    """Frame rate of the file [Hz]; by default what readers of the format assume."""
    json: bool = False
    """What was written and said of it as JSON on standard output."""


def run(cfg: Cfg) -> int:
    chosen = get_format(cfg.to)
    if chosen.write is None:
        raise FileFormatError(
            f"{chosen.name} is only read here; write one of "
            f"{', '.join(writable_formats())}."
        )
    out = cfg.out or _place(cfg.motion, chosen)
    if out.resolve() == cfg.motion.resolve():
        raise FileFormatError(f"{out}: is the motion too; name another output.")
    format_for_writing(
        out, chosen.name
    )  # A wrong name is known before it is performed.
    prepared = prepare(cfg)
    if not cfg.json:
        print("\n".join(report_lines(cfg, prepared)))
    if prepared.objections and not cfg.force:
        print(refusal(prepared, "nothing is written"), file=sys.stderr)
        if cfg.json:
            print(json.dumps({"written": None, **prepared.labels}, indent=2))
        return 1
    written = save_compared(
        prepared.motion, out, format=chosen.name, fps=cfg.to_fps, labels=prepared.labels
    )
    _tell(cfg, prepared, written)
    return 0


def _place(motion: Path, chosen: Format) -> Path:
    name = motion.resolve().name if motion.is_dir() else motion.stem
    ending = chosen.extensions[0] if chosen.extensions else ""
    return Path(f"{name}-{chosen.name}{ending}")


def _tell(cfg: Cfg, prepared: Prepared, written: Written) -> None:
    if cfg.json:
        files = {
            str(path): file_sha256(path) if path.is_file() else None
            for path in written.files
        }
        record = {"written": files, "format": written.format.name, "fps": written.fps}
        record |= {"frames": written.frames, "read_back_within": written.worst}
        print(json.dumps({**record, **prepared.labels}, indent=2))
        return
    forced = ", by --force" if prepared.objections else ""
    print(
        f"wrote {' and '.join(map(str, written.files))}{forced}: {written.format.name}, "
        f"{written.frames} frames at {written.fps:g} fps, read back within "
        f"{written.worst:.1g}"
    )
