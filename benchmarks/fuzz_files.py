"""Spoiled files for every reader: each is read or refused in one line, in bounds.

    python benchmarks/fuzz_files.py -n 20000 --seed 0 --jobs 2

Files of every motion format, BVH and its mapping, trackers (ours, ONNX, SONIC) and
generators are written, spoiled (`fuzz_spoil.py`) and read, each in a process of its own.
Allowed: a result, or an error of texedo in one line that shows no control character (a
skeleton that does not fit adds its tree). At most 500 MB and four times the file's size
of memory, and 10 s of processor time; seconds on the wall are told beside it, for a busy
machine has others to serve too. Everything else is printed with the seed that brings it
back: `--only KIND --first INDEX -n 1 --keep DIR`. With `--log FILE` every outcome is noted
there, and a run that was interrupted goes on after the last of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import tyro

os.environ.setdefault("OMP_NUM_THREADS", "1")

from fuzz_seeds import SEEDS
from fuzz_spoil import spoil
from texedo.core.errors import RetargetError, TexedoError
from texedo.core.visible import visible
from texedo.formats import detect, formats, load_motions

MEMORY, PER_BYTE, SECONDS = 500e6, 4, 10.0
_PATIENCE = 90.0
"""Seconds on the wall after which a file counts as hanging."""
_ADDRESS_SPACE = 16 << 30


@dataclass(frozen=True)
class Cfg:
    """Spoil files of every kind and read them."""

    number: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 20_000
    """Files."""
    seed: int = 0
    first: int = 0
    """First index of each kind."""
    jobs: int = 2
    """Files at a time."""
    only: tuple[str, ...] = ()
    """These kinds alone."""
    keep: Path | None = None
    """Where files with faults are put."""
    log: Path | None = None
    """Where every outcome is noted; what is noted there already is not done again."""


@dataclass
class Case:
    """One spoiled file at work."""

    kind: str
    index: int
    change: str
    size: int
    folder: Path
    started: float = field(default_factory=time.monotonic)


def attempts(kind: str, path: Path) -> list[str]:
    """What came of every way to read the file: `read`, or why it was refused."""
    outcomes = []
    for read in readers(kind, path):
        try:
            read()
            outcomes.append("read")
        except TexedoError as error:
            outcomes.append(_judged(error))
    return outcomes


def _judged(error: TexedoError) -> str:
    text = str(error)
    lines = text.splitlines()
    if len(lines) > 1 and not isinstance(error, RetargetError):
        return f"VIOLATION several lines: {text[:300]!r}"
    if visible(text, keep="\n") != text:
        return f"VIOLATION control characters: {text[:300]!r}"
    if len(lines[0] if lines else "") > 2000:
        return f"VIOLATION a line of {len(text)} characters"
    return f"refused: {text[:300]}"


def readers(kind: str, path: Path) -> list[Any]:
    if kind in formats():
        return [
            lambda: detect(path),
            lambda: load_motions(path),
            lambda: load_motions(path, format=kind, fps=50),
        ]
    if kind in ("bvh", "mapping"):
        from texedo.data.capture.source import load_source

        if kind == "bvh":
            return [lambda: load_source(path)]
        return [lambda: load_source(path.with_name("walk.bvh"), mapping=path)]
    if kind in ("tracker", "onnx", "sonic-policy"):
        from texedo.tracker.policies.find import find_policy

        return [lambda: find_policy(str(path)).start(1)]
    from texedo.text.generators.find import find_generator

    name = f"folder:{path}" if kind == "folder-generator" else str(path)
    return [lambda: find_generator(name).sample("a person waves", 1, duration=1.0)]


def write_seed(kind: str, folder: Path) -> Path:
    """The same file each time, whatever else was written before it."""
    if kind not in formats():
        import torch

        torch.manual_seed(0)
    return SEEDS[kind](folder)


def prepare(kind: str, index: int, seed: int, seeds: Path, root: Path) -> Case:
    """A spoiled copy of a seed; the same numbers give the same file."""
    rng = random.Random(f"{seed} {kind} {index}")
    folder = root / f"{kind}-{index}"
    shutil.copytree(seeds / kind, folder)
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    if kind == "mapping":
        files = [p for p in files if p.suffix == ".json"]
    target = rng.choice(files)
    change, data = spoil(target.read_bytes(), target.suffix, rng)
    target.write_bytes(data)
    if target.name == "weights.safetensors" and rng.random() < 0.7:
        _seal(target)
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    return Case(kind, index, f"{target.name}: {change}", size, folder)


def _seal(weights: Path) -> None:
    """Let the config vouch for the spoiled weights, so that they are looked into."""
    config = weights.with_name("config.json")
    content = json.loads(config.read_bytes())
    content["sha256"] = hashlib.sha256(weights.read_bytes()).hexdigest()
    config.write_text(json.dumps(content))


def run(case: Case, path: Path, out: Path) -> int:
    """Read the file in a child; its pid. What came of it is written to `out`."""
    pid = os.fork()
    if pid:
        return pid
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    os.chdir(case.folder)
    try:
        outcomes = attempts(case.kind, path)
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        outcomes = [
            f"VIOLATION {type(error).__name__} at {where}: {str(error)[:200]!r}"
        ]
    out.write_text("\n".join(line.replace("\n", " ") for line in outcomes))
    os._exit(0)


class Outcome(NamedTuple):
    """What came of one file."""

    kind: str
    number: int
    ending: str
    """`read`, `refused` or `violation`."""
    peak: float
    """Memory [bytes]."""
    spent: float
    """Processor time [s]."""
    wall: float
    """[s]."""
    faults: list[str]


class Tally:
    """What came of all files so far."""

    def __init__(self, log: Path | None, seed: int) -> None:
        self.log, self.seed = log, seed
        self.done: set[tuple[str, int]] = set()
        self.outcomes: dict[str, Counter[str]] = {kind: Counter() for kind in SEEDS}
        self.memory: Counter[str] = Counter()
        self.seconds: dict[str, float] = dict.fromkeys(SEEDS, 0.0)
        self.wall: dict[str, float] = dict.fromkeys(SEEDS, 0.0)
        self.violations: list[str] = []
        if log is not None and log.exists():
            for line in log.read_text().splitlines():
                said = json.loads(line)
                if said.pop("seed") == seed:
                    self._count(Outcome(**said))

    def enter(self, case: Case, status: int, used: Any, out: Path) -> None:
        outcomes = out.read_text().splitlines() if out.exists() else []
        peak, spent = used.ru_maxrss * 1024, used.ru_utime + used.ru_stime
        wall = time.monotonic() - case.started
        faults = [line for line in outcomes if line.startswith("VIOLATION")]
        if status or not outcomes:
            faults.append(f"VIOLATION ended with status {status}")
        if peak > MEMORY + PER_BYTE * case.size:
            faults.append(f"VIOLATION {peak / 1e6:.0f} MB for {case.size} bytes")
        if spent > SECONDS:
            faults.append(f"VIOLATION {spent:.1f} s")
        if (case.folder / "RAN").exists():
            faults.append("VIOLATION it ran code")
        ending = "read" if outcomes and outcomes[-1] == "read" else "refused"
        said = [f"({case.change}): {fault[10:]}" for fault in faults]
        ending = "violation" if faults else ending
        self._count(
            Outcome(case.kind, case.index, ending, peak, spent, wall, said), new=True
        )

    def _count(self, outcome: Outcome, *, new: bool = False) -> None:
        kind = outcome.kind
        self.done.add((kind, outcome.number))
        self.outcomes[kind][outcome.ending] += 1
        self.memory[kind] = max(self.memory[kind], int(outcome.peak))
        self.seconds[kind] = max(self.seconds[kind], outcome.spent)
        self.wall[kind] = max(self.wall[kind], outcome.wall)
        for fault in outcome.faults:
            self.violations.append(f"{kind} {outcome.number} {fault}")
            print(self.violations[-1], flush=True)
        if new and self.log is not None:
            with open(self.log, "a") as handle:
                handle.write(
                    json.dumps({"seed": self.seed, **outcome._asdict()}) + "\n"
                )

    @property
    def count(self) -> int:
        return sum(sum(row.values()) for row in self.outcomes.values())

    def table(self) -> str:
        columns = ("read", "refused", "violation")
        lines = [
            f"{'kind':18} {'files':>6} "
            + " ".join(f"{name:>9}" for name in columns)
            + f" {'most MB':>8} {'most s':>7} {'on the wall':>11}"
        ]
        for kind, row in self.outcomes.items():
            if not (count := sum(row.values())):
                continue
            cells = " ".join(f"{row[name]:9}" for name in columns)
            lines.append(
                f"{kind:18} {count:6} {cells} {self.memory[kind] / 1e6:8.0f} "
                f"{self.seconds[kind]:7.2f} {self.wall[kind]:11.2f}"
            )
        return "\n".join(lines)


def fuzz(args: Cfg, root: Path) -> Tally:
    """Spoil and read `args.number` files, each kind in turn."""
    kinds = list(args.only or SEEDS)
    share = -(-args.number // len(kinds))
    tally = Tally(args.log, args.seed)
    # Readers first: what networks bring along is no part of a motion file's memory.
    heavy = [kind for kind in kinds if kind not in formats()]
    for group in ([kind for kind in kinds if kind in formats()], heavy):
        _group(group, share * len(group), args, root, tally)
    return tally


def _group(kinds: list[str], count: int, args: Cfg, root: Path, tally: Tally) -> None:
    seeds, out, names = root / "seeds", root / "out", {}
    out.mkdir(exist_ok=True)
    for kind in kinds:
        (seeds / kind).mkdir(parents=True)
        names[kind] = write_seed(kind, seeds / kind).relative_to(seeds / kind)
    _import_all(kinds)
    at_work: dict[int, tuple[Case, int]] = {}
    n = 0
    while n < count or at_work:
        while n < count and len(at_work) < args.jobs:
            kind, index = kinds[n % len(kinds)], args.first + n // len(kinds)
            n += 1
            if (kind, index) in tally.done:
                continue
            case = prepare(kind, index, args.seed, seeds, root)
            at_work[run(case, case.folder / names[kind], out / str(n))] = (case, n)
        if at_work:
            _collect(at_work, tally, out, keep=args.keep)


def _collect(
    at_work: dict[int, tuple[Case, int]], tally: Tally, out: Path, *, keep: Path | None
) -> None:
    pid, status, used = os.wait4(-1, os.WNOHANG)
    if not pid:
        for number, (case, _) in at_work.items():
            if time.monotonic() - case.started > _PATIENCE:
                os.kill(number, signal.SIGKILL)
        time.sleep(0.002)
        return
    case, index = at_work.pop(pid)
    before = len(tally.violations)
    tally.enter(case, status, used, out / str(index))
    if keep is not None and len(tally.violations) > before:
        shutil.copytree(case.folder, keep / case.folder.name, dirs_exist_ok=True)
    shutil.rmtree(case.folder)
    (out / str(index)).unlink(missing_ok=True)


def _import_all(kinds: list[str]) -> None:
    """Once for all children: they differ in their file alone."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            place = Path(folder) / kind
            place.mkdir()
            attempts(kind, write_seed(kind, place))


def main() -> int:
    args = tyro.cli(Cfg, description=__doc__)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        tally = fuzz(args, Path(folder))
    print(tally.table())
    print(
        f"{tally.count} files in {time.monotonic() - started:.0f} s, seed {args.seed}, "
        f"{len(tally.violations)} violations"
    )
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
