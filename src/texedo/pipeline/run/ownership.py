"""Which files of a folder this tool wrote itself, and how they are replaced.

    run.json    "state": "finished" or "unfinished"
                "files": {name: sha256} of everything that the run wrote
                "replaces": what a run that is not finished was about to take away

A file is ours if `run.json` names it, with a name that this tool gives, and its content
has the hash that stands there. Nothing else is ever removed or overwritten: not a file
that was changed since, not a link, not a folder `candidates` that somebody else made.

New files are made in a hidden folder beside their place. Their hashes are written to
`run.json` before the first of them is moved, so that a run that is killed at any moment
leaves only files that the next one can tell from a stranger's.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from texedo.core.errors import GenerationError
from texedo.core.files import file_sha256, write_whole
from texedo.formats.runs import CANDIDATES, RUN_FILE, run_record

RUN_VERSION = 2
"""Of `run.json`; version 1 had no hashes, so nothing proves whose its files are."""
_NAME = re.compile(
    r"motion\.npz|candidates\.csv|report\.html|performance\.mp4|sheet\.png|"
    rf"{CANDIDATES}/\d{{3,4}}\.npz"
    r"|motion-\w[\w-]*(\.\w+|/\w[\w.-]*)?"
)
"""Every name that a run gives to a file."""
_STAGING = re.compile(r"\.texedo-(\d{1,10})-[0-9a-f]{12}\.tmp")
_HALF_WRITTEN = re.compile(r"\..+\.[0-9a-f]{12}\.tmp")
_WAY_OUT = "Choose another --out, or move it away."

Place = Literal["absent", "ours", "foreign", "changed"]


@dataclass(frozen=True)
class Owned:
    """What a folder's `run.json` proves."""

    folder: Path
    record: dict[str, Any] | None
    hashes: Mapping[str, frozenset[str]]
    """Which contents are ours, by name."""

    def file(self, name: str) -> Place:
        """Whose a file is; a name may have one folder in it."""
        path = self.folder / name
        if not os.path.lexists(path):
            return "absent"
        links = path.is_symlink() or (self.folder / name).parent.is_symlink()
        if name not in self.hashes or links or not path.is_file():
            return "foreign"
        return "ours" if file_sha256(path) in self.hashes[name] else "changed"

    def stranger(self, place: str) -> tuple[str, Place] | None:
        """The first thing at or below a place that is not ours, and what it is."""
        path = self.folder / place
        names = [place]
        # A folder where a file should go is a stranger itself.
        if path.is_dir() and not path.is_symlink() and not path.suffix:
            names = [f"{place}/{entry.name}" for entry in sorted(path.iterdir())]
        for name in names:
            if (found := self.file(name)) in ("foreign", "changed"):
                return name, found
        return None


def owned_files(folder: Path) -> Owned:
    """What of a folder is ours; nothing if its `run.json` does not say so properly."""
    record = run_record(folder)
    if record is None or record.get("version") != RUN_VERSION:
        return Owned(folder, record, {})
    hashes: dict[str, set[str]] = {}
    for part in (record["files"], record.get("replaces", {})):
        for name, said in part.items() if isinstance(part, dict) else ():
            known = [said] if isinstance(said, str) else said
            if _NAME.fullmatch(name) and isinstance(known, list):
                hashes.setdefault(name, set()).update(
                    entry for entry in known if isinstance(entry, str)
                )
    return Owned(folder, record, {name: frozenset(h) for name, h in hashes.items()})


def check_folder(
    folder: Path,
    request: Mapping[str, Any],
    places: Iterable[str],
    *,
    overwrite: bool = False,
) -> None:
    """Raise `GenerationError` unless a run may write to these places of the folder."""
    _check_writable(folder)
    if not folder.exists():
        return
    owned = owned_files(folder)
    _check_record(owned, request, overwrite=overwrite)
    for place in sorted({*places, *(name.split("/")[0] for name in owned.hashes)}):
        if (stranger := owned.stranger(place)) is None:
            continue
        name, found = stranger
        why = "is not from `texedo generate`"
        if found == "changed":
            why = "was changed after `texedo generate` wrote it"
        raise GenerationError(
            f"{folder / name}: {why}, so it is not overwritten. {_WAY_OUT}"
        )


