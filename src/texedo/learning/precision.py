"""Learning in bfloat16 where the machine is made for it."""

from __future__ import annotations

import torch

_CPU_HAS_BF16 = bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())
"""Without instructions of its own for it, a CPU is slower in bfloat16 than in float32."""


def has_bf16(device: torch.device) -> bool:
    """Whether products in bfloat16 are faster there than in float32."""
    return device.type == "cuda" or (device.type == "cpu" and _CPU_HAS_BF16)


def rounded(device: torch.device, *, enabled: bool = True) -> torch.autocast:
    """Products in bfloat16 meanwhile, if `enabled` and faster there."""
    half = enabled and has_bf16(device)
    return torch.autocast(device.type, torch.bfloat16, enabled=half)
