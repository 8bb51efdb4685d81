"""OpenVINO models that the tests write to disk, and what OpenVINO makes of them."""

import dataclasses

import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset4, opset5, opset6, opset7, opset8, opset12, opset15, opset16

DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 2
AXIS_1 = np.array(1, np.int64)


@dataclasses.dataclass
class Row:
    """One operator version: how to build its node, and inputs for it."""

    build: callable
    inputs: list
    opset: str
    attributes: dict = dataclasses.field(default_factory=dict)


ROWS = {
    "Gather-1": Row(opset1.gather, [DATA, np.array([[2, 0], [1, 1]]), AXIS_1], "opset1"),
    "Gather-7": Row(
        opset7.gather,
        [DATA, np.array([[2, 0], [1, 1]]), AXIS_1],
        "opset7",
        {"batch_dims": 1},
    ),
    "Gather-8": Row(
        opset8.gather,
        [DATA, np.array([[2, -1, 9], [1, 1, -4]], np.int32), np.array([-2], np.int32)],
        "opset8",
        {"batch_dims": -1},
    ),
    "GatherElements-6": Row(
        opset6.gather_elements,
        [DATA, np.tile(np.array([2, 0, 1, -1, 1]), (2, 3, 1))],
        "opset6",
        {"axis": 2},
    ),
    "GatherND-5": Row(
        opset5.gather_nd, [DATA, np.array([[[1], [0]], [[2], [2]]])], "opset5", {"batch_dims": 1}
    ),
    "GatherND-8": Row(
        opset8.gather_nd,
        [DATA, np.tile(np.array([[1], [3]]), (2, 3, 1, 1))],
        "opset8",
        {"batch_dims": 2},
    ),
    "ScatterUpdate-3": Row(
        opset3.scatter_update,
        [DATA, np.array([2, 0]), -DATA[:, :2], AXIS_1],
        "opset3",
    ),
    "ScatterElementsUpdate-3": Row(
        opset3.scatter_elements_update,
        [DATA, np.array([[[1, 0, 2, 2]]]), np.array([[[9, 8, 7, 6]]], np.float32), AXIS_1],
        "opset3",
    ),
    "ScatterElementsUpdate-12": Row(
        opset12.scatter_elements_update,
        [DATA, np.array([[[1, 0, 2, -1]]]), np.array([[[9, 8, 7, 6]]], np.float32), AXIS_1],
        "opset12",
        {"reduction": "mean", "use_init_val": False},
    ),
    "ScatterNDUpdate-3": Row(
        opset4.scatter_nd_update,
        [DATA, np.array([[1, 0], [0, 2]]), -DATA[0, :2]],
        "opset4",
    ),
    "ScatterNDUpdate-15": Row(
        opset15.scatter_nd_update,
        [DATA, np.array([[1, 0], [1, -3]]), -DATA[0, :2]],
        "opset15",
        {"reduction": "sub"},
    ),
    "OneHot-1": Row(
        opset1.one_hot,
        [np.array([[2, 0], [7, -1]]), np.array(3), np.array(1, np.float32), np.array(-1, np.float32)],
        "opset1",
        {"axis": 1},
    ),
    "OneHot-16": Row(
        opset16.one_hot,
        [np.array([2, -3, -4], np.int32), np.array(3, np.int32), np.array(5), np.array(7)],
        "opset16",
        {"axis": 0, "negative_indices_mode": "normalize"},
    ),
    "SegmentMax-16": Row(
        opset16.segment_max,
        [DATA, np.array([1, 1], np.int32), np.array(3)],
        "opset16",
        {"fill_mode": "LOWEST"},
    ),
    "SliceScatter-15": Row(
        opset15.slice_scatter,
        [DATA, -DATA[:, :2, 1:3], np.array([0, -2], np.int32), np.array([3, 0], np.int32), np.array([2, -1], np.int32),
         np.array([1, -1], np.int32)],
        "opset15",
    ),
}


def parameter(name, array, shape=None):
    dims = list(array.shape) if shape is None else shape
    return opset8.parameter(ov.PartialShape(dims), ov.Type(array.dtype), name=name)


def save(path, results, parameters, **kwargs):
    """Writes a model as users do; returns its path."""
    ov.save_model(ov.Model(results, parameters, "model"), path, **kwargs)
    return path


def constants_of(version, chosen):
    """OpenVINO's CPU plugin leaves data unchanged, or ends with a signal, where it learns the vectors of a slice in the
    run."""
    return (*chosen, 2, 3, 4, 5) if version.startswith("SliceScatter") else chosen


def single(path, version, constants=(), dynamic=False):
    """y = the operator of inputs x0, x1, ..., the node called 'node'; those of `constants` are constants."""
    row = ROWS[version]
    constants = constants_of(version, constants)
    nodes = []
    for i, array in enumerate(row.inputs):
        if i in constants:
            nodes.append(opset8.constant(array, name=f"x{i}"))
        else:
            shape = [-1] * array.ndim if dynamic else None
            if dynamic and i == 1 and array.ndim:  # OpenVINO runs no GatherND whose tuples have an unknown length
                shape[-1] = array.shape[-1]
            nodes.append(parameter(f"x{i}", array, shape))
    node = row.build(*nodes, **row.attributes)
    node.set_friendly_name("node")
    node.output(0).set_names({"y"})
    parameters = [n for i, n in enumerate(nodes) if i not in constants]
    return save(path, [node.output(0)], parameters)


def given(version, constants=()):
    """The inputs of single() by their names."""
    constants = constants_of(version, constants)
    return {f"x{i}": a for i, a in enumerate(ROWS[version].inputs) if i not in constants}


def evaluate(path, inputs):
    """What OpenVINO gives for the model, in the order of its outputs: its reference code where it has
    such, else its CPU plugin."""
    model = ov.Core().read_model(path)
    arrays = [next(inputs[n] for n in i.get_names() if n in inputs) for i in model.inputs]
    outputs = [ov.Tensor(o.element_type, ov.Shape([])) for o in model.outputs]
    try:
        # It says that it has computed SliceScatter, and has not.
        if any(node.get_type_name() == "SliceScatter" for node in model.get_ops()):
            raise RuntimeError
        assert model.evaluate(outputs, [ov.Tensor(a) for a in arrays])
    except RuntimeError:
        exact = {"INFERENCE_PRECISION_HINT": "f32"}
        results = ov.Core().compile_model(model, "CPU", exact)(arrays)
        return [np.array(results[i]) for i in range(len(outputs))]
    is_text = [o.element_type == ov.Type.string for o in model.outputs]
    return [np.array(o.str_data if t else o.data) for o, t in zip(outputs, is_text, strict=True)]
