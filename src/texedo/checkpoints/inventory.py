"""What is installed: every model with its card, licence, size, hash and quality.

All of it is read from what lies beside the weights: `README.md`, the card, and
`config.json`, which has the hash and what was measured when it was made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from texedo.checkpoints.artifact import CONFIG_NAME, WEIGHTS_NAME
from texedo.checkpoints.bundled import BUNDLED, PARTS
from texedo.core.errors import CheckpointError
from texedo.core.files import file_sha256

CARD_NAME = "README.md"


class _Figure(NamedTuple):
    label: str
    path: tuple[str, ...]
    """Where the number is in `config.json`."""


_FIGURES: Mapping[str, tuple[_Figure, ...]] = MappingProxyType(
    {
        "texedo-tracker": (
            _Figure("success", ("metadata", "evaluation", "success")),
            _Figure("perturbed", ("metadata", "evaluation", "perturbed_success")),
            _Figure("E_mpjpe mm", ("metadata", "evaluation", "e_mpjpe")),
        ),
        "tokenizer": (
            _Figure("test error mm", ("metadata", "report", "test", "mpjpe_mm")),
        ),
        "motion-language-model": (_Figure("loss per token", ("metadata", "best_nll")),),
        "semantics": (
            _Figure("R@1", ("metadata", "val", "R@1")),
            _Figure("R@3", ("metadata", "val", "R@3")),
        ),
        "semantics-paper": (
            _Figure("R@1", ("metadata", "val", "all", "text_r1")),
            _Figure("R@3", ("metadata", "val", "all", "text_r3")),
        ),
        "dynamics": (
            _Figure("AUROC", ("metadata", "val", "AUROC")),
            _Figure("ECE", ("metadata", "val", "ECE")),
            _Figure("threshold", ("threshold",)),
        ),
    }
)
"""By kind: what of its config says how good it is."""
_SAME_FIGURES = {"dynamics-paper": "dynamics"}


@dataclass(frozen=True, kw_only=True)
class Model:
    """One set of weights."""

    name: str
    kind: str
    folder: Path
    card: str
    """The text about it; empty if there is none."""
    licence: str
    """As its card says it; empty if it does not."""
    size: int
    """Bytes of all its files."""
    sha256: str
    """Of the weights, as sealed."""
    intact: bool
    """Whether the weights have that hash."""
    quality: dict[str, float]
    """What was measured when it was made, by name."""

    @property
    def about(self) -> str:
        """The first sentence of the card."""
        text = " ".join(_body(self.card).split())
        return re.split(r"(?<=[.!?]) ", text, maxsplit=1)[0]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "folder": str(self.folder),
            "licence": self.licence,
            "bytes": self.size,
            "sha256": self.sha256,
            "intact": self.intact,
            "quality": self.quality,
            "card": self.card,
        }


def bundled_models(root: Path = BUNDLED) -> list[Model]:
    """All weights that came with the package, parts of parts after them."""
    found = sorted(root.rglob(CONFIG_NAME), key=lambda path: _place(path, root))
    return [_model(path.parent, root) for path in found]


def missing_parts(root: Path = BUNDLED) -> list[str]:
    """What a complete installation has and this one has not."""
    return [part for part in PARTS if not (root / part / CONFIG_NAME).is_file()]


def _place(path: Path, root: Path) -> tuple[int, str]:
    name = path.parent.relative_to(root).as_posix()
    first = name.split("/")[0]
    return (PARTS.index(first) if first in PARTS else len(PARTS)), name


def _model(folder: Path, root: Path) -> Model:
    path = folder / CONFIG_NAME
    try:
        config = json.loads(path.read_bytes())
        kind, sealed = str(config["kind"]), str(config["sha256"])
        digest = file_sha256(folder / WEIGHTS_NAME)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(
            f"{folder}: holds no whole model ({error}); install the package again."
        ) from error
    card = _card(folder, root)
    return Model(
        name=folder.relative_to(root).as_posix(),
        kind=kind,
        folder=folder,
        card=card,
        licence=_licence(card),
        size=sum(p.stat().st_size for p in folder.iterdir() if p.is_file()),
        sha256=sealed,
        intact=digest == sealed,
        quality=_quality(kind, config),
    )


def _card(folder: Path, root: Path) -> str:
    """Its own card, or that of the model that it is a part of."""
    for place in (folder, *folder.parents):
        if (place / CARD_NAME).is_file():
            return (place / CARD_NAME).read_text(encoding="utf-8")
        if place == root:
            break
    return ""


def _licence(card: str) -> str:
    found = re.search(r"^(?:- )?Licence:(.*(?:\n  .*)*)", card, flags=re.MULTILINE)
    return " ".join(found[1].split()).rstrip(".") if found else ""


def _body(card: str) -> str:
    """The paragraph under the heading."""
    parts = [part for part in card.split("\n\n") if not part.startswith("#")]
    return parts[0] if parts else ""


def _quality(kind: str, config: Mapping[str, Any]) -> dict[str, float]:
    out = {}
    for figure in _FIGURES.get(_SAME_FIGURES.get(kind, kind), ()):
        value: Any = config
        for key in figure.path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, int | float):
            out[figure.label] = float(value)
    return out
