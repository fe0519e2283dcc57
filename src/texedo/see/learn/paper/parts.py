"""The parts of a training run of the paper's verifier: built, saved, restored."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from texedo.core.errors import FileFormatError
from texedo.data.corpus.corpus_file import open_corpus
from texedo.learning.run import Saved
from texedo.learning.state import Arrays
from texedo.learning.weights import (
    pack_module,
    pack_optimizer,
    restore_module,
    restore_optimizer,
)
from texedo.see.learn.paper.cfg import PaperSemanticsCfg
from texedo.see.learn.paper.data import CaptionedClips, captioned_clips, read_texts
from texedo.see.learn.paper.movement import MovementDecoder
from texedo.see.learn.paper.word_vectors import (
    Lexicon,
    make_lexicon,
    make_vectors,
    make_words,
)
from texedo.see.semantics.paper.model import PaperNet, PaperNetCfg
from texedo.see.semantics.paper.words import Words, read_lexicon

LEXICON_FILE = "lexicon.json"


class Parts:
    """Data, words, networks and the optimiser of the stage that the run is in."""

    def __init__(
        self,
        cfg: PaperSemanticsCfg,
        train: CaptionedClips,
        val: CaptionedClips,
        words: Words,
    ) -> None:
        self.cfg, self.train, self.val, self.words = cfg, train, val, words
        device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(cfg.seed)
        sizes = PaperNetCfg(
            words=len(words),
            size=cfg.size,
            latent=cfg.latent,
            motion_width=cfg.motion_width,
            text_width=cfg.text_width,
            dropout=cfg.dropout,
        )
        self.net = _initial(PaperNet(sizes), train, words, cfg.seed).to(device)
        self.decoder = MovementDecoder(sizes).to(device)
        self.train_tokens = read_texts(words, train.texts)
        self.val_tokens = read_texts(words, val.texts)
        self.features: Tensor = torch.from_numpy(train.features).to(device)
        """All training frames where the networks are, (F, 36)."""
        self.matching_from: int | None = None
        """Step with which the matching began; None while movement codes are learnt."""
        self.matching_after = 0.0
        """How much of the run was done then."""
        self.optimizer = self._new_optimizer()

    def begin_matching(self, step: int, done: float) -> None:
        """Freeze the movement codes and learn what to make of them."""
        self.matching_from, self.matching_after = step, done
        self.optimizer = self._new_optimizer()

    def learnt(self) -> dict[str, nn.Parameter]:
        """What the present stage changes, by name; word vectors stay as they are."""
        if self.matching_from is None:
            parts = {"movement": self.net.movement, "decoder": self.decoder}
        else:
            parts = {
                name: getattr(self.net, name) for name in ("motion", "text", "tags")
            }
        return {
            f"{part}.{name}": parameter
            for part, module in parts.items()
            for name, parameter in module.named_parameters()
        }

    def _new_optimizer(self) -> torch.optim.AdamW:
        decay = 0.0 if self.matching_from is None else self.cfg.weight_decay
        for parameter in (*self.net.parameters(), *self.decoder.parameters()):
            parameter.requires_grad_(False)
        learnt = list(self.learnt().values())
        for parameter in learnt:
            parameter.requires_grad_(True)
        return torch.optim.AdamW(learnt, lr=self.cfg.learning_rate, weight_decay=decay)

    @property
    def digest(self) -> str:
        """Names the clips, the captions and the words that are learnt from."""
        words = json.dumps(self.words.to_config(), sort_keys=True)
        return hashlib.sha256(f"{self.train.digest}{words}".encode()).hexdigest()

    def pack(self) -> Arrays:
        """Networks and optimiser."""
        return (
            pack_module("net", self.net)
            | pack_module("decoder", self.decoder)
            | pack_optimizer(self.optimizer, self.learnt())
        )

    def restore(self, saved: Saved) -> None:
        """Undo `pack` in place."""
        for prefix, module in (("net", self.net), ("decoder", self.decoder)):
            restore_module(prefix, module, saved.tensors, folder=saved.folder)
        matching_from = saved.values.get("matching_from")
        if matching_from is not None:
            after = float(saved.values.get("matching_after", 0.0))
            self.begin_matching(int(matching_from), after)
        restore_optimizer(self.optimizer, self.learnt(), saved.tensors)

    def stage(self) -> dict[str, Any]:
        """What `restore` reads beside the arrays."""
        return {
            "matching_from": self.matching_from,
            "matching_after": self.matching_after,
        }


def build(cfg: PaperSemanticsCfg) -> Parts:
    """Read the data, make the words, put all in place."""
    corpus = open_corpus(cfg.data)
    train, val = (captioned_clips(corpus, split) for split in ("train", "val"))
    lexicon = _known_lexicon(cfg)
    if lexicon is None:
        lexicon = make_lexicon(train.texts)
    words = make_words(train.texts, lexicon, min_count=cfg.min_count)
    return Parts(cfg, train, val, words)


def write_lexicon(path: Path, words: Words) -> None:
    """What `--lexicon` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(words.to_config()["lexicon"], indent=0, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _known_lexicon(cfg: PaperSemanticsCfg) -> Lexicon | None:
    """Of `--lexicon`, or of the run that goes on; None if there is none yet."""
    path = Path(cfg.lexicon) if cfg.lexicon else Path(cfg.out) / LEXICON_FILE
    if not cfg.lexicon and not path.exists():
        return None
    try:
        return read_lexicon(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError) as error:
        raise FileFormatError(
            f"{path}: not a lexicon ({error}); name the {LEXICON_FILE} of a run."
        ) from error


def _initial(net: PaperNet, train: CaptionedClips, words: Words, seed: int) -> PaperNet:
    mean, std = train.scales()
    net.feature_mean.copy_(torch.from_numpy(mean))
    net.feature_std.copy_(torch.from_numpy(std))
    size = net.cfg.word_size
    vectors = make_vectors(words, train.texts, size=size, seed=seed)
    with torch.no_grad():
        net.words.weight.copy_(torch.from_numpy(vectors))
    return net
