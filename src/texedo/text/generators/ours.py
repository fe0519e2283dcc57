"""Our generator: a language model over motion tokens, and the tokenizer that reads them.

Both are loaded when the first motion is asked for, so that a command can say what is
wrong with its options before that.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from texedo.checkpoints.bundled import (
    BUNDLED,
    GENERATOR,
    TOKENIZER,
    bundled_folder,
    folder_digest,
    has_weights,
    weight_hashes,
)
from texedo.core.errors import CheckpointError, GenerationError
from texedo.core.regular import read_json
from texedo.language.reading import reading_digest
from texedo.motion import Motion
from texedo.text.generators.prompts import (
    DEFAULT_SAMPLING,
    MAX_DURATION,
    Sampling,
    check_prompts,
    num_frames,
)
from texedo.text.generators.protocol import LogLikelihood, ManyParts, Settings

Codes = NDArray[np.int64]

OURS = "texedo"
"""The generator that ships with the package."""


class Tokenizer(Protocol):
    """What is needed of `texedo.text.tokenizer.tokenizer`."""

    @property
    def downsampling(self) -> int:
        """Frames of a token."""
        ...

    def decode(self, codes: Sequence[Codes]) -> list[NDArray[np.float32]]:
        """qpos (downsampling * L, 36) of each row of L codes."""
        ...


@runtime_checkable
class Encodes(Protocol):
    """What likelihoods need of it beside."""

    def encode(self, motions: Sequence[Motion]) -> list[Codes]: ...


@runtime_checkable
class ScoresCodes(Protocol):
    """What likelihoods need of a language model."""

    def log_likelihood(
        self, prompt: str, rows: Sequence[Codes]
    ) -> NDArray[np.float64]: ...

    def scored_tokens(self, codes: int) -> int: ...


class ReadPrompt(Protocol):
    """A prompt as the text encoder has it."""

    def notes(self) -> tuple[str, ...]:
        """What the user should know of it."""
        ...


class LanguageModel(Protocol):
    """What is needed of `texedo.text.lm.artifact`."""

    def read(self, prompt: str) -> ReadPrompt: ...

    def sample_tokens(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int,
        temperature: float,
        top_k: int,
        top_p: float,
        num_tokens: int | None = None,
    ) -> list[list[Codes]]:
        """n rows of codes for every prompt; one with an attribute `guidance` takes that
        too, and one that `draws_parts` the number of the `first`."""
        ...


class TokenGenerator(ManyParts):
    """FSQ-GPT: tokens are drawn one after another and decoded together."""

    def __init__(
        self,
        load: Callable[[], tuple[LanguageModel, Tokenizer]],
        *,
        name: str,
        digest: str,
        weights: dict[str, str] | None = None,
        defaults: Sampling = DEFAULT_SAMPLING,
    ) -> None:
        self._load = load
        self.name = name
        self.digest = digest
        self.weights = {} if weights is None else weights
        """The sha256 of everything that was loaded, by part."""
        self.defaults = defaults
        """What it samples with where nothing is said."""

    @classmethod
    def from_folder(
        cls, folder: Path, *, name: str | None = None, device: str = "auto"
    ) -> TokenGenerator:
        """From a folder with the subfolders `tokenizer` and `generator`."""
        parts = {part: folder / part for part in (TOKENIZER, GENERATOR)}
        for path in parts.values():
            if not has_weights(path):
                raise CheckpointError(
                    f"{path}: holds no weights; a generator's folder has {TOKENIZER}/ "
                    f"and {GENERATOR}/ in it."
                )
        require_torch()
        return cls(
            lambda: _load_parts(parts[TOKENIZER], parts[GENERATOR], device),
            name=name or folder.resolve().name,
            digest=_with_reading(folder_digest(*parts.values())),
            weights={
                f"{part}/{key}".removesuffix("/."): value
                for part, path in parts.items()
                for key, value in weight_hashes(path).items()
            },
            defaults=_stored_guidance(parts[GENERATOR]).over(DEFAULT_SAMPLING),
        )

    @classmethod
    def shipped(cls, *, device: str = "auto") -> TokenGenerator:
        """The one that came with this installation."""
        for part in (TOKENIZER, GENERATOR):
            bundled_folder(part, otherwise="name another generator, as in folder:PATH.")
        return cls.from_folder(BUNDLED, name=OURS, device=device)

    @cached_property
    def _parts(self) -> tuple[LanguageModel, Tokenizer]:
        return self._load()

    def load(self) -> None:
        """Read the weights now and not with the first motion."""
        _ = self._parts

    def read_as(self, prompt: str) -> str:
        """The prompt as the model reads it, as far as it says."""
        reader = getattr(self._parts[0], "reader", None)
        return prompt if reader is None else str(reader.read(prompt).text)

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What was corrected, cut off or not understood."""
        return self._parts[0].read(prompt).notes()

    def log_likelihood(self, prompt: str, motions: Sequence[Motion]) -> LogLikelihood:
        """Of the motions' codes, which are read off them: a motion that was drawn and
        decoded has nearly the codes that were drawn."""
        model, tokenizer = self._parts
        if not isinstance(model, ScoresCodes) or not isinstance(tokenizer, Encodes):
            raise GenerationError(
                f"{self.name}: cannot tell how likely a motion is; leave it out."
            )
        rows = tokenizer.encode(motions)
        return LogLikelihood(
            given=model.log_likelihood(prompt, rows),
            alone=model.log_likelihood("", rows),
            tokens=np.array([model.scored_tokens(len(row)) for row in rows]),
        )

    def sample_part(
        self,
        prompts: Sequence[str],
        part: range,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """Candidates with these numbers of all prompts, decoded as one batch."""
        texts = check_prompts(prompts)
        said = Sampling(**settings).over(self.defaults).to_dict()
        duration = said.pop("duration", None)
        model, tokenizer = self._parts
        if "guidance" in said:
            _check_guided(model, said["guidance"])
        frames = num_frames(MAX_DURATION if duration is None else duration)
        asked = None if duration is None else -(-frames // tokenizer.downsampling)
        rows = _part_of(model, texts, part, seed=seed, num_tokens=asked, **said)
        decoded = iter(tokenizer.decode([codes for row in rows for codes in row]))
        return [
            # A token is several frames: what is over the asked duration is cut off.
            [Motion.from_qpos(qpos[:frames]) for qpos in islice(decoded, len(row))]
            for row in rows
        ]


def _part_of(
    model: LanguageModel, texts: Sequence[str], part: range, **said: Any
) -> list[list[Codes]]:
    """Codes of these candidates; a model that cannot begin later draws all before."""
    if not part.start:
        return model.sample_tokens(texts, part.stop, **said)
    if getattr(model, "draws_parts", False):
        said["first"] = part.start
        return model.sample_tokens(texts, len(part), **said)
    rows = model.sample_tokens(texts, part.stop, **said)
    return [row[part.start :] for row in rows]


def _with_reading(weights: str) -> str:
    """Motions depend on how a prompt is read, too."""
    return hashlib.sha256(f"{weights} {reading_digest()}".encode()).hexdigest()


def _check_guided(model: LanguageModel, guidance: float) -> None:
    if not hasattr(model, "guidance"):
        raise GenerationError(
            f"guidance {guidance:g}: this model never saw a motion without a prompt, "
            "so there is nothing to steer away from; leave it out."
        )


def _stored_guidance(folder: Path) -> Sampling:
    """What a language model was tuned for; nothing if its config does not say."""
    path = folder / "config.json"
    try:
        return Sampling(guidance=read_json(path).get("guidance"))
    except (OSError, ValueError, AttributeError, TypeError):
        return Sampling()  # What is wrong with it is said by who loads the weights.


def require_torch() -> None:
    """Raise `GenerationError` if a package is missing that no weights load without."""
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise GenerationError(
                f"Generating from text needs {package}: pip install 'texedo[learn]'."
            )


def _load_parts(
    tokenizer: Path, generator: Path, device: str
) -> tuple[LanguageModel, Tokenizer]:
    # Here and not above: they load torch.
    from texedo.text.lm.artifact import load_language_model
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    place = device_named(device)
    model = load_language_model(generator, device=place, share=place == "cpu")
    return model, load_tokenizer(tokenizer, device=place)


def device_named(device: str) -> str:
    """The device itself; for `auto` the GPU if there is one."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
