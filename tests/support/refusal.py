"""A rule that refuses whose answers can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from texedo.pipeline.refusal.known import Known
from texedo.pipeline.refusal.refuser import Fitted, Refuser, Weighing

PHRASES = ("a person waves", "a person walks", "a person strolls about")
SEMANTICS = "the verifier of the fit"


def fitted(bound: float = 0.0) -> Fitted:
    """Three groups in the plane: up, right, and nearly right.

    With R_text the odds are 2 - 2 near - fits, without it 1 - 2 near.
    """
    groups = np.array([[0, 1], [1, 0], [1, 0.1]], dtype=np.float32)
    return Fitted(
        known=Known(groups, PHRASES),
        with_r_text=Weighing((-2.0, 0.0, 0.0, -1.0), 2.0, bound),
        without=Weighing((-2.0, 0.0, 0.0), 1.0, bound),
        text_encoder="an encoder",
        semantics=SEMANTICS,
        figures={},
    )


class PlaneRefuser(Refuser):
    """Sentences lie in the plane where a function puts them."""

    def __init__(
        self,
        place: Callable[[str], Sequence[float]],
        *,
        semantics: str | None = SEMANTICS,
    ) -> None:
        super().__init__(fitted(), semantics=semantics)
        self._place = place

    def vector(self, text: str) -> NDArray[np.float32]:
        return np.array(self._place(text), dtype=np.float32)
