"""ONNX graphs written down node by node, and the actor as such a graph.

Loads onnx and torch; imported only for an export.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from texedo.tracker.policies.actor import EPSILON, Actor, Normalizer

OPSET = 17
IR_VERSION = 8
"""The one of opset 17: newer ones keep runtimes of a few years ago from loading."""


class GraphBuilder:
    """Collects nodes; every method gives the name of what it made."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def input(self, name: str, shape: Sequence[int | str]) -> str:
        info = helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))
        self._inputs.append(info)
        return name

    def output(self, name: str, source: str, shape: Sequence[int | str]) -> None:
        self._nodes.append(helper.make_node("Identity", [source], [name]))
        info = helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))
        self._outputs.append(info)

    def constant(self, value: Any) -> str:
        """Integers become int64 and everything else float32."""
        array = np.asarray(value)
        whole = np.issubdtype(array.dtype, np.integer)
        array = np.ascontiguousarray(array, dtype=np.int64 if whole else np.float32)
        name = f"constant_{len(self._constants)}"
        # `ascontiguousarray` gives a scalar a dimension.
        shaped = array.reshape(np.shape(value))
        self._constants.append(numpy_helper.from_array(shaped, name))
        return name

    def node(self, op: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        """One output's name; of several, the common beginning of their names."""
        name = f"{op.lower()}_{len(self._nodes)}"
        names = [name] if outputs == 1 else [f"{name}_{i}" for i in range(outputs)]
        self._nodes.append(helper.make_node(op, list(inputs), names, **attributes))
        return name

    def reshape(self, value: str, *shape: int) -> str:
        return self.node("Reshape", value, self.constant(shape))

    def gather(self, table: NDArray[Any], index: str) -> str:
        """Rows of a constant table."""
        return self.node("Gather", self.constant(table), index, axis=0)

    def pick(self, value: str, index: Sequence[int], *, axis: int) -> str:
        return self.node("Gather", value, self.constant(list(index)), axis=axis)

    def save(self, path: Path | str, metadata: Mapping[str, str]) -> Path:
        """Check the graph and write it."""
        graph = helper.make_graph(
            self._nodes, "texedo", self._inputs, self._outputs, self._constants
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="texedo",
        )
        helper.set_model_props(model, dict(metadata))
        onnx.checker.check_model(model, full_check=True)
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(model, path)
        return path


def add_actor(builder: GraphBuilder, actor: Actor, observation: str) -> str:
    """Normaliser, layers and limit of the actor: (n, actor_obs_size) -> (n, 29)."""
    value = _add_normalizer(builder, actor.normalizer, observation)
    for layer in actor.network:
        if isinstance(layer, nn.Linear):
            weight, bias = (builder.constant(_array(t)) for t in layer.parameters())
            value = builder.node("Gemm", value, weight, bias, transB=1)
        else:
            value = builder.node("Elu", value, alpha=1.0)
    return _clip(builder, value, actor.spec.action_limit)


def _add_normalizer(builder: GraphBuilder, normalizer: Normalizer, value: str) -> str:
    scale = builder.constant(_array(torch.rsqrt(normalizer.var + EPSILON)))
    mean = builder.constant(_array(normalizer.mean))
    value = builder.node("Mul", builder.node("Sub", value, mean), scale)
    return _clip(builder, value, normalizer.limit)


def _clip(builder: GraphBuilder, value: str, limit: float) -> str:
    low, high = builder.constant(-float(limit)), builder.constant(float(limit))
    return builder.node("Clip", value, low, high)


def _array(tensor: Tensor) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().numpy(), dtype=np.float32)
