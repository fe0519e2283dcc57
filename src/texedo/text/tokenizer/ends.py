"""Both ends of a decoded clip without the trace of the decoder's padding.

Beyond the ends of a clip every layer of the decoder sees zeros. The layers that work at
the frame rate are the last ones, and nothing after them smooths what the zeros do: the
first and the last `REACH` frames jump by several times the step of their neighbours. To
decode more codes than there are, and to cut off the surplus, makes the ends smooth but the
poses worse: it is also by these zeros that the decoder knows where a clip begins. So the
frames within reach of the padding are left out, and the frames next to them are played
slower to fill their place:

    source(t) = REACH + PACE t + (1 - PACE) t^2 / (2 SPAN),   0 <= t <= SPAN

which meets its neighbours at their own pace. Speeds go with the pace, so feet that stand
stay where they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texedo.learning.features import VELOCITY

REACH = 5
"""Frames at each end that are left out."""
PACE = 0.5
"""How fast the very ends are played, as a share of the pace inside."""
SPAN = round(2 * REACH / (1 - PACE))
"""Frames at each end that are played slower: as many as make up for those left out."""

Float32 = NDArray[np.float32]


def without_padding_trace(features: Float32) -> Float32:
    """Features (T, 37) of as many frames; all but `SPAN` at each end are untouched."""
    # A shorter clip leaves out fewer frames, and the two spans still do not meet.
    reach = min(REACH, len(features) * REACH // (2 * SPAN))
    if reach < 1:
        return features
    out = features.copy()
    for ordered in (out, out[::-1]):
        _stretch(ordered, reach)
    return out


def _stretch(features: Float32, reach: int) -> None:
    """Play the first frames slower, in place, from frame `reach` on."""
    span = SPAN * reach // REACH
    t = np.arange(span)
    source = reach + PACE * t + (1 - PACE) * t**2 / (2 * span)
    before = source.astype(np.int64)
    share = (source - before)[:, None]
    frames = features[before] * (1 - share) + features[before + 1] * share
    frames[:, VELOCITY] *= (PACE + (1 - PACE) * t / span)[:, None]
    features[:span] = frames
