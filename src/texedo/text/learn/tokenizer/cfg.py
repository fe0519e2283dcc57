"""Options of a tokenizer training run. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class TokenizerTrainCfg(TrainOptions):
    """Train the motion tokenizer on packed clips.

    Example: texedo train tokenizer --data clips.npz --out run --minutes 5
    """

    data: str
    """Packed clips (.npz) or a corpus folder."""
    out: str = "tokenizer-run"
    minutes: float = 5.0
    start: str = ""
    """Folder of a tokenizer whose weights and sizes to begin with. With a decoder share
    of 1 its codes stay as they are, bit for bit."""
    batch_frames: int = 32768
    """Frames per step."""
    windows: str = "64,128,192,256"
    """Window lengths [frames], one of them per step in turn."""
    random_yaw: float = 0.1
    """Share of the windows that are turned to a random heading."""
    tempo: float = 0.1
    """Share of the windows that are played up to a quarter faster or slower."""
    mix: float = 0.2
    """Share of the windows that get the upper body of another window."""
    restyle: float = 0.3
    """Share of the windows whose joints get another posture and another swing."""
    levels: str = "3,3,3,3,3,2,2,2,2,2"
    """Levels of each number of a code; their product is the number of codes."""
    width: int = 256
    """Channels of the networks."""
    encoder_depth: int = 3
    """Residual blocks per stage of the encoder."""
    decoder_depth: int = 5
    """Residual blocks per stage of the decoder."""
    learning_rate: float = 1.5e-3
    """Peak learning rate, after the warm-up; cosine decay."""
    warm_up: int = 500
    """Warm-up steps."""
    decoder_share: float = 0.1
    """Share of the run, at its end, in which the encoder is frozen."""
    ema: float = 0.999
    """Decay of the exponential moving average of the weights, which is what ships."""
    difference_frames: float = 1.0
    """Velocities and accelerations are differences per this many frames."""
    body_weight: float = 5.0
    """Weight of the distances of the tracked bodies [10 cm]."""
    body_velocity_weight: float = 0.3
    """Weight of the velocities of the tracked bodies in the world [m/s]."""
    path_weight: float = 1.0
    """Weight of the place on the floor [25 cm]."""
    heading_weight: float = 3.0
    """Weight of the heading, beyond its share in the root's orientation."""
    usage_weight: float = 0.2
    """Weight of even code usage."""
    log_every: int = 100
    """Steps between log lines."""
    eval_every: int = 2000
    """Steps between evaluations on val."""
    save_every: int = 2000
    """Steps between checkpoints."""
    eval_clips: int = 128
    """Captured val clips per evaluation."""
    graph: bool = True
    """Capture the step as a CUDA graph, on a GPU."""

    FREE: ClassVar = TrainOptions.FREE | {"eval_clips", "graph"}
    PLACES: ClassVar = frozenset({"data", "start"})
