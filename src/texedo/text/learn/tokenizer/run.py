"""The parts of a tokenizer training run: how they are built, saved and loaded."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

import torch

from texedo.core.errors import TexedoError
from texedo.data.corpus.packed_clips import PackedClips
from texedo.learning.run import Saved, clips_digest
from texedo.learning.state import Arrays
from texedo.learning.weights import (
    pack_module,
    pack_optimizer,
    restore_module,
    restore_optimizer,
)
from texedo.text.learn.tokenizer.augment import Shares
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.data import tokenizer_clips_from
from texedo.text.learn.tokenizer.loss import Reconstruction
from texedo.text.learn.tokenizer.windows import Windows, scales
from texedo.text.tokenizer.net import NetSpec, TokenizerNet
from texedo.text.tokenizer.tokenizer import load_tokenizer


class Run(NamedTuple):
    """All the parts of a training run."""

    data: PackedClips
    windows: Windows
    net: TokenizerNet
    mean_net: TokenizerNet
    """The running mean of the weights: this is what ships."""
    loss: Reconstruction
    optimizer: torch.optim.AdamW
    generator: torch.Generator
    origin: dict[str, Any]
    """About the training of the tokenizer that the run began with; empty without."""

    @property
    def digest(self) -> str:
        """Names the clips that are learnt from."""
        return clips_digest(self.data.ids, self.data.lengths)


def build(cfg: TokenizerTrainCfg) -> Run:
    """Clips to the device, networks, optimiser."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(cfg.seed)
    torch.set_float32_matmul_precision("high")
    data = tokenizer_clips_from(cfg.data)
    windows = _windows(cfg, data, device)
    generator = torch.Generator(device=device).manual_seed(cfg.seed)
    net, origin = _net(cfg, windows, generator)
    mean_net = TokenizerNet(net.spec).to(device).eval().requires_grad_(False)
    mean_net.load_state_dict(net.state_dict())
    return Run(
        data=data,
        windows=windows,
        net=net,
        mean_net=mean_net,
        loss=Reconstruction(cfg, net.feature_mean, net.feature_std),
        optimizer=_optimizer(cfg, net),
        generator=generator,
        origin=origin,
    )


def _windows(cfg: TokenizerTrainCfg, data: PackedClips, device: str) -> Windows:
    return Windows(
        data,
        data.select(split="train"),
        lengths=_numbers("--windows", cfg.windows),
        tempo=cfg.tempo,
        shares=Shares(random_yaw=cfg.random_yaw, mix=cfg.mix, restyle=cfg.restyle),
        device=device,
    )


def _net(
    cfg: TokenizerTrainCfg, windows: Windows, generator: torch.Generator
) -> tuple[TokenizerNet, dict[str, Any]]:
    """A network on the generator's device, and where it comes from."""
    if cfg.start:
        trained = load_tokenizer(cfg.start, device=generator.device)
        return trained.net.train().requires_grad_(True), trained.metadata
    net = TokenizerNet(
        NetSpec(
            levels=tuple(_numbers("--levels", cfg.levels)),
            width=cfg.width,
            encoder_depth=cfg.encoder_depth,
            decoder_depth=cfg.decoder_depth,
        )
    )
    mean, std = scales(windows.features)
    net.feature_mean.copy_(torch.as_tensor(mean))
    net.feature_std.copy_(torch.as_tensor(std))
    net.to(generator.device)
    first = windows.lengths[0]
    net.spread_codes(windows.draw(first, 8192 // first, generator))
    return net, {}


def _optimizer(cfg: TokenizerTrainCfg, net: TokenizerNet) -> torch.optim.AdamW:
    on_gpu = net.feature_mean.is_cuda
    # A recorded step reads the rate from where it lies: it must be a tensor there.
    rate: Any = cfg.learning_rate
    if on_gpu:
        rate = torch.tensor(rate, device=net.feature_mean.device)
    return torch.optim.AdamW(
        net.parameters(),
        lr=rate,
        betas=(0.9, 0.99),
        weight_decay=0.0,
        fused=on_gpu,
        capturable=on_gpu,
    )


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(n) for n in text.split(",")]
    except ValueError:
        raise TexedoError(
            f"{option} takes whole numbers with commas between them, got {text!r}."
        ) from None


def describe(run: Run, cfg: TokenizerTrainCfg) -> dict[str, Any]:
    """What the log says first."""
    return {
        "device": str(run.net.feature_mean.device),
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in run.net.parameters()),
        "codes": run.net.quantizer.num_codes,
        "train_frames": len(run.windows.features),
        "windows": run.windows.lengths,
        "options": asdict(cfg),
    }


def pack_run(run: Run) -> Arrays:
    """Both networks and the optimiser."""
    return (
        pack_module("net", run.net)
        | pack_module("mean_net", run.mean_net)
        | pack_optimizer(run.optimizer, dict(run.net.named_parameters()))
    )


def restore_run(run: Run, saved: Saved) -> None:
    """Undo `pack_run` in place."""
    for prefix, net in (("net", run.net), ("mean_net", run.mean_net)):
        restore_module(prefix, net, saved.tensors, folder=saved.folder)
    parameters = dict(run.net.named_parameters())
    restore_optimizer(run.optimizer, parameters, saved.tensors)
