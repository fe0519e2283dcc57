"""The text encoder with its words, from a BERT folder or from an artefact of ours.

    texedo export text-encoder DIR -o OUT

packs a BERT folder (`config.json`, `model.safetensors`, `vocab.txt`) as it ships: word
vectors as int8 with a scale per row, the rest as float16, the vocabulary inside. Its
config says whether texts are normalized (`normal`); an older one does not say.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from texedo.checkpoints.artifact import (
    WEIGHTS_NAME,
    read_artifact,
    read_config,
    write_artifact,
)
from texedo.checkpoints.sizes import WRONG_CONFIG, read_settings
from texedo.checkpoints.small_weights import fill, no_weights, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.language.encoder import MAX_TOKENS, BertCfg, TextEncoder, load_bert
from texedo.language.word_pieces import WordPiece, read_vocabulary

KIND = "text-encoder"
_WORDS = "embeddings.word_embeddings.weight"
_VOCABULARY = "vocabulary"
_ENCODERS: WeakValueDictionary[str, TextEncoder] = WeakValueDictionary()
_WORDS_OF: WeakValueDictionary[str, WordPiece] = WeakValueDictionary()
"""Text encoders that somebody has, by the hash of their weights."""


def save_text_front(folder: Path | str, encoder: TextEncoder, words: WordPiece) -> Path:
    """Write the artefact."""
    tensors = pack_tensors(encoder, lambda name, _: name == _WORDS)
    text = "\n".join(words.vocabulary).encode()
    tensors[_VOCABULARY] = np.frombuffer(text, dtype=np.uint8)
    config = {"model": asdict(encoder.cfg), "normal": words.normal}
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_text_front(
    folder: Path | str, *, max_tokens: int = MAX_TOKENS, normal: bool = True
) -> tuple[TextEncoder, WordPiece]:
    """From our artefact, or else from a BERT folder; raises `CheckpointError`.

    `normal`: whether texts are normalized if the artefact does not say.
    """
    folder = Path(folder)
    if not (folder / WEIGHTS_NAME).is_file():
        encoder = load_bert(folder, max_tokens=max_tokens)
        words = WordPiece(read_vocabulary(folder), max_tokens, normal=normal)
        return encoder, words
    config, tensors = read_artifact(folder, kind=KIND)
    cfg = read_settings(BertCfg, config.get("model"), folder)
    try:
        with no_weights():
            encoder = TextEncoder(cfg)
        vocabulary = tensors.pop(_VOCABULARY).tobytes().decode().split("\n")
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    fill(encoder, tensors, folder)
    normal = bool(config.get("normal", normal))
    words = WordPiece(vocabulary, encoder.cfg.max_tokens, normal=normal)
    return encoder.eval(), words


def shared_text_front(folder: Path | str) -> tuple[TextEncoder, WordPiece]:
    """That of an artefact, on the CPU: one for all who have it, 90 MB each time less.

    For those who read it and neither move nor train it.
    """
    known = str(read_config(Path(folder), kind=KIND)["sha256"])
    encoder, words = _ENCODERS.get(known), _WORDS_OF.get(known)
    if encoder is None or words is None:
        encoder, words = load_text_front(folder)
        _ENCODERS[known], _WORDS_OF[known] = encoder.requires_grad_(False), words
    return encoder, words
