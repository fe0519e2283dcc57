"""Prompts to word pieces: lower case, no accents, the longest known piece first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from texedo.core.errors import CheckpointError
from texedo.language.normal import normalize

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


class Pieces(NamedTuple):
    """A prompt as the text encoder reads it."""

    ids: list[int]
    """Piece numbers with a mark at both ends."""
    left_out: int
    """Pieces at the end that were too many."""
    unknown: int
    """Pieces that stand for something not in the vocabulary."""
    remarks: tuple[str, ...] = ()
    """What was to be said before there were pieces, see `texedo.language.reading`."""

    def notes(self) -> tuple[str, ...]:
        """What the user should know: corrected, cut or not understood."""
        read = len(self.ids) - 2
        found = list(self.remarks)
        if self.left_out:
            found.append(
                f"prompt too long: the first {read} of {read + self.left_out} word "
                "pieces were read"
            )
        if read and self.unknown == read:
            found.append("no word of the prompt is in the vocabulary")
        elif self.unknown:
            found.append(f"{self.unknown} of {read} word pieces are not understood")
        return tuple(found)


class WordPiece:
    """Reads prompts with a BERT vocabulary, one piece per entry."""

    def __init__(
        self, vocabulary: Sequence[str], max_tokens: int, *, normal: bool = False
    ) -> None:
        self.vocabulary = tuple(vocabulary)
        self.max_tokens = max_tokens
        self.normal = normal
        """Whether texts go through `normalize` first."""
        number = {piece: i for i, piece in enumerate(self.vocabulary)}
        if missing := [piece for piece in _SPECIAL if piece not in number]:
            raise CheckpointError(f"The vocabulary lacks {', '.join(missing)}.")
        self._unknown, self._first, self._last = (number[p] for p in _SPECIAL[1:])
        self._tokenizer = _tokenizer(number)

    def read(self, prompt: str) -> Pieces:
        """Never fails: what is not known becomes [UNK], what is too long is cut."""
        return self._pieces(self._tokenizer.encode(self._text(prompt)).ids)

    def read_all(self, prompts: Sequence[str]) -> list[Pieces]:
        """Many prompts at once, on all cores."""
        texts = [self._text(prompt) for prompt in prompts]
        return [self._pieces(e.ids) for e in self._tokenizer.encode_batch(texts)]

    def _text(self, prompt: str) -> str:
        return normalize(prompt) if self.normal else _clean(prompt)

    def _pieces(self, ids: list[int]) -> Pieces:
        kept = ids[: self.max_tokens - 2]
        unknown = kept.count(self._unknown)
        return Pieces([self._first, *kept, self._last], len(ids) - len(kept), unknown)


def _clean(prompt: str) -> str:
    # A lone surrogate is no character; it would stop the tokenizer.
    return prompt.encode("utf-8", "replace").decode()


def _tokenizer(number: dict[str, int]) -> Tokenizer:
    try:
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece as Model
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer
    except ImportError as error:
        raise CheckpointError(
            "Reading prompts needs the package tokenizers; install it with: "
            "pip install 'texedo[learn]'."
        ) from error
    model = Model(vocab=number, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def read_vocabulary(folder: Path | str) -> list[str]:
    """The pieces of a `vocab.txt`, one a line, in order."""
    path = Path(folder) / "vocab.txt"
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1]
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or 'not readable'}.") from error
