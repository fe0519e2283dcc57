"""Text -> See -> Do on one screen: prompts in, one motion for each out.

    pipe = texedo.load()
    result = pipe("a person waves", n=32, seed=0)
    result.motion, result.candidates, result.explain()

TEXT   the generator draws n candidates, which are post-processed and checked.
SEE    the scorer says how good each is: by a look (`scorer="verifier"`), or after each
       was performed in physics ("oracle").
DO     the rule chooses one, and says why: the best R_text among the survivors where
       there is a semantic verifier, else the highest Q*. Those that survive and pass
       `texedo check` come first. The winner is performed to confirm it, and the next
       best if it fails.

Every stage is a seam: any `Generator`, any verifier or `Scorer`, any rule of `texedo.do`,
any tracker.

    pipe        the pipeline as one object         stream      prompt by prompt
    find        parts by name                      confirm     the winner performed
    choice      who wins                           adaptive    when to stop drawing
    result      what came of a prompt              account     everything to tell of it
    run/        the folder of a run on disk        refusal/    what is not answered
    again/      more candidates, where none fits
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Unpack, overload

from texedo.pipeline.choice import Choice as Choice
from texedo.pipeline.choice import default_rule as default_rule
from texedo.pipeline.choice import default_threshold as default_threshold
from texedo.pipeline.confirm import TRIES
from texedo.pipeline.drawing import BATCH as BATCH
from texedo.pipeline.drawing import CANDIDATES as CANDIDATES
from texedo.pipeline.drawing import Ask as Ask
from texedo.pipeline.drawing import Report as Report
from texedo.pipeline.find import find_scorer as find_scorer
from texedo.pipeline.pipe import Pipeline as Pipeline
from texedo.pipeline.pipe import load as load
from texedo.pipeline.pipe import make_choice
from texedo.pipeline.result import Failed as Failed
from texedo.pipeline.result import Generated as Generated
from texedo.pipeline.scorers import PerformedAndRead as PerformedAndRead
from texedo.pipeline.stream import STAGES as STAGES
from texedo.pipeline.stream import Parts, run_stream
from texedo.pipeline.table import Candidate as Candidate
from texedo.see.scores import Scorer as Scorer
from texedo.see.scores import Scores as Scores
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator, Settings

if TYPE_CHECKING:
    from texedo.do import Rule


@overload
def generate(  # type: ignore[overload-overlap]  # A str is a sequence of str.
    prompts: str,
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | Rule | None = None,
    threshold: float | None = None,
    confirm: int = TRIES,
    n: int = CANDIDATES,
    seed: int = 0,
    sampling: Sampling | None = None,
    **settings: Unpack[Settings],
) -> Generated: ...
@overload
def generate(
    prompts: Sequence[str],
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | Rule | None = None,
    threshold: float | None = None,
    confirm: int = TRIES,
    n: int = CANDIDATES,
    seed: int = 0,
    sampling: Sampling | None = None,
    **settings: Unpack[Settings],
) -> list[Generated]: ...
def generate(
    prompts: str | Sequence[str],
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | Rule | None = None,
    threshold: float | None = None,
    confirm: int = TRIES,
    n: int = CANDIDATES,
    seed: int = 0,
    sampling: Sampling | None = None,
    **settings: Unpack[Settings],
) -> Generated | list[Generated]:
    """The best of n candidates for a prompt, or for each of a list of them.

    For those who ask once: `texedo.load` keeps what it loads, and `texedo.Pipeline` has
    all parts.
    """
    pipe = Pipeline(
        generator, rule=rule, threshold=threshold, scorer=scorer, confirm=confirm
    )
    return pipe(prompts, n=n, seed=seed, sampling=sampling, **settings)


def generate_stream(
    prompts: Sequence[str],
    generator: Generator,
    scorer: Scorer,
    *,
    choice: Choice | None = None,
    ask: Ask | None = None,
    report: Report | None = None,
) -> Iterator[Generated | Failed]:
    """Results as they are done; a prompt that fails does not stop the others."""
    parts = Parts(generator, scorer, choice or make_choice(scorer))
    return run_stream(prompts, parts, ask or Ask(), report=report)
