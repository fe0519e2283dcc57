"""The networks of the tokenizer: convolutions in time, so that length is no matter.

A frame sees its neighbours within the receptive field and nothing else. What lies beyond
the ends of a clip is zero in every layer, also when clips of several lengths share a
batch: a mask (B, T, 1) wipes what each layer leaves behind the end of a row.

Time comes before the channels, and a convolution is one matrix product with what its taps
see: a GPU does both best that way. Every layer works in the precision of its input.

Names and shapes follow the released TEXEDO tokenizer; `OFFICIAL` is that network.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from texedo.learning.features import NUM_FEATURES
from texedo.text.tokenizer.fsq import FSQ, LEVELS

_ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "gelu": nn.GELU}


@dataclass(frozen=True, kw_only=True)
class NetSpec:
    """Everything that shapes the networks."""

    num_features: int = NUM_FEATURES
    levels: tuple[int, ...] = LEVELS
    width: int = 256
    encoder_depth: int = 3
    """Residual blocks per stage; each stage halves the frame rate."""
    decoder_depth: int = 5
    """Residual blocks per stage; each stage doubles the frame rate."""
    dilation_growth: int = 2
    """Blocks of a stage have dilations growth^(depth-1), ..., 1."""
    stages: int = 2
    activation: str = "silu"
    """relu, silu or gelu."""
    upsampling: str = "linear"
    """nearest (each value twice) or linear (between neighbours)."""

    def __post_init__(self) -> None:
        if self.activation not in _ACTIVATIONS:
            raise ValueError(f"activation must be one of {sorted(_ACTIVATIONS)}.")
        if self.upsampling not in ("nearest", "linear"):
            raise ValueError("upsampling must be nearest or linear.")

    @property
    def downsampling(self) -> int:
        """Frames per code."""
        return int(2**self.stages)


OFFICIAL = NetSpec(
    num_features=36,
    width=512,
    encoder_depth=3,
    decoder_depth=3,
    activation="relu",
    upsampling="nearest",
)
"""The network of the TEXEDO release: 18,774,574 parameters."""


class Taps(torch.autograd.Function):
    """What each output of a convolution sees of its input, (B, T, C) to (B, L, K C)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, conv: nn.Conv1d) -> Tensor:
        size, step, apart, beyond = _shape(conv)
        padded = nn.functional.pad(x, (0, 0, beyond, beyond))
        rows, frames, channels = padded.shape
        count = (frames - apart * (size - 1) - 1) // step + 1
        strides = (frames * channels, step * channels, apart * channels, 1)
        ctx.conv, ctx.frames = conv, x.shape[1]
        seen = padded.as_strided((rows, count, size, channels), strides)
        return seen.reshape(rows, count, size * channels)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        size, step, apart, beyond = _shape(ctx.conv)
        rows, count, width = gradients[0].shape
        channels = width // size
        seen = gradients[0].reshape(rows, count, size, channels)
        total = seen.new_zeros((rows, ctx.frames + 2 * beyond, channels))
        reach = step * (count - 1) + 1
        for tap in range(size):
            first = tap * apart
            total[:, first : first + reach : step] += seen[:, :, tap]
        return total[:, beyond : beyond + ctx.frames], None


class MaskedConv(nn.Conv1d):
    """A convolution over (B, T, C) that sees zeros wherever the mask is zero."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = x if mask is None else x * mask
        if self.kernel_size[0] > 1:
            x = apply_taps(x, self)
        weight = self.weight.transpose(1, 2).to(
            x.dtype, memory_format=torch.contiguous_format
        )
        bias = None if self.bias is None else self.bias.to(x.dtype)
        return nn.functional.linear(x, weight.flatten(1), bias)


def apply_taps(x: Tensor, conv: nn.Conv1d) -> Tensor:
    """Typed `Taps.apply`."""
    out: Tensor = Taps.apply(x, conv)  # type: ignore[no-untyped-call]
    return out


def _shape(conv: nn.Conv1d) -> tuple[int, int, int, int]:
    """Taps, frames from output to output, from tap to tap, and beyond each end."""
    return (
        conv.kernel_size[0],
        conv.stride[0],
        conv.dilation[0],
        int(conv.padding[0]),
    )


class ChannelNorm(nn.LayerNorm):
    """Layer norm in the precision of its input; the sums have all digits anyway."""

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight.to(x.dtype), self.bias.to(x.dtype)
        return nn.functional.layer_norm(
            x, self.normalized_shape, weight, bias, self.eps
        )


class ResidualBlock(nn.Module):
    """Norm, activation, dilated convolution; norm, activation, pointwise; add."""

    def __init__(self, spec: NetSpec, dilation: int) -> None:
        super().__init__()
        width = spec.width
        self.norm1 = ChannelNorm(width)
        self.conv1 = MaskedConv(width, width, 3, padding=dilation, dilation=dilation)
        self.norm2 = ChannelNorm(width)
        self.conv2 = MaskedConv(width, width, 1)
        # A block begins as the identity: a deep network learns from the first step.
        nn.init.zeros_(self.conv2.weight)
        self.activation = _ACTIVATIONS[spec.activation]()

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        h = self.conv1(self.activation(self.norm1(x)), mask)
        out: Tensor = x + self.conv2(self.activation(self.norm2(h)))
        return out


class ResidualStack(nn.Module):
    """Blocks with dilations from large to small."""

    def __init__(self, spec: NetSpec, depth: int) -> None:
        super().__init__()
        growth = spec.dilation_growth
        self.model = nn.ModuleList(
            ResidualBlock(spec, growth**i) for i in reversed(range(depth))
        )

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        for block in self.model:
            x = block(x, mask)
        return x


class Upsample(nn.Module):
    """Twice as many frames, (B, T, C) to (B, 2T, C)."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        if self.mode == "nearest":
            return x.repeat_interleave(2, dim=1)
        # Beyond the ends lies zero, as for the convolutions.
        x = nn.functional.pad(x if mask is None else x * mask, (0, 0, 1, 1))
        middle, before, after = x[:, 1:-1], x[:, :-2], x[:, 2:]
        pair = (middle.lerp(before, 0.25), middle.lerp(after, 0.25))
        return torch.stack(pair, dim=2).flatten(1, 2)


