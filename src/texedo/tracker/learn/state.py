"""The state of a tracker's training run as arrays, and back."""

from __future__ import annotations

import torch

from texedo.learning.run import Saved
from texedo.learning.state import Arrays
from texedo.learning.weights import (
    array_of,
    pack_module,
    pack_optimizer,
    restore_module,
    restore_optimizer,
)
from texedo.tracker.learn.ppo import Learner
from texedo.tracker.learn.start_sampling import StartSampler


def pack_run(learner: Learner, sampler: StartSampler) -> Arrays:
    """Networks, optimiser, and how often each start failed."""
    tensors = pack_module("model", learner)
    for name, tensor in sampler.state_dict().items():
        tensors[f"sampler.{name}"] = array_of(tensor)
    if learner.optimizer is not None:
        parameters = dict(learner.named_parameters())
        tensors |= pack_optimizer(learner.optimizer, parameters)
    return tensors


def restore_run(learner: Learner, sampler: StartSampler, saved: Saved) -> None:
    """Undo `pack_run` in place; raises `CheckpointError`."""
    tensors = dict(saved.tensors)
    # A run from before there was a running mean begins one.
    for name in [name for name in tensors if name.startswith("model.actor.")]:
        mean = f"model.mean_{name.removeprefix('model.')}"
        tensors.setdefault(mean, tensors[name])
    restore_module("model", learner, tensors, folder=saved.folder)
    learner.learning_rate = float(saved.values["learning_rate"])
    optimizer = learner.make_optimizer()
    restore_optimizer(optimizer, dict(learner.named_parameters()), tensors)
    device = learner.log_std.device
    sampler.load_state_dict(
        {
            key: torch.as_tensor(tensors[f"sampler.{key}"]).to(device)
            for key in ("failures", "visits")
        }
    )
