"""How a T5 reads text: pieces of words, and an encoder that gives each a state.

    front = load_t5_front("flan-t5-base")          # a folder from Hugging Face
    states, mask = front.states(["a person waves"])  # (P, S, D), (P, S)

The folder holds `config.json`, `model.safetensors` and `tokenizer.json`. The generator of
the TEXEDO release grew from Flan-T5-base and reads with its words and its own encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from texedo.core.errors import CheckpointError
from texedo.text.lm.t5 import T5Stack, load_t5

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD, END, UNKNOWN = 0, 1, 2
"""Numbers that every T5 vocabulary begins with."""
MAX_TOKENS = 512
FIRST_MOTION = "<motion_id_0>"
"""A vocabulary that knows motions goes on with this."""
_LENGTHS = (16, 32, 64, 128, 256)
"""Prompts are padded to one of these, so that a prompt's shape is its own affair."""


class TextPieces(NamedTuple):
    """A prompt as a T5 reads it."""

    ids: list[int]
    """Piece numbers with a mark at the end."""
    left_out: int
    """Pieces at the end that were too many."""

    def notes(self) -> tuple[str, ...]:
        """What the user should know: cut or not understood."""
        read = len(self.ids) - 1
        unknown = self.ids.count(UNKNOWN)
        found = []
        if self.left_out:
            found.append(
                f"prompt too long: the first {read} of {read + self.left_out} word "
                "pieces were read"
            )
        if unknown:
            found.append(f"{unknown} of {read} word pieces are not understood")
        return tuple(found)


class T5Words:
    """Reads prompts with the vocabulary of a `tokenizer.json`."""

    def __init__(self, tokenizer: Tokenizer, *, max_tokens: int = MAX_TOKENS) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens
        motion = tokenizer.token_to_id(FIRST_MOTION)
        self.size = tokenizer.get_vocab_size() if motion is None else motion
        """Pieces of text; the numbers of motions follow them."""

    def read(self, prompt: str) -> TextPieces:
        """Never fails: what is not known becomes <unk>, what is too long is cut."""
        # A lone surrogate is no character; it would stop the tokenizer.
        text = prompt.encode("utf-8", "replace").decode()
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        kept = ids[: self.max_tokens - 1]
        return TextPieces([*kept, END], len(ids) - len(kept))


def load_words(path: Path | str) -> T5Words:
    """The words of a `tokenizer.json`; raises `CheckpointError`."""
    path = Path(path)
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise CheckpointError(
            "Reading prompts needs the package tokenizers; install it with: "
            "pip install 'texedo[learn]'."
        ) from error
    if not path.is_file():
        beside = (path.parent / "spiece.model").is_file()
        say = "; the spiece.model beside it is not read" if beside else ""
        raise CheckpointError(
            f"{path}: is missing{say}. Take tokenizer.json from the page of the model, "
            "as https://huggingface.co/google/flan-t5-base."
        )
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # The package raises nothing narrower.
        raise CheckpointError(f"{path}: is no tokenizer: {error}") from error
    marks = tuple(tokenizer.token_to_id(mark) for mark in ("<pad>", "</s>", "<unk>"))
    if marks != (PAD, END, UNKNOWN):
        raise CheckpointError(
            f"{path}: is not the vocabulary of a T5: <pad>, </s> and <unk> are {marks} "
            f"and not {(PAD, END, UNKNOWN)}."
        )
    return T5Words(tokenizer)


class T5TextFront(nn.Module):
    """The reading half of a T5: words, their vectors, and the encoder."""

    def __init__(self, words: T5Words, table: Tensor, encoder: T5Stack) -> None:
        """`table` (V, D) holds at least the vectors of all words."""
        super().__init__()
        self.words = words
        self.table = nn.Parameter(table[: words.size])
        self.encoder = encoder
        self.eval().requires_grad_(False)

    @torch.inference_mode()
    def states(self, prompts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """States (P, S, D) and where there is text (P, S); each is encoded by itself."""
        read = [self.words.read(prompt).ids for prompt in prompts]
        length = max(_padded(len(ids)) for ids in read)
        device = self.table.device
        states, masks = [], []
        for ids in read:
            own = _padded(len(ids))
            row = torch.tensor([ids + [PAD] * (own - len(ids))], device=device)
            mask = torch.arange(own, device=device)[None] < len(ids)
            x = self.encoder(F.embedding(row, self.table), mask)
            states.append(F.pad(x, (0, 0, 0, length - own)))
            masks.append(F.pad(mask, (0, length - own)))
        return torch.cat(states), torch.cat(masks)


def load_t5_front(
    folder: Path | str, *, device: str | torch.device = "cpu"
) -> T5TextFront:
    """From a folder with `config.json`, `model.safetensors` and `tokenizer.json`."""
    folder = Path(folder)
    words = load_words(folder / "tokenizer.json")
    model = load_t5(folder)
    if words.size > len(model.shared.weight):
        raise CheckpointError(
            f"{folder}: tokenizer.json has {words.size} pieces, and the weights know "
            f"{len(model.shared.weight)}; both must come from one model."
        )
    front = T5TextFront(words, model.shared.weight.detach(), model.encoder)
    return front.to(device)


def _padded(length: int) -> int:
    return next((n for n in _LENGTHS if n >= length), MAX_TOKENS)