class Encoder(nn.Module):
    """Features (B, T, F) to vectors (B, T / downsampling, width)."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        width = spec.width
        stages = (
            nn.ModuleList(
                (
                    MaskedConv(width, width, 4, stride=2, padding=1),
                    ResidualStack(spec, spec.encoder_depth),
                )
            )
            for _ in range(spec.stages)
        )
        self.model = nn.ModuleList(
            (
                MaskedConv(spec.num_features, width, 3, padding=1),
                _ACTIVATIONS[spec.activation](),
                *stages,
                MaskedConv(width, width, 3, padding=1),
            )
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        first, activation, *stages, last = self.model
        x = activation(first(x, mask))
        for down, stack in map(_parts, stages):
            x = down(x, mask)
            mask = None if mask is None else mask[:, ::2]
            x = stack(x, mask)
        out: Tensor = last(x, mask)
        return out


class Decoder(nn.Module):
    """Vectors (B, L, width) to features (B, L * downsampling, F)."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        width = spec.width
        stages = (
            nn.ModuleList(
                (
                    ResidualStack(spec, spec.decoder_depth),
                    Upsample(spec.upsampling),
                    MaskedConv(width, width, 3, padding=1),
                )
            )
            for _ in range(spec.stages)
        )
        self.model = nn.ModuleList(
            (
                MaskedConv(width, width, 3, padding=1),
                _ACTIVATIONS[spec.activation](),
                *stages,
                MaskedConv(width, width, 3, padding=1),
                _ACTIVATIONS[spec.activation](),
                MaskedConv(width, spec.num_features, 3, padding=1),
            )
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        first, activation, *stages, middle, _, last = self.model
        x = activation(first(x, mask))
        for stack, up, conv in map(_parts, stages):
            x = up(stack(x, mask), mask)
            mask = None if mask is None else mask.repeat_interleave(2, dim=1)
            x = conv(x, mask)
        x = activation(middle(x, mask))
        # Velocities are differences of what comes out: it wants all digits.
        out: Tensor = last(x.to(next(last.parameters()).dtype), mask)
        return out


class TokenizerNet(nn.Module):
    """Features in their own units to codes and back; the scales are part of it."""

    feature_mean: Tensor
    feature_std: Tensor

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        self.spec = spec
        self.register_buffer("feature_mean", torch.zeros(spec.num_features))
        self.register_buffer("feature_std", torch.ones(spec.num_features))
        self.encoder = Encoder(spec)
        self.quantizer = FSQ(spec.width, spec.levels)
        self.decoder = Decoder(spec)

    def forward(
        self,
        features: Tensor,
        *,
        precision: torch.dtype | None = None,
        codes_stay: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """Features (B, T, F) as decoded, and the numbers behind its codes (B, L, D).

        Convolutions run in `precision`, if given. With `codes_stay` the gradient ends
        at the codes, and these are found with all digits, as they will be in use.
        """
        learning = torch.is_grad_enabled() and not codes_stay
        with torch.set_grad_enabled(learning):
            latent = self._latent(features, None, None if codes_stay else precision)
        # Rounding wants all digits, whatever precision the convolutions run in.
        quantized, free = self.quantizer(latent.to(features.dtype))
        return self._features(quantized.to(precision or quantized.dtype), None), free

    def encode(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        """Codes (B, L) of features (B, T, F); T is a multiple of the downsampling."""
        codes: Tensor = self.quantizer.codes(self._latent(features, mask))
        return codes

    def decode(self, codes: Tensor, mask: Tensor | None = None) -> Tensor:
        """Features (B, T, F) of codes (B, L)."""
        return self._features(self.quantizer.vectors(codes), mask)

    def spread_codes(self, features: Tensor) -> None:
        """Make untrained weights use many codes on features (B, T, F)."""
        with torch.no_grad():
            self.quantizer.spread(self._latent(features, None).flatten(0, 1))

    def _latent(
        self,
        features: Tensor,
        mask: Tensor | None,
        precision: torch.dtype | None = None,
    ) -> Tensor:
        scaled = (features - self.feature_mean) / self.feature_std
        out: Tensor = self.encoder(scaled.to(precision or scaled.dtype), mask)
        return out

    def _features(self, vectors: Tensor, mask: Tensor | None) -> Tensor:
        out: Tensor = self.decoder(vectors, mask)
        return out * self.feature_std + self.feature_mean


def _parts(stage: nn.Module) -> Iterable[nn.Module]:
    if not isinstance(stage, nn.ModuleList):
        raise TypeError(f"a stage is a list of modules, not {type(stage).__name__}")
    return stage
