"""Kimodo as a generator: an installed one, or files that it wrote.

    kimodo           the G1 model of the Kimodo in this environment
    kimodo:PATH      what `kimodo_gen --output` left: PATH/out_00.npz, ... or csv files

Its motions come at 30 frames per second and are read through `texedo.formats`, as any
Kimodo file is. Kimodo splits a prompt at every full stop and lower-cases it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from texedo.core.errors import GenerationError
from texedo.formats import load_motion
from texedo.formats.arrays import write_npz
from texedo.motion import Motion
from texedo.text.generators.folder import FolderGenerator
from texedo.text.generators.prompts import Sampling, check_count, check_prompts
from texedo.text.generators.protocol import ManyPrompts, Settings

MODEL = "kimodo-g1-rp"
DEFAULT_DURATION = 5.0
"""Kimodo has no length of its own [s]."""
MAX_DURATION = 10.0
_STEPS = 100
_FORMATS = {".npz": "kimodo-npz", ".csv": "kimodo-csv"}


def kimodo_files(root: Path) -> FolderGenerator:
    """Kimodo's output files; a csv beside an npz of the same name is its double."""
    return FolderGenerator(root, name=f"kimodo:{root}", formats=_FORMATS)


class KimodoGenerator(ManyPrompts):
    """The G1 model of an installed Kimodo, loaded with the first motion."""

    def __init__(self, *, model: str = MODEL, device: str | None = None) -> None:
        if importlib.util.find_spec("kimodo") is None:
            raise GenerationError(
                "Kimodo is not installed in this environment. Where it is, run "
                "`kimodo_gen PROMPT --model Kimodo-G1-RP-v1 --num_samples 8 --output "
                "DIR`, then name kimodo:DIR here."
            )
        self.name = f"kimodo ({model})"
        self._model_name, self._device = model, device
        self.defaults = Sampling(duration=DEFAULT_DURATION)

    @cached_property
    def digest(self) -> str:
        """Hash of the package's version and the model's name; weights are Kimodo's."""
        said = f"kimodo {importlib.metadata.version('kimodo')} {self._model_name}"
        return hashlib.sha256(said.encode()).hexdigest()

    def remarks(self, prompt: str) -> tuple[str, ...]:
        return (
            "Kimodo uses the seed and the duration (5 s without, 10 s at most), not "
            "temperature, top-k, top-p and guidance.",
        )

    def sample_many(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> list[list[Motion]]:
        """`sample` for every prompt."""
        check_count(n)
        asked = settings.get("duration")
        seconds = DEFAULT_DURATION if asked is None else asked
        if seconds > MAX_DURATION:
            raise GenerationError(
                f"Kimodo makes motions of at most {MAX_DURATION:g} s, got {seconds:g}."
            )
        return [
            [self._one(text, i, seed, seconds) for i in range(n)]
            for text in check_prompts(prompts)
        ]

    @cached_property
    def _model(self) -> Any:
        kimodo: Any = importlib.import_module("kimodo")
        return kimodo.load_model(self._model_name, device=self._device)

    def _one(self, prompt: str, index: int, seed: int, seconds: float) -> Motion:
        # Kimodo seeds the whole process; a seed per candidate makes candidate i the
        # same for any n.
        key = hashlib.sha256(repr((seed, prompt, index)).encode()).digest()
        tools: Any = importlib.import_module("kimodo.tools")
        tools.seed_everything(int.from_bytes(key[:4]))
        output = self._model(
            prompt, int(seconds * self._model.fps), _STEPS, return_numpy=True
        )
        keys = ("local_rot_mats", "root_positions")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.npz"
            write_npz(path, {key: np.asarray(output[key]) for key in keys})
            return load_motion(path, format="kimodo-npz", fps=float(self._model.fps))
