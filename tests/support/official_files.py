"""Files with the layout of the TEXEDO release, tiny and random."""

import enum
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from texedo.text.lm.t5 import T5Model, init_t5, t5_from_config
from texedo.text.tokenizer.net import OFFICIAL, NetSpec, TokenizerNet

PIECES = ["<pad>", "</s>", "<unk>", "▁", '"', "▁a", "▁person", "▁waves", "▁walks"]
PIECES += list("abcdefghijklmnopqrstuvwxyz")
NUM_CODES = 7776
FULL_T5 = {
    "vocab_size": 39_879,
    "d_model": 768,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 12,
    "num_heads": 12,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
}
SMALL_T5 = {
    **FULL_T5,
    "vocab_size": len(PIECES) + NUM_CODES + 3,
    "d_model": 16,
    "d_kv": 8,
    "d_ff": 24,
    "num_layers": 2,
    "num_heads": 2,
}


def small_tokenizer(seed: int = 0, width: int = 4) -> TokenizerNet:
    """The released network, but narrow; every weight is random, so none is idle."""
    torch.manual_seed(seed)
    net = TokenizerNet(NetSpec(**{**vars(OFFICIAL), "width": width}))
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    net.feature_mean.normal_()
    net.feature_std.uniform_(0.5, 2.0)
    return net.eval()


def small_t5(seed: int = 0) -> T5Model:
    torch.manual_seed(seed)
    model = t5_from_config(dict(SMALL_T5))
    init_t5(model, model.cfg)
    torch.nn.init.normal_(model.shared.weight)
    torch.nn.init.normal_(model.lm_head.weight)
    return model.eval()


def write_tokenizer(path: Path, net: TokenizerNet, *, prefix: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    state = {prefix + name: tensor for name, tensor in net.state_dict().items()}
    content = {
        "epoch": 95,
        "model_state_dict": state,
        "optimizer_state_dict": {"state": {0: {"exp_avg": torch.zeros(3)}}},
        "config": {"model": {"levels": [3] * 5 + [2] * 5, "stats": "not/here.npz"}},
    }
    torch.save(content, path)
    return path


def write_generator(path: Path, model: T5Model, net: TokenizerNet) -> Path:
    """As Lightning writes it, settings of a class that is gone when it is read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    state: dict[str, Tensor] = {
        **{f"lm.language_model.{k}": v for k, v in model.state_dict().items()},
        "lm.language_model.encoder.embed_tokens.weight": model.shared.weight.detach(),
        "lm.language_model.decoder.embed_tokens.weight": model.shared.weight.detach(),
        **{f"vae.fsqvae.{k}": v for k, v in net.state_dict().items()},
        "_losses.losses_train.total": torch.zeros(()),
    }
    with fake_omegaconf() as settings:
        content = {
            "epoch": 489,
            "pytorch-lightning_version": "2.0.0",
            "state_dict": state,
            "optimizer_states": [{"state": {0: {"exp_avg": torch.zeros(5)}}}],
            "hyper_parameters": settings,
        }
        torch.save(content, path)
    return path


def write_words(path: Path, pieces: list[str] | None = None) -> Path:
    from tokenizers import Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.pre_tokenizers import Metaspace

    path.parent.mkdir(parents=True, exist_ok=True)
    scored = [(p, -float(len(PIECES) - len(p))) for p in pieces or PIECES]
    tokenizer = Tokenizer(Unigram(scored, unk_id=2))
    tokenizer.pre_tokenizer = Metaspace()
    # The real file adds the mark and cuts by itself; both are undone on reading.
    tokenizer.enable_truncation(7)
    tokenizer.save(str(path))
    return path


def write_release(folder: Path, *, seed: int = 0) -> tuple[T5Model, TokenizerNet]:
    """The files a generator needs, at their places; and what is in them."""
    model, net = small_t5(seed), small_tokenizer(seed)
    write_generator(folder / "generator" / "epoch=489.ckpt", model, net)
    write_words(folder / "flan-t5-base" / "tokenizer.json")
    return model, net


@contextmanager
def fake_omegaconf() -> Iterator[Any]:
    """Settings as objects of a package that exists within the block only."""
    module = types.ModuleType("omegaconf_of_a_test")

    class Flag(enum.Enum):
        READ_ONLY = 1

    class DictConfig:
        def __init__(self, content: Any) -> None:
            self._content, self._flag = content, Flag.READ_ONLY

    class ListConfig(list[Any]):
        pass

    class Table(dict[str, Any]):
        pass

    for kind in (Flag, DictConfig, ListConfig, Table):
        kind.__module__, kind.__qualname__ = module.__name__, kind.__name__
        setattr(module, kind.__name__, kind)
    sys.modules[module.__name__] = module
    try:
        inner = ListConfig([DictConfig({"a": 1}), Any])
        yield DictConfig({"lr": 1e-4, "parts": inner, "more": Table(x=Flag.READ_ONLY)})
    finally:
        del sys.modules[module.__name__]
