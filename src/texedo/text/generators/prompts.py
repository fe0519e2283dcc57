"""What may be asked of a generator: prompts and sampling settings, checked in one place."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypedDict

from texedo.core.errors import GenerationError
from texedo.motion import FPS

STDIN = Path("-")
MAX_CANDIDATES = 4096
"""Candidates of one prompt."""
MIN_DURATION, MAX_DURATION = 0.32, 20.0
"""[s]"""
MAX_PROMPT_CHARACTERS = 100_000
"""More is a file that was taken for a prompt."""
MAX_TEMPERATURE = 100.0
MAX_GUIDANCE = 10.0
"""Further from text-free logits there is nothing but noise."""

_SLUG_LENGTH = 48
# Not the joiners U+200C and U+200D: scripts and emoji need them.
_NO_WIDTH = frozenset("\u200b\u2060\ufeff")


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How candidates are drawn; None leaves it to the generator."""

    temperature: float | None = None
    """Below 1: more typical motions; above: more varied ones."""
    top_k: int | None = None
    """Sample from the top k tokens; 0 for all."""
    top_p: float | None = None
    """Sample from the most likely tokens up to this total probability."""
    guidance: float | None = None
    """How strongly the prompt steers: 1 is plain sampling, more is closer to the words
    and less varied."""
    duration: float | None = None
    """Length of the motion [s]; None lets the generator decide."""

    def __post_init__(self) -> None:
        check_sampling(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Sampling:
        """From names and values; `GenerationError` for a name that is none of these."""
        known = [field.name for field in fields(cls)]
        if unknown := [name for name in settings if name not in known]:
            raise GenerationError(
                f"There is no sampling setting {unknown[0]!r}; there are "
                f"{', '.join(known)}."
            )
        return cls(**settings)

    def over(self, defaults: Sampling) -> Sampling:
        """These settings, and the defaults where nothing was said."""
        return Sampling(**(defaults.to_dict() | self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """What was said, by the names that `Generator.sample` takes."""
        return {
            name: value for name, value in asdict(self).items() if value is not None
        }


class Settings(TypedDict, total=False):
    """The fields of `Sampling` as keywords of `Generator.sample`."""

    temperature: float | None
    top_k: int | None
    top_p: float | None
    guidance: float | None
    duration: float | None


def check_sampling(sampling: Sampling) -> None:
    """Raise `GenerationError` for a setting that nothing can be drawn with."""
    temperature, top_k, top_p = sampling.temperature, sampling.top_k, sampling.top_p
    if temperature is not None and not 0 < temperature <= MAX_TEMPERATURE:
        raise GenerationError(
            f"temperature must be above 0 and at most {MAX_TEMPERATURE:g}, got "
            f"{temperature:g}. For the most likely motion use top_k 1."
        )
    if top_k is not None and top_k < 0:
        raise GenerationError(f"top_k must be 0 (all tokens) or more, got {top_k}.")
    if top_p is not None and not 0 < top_p <= 1:
        raise GenerationError(
            f"top_p must be above 0 and at most 1, got {top_p:g}; 1 keeps all tokens."
        )
    guidance = sampling.guidance
    if guidance is not None and not 0 <= guidance <= MAX_GUIDANCE:
        raise GenerationError(
            f"guidance must be 0 to {MAX_GUIDANCE:g}, got {guidance:g}; 1 is plain "
            "sampling."
        )
    duration = sampling.duration
    if duration is not None and not MIN_DURATION <= duration <= MAX_DURATION:
        raise GenerationError(
            f"duration must be {MIN_DURATION:g} to {MAX_DURATION:g} s, got "
            f"{duration:g} s. For a longer motion join several: texedo.motion.edit "
            "has concatenate."
        )


DEFAULT_SAMPLING = Sampling(temperature=1.0, top_k=200, top_p=0.98)
"""Of our generator; how strongly a prompt steers is stored with the model. The paper cuts
at 50 and 0.95. With guidance that costs variety and agreement with the text, see
docs/evaluation.md."""


def check_count(n: int) -> int:
    """`n`, if it is a number of candidates that can be asked for."""
    if not 1 <= n <= MAX_CANDIDATES:
        raise GenerationError(
            f"The number of candidates must be 1 to {MAX_CANDIDATES}, got {n}. For "
            "more, run again with another seed."
        )
    return n


def check_prompt(prompt: str) -> str:
    """The prompt without odd spaces; `GenerationError` if nothing is left of it."""
    text = unicodedata.normalize("NFC", prompt)
    # They come along with copied text, unseen.
    kept = (" " if c.isspace() else c for c in text if not _invisible(c))
    text = " ".join("".join(kept).split())
    if not text:
        raise GenerationError(
            f"The prompt {prompt[:20]!r} is empty: say what the robot should do, as in "
            '"a person walks forward and waves".'
        )
    if len(text) > MAX_PROMPT_CHARACTERS:
        raise GenerationError(
            f"The prompt has {len(text)} characters, and {MAX_PROMPT_CHARACTERS} are "
            "the most. Is it a file? Then use --prompts-file."
        )
    return text


def check_prompts(prompts: Sequence[str]) -> list[str]:
    """Every prompt checked; an error names the one it is about."""
    if isinstance(prompts, str):
        raise ValueError("prompts must be a list of strings, not one string.")
    checked = []
    for number, prompt in enumerate(prompts, start=1):
        try:
            checked.append(check_prompt(prompt))
        except GenerationError as error:
            if len(prompts) == 1:
                raise
            raise GenerationError(f"Prompt {number}: {error}") from error
    return checked


def read_prompts(path: Path) -> list[str]:
    """One prompt a line; empty lines and lines that start with # are left out.

    The path `-` is standard input.
    """
    try:
        if path == STDIN:
            path = Path("standard input")
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        else:
            text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise GenerationError(f"{path}: {reason}.") from error
    except UnicodeDecodeError as error:
        raise GenerationError(
            f"{path}: is not text in UTF-8 ({error.reason} at byte {error.start})."
        ) from error
    lines = (line.strip() for line in text.splitlines())
    prompts = [line for line in lines if line and not line.startswith("#")]
    if not prompts:
        raise GenerationError(f"{path}: holds no prompt; write one a line.")
    return prompts


def prompt_slug(prompt: str) -> str:
    """The prompt as a name for a folder: letters and digits of any script, dashes."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", prompt).lower())
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:_SLUG_LENGTH]
        # Names of files are limited in bytes, and a letter may take four.
        if len(longer.encode()) > 4 * _SLUG_LENGTH or len(longer) > _SLUG_LENGTH:
            break
        slug = longer
    return slug or "prompt"


def num_frames(duration: float) -> int:
    """Frames of a motion that lasts `duration` seconds from the first to the last."""
    return round(duration * FPS) + 1


def _invisible(character: str) -> bool:
    """Control characters, lone surrogates, and spaces of no width."""
    if character in _NO_WIDTH:
        return True
    kind = unicodedata.category(character)
    return kind in ("Cc", "Cs") and not character.isspace()
