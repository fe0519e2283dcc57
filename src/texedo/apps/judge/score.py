"""`texedo judge score`: one prompt and one performed motion."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from texedo.core.errors import TexedoError
from texedo.evaluation.judges.kinematic import KinematicJudge
from texedo.evaluation.judges.protocol import Judgement
from texedo.evaluation.judges.vlm.judge import FRAMES, VlmCfg, VlmJudge
from texedo.evaluation.judges.vlm.models import DEFAULT
from texedo.evaluation.tables import Record, json_text
from texedo.formats import load_motion
from texedo.motion import Motion


@dataclass(frozen=True)
class Cfg:
    """Score from 1 to 10 whether a motion does what a prompt says, label by label.

    `kinematic` measures and needs nothing else. `vlm` sends the prompt and pictures of
    the motion to two vision-language models under two rubrics, with 8 and 16 pictures:
    eight answers, which cost money; --dry-run says what would be sent. Keys come from
    OPENAI_API_KEY and GEMINI_API_KEY. Judge what the robot performed (`texedo rollout`),
    not what was planned.

    Example: texedo judge score "walk forward and wave" motion.npz
    """

    prompt: tyro.conf.Positional[str]
    """What was asked for."""
    motion: tyro.conf.Positional[Path]
    """Motion file."""
    judge: Literal["kinematic", "vlm"] = "kinematic"
    """Who judges."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motion, where the file does not identify it."""
    models: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KIND:NAME[@URL]")] = (
        DEFAULT
    )
    """vlm: models, such as openai:NAME, gemini:NAME or, for a server of your own,
    openai:NAME@http://localhost:8000/v1."""
    frames: tuple[int, ...] = FRAMES
    """vlm: numbers of pictures."""
    rubrics: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """vlm: folder with your own holistic.txt and per_axis.txt."""
    cache: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("judge-cache")
    """vlm: where answers are kept; what was answered is not asked again."""
    timeout: float = 120.0
    """vlm: how long to wait for an answer [s]."""
    dry_run: bool = False
    """vlm: say what would be sent and what it may cost, and send nothing."""
    price_in: float | None = None
    """vlm: price of a million tokens sent, for the estimate."""
    price_out: float | None = None
    """vlm: price of a million tokens answered."""
    json: bool = False
    """Print JSON."""


def run(cfg: Cfg) -> int:
    motion = load_motion(cfg.motion, format=cfg.from_)
    if cfg.judge == "vlm":
        return _ask(cfg, motion)
    found = KinematicJudge().judge(cfg.prompt, motion)
    _print(found, {"judge": KinematicJudge.name, **found.to_dict()}, json=cfg.json)
    return 0


def _ask(cfg: Cfg, motion: Motion) -> int:
    judge = VlmJudge(
        VlmCfg(
            models=cfg.models,
            frames=cfg.frames,
            rubric_folder=cfg.rubrics,
            cache=cfg.cache,
            timeout=cfg.timeout,
        )
    )
    if cfg.dry_run:
        print(_plan(cfg, judge, motion))
        return 0
    answers = judge.answers(cfg.prompt, motion)
    good = [answer.reply for answer in answers if answer.reply is not None]
    for answer in answers:
        if answer.reply is None:
            print(f"left out: {answer.fault}")
        elif answer.reply.contradicts:
            said = answer.reply.said
            print(f"{answer.call}: said {said}, its labels give {answer.reply.score}")
    if not good:
        raise TexedoError(
            f"none of {len(answers)} answers could be read; try other models."
        )
    score = sum(reply.score for reply in good) / len(good)
    rows = {str(a.call): a.reply.score for a in answers if a.reply is not None}
    record: Record = {"judge": "vlm", "score": score, "answers": rows}
    if cfg.json:
        print(json_text(record))
    else:
        for name, value in rows.items():
            print(f"{value:4d}  {name}")
        print(f"{score:.2f} of 10, the mean of {len(rows)} answers of {len(answers)}")
    return 0


def _plan(cfg: Cfg, judge: VlmJudge, motion: Motion) -> str:
    plan = judge.plan([(cfg.prompt, motion)])
    lines = [
        f"{plan.calls} calls to {', '.join(cfg.models)}; {plan.cached} more are answered "
        "already",
        f"{plan.pictures} pictures, about {plan.input_tokens:,} tokens sent and "
        f"{plan.output_tokens:,} answered",
    ]
    if cfg.price_in is not None and cfg.price_out is not None:
        lines.append(f"about {plan.cost(cfg.price_in, cfg.price_out):.3f} in all")
    else:
        lines.append("for a cost give --price-in and --price-out, per million tokens")
    return "\n".join([*lines, "nothing was sent"])


def _print(found: Judgement, record: Record, *, json: bool) -> None:
    if json:
        print(json_text(record))
        return
    for unit in found.units:
        print(
            f"{unit.label.value:9s} {unit.category.value:9s} {unit.content}: {unit.reason}"
        )
    if found.score is None:
        print("no score: the judge can measure no action of this prompt")
    else:
        cap = "" if found.cap is None else f", at most {found.cap} by the rubric"
        print(f"{found.score:g} of 10{cap}")
