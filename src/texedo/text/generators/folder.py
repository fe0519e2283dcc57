"""Candidates that somebody else made, from files of any format.

Where the candidates of a prompt are looked for in a folder, in this order:

1. `SLUG/`, or `NUMBER-SLUG/` as `texedo generate` names its folders, where the slug is
   the prompt in small letters with dashes: `a-person-waves`;
2. `NUMBER/`, if the folder has a file `prompts.txt`: the line of the prompt, from 1;
3. the folder of a run of `texedo generate` with this prompt;
4. the folder itself, if motion files lie in it, or if it is that of a run.

Of a run the candidates that it kept are taken, or else its motion. If there is a folder
`candidates` in any other place, its files are taken. They are numbered in the order of
their names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Unpack

from texedo.core.errors import GenerationError, TexedoError
from texedo.formats import find_sources, motion_from_clip, read_clips
from texedo.formats.runs import CANDIDATES, run_candidates, run_motion, run_record
from texedo.motion import Motion
from texedo.text.generators.prompts import (
    check_count,
    check_prompts,
    prompt_slug,
    read_prompts,
)
from texedo.text.generators.protocol import ManyPrompts, Settings

PROMPTS_FILE = "prompts.txt"


class FolderGenerator(ManyPrompts):
    """Hands out the motions of files; seed, temperature and duration change nothing."""

    def __init__(
        self,
        root: Path,
        *,
        name: str | None = None,
        format: str | None = None,
        formats: Mapping[str, str] | None = None,
    ) -> None:
        """`format` is that of all files, where they do not identify it.

        `formats` says it by ending instead and leaves other endings out; of two files
        that differ in their ending alone, the one whose ending comes first counts.
        """
        if not root.is_dir():
            raise GenerationError(f"{root}: is no folder of candidate motions.")
        self.root = root
        self.name = name or f"folder:{root}"
        self._format, self._formats = format, formats

    @cached_property
    def digest(self) -> str:
        """Hash of the names and contents of all motion files."""
        digest = hashlib.sha256()
        sources = find_sources(self.root).sources
        kept = (p for s in sources if not s.is_dir() for p in run_candidates(s.parent))
        for path in sorted({*sources, *kept}):
            files = sorted(path.iterdir()) if path.is_dir() else [path]
            for file in files:
                digest.update(file.relative_to(self.root).as_posix().encode() + b"\0")
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return (
            f"{self.name}: the motions are those of its files; temperature, top-k, "
            "top-p, guidance and duration have no effect.",
        )

    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """`sample` for every prompt."""
        check_count(n)
        return [self._read(prompt, n) for prompt in check_prompts(prompts)]

    def files(self, prompt: str) -> list[Path]:
        """Where the candidates of a prompt are, in their order."""
        return self._files(self._place(prompt))

    def _read(self, prompt: str, n: int) -> list[Motion]:
        place = self._place(prompt)
        motions: list[Motion] = []
        for path in self._files(place):
            if len(motions) >= n:
                break
            try:
                by_ending = (self._formats or {}).get(path.suffix.lower())
                loaded = read_clips(path, format=self._format or by_ending)
                for name, clip in loaded.clips.items():
                    motions.append(motion_from_clip(clip, f"{path} ({name})"))
            except TexedoError as error:
                raise GenerationError(f"A candidate cannot be read. {error}") from error
        if not motions:
            raise GenerationError(f"{place}: there is no motion file in this folder.")
        return motions[:n]

    def _files(self, place: Path) -> list[Path]:
        files = run_candidates(place) or find_sources(place).sources
        if self._formats is None:
            return files
        order = list(self._formats)
        chosen: dict[Path, Path] = {}
        for path in (p for p in files if p.suffix.lower() in order):
            other = chosen.setdefault(path.with_suffix(""), path)
            if order.index(path.suffix.lower()) < order.index(other.suffix.lower()):
                chosen[path.with_suffix("")] = path
        return sorted(chosen.values())

    def _place(self, prompt: str) -> Path:
        """The folder that holds the candidates of a prompt."""
        slug = prompt_slug(prompt)
        folders = [f for f in sorted(self.root.iterdir()) if f.is_dir()]
        for folder in folders:
            if re.sub(r"^\d+-", "", folder.name) == slug or folder.name == slug:
                return _inner(folder)
        listed = self.root / PROMPTS_FILE
        if listed.is_file():
            lines = check_prompts(read_prompts(listed))
            for folder in folders:
                if folder.name.isdecimal() and 0 < int(folder.name) <= len(lines):
                    if lines[int(folder.name) - 1] == prompt:
                        return _inner(folder)
        for folder in folders:
            if (run_record(folder) or {}).get("prompt") == prompt:
                return folder
        inner = _inner(self.root)
        if inner != self.root or any(
            s.parent == self.root for s in find_sources(self.root).sources
        ):
            return inner
        raise GenerationError(
            f"{self.root}: has no candidates for {prompt!r}; it may hold motion files, "
            f"a folder {slug!r}, or {PROMPTS_FILE} and a folder with the number of the "
            "prompt's line."
        )


class GivenMotions(ManyPrompts):
    """Hands out motions that were read already, whatever the prompt."""

    def __init__(
        self,
        motions: Sequence[Motion],
        *,
        names: Sequence[str],
        name: str = "files",
    ) -> None:
        """`names` say where each is from."""
        self.name, self._motions, self._names = name, tuple(motions), tuple(names)

    def names(self, prompt: str) -> tuple[str, ...]:
        return self._names

    @cached_property
    def digest(self) -> str:
        """Hash of all poses, in their order."""
        digest = hashlib.sha256()
        for motion in self._motions:
            digest.update(len(motion).to_bytes(8, "big"))
            digest.update(motion.to_qpos().tobytes())
        return digest.hexdigest()

    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """`sample` for every prompt."""
        check_count(n)
        return [list(self._motions[:n]) for _ in check_prompts(prompts)]


def _inner(folder: Path) -> Path:
    if run_motion(folder) is not None:  # Its record says what is a candidate.
        return folder
    inner = folder / CANDIDATES
    return inner if inner.is_dir() else folder
