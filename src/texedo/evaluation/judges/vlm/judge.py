"""`VlmJudge`: the mean of models, rubrics and numbers of pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from texedo.core.errors import FileFormatError, TexedoError
from texedo.core.files import write_whole
from texedo.evaluation.judges.protocol import Judgement
from texedo.evaluation.judges.vlm.ask import (
    MAX_TOKENS,
    Client,
    Question,
    ask_patiently,
    connect,
)
from texedo.evaluation.judges.vlm.frames import pictures
from texedo.evaluation.judges.vlm.models import DEFAULT, Model, key_of, parse_model
from texedo.evaluation.judges.vlm.reply import Reply, ReplyError, Rubric, read_reply
from texedo.motion import Motion

RUBRICS: tuple[Rubric, ...] = ("holistic", "per_axis")
FRAMES = (8, 16)
PICTURE_TOKENS = 800
"""What models count a picture as, roughly; each has its own rule."""
_LETTERS = 4
"""Of a token, roughly."""
_ANSWER_TOKENS = 700

Draw = Callable[[Motion, int], list[bytes]]
Connect = Callable[[Model], Client]


class Call(NamedTuple):
    """One of the questions."""

    model: Model
    rubric: Rubric
    frames: int

    def __str__(self) -> str:
        return f"{self.model} {self.rubric} {self.frames} pictures"


class Answered(NamedTuple):
    """A call, and what came of it."""

    call: Call
    reply: Reply | None
    fault: str
    """Why there is no reply; empty if there is one."""


class Plan(NamedTuple):
    """What would be sent."""

    calls: int
    cached: int
    pictures: int
    input_tokens: int
    output_tokens: int

    def cost(self, per_million_in: float, per_million_out: float) -> float:
        """At prices for a million tokens."""
        return (
            self.input_tokens * per_million_in + self.output_tokens * per_million_out
        ) / 1e6


@dataclass(frozen=True, kw_only=True)
class VlmCfg:
    """Who is asked, and how."""

    models: tuple[str, ...] = DEFAULT
    frames: tuple[int, ...] = FRAMES
    rubrics: tuple[Rubric, ...] = RUBRICS
    rubric_folder: Path | None = None
    """Folder with holistic.txt and per_axis.txt to use instead of the package's."""
    cache: Path = Path("judge-cache")
    """Answers are kept here, by hash of all that was sent."""
    timeout: float = 120.0
    """For one answer [s]."""


class VlmJudge:
    """Asks every model under every rubric with every number of pictures."""

    def __init__(
        self,
        cfg: VlmCfg,
        *,
        draw: Draw = pictures,
        client: Connect | None = None,
        ask: Callable[[Client, Question], str] = ask_patiently,
    ) -> None:
        self.cfg = cfg
        self.name = "vlm"
        models = [parse_model(text) for text in cfg.models]
        self.calls = [
            Call(model, rubric, frames)
            for model in models
            for rubric in cfg.rubrics
            for frames in cfg.frames
        ]
        self.rubrics = {name: _rubric(name, cfg.rubric_folder) for name in cfg.rubrics}
        self._draw, self._ask = draw, ask
        self._connect = client or (lambda model: connect(model, timeout=cfg.timeout))
        self._clients: dict[Model, Client] = {}

    def plan(self, pairs: Sequence[tuple[str, Motion]]) -> Plan:
        """What judging these would send; the pictures are drawn, nothing leaves."""
        calls = cached = images = inward = 0
        for prompt, motion in pairs:
            for call, question in self._questions(prompt, motion):
                if self._kept(call, question).exists():
                    cached += 1
                    continue
                calls += 1
                images += call.frames
                inward += (len(question.rubric) + len(prompt)) // _LETTERS
                inward += call.frames * PICTURE_TOKENS
        return Plan(calls, cached, images, inward, calls * _ANSWER_TOKENS)

    def judge(self, prompt: str, motion: Motion) -> Judgement:
        """The mean score of the calls that were answered well."""
        answers = self.answers(prompt, motion)
        good = [answer.reply for answer in answers if answer.reply is not None]
        if not good:
            raise TexedoError(
                f"none of {len(answers)} answers could be read: {answers[0].fault}"
            )
        return Judgement(
            score=sum(reply.score for reply in good) / len(good),
            units=tuple(unit for reply in good for unit in reply.units),
        )

    def answers(self, prompt: str, motion: Motion) -> list[Answered]:
        """Of all calls; what was answered before is not asked again."""
        return [
            self._answer(call, question)
            for call, question in self._questions(prompt, motion)
        ]

    def _questions(self, prompt: str, motion: Motion) -> list[tuple[Call, Question]]:
        drawn = {
            count: self._draw(motion, count) for count in sorted(set(self.cfg.frames))
        }
        return [
            (call, Question(self.rubrics[call.rubric], prompt, drawn[call.frames]))
            for call in self.calls
        ]

    def _answer(self, call: Call, question: Question) -> Answered:
        path = self._kept(call, question)
        if (text := _read(path)) is not None:
            return Answered(call, read_reply(text, call.rubric), "")
        if call.model not in self._clients:
            self._clients[call.model] = self._connect(call.model)
        fault = ""
        # A model that strays once may not do so again; a second time it is left out.
        for _ in range(2):
            text = self._ask(self._clients[call.model], question)
            try:
                reply = read_reply(text, call.rubric)
            except ReplyError as error:
                fault = f"{call}: {error}"
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"answer": text}, indent=1).encode())
            return Answered(call, reply, "")
        return Answered(call, None, fault)

    def _kept(self, call: Call, question: Question) -> Path:
        """Where the answer to this very question is kept."""
        sums = [hashlib.sha256(picture).hexdigest() for picture in question.pictures]
        record = [str(call.model), MAX_TOKENS, question.rubric, question.prompt, *sums]
        digest = hashlib.sha256(json.dumps(record).encode()).hexdigest()
        return self.cfg.cache / digest[:2] / f"{digest[:32]}.json"


def paper_judge() -> VlmJudge:
    """The models of the paper, by the keys of the environment; refused without them."""
    cfg = VlmCfg()
    for text in cfg.models:
        key_of(parse_model(text))
    return VlmJudge(cfg)


def _read(path: Path) -> str | None:
    """An answer from disk; None if there is none, or the file is damaged."""
    try:
        record: Any = json.loads(path.read_text(encoding="utf-8"))
        return str(record["answer"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _rubric(name: Rubric, folder: Path | None) -> str:
    file = f"{name}.txt"
    if folder is None:
        return resources.files(__package__).joinpath("rubrics", file).read_text("utf-8")
    try:
        return (folder / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(
            f"{folder / file}: cannot be read ({error}); a folder of rubrics holds "
            "holistic.txt and per_axis.txt."
        ) from None
