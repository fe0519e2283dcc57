"""How much livelier can candidates be before what is handed out fails or means less?

    python benchmarks/boldness.py OUT [CANDIDATES] [TEMPERATURE,GUIDANCE,TOP_K,TOP_P ...]

Candidates (8) for the prompts with a rule of the development half of `texedo evaluate
understanding`, at each of the settings. Of those above the threshold of the dynamic
verifier the highest R_text is handed out, as `texedo generate` does, and performed in
physics, and so is the first candidate. Joint travel is the sum over joints, per second. Samples and scores are
kept in OUT, and not made again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meaning import meaning, with_a_rule
from texedo.do import Above, select_best
from texedo.evaluation.dynamics.forecasts import joint_travel
from texedo.evaluation.resample import mean_interval, row, share_interval
from texedo.evaluation.samples import Request, draw
from texedo.evaluation.understanding.page import markdown
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.protocol import chance_of
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
    """The choice of each prompt by both verifiers."""
    verifier = find_dynamics()
    said = [verifier.foresee(own) for own in drawn]
    return [
        select_best(
            own.r_dyn,
            semantics,
            threshold=Above.of(verifier.threshold, chance_of(verifier, own)),
        ).index
        for own, semantics in zip(said, r_text, strict=True)
    ]


def succeeds(motions: Sequence[Motion]) -> Float64:
    rolled = rollout(motions, find_policy(OUR_TRACKER), keep_states=False)
    return np.asarray(rolled.quality.success, dtype=np.float64)


def measure(text: str, n: int, folder: Path) -> tuple[dict[str, Any], float]:
    prompts = with_a_rule("dev")
    request = Request(n=n, seed=0, sampling=setting(text))
    texts = [prompt.text for prompt in prompts]
    rows = draw(find_generator(OUR_GENERATOR), texts, request, folder / "samples")
    drawn = [list(postprocess(own)[0]) for own in rows]
    r_text, right = meaning(prompts, drawn, folder)
    chosen = handed_out(drawn, r_text)
    given = [own[k] for own, k in zip(drawn, chosen, strict=True)]
    travel = np.array(
        [np.mean([joint_travel(m.to_qpos()) for m in own]) for own in drawn]
    )
    livelier = [joint_travel(motion.to_qpos()) for motion in given]
    done = right[np.arange(len(right)), chosen].astype(np.float64)
    first = succeeds([own[0] for own in drawn])
    found = {
        **row("travel [rad/s]", mean_interval(travel)),
        "of the choice": float(np.mean(livelier)),
        **row("success, first", share_interval(first)),
        **row("success, handed out", share_interval(succeeds(given))),
        "right": float(right.mean()),
        "available": float(right.any(axis=1).mean()),
        **row("right, handed out", share_interval(done)),
    }
    return found, float(travel.mean())


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
        print(markdown(rows, digits=3), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
