"""How much livelier can candidates be before what is handed out fails or means less?

    python benchmarks/boldness.py OUT [CANDIDATES] [TEMPERATURE,GUIDANCE,TOP_K,TOP_P ...]

Candidates (8) for the prompts with a rule of the development half of `texedo evaluate
understanding`, at each of the settings. Of those whose R_dyn is above the threshold the
highest R_text is handed out, as `texedo generate` does, and performed in physics, and so is
the first candidate. Joint travel is the sum over joints, per second. Samples and scores are
kept in OUT, and not made again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.evaluation.columns import score_all, semantic_sources
from texedo.evaluation.dynamics.forecasts import joint_travel
from texedo.evaluation.resample import mean_interval, share_interval
from texedo.evaluation.samples import Request, draw
from texedo.evaluation.tables import markdown
from texedo.evaluation.understanding.report import judge_all
from texedo.evaluation.understanding.suite import prompts_of
from texedo.evaluation.understanding.verdict import Verdict
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.semantics.find import OUR_SEMANTICS, find_semantics
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import Sampling
from texedo.text.postprocess import postprocess
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.find import OURS as OUR_TRACKER
from texedo.tracker.policies.find import find_policy

CANDIDATES = 8
SHIPPED, BOLD = "1,3,200,0.98", "1.6,3,0,1"

Float64 = NDArray[np.float64]


def setting(text: str) -> Sampling:
    temperature, guidance, top_k, top_p = map(float, text.split(","))
    return Sampling(
        temperature=temperature, guidance=guidance, top_k=int(top_k), top_p=top_p
    )


def handed_out(drawn: Sequence[Sequence[Motion]], r_text: Float64) -> list[int]:
    """Of each prompt: the highest R_text above the threshold of R_dyn, or else the
    highest R_dyn."""
    verifier, chosen = find_dynamics(), []
    for row, scores in zip(drawn, r_text, strict=True):
        r_dyn = verifier.foresee(row).r_dyn
        passes = r_dyn > verifier.threshold
        value = np.where(passes, scores, -1.0) if passes.any() else r_dyn
        chosen.append(int(value.argmax()))
    return chosen


def succeeds(motions: Sequence[Motion]) -> Float64:
    rolled = rollout(motions, find_policy(OUR_TRACKER), keep_states=False)
    return np.asarray(rolled.quality.success, dtype=np.float64)


def cells(name: str, found: tuple[float | None, list[float] | None]) -> dict[str, str]:
    value, ends = found
    low, high = ends or (np.nan, np.nan)
    return {name: f"{value:.3f} [{low:.3f}, {high:.3f}]"}


def measure(text: str, n: int, folder: Path) -> tuple[dict[str, Any], float]:
    prompts = [prompt for prompt in prompts_of("dev") if prompt.rule is not None]
    texts = [prompt.text for prompt in prompts]
    request = Request(n=n, seed=0, sampling=setting(text))
    rows = draw(find_generator(OUR_GENERATOR), texts, request, folder / "samples")
    drawn = [list(postprocess(row)[0]) for row in rows]
    sources = semantic_sources({OUR_SEMANTICS: find_semantics()})
    columns = score_all(sources, texts, drawn, folder / "scores")
    r_text = np.nan_to_num([next(iter(columns[t].values())) for t in texts])
    right = judge_all(prompts, drawn)[0] == Verdict.RIGHT
    chosen = handed_out(drawn, r_text)
    given = [row[k] for row, k in zip(drawn, chosen, strict=True)]
    travel = [np.mean([joint_travel(m.to_qpos()) for m in row]) for row in drawn]
    own = [joint_travel(motion.to_qpos()) for motion in given]
    done = right[np.arange(len(right)), chosen].astype(np.float64)
    found = {
        **cells("travel [rad/s]", mean_interval(np.array(travel))),
        "of the choice": round(float(np.mean(own)), 2),
        **cells("success, first", share_interval(succeeds([row[0] for row in drawn]))),
        **cells("success, handed out", share_interval(succeeds(given))),
        "right": round(float(right.mean()), 3),
        "available": round(float(right.any(axis=1).mean()), 3),
        **cells("right, handed out", share_interval(done)),
    }
    return found, float(np.mean(travel))


def main() -> int:
    given = sys.argv[1:]
    if not given:
        print(__doc__)
        return 2
    n = int(given[1]) if len(given) > 1 else CANDIDATES
    rows, base = {}, 0.0
    for text in given[2:] or (SHIPPED, BOLD):
        found, travel = measure(text, n, Path(given[0]))
        base = base or travel
        rows[text] = found | {"over the first": f"{100 * (travel / base - 1):+.0f} %"}
        print(markdown(rows), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
