"""The parts of a tokenizer training run: how they are built, saved and loaded."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.errors import CheckpointError, TexedoError
from texedo.data.corpus.packed_clips import PackedClips
from texedo.learning.run import load_run, save_run
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


class Progress(NamedTuple):
    """How far a saved run has come."""

    iteration: int = 0
    seconds: float = 0.0
    codes_stay: bool = False
    """Whether only the decoder still learns."""


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


def save_state(folder: Path, run: Run, progress: Progress) -> None:
    """Both networks and the optimiser."""
    tensors = {
        f"net.{name}": _array(tensor) for name, tensor in run.net.state_dict().items()
    }
    for name, tensor in run.mean_net.state_dict().items():
        tensors[f"mean_net.{name}"] = _array(tensor)
    for index, parameter in enumerate(run.net.parameters()):
        for key, tensor in run.optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{index}.{key}"] = _array(tensor)
    save_run(folder, tensors, progress._asdict())


def load_state(folder: Path, run: Run) -> Progress:
    """Restore a run in place."""
    arrays, values = load_run(folder)
    tensors = {name: torch.as_tensor(array) for name, array in arrays.items()}
    try:
        for prefix, net in (("net.", run.net), ("mean_net.", run.mean_net)):
            net.load_state_dict(
                {
                    name.removeprefix(prefix): tensor
                    for name, tensor in tensors.items()
                    if name.startswith(prefix)
                }
            )
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{folder}: another network was saved: {reason}; give the same sizes."
        ) from None
    for index, parameter in enumerate(run.net.parameters()):
        if f"optimizer.{index}.exp_avg" in tensors:
            moments = {
                key: tensors[f"optimizer.{index}.{key}"].to(parameter.device)
                for key in ("exp_avg", "exp_avg_sq")
            }
            # Files know no numbers without a dimension.
            step = tensors[f"optimizer.{index}.step"].reshape(())
            moments["step"] = step.to(parameter.device)
            run.optimizer.state[parameter] = moments
    return Progress(**values)


def _array(tensor: Tensor) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().numpy())
