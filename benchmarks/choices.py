"""What is handed out for everyday sentences: checks passed, lengths, idle time.

    python benchmarks/choices.py [PROMPTS] [CANDIDATES]

Takes so many of the sentences in `everyday_prompts.txt`, evenly spread (all 131), and so
many candidates of each (8). At least 99 % of the choices must pass `texedo check`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from texedo.pipeline import Ask, Candidate, Failed, Generated, generate_stream
from texedo.pipeline.oracle import OracleScorer
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.tracker.policies.find import OURS as OUR_TRACKER
from texedo.tracker.policies.find import find_policy

PROMPTS = Path(__file__).with_name("everyday_prompts.txt")
TARGET = 0.99
LONGEST = 19.9
"""A motion that lasts as long [s] was cut off at the longest there is."""


def passes(candidate: Candidate) -> bool:
    return candidate.check.verdict != "fail"


def row(name: str, candidates: Sequence[Candidate]) -> str:
    seconds = np.array([candidate.motion.duration for candidate in candidates])
    idle = np.array([candidate.summary.idle_share for candidate in candidates])
    passed = np.mean([passes(candidate) for candidate in candidates])
    return (
        f"{name:10} {len(candidates):5}  pass {100 * passed:5.1f} %  "
        f"{seconds.mean():4.1f} s  cut off {100 * (seconds > LONGEST).mean():4.1f} %  "
        f"idle {100 * idle.mean():4.1f} %, over 80 %: {100 * (idle > 0.8).mean():4.1f} %"
    )


def main() -> int:
    given = [int(text) for text in sys.argv[1:]]
    lines = PROMPTS.read_text().splitlines()
    count, n = (given + [len(lines), 8][len(given) :])[:2]
    spread = np.linspace(0, len(lines) - 1, count).astype(int)
    results: list[Generated] = []
    for result in generate_stream(
        [lines[i] for i in spread],
        find_generator(OUR_GENERATOR),
        OracleScorer(find_policy(OUR_TRACKER)),
        ask=Ask(n=n),
    ):
        if isinstance(result, Failed):
            raise result.error
        results.append(result)
        print(f"{len(results)} of {count}", end="\r", file=sys.stderr)
    chosen = [result.chosen for result in results]
    print(row("candidates", [c for result in results for c in result.candidates]))
    print(row("choices", chosen))
    survived = np.mean([bool(result.survived) for result in results])
    print(f"choices that survive: {100 * survived:.1f} %")
    return int(np.mean([passes(c) for c in chosen]) < TARGET)


if __name__ == "__main__":
    raise SystemExit(main())
