"""Dynamic verifiers on disk: `config.json` and `weights.safetensors`.

The config has the network's sizes, the lines that make its numbers probabilities, the
normalisers of q_d, the tracker that performed what it learnt from, and the threshold with
what it is of. Matrices are int8 with one scale per row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from texedo.checkpoints.artifact import (
    CONFIG_NAME,
    read_artifact,
    read_config,
    write_artifact,
)
from texedo.checkpoints.sizes import WRONG_CONFIG, read_settings
from texedo.checkpoints.small_weights import Arrays, fill, no_weights, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.core.files import write_whole
from texedo.core.regular import read_json
from texedo.quality import Normalizers
from texedo.see.dynamics.calibration import Line
from texedo.see.dynamics.hazard.forecast import FORECAST_VERSION
from texedo.see.dynamics.hazard.model import HazardModel
from texedo.see.dynamics.hazard.net import HazardCfg, HazardNet
from texedo.see.dynamics.paper.model import PaperModel
from texedo.see.dynamics.paper.net import PaperCfg, PaperNet
from texedo.see.dynamics.protocol import FILTER_NAMES, PAPER_THRESHOLD, Filter
from texedo.see.dynamics.verifier import Seal, TrainedVerifier

KIND = "dynamics"
PAPER_KIND = "dynamics-paper"
DynamicsNet = HazardNet | PaperNet
_MIN_SIZE = 1 << 12
_EXACT = ("feature_mean", "feature_std")
_SCORED_BY = ("sha256", "kind", "model", "calibration")
"""What the scores depend on."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What is stored beside the weights."""

    tracker: str = ""
    """Digest of the tracker that performed what it learnt from."""
    normalizers: Normalizers
    """What its q_d is measured by."""
    success: Line = Line()
    robust: Line = Line()
    decision: Line = Line()
    """What R_dyn takes for success, see `calibration.decided`."""
    threshold: float = PAPER_THRESHOLD
    filters_by: Filter = "r_dyn"
    """What the threshold is of."""
    metadata: dict[str, Any] = field(default_factory=dict)


def save_dynamics(folder: Path | str, net: DynamicsNet, about: About) -> Path:
    """Write a network with what belongs to it."""
    lines = {"success": about.success._asdict()}
    if isinstance(net, HazardNet):
        lines["robust"] = about.robust._asdict()
        lines["decision"] = about.decision._asdict()
    config = {
        "model": asdict(net.cfg),
        "calibration": lines,
        "normalizers": asdict(about.normalizers),
        "tracker": about.tracker,
        "threshold": about.threshold,
        "filters_by": about.filters_by,
        "metadata": about.metadata,
    }
    kind = KIND if isinstance(net, HazardNet) else PAPER_KIND
    return write_artifact(folder, kind=kind, config=config, tensors=packed(net))


def packed(net: nn.Module) -> Arrays:
    """Its tensors as they are stored."""
    tensors = pack_tensors(net, _is_large)
    for name in _EXACT:  # Small numbers that others are divided by.
        tensors[name] = getattr(net, name).detach().float().cpu().numpy()
    return tensors


def load_hazard(folder: Path | str) -> TrainedVerifier:
    """The default variant, ready to foresee; raises `CheckpointError`."""
    return _load(Path(folder), KIND)


def load_paper(folder: Path | str) -> TrainedVerifier:
    """The paper's, ready to foresee; raises `CheckpointError`."""
    return _load(Path(folder), PAPER_KIND)


def _load(folder: Path, kind: str) -> TrainedVerifier:
    config, tensors = read_artifact(folder, kind=kind)
    try:
        lines = {name: Line(**row) for name, row in config["calibration"].items()}
        seal = Seal(
            name=folder.resolve().name,
            digest=_digest(config),
            tracker=str(config["tracker"]),
            threshold=float(config["threshold"]),
            filters_by=_filter(config),
            # Older ones rank by the probability itself.
            decision=lines.get("decision", Line()),
            metadata=dict(config.get("metadata", {})),
        )
        with no_weights():
            net = _network(kind, config["model"], folder)
        success, robust = lines["success"], lines.get("robust", Line())
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    fill(net, tensors, folder)
    if isinstance(net, HazardNet):
        return TrainedVerifier(HazardModel(net, success, robust), seal)
    return TrainedVerifier(PaperModel(net, success), seal)


def stored_normalizers(folder: Path | str) -> Normalizers:
    """What the q_d of a verifier in a folder is measured by."""
    path = Path(folder) / CONFIG_NAME
    try:
        return Normalizers(**read_json(path)["normalizers"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: has no normalisers: {error}.") from error


def store_threshold(
    folder: Path | str, threshold: float, guarantee: Mapping[str, Any] | None = None
) -> None:
    """Put another threshold into a verifier's config, and what it guarantees."""
    path = Path(folder) / CONFIG_NAME
    try:
        kind = read_json(path)["kind"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: is no config of weights.") from error
    config = read_config(folder, kind=kind)
    config["threshold"] = threshold
    config["metadata"] = {**config.get("metadata", {}), "guarantee": guarantee}
    text = json.dumps(config, indent=2, allow_nan=False) + "\n"
    write_whole(path, text.encode())


def _network(kind: str, sizes: Mapping[str, Any], folder: Path) -> DynamicsNet:
    if kind == KIND:
        return HazardNet(read_settings(HazardCfg, sizes, folder))
    return PaperNet(read_settings(PaperCfg, sizes, folder))


def _filter(config: Mapping[str, Any]) -> Filter:
    """What the threshold is of; older ones do not say that it is of R_dyn."""
    said = config.get("filters_by", "r_dyn")
    for name in FILTER_NAMES:
        if said == name:
            return name
    raise ValueError(f"filters_by is {said!r}, not one of {', '.join(FILTER_NAMES)}")


def _digest(config: Mapping[str, Any]) -> str:
    content = {name: config[name] for name in _SCORED_BY}
    if config["kind"] == KIND:
        content["forecast"] = FORECAST_VERSION
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _is_large(name: str, tensor: Tensor) -> bool:
    return tensor.ndim == 2 and tensor.numel() >= _MIN_SIZE
