"""R_text of verifiers that make one vector of a sentence and one of a motion."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.motion import Motion
from texedo.see.semantics.protocol import Float64, Pairs

if TYPE_CHECKING:
    from torch import nn

Float32 = NDArray[np.float32]


def nearness(
    read_texts: Callable[[Sequence[str]], Float32],
    read_motions: Callable[[Sequence[Motion]], Float32],
    texts: Sequence[str],
    motions: Sequence[Motion],
    pairs: Pairs,
) -> Float64:
    """exp(-distance) of each pair, (P,); only what is in a pair is read, and once."""
    pairs = _checked(pairs, len(texts), len(motions))
    said, said_at = np.unique(pairs[:, 0], return_inverse=True)
    done, done_at = np.unique(pairs[:, 1], return_inverse=True)
    a = read_texts([texts[i] for i in said])[said_at].astype(np.float64)
    b = read_motions([motions[i] for i in done])[done_at].astype(np.float64)
    return np.asarray(np.exp(-np.linalg.norm(a - b, axis=1)))


def require_finite(qpos: NDArray[Any]) -> None:
    """Raises `GenerationError` for poses (T, 36) that mean nothing."""
    if not np.isfinite(qpos).all():
        frame = int((~np.isfinite(qpos)).any(axis=1).argmax())
        raise GenerationError(
            f"The motion holds NaN or infinity, first in frame {frame}: it has no "
            "meaning that could be scored."
        )


def net_digest(net: nn.Module, about: Any) -> str:
    """Hash of weights and of what else the scores depend on, as JSON."""
    found = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, tensor in sorted(net.state_dict().items()):
        found.update(name.encode())
        found.update(np.ascontiguousarray(tensor.cpu().numpy()).tobytes())
    return found.hexdigest()


def _checked(pairs: Pairs, texts: int, motions: int) -> Pairs:
    pairs = np.asarray(pairs, dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"pairs must be (P, 2), got {pairs.shape}.")
    if len(pairs) and (
        pairs.min() < 0 or (pairs.max(axis=0) >= (texts, motions)).any()
    ):
        raise ValueError(
            f"pairs name text {pairs[:, 0].max()} and motion {pairs[:, 1].max()}; there "
            f"are {texts} and {motions}, counted from 0."
        )
    return pairs