def _check_writable(folder: Path) -> None:
    """Said before anything is sampled, and not after minutes of work."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise GenerationError(f"{there}: is a file. Choose another --out.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise GenerationError(
            f"{there}: nothing may be written here. Choose another --out."
        )


def _check_record(owned: Owned, request: Mapping[str, Any], *, overwrite: bool) -> None:
    path, record = owned.folder / RUN_FILE, owned.record
    if record is None:
        if os.path.lexists(path):
            raise GenerationError(
                f"{path}: is damaged or not from `texedo generate`, so nothing in this "
                f"folder is overwritten. {_WAY_OUT}"
            )
        return
    there = record["request"]
    if record.get("version") != RUN_VERSION:
        raise GenerationError(
            f"{path}: is of another version of texedo, and does not prove which files "
            f"are its own. {_WAY_OUT}"
        )
    unfinished = record.get("state") == "unfinished"
    if there != request and not unfinished and not overwrite:
        raise GenerationError(
            f"{owned.folder}: holds the motion of another request "
            f"({_difference(there, request)}). Choose another --out, or replace it "
            "with --overwrite."
        )


def _difference(there: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """What the request in a folder is, as far as it is another one."""
    said = [repr(str(there.get("prompt"))[:60])]
    others = [k for k in request if k != "prompt" and there.get(k) != request[k]]
    said += [f"{key} {str(there.get(key))[:40]}" for key in others[:3]]
    return ", ".join(said)


@contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """A hidden folder to make new files in; what is left in it is taken away."""
    clear_stages(folder)
    name = f".texedo-{os.getpid()}-{secrets.token_hex(6)}.tmp"
    stage = folder / name
    stage.mkdir()
    try:
        yield stage
    finally:
        _clear_stage(stage)


def file_hashes(stage: Path) -> dict[str, str]:
    """The sha256 of every file below a folder, by name."""
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    return {path.relative_to(stage).as_posix(): file_sha256(path) for path in files}


def install(folder: Path, stage: Path, record: dict[str, Any]) -> None:
    """Move all files of a stage to their places and write the record, the last."""
    owned, files = owned_files(folder), record["files"]
    replaces = {name: sorted(hashes) for name, hashes in owned.hashes.items()}
    unfinished = record | {"state": "unfinished", "replaces": replaces}
    _write_record(folder, unfinished)
    for name in sorted(owned.hashes.keys() - files.keys()):
        # Looked at once more: minutes may have passed since the folder was checked.
        if owned.file(name) == "ours":
            (folder / name).unlink()
            _remove_if_empty((folder / name).parent, folder)
    for name in files:
        if owned.file(name) in ("foreign", "changed"):
            raise GenerationError(
                f"{folder / name}: appeared while this run was at work, so it is not "
                f"overwritten. {_WAY_OUT}"
            )
        (folder / name).parent.mkdir(exist_ok=True)
        os.replace(stage / name, folder / name)
    _write_record(folder, record | {"state": "finished"})


def _write_record(folder: Path, record: dict[str, Any]) -> None:
    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(folder / RUN_FILE, (text + "\n").encode())


def _remove_if_empty(path: Path, folder: Path) -> None:
    if path != folder:
        with suppress(OSError):
            path.rmdir()


def clear_stages(folder: Path) -> None:
    """Take away what runs that were killed left half made."""
    for path in folder.iterdir():
        name = _STAGING.fullmatch(path.name)
        if name and not path.is_symlink() and not _is_running(int(name[1])):
            _clear_stage(path)


def _clear_stage(stage: Path) -> None:
    """Remove from a stage what a run makes; should there be more, it stays."""
    for root, _, names in os.walk(stage, topdown=False):
        for name in names:
            path = Path(root) / name
            inside = path.relative_to(stage)
            ours = _NAME.fullmatch(inside.as_posix())
            if ours or any(map(_HALF_WRITTEN.fullmatch, inside.parts)):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            os.rmdir(root)


def _is_running(process: int) -> bool:
    # In a container every run may have the same number; this one makes its stage yet.
    # Where there are no signals, signal 0 is no question.
    if process == os.getpid() or os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
