"""The generator of the TEXEDO release, from files that you downloaded.

    generator = official_generator()                # from $TEXEDO_HOME/official
    generator = official_generator(Path("folder"))
    motions = generator.sample("a person waves", 8, seed=0)

docs/official.md says which files and where they go.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from texedo.checkpoints.registry import released_file
from texedo.core.errors import CheckpointError
from texedo.core.files import file_sha256
from texedo.text.generators.ours import (
    LanguageModel,
    TokenGenerator,
    Tokenizer,
    device_named,
    require_torch,
)
from texedo.text.generators.prompts import Sampling

NAME = "official"
TEMPERATURE, TOP_K, TOP_P = 0.9, 50, 0.95
"""What the release samples with."""
PREFIX = "lm.language_model."
"""Names of the T5 in the generator's file begin with this."""
_FORMAT = 1
"""Raised when the same files begin to give other motions."""


class OfficialGenerator(TokenGenerator):
    """The released weights behind the interface of every generator."""

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What was not read of the prompt, and how it samples."""
        return (
            *super().remarks(prompt),
            f"{self.name}: temperature {TEMPERATURE:g} unless given; it does not know of a "
            "duration, which only forbids the end and cuts.",
        )


def official_generator(
    folder: Path | None = None, *, device: str = "auto", quotes: bool = True
) -> OfficialGenerator:
    """From the files in `folder`, or in `$TEXEDO_HOME/official`.

    With `quotes` half of the candidates read the prompt in quotation marks, as in
    training. Raises `CheckpointError` with the way to get a missing file.
    """
    if folder is not None and not folder.is_dir():
        raise CheckpointError(f"{folder}: is no folder with the files of the release.")
    paths = {part: released_file(part, folder) for part in ("generator", "words")}
    require_torch()
    hashes = {part: _sha256(path) for part, path in paths.items()}
    said = repr((_FORMAT, quotes, sorted(hashes.items())))
    return OfficialGenerator(
        lambda: load_official(
            paths["generator"], paths["words"], device=device, quotes=quotes
        ),
        name=NAME,
        digest=hashlib.sha256(said.encode()).hexdigest(),
        weights=hashes,
        defaults=Sampling(temperature=TEMPERATURE, top_k=TOP_K, top_p=TOP_P),
    )


def load_official(
    generator: Path, words: Path, *, device: str = "auto", quotes: bool = True
) -> tuple[LanguageModel, Tokenizer]:
    """The language model and the tokenizer; the generator's file holds both."""
    # Here and not above: they load torch.
    from texedo.checkpoints.torch_files import read_torch_file
    from texedo.text.generators.official.lm import (
        OfficialLanguageModel,
        t5_from_tensors,
    )
    from texedo.text.generators.official.reader import load_words
    from texedo.text.generators.official.tokenizer import (
        IN_GENERATOR,
        tokenizer_from_file,
    )

    vocabulary = load_words(words)
    file = read_torch_file(generator)
    try:
        t5 = t5_from_tensors(file.tensors(IN_GENERATOR, prefix=PREFIX))
        model = OfficialLanguageModel(t5, vocabulary, quotes=quotes)
    except (KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{generator}: is no TEXEDO generator ({reason}); take generator/ of the "
            "release."
        ) from None
    place = device_named(device)
    return model.to(place), tokenizer_from_file(file, device=place)


def _sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise CheckpointError(f"{path}: {reason}.") from error
