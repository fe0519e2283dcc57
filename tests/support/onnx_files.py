"""Small ONNX files with the inputs, outputs and metadata of other people's trackers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper, save

from texedo.robot import g1

TERMS = (
    "command",
    "motion_anchor_pos_b",
    "motion_anchor_ori_b",
    "base_lin_vel",
    "base_ang_vel",
    "joint_pos",
    "joint_vel",
    "actions",
)
NO_ESTIMATION = tuple(t for t in TERMS if t not in TERMS[1:4:2])


def rounded(values: Sequence[float] | NDArray[np.float64]) -> str:
    return ",".join(f"{value:.3f}" for value in values)


def metadata(
    names: tuple[str, ...] = g1.ISAACLAB_JOINT_NAMES,
    *,
    terms: tuple[str, ...] = TERMS,
    **changes: str,
) -> dict[str, str]:
    """What the exporters write for our robot, three decimals and all."""
    order = [g1.JOINT_INDEX[name] for name in names if name in g1.JOINT_INDEX]
    rows = {
        "run_path": "somebody/something",
        "joint_names": ",".join(names),
        "joint_stiffness": rounded(g1.STIFFNESS[order]),
        "joint_damping": rounded(g1.DAMPING[order]),
        "default_joint_pos": rounded(g1.KNEES_BENT[order]),
        "action_scale": rounded(g1.ACTION_SCALE[order]),
        "command_names": "motion",
        "observation_names": ",".join(terms),
        "observation_history_lengths": ",".join("1" for _ in terms),
        "anchor_body_name": "torso_link",
        "body_names": ",".join(g1.TRACKED_BODIES),
    }
    return rows | changes


def linear(
    path: Path,
    *,
    size: int,
    bias: NDArray[np.float64],
    names: tuple[str, str] = ("obs", "actions"),
    weight: NDArray[np.float64] | None = None,
    props: Mapping[str, str] | None = None,
    tables: Mapping[str, NDArray[np.float64]] | None = None,
) -> Path:
    """actions = weight obs + bias; `tables` are the clip that `time_step` looks up."""
    weight = np.zeros((len(bias), size)) if weight is None else weight
    constants = {
        "w": weight.T,
        "b": bias,
        **{f"t_{k}": v for k, v in (tables or {}).items()},
    }
    nodes = [helper.make_node("Gemm", [names[0], "w", "b"], [names[1]])]
    inputs = [helper.make_tensor_value_info(names[0], TensorProto.FLOAT, [1, size])]
    outputs = [
        helper.make_tensor_value_info(names[1], TensorProto.FLOAT, [1, len(bias)])
    ]
    initial = [
        numpy_helper.from_array(np.asarray(v, dtype=np.float32), k)
        for k, v in constants.items()
    ]
    if tables:
        last = len(next(iter(tables.values()))) - 1
        initial.append(numpy_helper.from_array(np.array(last, dtype=np.float32), "end"))
        initial.append(numpy_helper.from_array(np.array([1]), "one"))
        inputs.append(
            helper.make_tensor_value_info("time_step", TensorProto.FLOAT, [1, 1])
        )
        nodes += [
            helper.make_node("Min", ["time_step", "end"], ["clamped"]),
            helper.make_node("Cast", ["clamped"], ["whole"], to=TensorProto.INT64),
            helper.make_node("Reshape", ["whole", "one"], ["frame"]),
        ]
        for key, table in tables.items():
            nodes.append(helper.make_node("Gather", [f"t_{key}", "frame"], [key]))
            shape = [1, *table.shape[1:]]
            outputs.append(helper.make_tensor_value_info(key, TensorProto.FLOAT, shape))
    graph = helper.make_graph(nodes, "tracker", inputs, outputs, initial)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    helper.set_model_props(model, dict(props or {}))
    save(model, path)
    return path
