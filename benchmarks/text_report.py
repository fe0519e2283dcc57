"""How good the language is: one command for each figure, on the CPU.

    python benchmarks/text_report.py embedding  --corpus DIR --text-encoder DIR --out DIR
    python benchmarks/text_report.py truth      --corpus DIR --embedding DIR --out DIR
    python benchmarks/text_report.py likelihood --corpus DIR --generator DIR --out DIR
    python benchmarks/text_report.py base       --corpus DIR --embedding DIR \\
        --generator DIR --tracker DIR --out DIR
    python benchmarks/text_report.py words      --generator DIR --out DIR
    python benchmarks/text_report.py diversity  --generator DIR --tracker DIR --out DIR
    python benchmarks/text_report.py prompts    --generator DIR --tracker DIR --out DIR
    python benchmarks/text_report.py tokenizer  --corpus DIR --tokenizer DIR \\
        --tracker DIR --out DIR

Each writes a JSON file and a markdown table to `--out`. Samples, roll-outs and the state
of the training are kept there too: Ctrl-C costs little, and the same command goes on.
docs/evaluation.md defines the figures.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import tyro

from texedo.apps.bars import stage_bar
from texedo.apps.generate import command as generate_app
from texedo.apps.generate.run_folder import SHEET_FILE
from texedo.apps.tracker.rollout_video import quick_backend
from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.data.corpus.store import Corpus
from texedo.evaluation.alignment import SPLITS, truth_report
from texedo.evaluation.generation import (
    TEMPERATURES,
    Bench,
    base_report,
    diversity_report,
)
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.reconstruction import reconstruct, reconstruction_report
from texedo.evaluation.words import words_report
from texedo.formats import load_motion
from texedo.formats.runs import MOTION_FILE, RUN_FILE
from texedo.robot.render import render_motion
from texedo.text.generators.find import find_generator
from texedo.text.generators.prompts import read_prompts
from texedo.tracker.policies.find import OURS, find_policy

TEST_SPLITS = ("test", "test-subject")

Record = dict[str, Any]
Tell = Callable[[str, int, int], None]


def embedding(
    corpus: Path, text_encoder: Path, out: Path, steps: int = 800, seed: int = 0
) -> None:
    """Train the space that sentences and motions are compared in: OUT/embedding."""
    from texedo.evaluation.embedding.train import EmbeddingTrainCfg, train_embedding

    train_embedding(
        EmbeddingTrainCfg(
            corpus=corpus,
            text_encoder=text_encoder,
            out=str(out),
            steps=steps,
            seed=seed,
        )
    )


def truth(
    corpus: Path,
    embedding: Path,
    out: Path,
    splits: tuple[str, ...] = SPLITS,
    tokenizer: Path | None = None,
) -> None:
    """R-precision of the captured motions themselves.

    With a tokenizer also of what their own codes decode to.
    """
    from texedo.evaluation.embedding.model import load_embedding
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    space = load_embedding(embedding)
    remake = None
    if tokenizer is not None:
        remake = partial(reconstruct, load_tokenizer(tokenizer))
    rows = truth_report(Corpus.load(corpus), space, splits=splits, remake=remake)
    _write(out, "truth", {"embedding": space.digest, "rows": rows}, rows)


def likelihood(
    corpus: Path,
    generator: Path,
    out: Path,
    splits: tuple[str, ...] = TEST_SPLITS,
    captions: int = 0,
    limit: int | None = None,
) -> None:
    """Perplexity and top-1 on held-out captions; 0 captions are all of them."""
    from texedo.evaluation.likelihood import likelihood_report
    from texedo.text.lm.artifact import load_language_model
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    found = likelihood_report(
        Corpus.load(corpus),
        load_language_model(generator / "generator"),
        load_tokenizer(generator / "tokenizer"),
        splits=splits,
        captions=captions,
        limit=limit,
    )
    rows = {
        f"{split}, {name}": figures
        for split, part in found.items()
        for name, figures in part.items()
        if isinstance(figures, dict)
    }
    _write(out, "likelihood", {"splits": found}, rows)


def base(
    corpus: Path,
    embedding: Path,
    generator: str,
    out: Path,
    tracker: str = OURS,
    split: str = "test",
    temperatures: tuple[float, ...] = TEMPERATURES,
    limit: int | None = None,
    workers: int | None = None,
) -> None:
    """Single samples of held-out captions: R-precision, FID, success in the tracker."""
    from texedo.evaluation.embedding.model import load_embedding

    with _bench(generator, tracker, out, workers) as bench:
        found = base_report(
            bench,
            Corpus.load(corpus),
            load_embedding(embedding),
            split=split,
            temperatures=temperatures,
            limit=limit,
        )
    _write(out, f"base-{split}", found, found["rows"])


def words(generator: str, out: Path, n: int = 32, temperature: float = 1.0) -> None:
    """Sentences that differ in one word, left or right: how many of n candidates heed it."""
    with _bench(generator, None, out, None) as bench:
        found = words_report(bench, n=n, temperature=temperature)
    _write(out, "words", found, found["rows"])


def diversity(
    generator: str,
    out: Path,
    tracker: str = OURS,
    n: int = 32,
    temperatures: tuple[float, ...] = TEMPERATURES,
    prompts: Path | None = None,
    workers: int | None = None,
) -> None:
    """How different n candidates are, and how many of them the tracker manages.

    Without a file of prompts the thirty of the paper's real robot are taken.
    """
    texts = REAL_ROBOT if prompts is None else read_prompts(prompts)
    with _bench(generator, tracker, out, workers) as bench:
        found = diversity_report(bench, texts, n=n, temperatures=temperatures)
    _write(out, "diversity", found, found["rows"])


def prompts(
    generator: str,
    out: Path,
    tracker: str = OURS,
    n: int = 16,
    limit: int | None = None,
    film: bool = False,
    workers: int | None = None,
) -> None:
    """The paper's thirty prompts: the best of n candidates, a contact sheet of each.

    The sheet shows the motion that was chosen; with `film`, which takes a minute a
    prompt without a graphics card, the robot that performs it, and a video is beside it.
    """
    out.mkdir(parents=True, exist_ok=True)
    chosen = REAL_ROBOT[:limit]
    file = out / "prompts.txt"
    write_whole(file, ("\n".join(chosen) + "\n").encode())
    generate_app.run(
        generate_app.Cfg(
            prompts_file=file,
            num=n,
            out=out,
            generator=generator,
            tracker=tracker,
            video=film,
            workers=workers,
        )
    )
    rows: dict[str, Record] = {}
    for path in sorted(out.glob(f"*/{RUN_FILE}")):
        record = json.loads(path.read_bytes())
        if not film:
            motion = load_motion(path.with_name(MOTION_FILE))
            sheet = path.with_name(SHEET_FILE)
            render_motion(motion, sheet, backend=quick_backend())
        figures = record["table_row"]
        rows[record["prompt"]] = {
            "candidates": record["candidates"],
            "survivors": record["survivors"],
            "chosen": record["chosen"],
            "verdict": record["verdict"],
            "q_star": figures["q_star"],
            "e_mpjpe_mm": figures["mpjpe_l_mm"],
            "e_vel_mm": figures["e_vel_mm_per_frame"],
            "e_acc_mm": figures["e_acc_mm_per_frame2"],
            "sheet": f"[sheet]({path.parent.name}/{SHEET_FILE})",
        }
    found = {prompt: rows[prompt] for prompt in chosen if prompt in rows}
    _write(out, "prompts", {"generator": generator, "rows": found}, found)


def tokenizer(
    corpus: Path,
    tokenizer: Path,
    out: Path,
    tracker: str = OURS,
    splits: tuple[str, ...] = TEST_SPLITS,
    limit: int | None = None,
    workers: int | None = None,
) -> None:
    """Captured test clips in the tracker, as they are and from their own codes."""
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    policy = find_policy(tracker)
    with stage_bar() as tell:
        found = reconstruction_report(
            Corpus.load(corpus),
            load_tokenizer(tokenizer),
            policy,
            out / "labels.jsonl",
            splits=splits,
            limit=limit,
            workers=workers,
            report=tell,
        )
    rows = {
        f"{split}, {version}": figures
        for split, part in found.items()
        for version, figures in part.items()
    }
    _write(out, "tokenizer", {"tracker": policy.digest, "splits": found}, rows)


@contextlib.contextmanager
def _bench(
    generator: str, tracker: str | None, out: Path, workers: int | None
) -> Iterator[Bench]:
    with stage_bar() as tell:
        yield Bench(
            generator=find_generator(generator),
            policy=None if tracker is None else find_policy(tracker),
            folder=out,
            workers=workers,
            report=tell,
        )


def _write(out: Path, name: str, report: Record, rows: dict[str, Record]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_known(report), indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(out / f"{name}.json", (text + "\n").encode())
    table = markdown(rows)
    write_whole(out / f"{name}.md", table.encode())
    print(table)
    print(f"{out / name}.json and .md")


def _known(value: Any) -> Any:
    """The same with None for what is not a number: JSON has no other word for it."""
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


def markdown(rows: dict[str, Record]) -> str:
    """A table of the plain values; columns in the order in which they first come."""
    columns: dict[str, None] = {}
    for row in rows.values():
        columns |= {k: None for k, v in row.items() if not isinstance(v, dict)}
    lines = [f"| | {' | '.join(columns)} |", f"|{'---|' * (len(columns) + 1)}"]
    for name, row in rows.items():
        cells = [_cell(row.get(column)) for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


COMMANDS = {
    f.__name__: f
    for f in (embedding, truth, likelihood, base, words, diversity, prompts, tokenizer)
}


def main() -> int:
    try:
        tyro.extras.subcommand_cli_from_dict(COMMANDS, description=__doc__)
    except (TexedoError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
