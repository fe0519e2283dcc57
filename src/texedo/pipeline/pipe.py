"""Text -> See -> Do as one object, whose every part can be another.

    pipe = texedo.load()
    result = pipe("a person waves", n=32, seed=0)
    result.motion, result.explain()
    result.save("wave")

`texedo.Pipeline(...)` takes for each part a name, a folder, or an object:

    generator   `text.generators.protocol.Generator`: a prompt in, N motions out
    dynamics    `see.dynamics.protocol.DynamicsVerifier`: will the robot manage it
    semantics   `see.semantics.protocol.SemanticVerifier`: is it what was asked for
    tracker     `tracker.policies.protocol.Policy`: performs the winner
    rule        `do.Rule`: who wins
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

import texedo
from texedo.checkpoints.bundled import TRACKER, has_bundled
from texedo.core.errors import GenerationError
from texedo.do import Rule
from texedo.pipeline.adaptive import Adaptive
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.choice import Choice, default_rule, default_threshold
from texedo.pipeline.confirm import TRIES, Confirmation, Tracker
from texedo.pipeline.drawing import CANDIDATES, Ask, Report
from texedo.pipeline.find import Dynamics, Seeing, Semantics, find_scorer, find_tracker
from texedo.pipeline.result import About, Failed, Generated
from texedo.pipeline.stream import Parts, run_stream
from texedo.see.scores import Scorer
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import (
    Generator,
    Settings,
    prompt_reading,
    used_sampling,
)

if TYPE_CHECKING:  # One loads the simulator, the other the grammar of captions.
    from texedo.pipeline.refusal import Refuser
    from texedo.tracker.policies.protocol import Policy

DEVICES = ("auto", "cpu", "cuda")
T = TypeVar("T")


@dataclass(eq=False)
class Pipeline:
    """Prompts in, verified motions out; what is not given ships with the package."""

    generator: Generator | str | None = None
    dynamics: Dynamics = None
    semantics: Semantics = None
    """`none` goes without R_text."""
    tracker: Policy | str | None = None
    """Another one than ours is performed by the oracle, unless a verifier knows it."""
    rule: str | Rule | None = None
    """The paper's where both scores are known, else by what is known."""
    threshold: float | None = None
    """Above which a candidate is feasible; stored with the verifier's weights."""
    scorer: Scorer | str | None = None
    """`verifier` (the default where it is installed), `oracle`, which performs all
    candidates, or a `see.scores.Scorer` in place of both verifiers."""
    confirm: int = TRIES
    """Candidates that are performed at most to confirm the choice: the winner, and the
    next best if it fails; 0 for none."""
    robust: bool = False
    """They are performed under perturbations, too."""
    device: str = "auto"
    """Of generator and verifiers: `cpu`, `cuda`, or `auto`."""
    workers: int | None = None
    """Threads that perform candidates; all cores if not given."""
    repair: bool = False
    """Candidates that fail `texedo check` are repaired before they are scored."""
    anyway: bool = False
    """Hand out a motion even where nothing known means what was said; without it that
    is a `Refusal`."""

    def __post_init__(self) -> None:
        check_device(self.device)
        generator = self.generator
        if generator is None or isinstance(generator, str):
            generator = find_generator(generator or OUR_GENERATOR, device=self.device)
        self.seeing = self._find_scorer()
        choice = make_choice(self.seeing.scorer, self.rule, self.threshold)
        choice.check(self.seeing.scorer)
        confirmation = self._find_confirmation()
        self.parts = Parts(
            generator,
            self.seeing.scorer,
            choice,
            confirmation,
            self._find_refuser(generator),
            self.anyway,
            self.repair,
        )

    def _find_scorer(self) -> Seeing:
        if self.scorer is not None and not isinstance(self.scorer, str):
            return Seeing(self.scorer, {})
        return find_scorer(
            self.scorer,
            dynamics=self.dynamics,
            semantics=self.semantics,
            tracker=self.tracker,
            workers=self.workers,
            device=self.device,
        )

    def _find_refuser(self, generator: Generator) -> Refuser | None:
        """Ours; it knows what our verifier and our generator have learnt, no others."""
        from texedo.pipeline.refusal import find_refuser

        found = find_refuser(semantics=self.seeing.weights.get("semantics"))
        if found is None or found.counts_r_text or generator.name == OUR_GENERATOR:
            return found
        return None

    def _find_confirmation(self) -> Confirmation | None:
        """Nobody is performed where there is no tracker to do it."""
        has_tracker = self.tracker is not None or has_bundled(TRACKER)
        if self.confirm and has_tracker:
            return Confirmation(
                performer=Tracker(find_tracker(self.tracker), workers=self.workers),
                tries=self.confirm,
                robust=self.robust,
            )
        if self.robust:
            raise GenerationError(
                "Perturbed robots need a candidate to perform: robust goes with confirm "
                "1 or more, and with a tracker."
            )
        return None

    @property
    def weights(self) -> dict[str, str]:
        """The sha256 of everything that was loaded, by part."""
        own: Mapping[str, str] = getattr(self.parts.generator, "weights", {})
        found = {**own, **self.seeing.weights}
        if (how := self.parts.confirmation) is not None:
            found["tracker"] = how.performer.digest
        return found

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """That of the verifier, if the choice is made as it was measured."""
        found, choice = self.seeing.guarantee, self.parts.choice
        if found is None or choice.rule != "texedo":
            return None
        return found if choice.threshold >= found["threshold"] else None

    @overload
    def __call__(  # type: ignore[overload-overlap]  # A str is a sequence of str.
        self,
        prompts: str,
        *,
        n: int = ...,
        seed: int = ...,
        top: int = ...,
        adaptive: Adaptive | bool = ...,
        again: Again | bool = ...,
        sampling: Sampling | None = ...,
        report: Report | None = ...,
        **settings: Unpack[Settings],
    ) -> Generated: ...
    @overload
    def __call__(
        self,
        prompts: Sequence[str],
        *,
        n: int = ...,
        seed: int = ...,
        top: int = ...,
        adaptive: Adaptive | bool = ...,
        again: Again | bool = ...,
        sampling: Sampling | None = ...,
        report: Report | None = ...,
        **settings: Unpack[Settings],
    ) -> list[Generated]: ...
    def __call__(
        self,
        prompts: str | Sequence[str],
        *,
        n: int = CANDIDATES,
        seed: int = 0,
        top: int = 1,
        adaptive: Adaptive | bool = False,
        again: Again | bool = True,
        sampling: Sampling | None = None,
        report: Report | None = None,
        **settings: Unpack[Settings],
    ) -> Generated | list[Generated]:
        """The best of n candidates for a prompt, or for each of a list of them.

        Settings are the fields of `Sampling`, one by one or as a whole. The first
        failure is raised.
        """
        given = Sampling.of(settings).over(sampling or Sampling())
        ask = Ask(
            n=n,
            seed=seed,
            sampling=given,
            top=top,
            adaptive=_meant(adaptive, Adaptive),
            again=_meant(again, Again) or Again.never(),
        )
        texts = [prompts] if isinstance(prompts, str) else prompts
        results = []
        for result in self.stream(texts, ask, report=report):
            if isinstance(result, Failed):
                raise result.error
            results.append(result)
        return results[0] if isinstance(prompts, str) else results

    def stream(
        self, prompts: Sequence[str], ask: Ask, *, report: Report | None = None
    ) -> Iterator[Generated | Failed]:
        """Results as they are done; a prompt that fails does not stop the others."""
        for result in run_stream(prompts, self.parts, ask, report=report):
            if isinstance(result, Generated):
                result = replace(result, about=self._about(result.prompt, ask))
            yield result

    def request(self, prompt: str, ask: Ask) -> dict[str, Any]:
        """All that the motion of a prompt depends on."""
        generator, scorer, choice, how = self.parts[:4]
        return {
            "texedo": texedo.__version__,
            "prompt": prompt,
            "candidates": ask.n,
            "seed": ask.seed,
            **asdict(used_sampling(generator, ask.sampling)),
            "top": ask.top,
            "adaptive": None if ask.adaptive is None else asdict(ask.adaptive),
            **ask.again.to_dict(),
            "rule": choice.name,
            "threshold": choice.threshold,
            "generator": generator.name,
            "generator_hash": generator.digest,
            "scorer": scorer.name,
            "scorer_hash": scorer.digest,
            "confirm": 0 if how is None else how.tries,
            "robust": how is not None and how.robust,
            "tracker_hash": None if how is None else how.performer.digest,
            "anyway": self.anyway,
            "repair": self.repair,
            # Only nearly the same candidates come out of a GPU.
            **({"device": "cuda"} if self._on_gpu else {}),
        }

    @property
    def _on_gpu(self) -> bool:
        return self.device == "cuda" or (self.device == "auto" and _has_gpu())

    def load(self) -> None:
        """Read all weights now and not with the first motion."""
        if hasattr(self.parts.generator, "load"):
            self.parts.generator.load()

    def _about(self, prompt: str, ask: Ask) -> About:
        return About(
            request=self.request(prompt, ask),
            weights=self.weights,
            guarantee=self.guarantee,
            read_as=prompt_reading(self.parts.generator, prompt),
        )


def load(**parts: Any) -> Pipeline:
    """The pipeline that ships with the package, with its weights in memory.

    Parts are those of `Pipeline`.
    """
    pipe = Pipeline(**parts)
    pipe.load()
    return pipe


def make_choice(
    scorer: Scorer, rule: str | Rule | None = None, threshold: float | None = None
) -> Choice:
    """The scorer's own rule and threshold where nothing is said."""
    if threshold is None:
        threshold = default_threshold(scorer)
    return Choice(rule=rule or default_rule(scorer), threshold=threshold)


def _meant(said: T | bool, usual: Callable[[], T]) -> T | None:
    """What stands for "yes" and "no" where settings of its own may be given."""
    if isinstance(said, bool):
        return usual() if said else None
    return said


def check_device(device: str) -> None:
    """Raise `GenerationError` if there is no such device here."""
    if device not in DEVICES:
        raise GenerationError(
            f"There is no device {device!r}; there are {', '.join(DEVICES)}."
        )
    if device == "cuda" and not _has_gpu():
        raise GenerationError(
            "device cuda: torch finds no GPU here; use cpu, or leave it out."
        )


def _has_gpu() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()
