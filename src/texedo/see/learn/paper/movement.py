"""The other half of the movement autoencoder, which only training needs, and its loss."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import l1_loss, leaky_relu

from texedo.see.semantics.paper.features import NUM_FEATURES
from texedo.see.semantics.paper.model import MovementEncoder, PaperNetCfg


class MovementDecoder(nn.Module):
    """Movement codes (B, T / 4, latent) to normalised frames (B, T, 36)."""

    def __init__(self, cfg: PaperNetCfg) -> None:
        super().__init__()
        self.up1 = nn.ConvTranspose1d(cfg.latent, cfg.latent, 4, 2, 1)
        self.up2 = nn.ConvTranspose1d(cfg.latent, NUM_FEATURES, 4, 2, 1)
        self.out = nn.Linear(NUM_FEATURES, NUM_FEATURES)

    def forward(self, codes: Tensor) -> Tensor:
        x = leaky_relu(self.up1(codes.transpose(1, 2)), 0.2)
        x = leaky_relu(self.up2(x), 0.2)
        frames: Tensor = self.out(x.transpose(1, 2))
        return frames


def movement_loss(
    encoder: MovementEncoder,
    decoder: MovementDecoder,
    frames: Tensor,
    *,
    sparsity: float,
    smoothness: float,
) -> tuple[Tensor, Tensor]:
    """What is minimised, and the mean error [standard deviations] within it.

    `frames` (B, T, 36) are normalised. As in T2M, codes are kept small and slow.
    """
    lengths = frames.new_full((len(frames),), frames.shape[1]).long()
    codes = encoder(frames, lengths)
    error = l1_loss(decoder(codes), frames)
    size = codes.abs().mean()
    change = (codes[:, 1:] - codes[:, :-1]).abs().mean()
    return error + sparsity * size + smoothness * change, error
