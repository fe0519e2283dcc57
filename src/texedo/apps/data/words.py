"""`texedo data words`: the words of the training captions, for spelling and remarks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated

import tyro

from texedo.core.errors import FileFormatError
from texedo.core.files import write_whole
from texedo.data.corpus.corpus_file import open_corpus
from texedo.language.vocabulary import WORDS_FILE, count_words, words_text


@dataclass(frozen=True)
class Cfg:
    """Count the words of a corpus's training captions.

    Prompts are spelled by them, and words that are not among them are remarked on.

    Example: texedo data words corpus --captions written.jsonl -o words.txt
    """

    corpus: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="CORPUS")]]
    """Corpus folder or file; its clips of the split `train` count."""
    captions: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Further captions, a line per window: {"trial": ..., "captions": [...]}. Those of
    recordings that the corpus holds out are left out."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """File to write; the package's own unless given."""


def run(cfg: Cfg) -> int:
    corpus = open_corpus(cfg.corpus)
    train = {clip.trial for clip in corpus.clips if clip.split == "train"}
    texts = {
        text for clip in corpus.clips if clip.split == "train" for text in clip.captions
    }
    if cfg.captions is not None:
        texts |= {text for trial, text in _written(cfg.captions) if trial in train}
    counts = count_words(sorted(texts))
    package = resources.files("texedo.language").joinpath(WORDS_FILE)
    path = Path(str(package)) if cfg.out is None else cfg.out
    write_whole(path, words_text(counts).encode())
    print(f"{path}: {len(counts)} words of {len(texts)} captions")
    return 0


def _written(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = json.loads(line)
            trial, captions = str(record["trial"]), list(record["captions"])
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                f'{path}, line {number}: should be {{"trial": ..., "captions": [...]}} '
                f"({error})."
            ) from error
        yield from ((trial, str(text)) for text in captions)
