"""Prompts on their way into folders: which is whose, what is finished, what is said."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texedo.apps.bars import stage_bar
from texedo.apps.console import make_console
from texedo.apps.faults import EXIT_BAD_INPUT, EXIT_REFUSED
from texedo.apps.generate.text import print_failure, print_line, print_run
from texedo.core.errors import GenerationError, TexedoError
from texedo.pipeline.drawing import Ask, Report
from texedo.pipeline.pipe import Pipeline
from texedo.pipeline.refused import Refusal
from texedo.pipeline.result import Failed, Generated
from texedo.pipeline.run.folder import NoPlaceError, Wanted, finished_run, write_run
from texedo.pipeline.run.ownership import check_folder, clear_stages
from texedo.text.generators.prompts import STDIN, prompt_slug

if TYPE_CHECKING:  # The options are the command's, which imports this.
    from texedo.apps.generate.command import Cfg

DEFAULT_OUT = Path("out/generate")
_MOST_FOLDERS = 1000


class Job:
    """Prompts on their way into folders."""

    def __init__(
        self,
        cfg: Cfg,
        prompts: list[str],
        pipe: Pipeline,
        ask: Ask,
        *,
        default: Path = DEFAULT_OUT,
    ) -> None:
        """`default` is where folders go if nobody named one."""
        self._default = default
        self.cfg, self.prompts = cfg, prompts
        self.pipe, self.ask = pipe, ask
        self.load_seconds = 0.0
        self._tell: Report | None = None
        self._records: dict[int, dict[str, Any]] = {}
        self._failures: dict[int, Exception] = {}
        self._skipped: set[int] = set()
        self._folders: dict[int, Path] = {}
        self._said: set[str] = set()
        """Remarks; one that all prompts share is printed once."""
        self._wanted = Wanted(
            formats=cfg.format,
            keep_candidates=cfg.keep_candidates,
            video=cfg.video,
            top=ask.top,
        )
        self._console = make_console(stderr=cfg.json)

    def folder(self, i: int) -> Path:
        """Where the motion of prompt i goes."""
        if i not in self._folders:
            self._folders[i] = self._find_folder(i)
        return self._folders[i]

    def _find_folder(self, i: int) -> Path:
        name = folder_name(self.prompts[i])
        if self._in_subfolders:
            first = (self.cfg.out or self._default) / f"{i + 1:03d}-{name}"
        else:
            seed = f"-seed{self.cfg.seed}" if self.cfg.seed else ""
            first = self.cfg.out or self._default / f"{name}{seed}"
        if self.cfg.out is not None:
            self._check_folder(first, i)
            return first
        # Nobody named this folder, so another request does not have to wait for one.
        later = (first.with_name(f"{first.name}-{k}") for k in range(2, _MOST_FOLDERS))
        for folder in (first, *later):
            try:
                self._check_folder(folder, i)
            except GenerationError:
                continue
            return folder
        raise GenerationError(f"{first}: there are too many beside it. Name an --out.")

    def _check_folder(self, folder: Path, i: int) -> None:
        if finished_run(folder, self.request(i)) is None or self.cfg.again:
            check_folder(
                folder,
                self.request(i),
                self._wanted.places(),
                overwrite=self.cfg.overwrite,
            )

    @property
    def _in_subfolders(self) -> bool:
        # A list of one prompt is a list: it may have grown by the next run.
        listed = self.cfg.prompts_file is not None or str(STDIN) in self.cfg.prompts
        return listed or len(self.prompts) > 1

    def request(self, i: int) -> dict[str, Any]:
        """All that the motion of prompt i depends on, and what is written of it."""
        asked = self.pipe.request(self.prompts[i], self.ask)
        return {**asked, **self._wanted.to_dict()}

    def is_finished(self, i: int) -> bool:
        record = finished_run(self.folder(i), self.request(i))
        if record is None or self.cfg.again:
            return False
        # One that was killed with its last file in place has not tidied up.
        clear_stages(self.folder(i))
        self._records[i] = record
        self._skipped.add(i)
        print_line(self._console, record, self.folder(i), was_finished=True)
        return True

    def tell(self, stage: str, done: int, total: int) -> None:
        """Move the bar of the prompt at work."""
        if self._tell is not None:
            self._tell(stage, done, total)

    def finish(self, i: int, results: Iterator[Generated | Failed]) -> None:
        """Wait for the next result, which is that of prompt i, and write it."""
        # A bar for each prompt: nothing may be printed while one is on the screen.
        with stage_bar() as self._tell:
            result = next(results)
            self.tell("write", 0, 1)
            if isinstance(result, Generated):
                result = self._write(i, result)
        if isinstance(result, Failed):
            if os.environ.get("TEXEDO_DEBUG") and not isinstance(result.error, Refusal):
                raise result.error
            if isinstance(result.error, NoPlaceError):
                raise result.error  # The next one would find no room either.
            self._failures[i] = result.error
            print_failure(result.prompt, result.error)
            return
        if not self._in_subfolders:
            print_run(self._console, result.account)
        print_line(self._console, self._records[i], self.folder(i))
        for remark in result.remarks:
            if remark not in self._said:
                self._said.add(remark)
                self._console.print(f"note: {remark}", markup=False, soft_wrap=True)

    def _write(self, i: int, result: Generated) -> Generated | Failed:
        result.seconds["load"] = self.load_seconds
        try:
            self._records[i] = write_run(
                self.folder(i),
                result,
                wanted=self._wanted,
                overwrite=self.cfg.overwrite,
            )
        except (TexedoError, OSError) as error:
            return Failed(prompt=result.prompt, error=error)
        result.seconds["write"] = self._records[i]["seconds"]["write"]
        return result

    def print_json(self) -> None:
        if not self.cfg.json:
            return
        rows = [self._json_row(i) for i in range(len(self.prompts))]
        print(json.dumps(rows, indent=2, ensure_ascii=False))

    def _json_row(self, i: int) -> dict[str, Any]:
        if i in self._failures:
            error = self._failures[i]
            if isinstance(error, Refusal):
                return error.to_dict()
            return {"prompt": self.prompts[i], "error": str(error)}
        return {
            **self._records[i],
            "folder": str(self.folder(i)),
            "was_finished": i in self._skipped,
        }

    @property
    def exit_code(self) -> int:
        if self._failures:
            refused = [isinstance(e, Refusal) for e in self._failures.values()]
            return EXIT_REFUSED if all(refused) else EXIT_BAD_INPUT
        return int(any(map(is_negative, self._records.values())))


def is_negative(record: dict[str, Any]) -> bool:
    """Whether the motion of a run falls, or is expected to."""
    fell = record["survived"] is False or record.get("holds") is False
    return fell or record.get("expected") is False


def folder_name(prompt: str) -> str:
    """The prompt as a folder's name; a short hash if the name cannot hold all of it."""
    slug = prompt_slug(prompt)
    if slug == "-".join(prompt.lower().split()).rstrip("."):
        return slug
    return f"{slug}-{hashlib.sha256(prompt.encode()).hexdigest()[:6]}"
