"""The diffusion generator: another kind of model on the same corpus, trained by whoever
wants one.

    texedo train diffusion CORPUS -o RUN --minutes 10
    texedo generate "a person waves" --generator RUN/diffusion

It draws a whole motion out of noise, where ours writes one token after another. No
verifier ever saw its motions, so that it tells how far verifiers carry to a generator
they do not know. The model is loaded when the first motion is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from texedo.checkpoints.artifact import CONFIG_NAME, read_config
from texedo.checkpoints.bundled import folder_digest, weight_hashes
from texedo.core.errors import CheckpointError, GenerationError
from texedo.core.regular import read_json
from texedo.language.reading import reading_digest
from texedo.motion import Motion
from texedo.text.diffusion import KIND
from texedo.text.generators.prompts import Sampling, check_prompts, num_frames
from texedo.text.generators.protocol import ManyParts, Settings, check_settings

if TYPE_CHECKING:
    from texedo.text.diffusion.model import MotionDiffusion

FOLDER = "diffusion"
"""Name of its folder in that of a training run."""


class DiffusionGenerator(ManyParts):
    """Motions out of noise; `temperature` is how large the noise is at first."""

    takes = frozenset({"temperature", "guidance", "duration"})
    """Settings that it has; there are no tokens to choose from."""

    def __init__(
        self,
        load: Callable[[], MotionDiffusion],
        *,
        name: str,
        digest: str,
        weights: dict[str, str] | None = None,
        guidance: float = 1.0,
    ) -> None:
        self._load = load
        self.name, self.digest = name, digest
        self.weights = {} if weights is None else weights
        """The sha256 of what was loaded."""
        self.defaults = Sampling(temperature=1.0, guidance=guidance)
        """What it samples with where nothing is said."""

    @classmethod
    def from_folder(cls, folder: Path, *, device: str = "auto") -> DiffusionGenerator:
        """From the folder that `texedo train diffusion` wrote."""
        config = read_config(folder, kind=KIND)
        try:
            guidance = float(config["guidance"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{folder}: its config has no guidance; copy the folder again."
            ) from error
        weights = weight_hashes(folder)
        said = f"{folder_digest(folder)} {reading_digest()}"
        return cls(
            lambda: _load(folder, device),
            name=folder.resolve().name,
            digest=hashlib.sha256(said.encode()).hexdigest(),
            weights={
                f"{FOLDER}/{key}".removesuffix("/."): value
                for key, value in weights.items()
            },
            guidance=guidance,
        )

    @cached_property
    def _model(self) -> MotionDiffusion:
        return self._load()

    def load(self) -> None:
        """Read the weights now and not with the first motion."""
        _ = self._model

    def read_as(self, prompt: str) -> str:
        """The prompt as the model reads it."""
        return self._model.read_as(prompt)

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What was corrected, cut off or not understood."""
        return self._model.read(prompt).notes()

    def sample_part(
        self,
        prompts: Sequence[str],
        part: range,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """Candidates with these numbers of all prompts."""
        # Here and not above: it loads torch.
        from texedo.text.diffusion.frames import motion_of
        from texedo.text.diffusion.model import Asked

        texts, given = check_prompts(prompts), Sampling(**settings)
        check_settings(self, given)
        said: dict[str, Any] = given.over(self.defaults).to_dict()
        duration = said.pop("duration", None)
        frames = None if duration is None else num_frames(duration)
        asked = Asked(seed=seed, tokens=self._tokens(frames, duration), **said)
        rows = self._model.sample(texts, part, asked)
        return [[motion_of(features, frames) for features in own] for own in rows]

    def _tokens(self, frames: int | None, duration: float | None) -> int | None:
        """Places that so many frames need."""
        if frames is None or duration is None:
            return None
        model = self._model
        # The last frame that is seen must not lie before the last one asked for.
        stride = model.denoiser.cfg.stride
        every = model.frames_of_token // stride
        tokens = -(-(-(-(frames - 1) // every) + 1) // stride)
        if tokens > model.denoiser.cfg.max_tokens:
            raise GenerationError(
                f"duration {duration:g} s: {self.name} makes motions of at most "
                f"{model.longest - 0.1:.1f} s, as long as those it learnt from. For a "
                "longer one join several: texedo.motion.edit has concatenate."
            )
        return tokens


def diffusion_folder(folder: Path) -> Path | None:
    """Where the diffusion generator of a folder is: there, or in a training run."""
    for place in (folder, folder / FOLDER):
        try:
            if read_json(place / CONFIG_NAME).get("kind") == KIND:
                return place
        except (OSError, ValueError, AttributeError):
            continue
    return None


def _load(folder: Path, device: str) -> MotionDiffusion:
    # Here and not above: they load torch.
    from texedo.text.diffusion.artifact import load_diffusion
    from texedo.text.generators.ours import device_named, require_torch

    require_torch()
    return load_diffusion(folder, device=device_named(device))
