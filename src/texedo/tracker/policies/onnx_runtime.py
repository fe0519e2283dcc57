"""ONNX files as things that can be run: names, shapes, metadata, one row at a time.

Graphs of controllers have a batch of one baked in. That also keeps the promise of
roll-outs: a row alone gives the same bits whatever else is performed beside it.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.core.regular import check_regular
from texedo.core.visible import visible

Float32 = NDArray[np.float32]

MAX_BYTES = 2 << 30
"""The largest file that the format knows."""
_PIECE = 1 << 20


def need(package: str) -> None:
    """Raise `PolicyError` with the command that installs what is missing."""
    if importlib.util.find_spec(package) is None:
        raise PolicyError(f"ONNX policies need {package}: pip install 'texedo[onnx]'.")


@dataclass(frozen=True, kw_only=True, eq=False)
class Graph:
    """An ONNX graph that is ready to run; threads may share it."""

    path: Path
    digest: str
    """sha256 of the file, and of the weights beside it."""
    inputs: Mapping[str, tuple[int | None, ...]]
    """Shapes by name; None is a size that the graph leaves open."""
    outputs: Mapping[str, tuple[int | None, ...]]
    metadata: Mapping[str, str]
    session: Any

    def run(self, wanted: Sequence[str], **feeds: NDArray[Any]) -> list[NDArray[Any]]:
        """The outputs of those names."""
        try:
            answer: list[NDArray[Any]] = self.session.run(list(wanted), feeds)
        except Exception as error:  # onnxruntime's errors share no other base.
            raise PolicyError(f"{self.path}: {_first_line(error)}") from error
        return answer


def open_graph(path: Path | str) -> Graph:
    """Load a graph for one thread of one CPU core; `PolicyError` if it cannot be."""
    path = Path(path)
    need("onnxruntime")
    # Here and not above: who has no ONNX file does without it.
    import onnxruntime

    if not path.exists():
        raise PolicyError(f"{path}: no such file; name the .onnx file of a policy.")
    digest = _digest(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        # By path and not by content: weights may lie in a second file beside it.
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise PolicyError(
            f"{path}: not an ONNX file that onnxruntime can read "
            f"({_first_line(error)}); export the policy again."
        ) from error
    try:
        return Graph(
            path=path,
            digest=digest,
            inputs=_shapes(session.get_inputs()),
            outputs=_shapes(session.get_outputs()),
            metadata=dict(session.get_modelmeta().custom_metadata_map),
            session=session,
        )
    except (UnicodeDecodeError, RuntimeError) as error:
        raise PolicyError(
            f"{path}: its names or metadata are no UTF-8 text ({_first_line(error)}); "
            "export the policy again."
        ) from error


def _digest(path: Path) -> str:
    """Hash of the graph and of the weights beside it."""
    digest = hashlib.sha256()
    # Where some exporters put what does not fit in the graph.
    weights = path.with_name(f"{path.name}.data")
    try:
        for file in (path, weights) if weights.exists() else (path,):
            check_regular(file, limit=MAX_BYTES)
            with file.open("rb") as stream:
                while piece := stream.read(_PIECE):
                    digest.update(piece)
    except OSError as error:
        raise PolicyError(
            f"{error.filename or path}: {error.strerror}; name the .onnx file of a "
            "policy."
        ) from error
    return digest.hexdigest()


def need_names(graph: Graph, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Raise `PolicyError` unless the graph has all of these."""
    for kind, wanted, there in (
        ("input", inputs, graph.inputs),
        ("output", outputs, graph.outputs),
    ):
        for name in wanted:
            if name not in there:
                raise PolicyError(
                    f"{graph.path}: not a tracking policy, it has no {kind} {name!r} "
                    f"(it has {', '.join(there) or 'none'}); give the graph that the "
                    "tracker's exporter wrote."
                )


def need_width(graph: Graph, name: str, width: int, *, because: str) -> None:
    """Raise `PolicyError` unless that input or output has rows of `width` numbers."""
    shape = {**graph.outputs, **graph.inputs}[name]
    if not shape or shape[-1] not in (None, width):
        raise PolicyError(
            f"{graph.path}: {name!r} has shape {shape}, but {because} {width} numbers; "
            "the graph and its description do not belong together."
        )


def _shapes(values: Sequence[Any]) -> dict[str, tuple[int | None, ...]]:
    return {
        value.name: tuple(n if isinstance(n, int) else None for n in value.shape)
        for value in values
    }


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return visible(text.splitlines()[0])[:200] if text else type(error).__name__
