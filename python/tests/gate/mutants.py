"""Draws mutants: an unbroken model of the test suite, changed in one drawn way, with the inputs for its run.

The kinds are the functions of KINDS. Each takes a Subject and a random generator and returns the changed Subject, or None if it does not apply.
"""

import copy
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "exports")]

from exported_models import EXPORTS  # noqa: E402
from onnx_corpus import corpus  # noqa: E402

FAMILY = {"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"}
INDICES = 1
REDUCTIONS = ("none", "add", "mul", "min", "max", "mean")
TYPES = (np.float64, np.float16, np.float32, np.int32, np.int64, np.uint8, np.int16, np.bool_)
OPSETS = (9, 10, 11, 12, 13, 15, 16, 18)


@dataclass
class Subject:
    """A model, its inputs, and the position of the node that is changed. Indices of small models are constants of the model."""

    name: str
    model: onnx.ModelProto
    inputs: dict
    node: int

    @property
    def changed(self):
        return self.model.graph.node[self.node]

    def copy(self):
        return Subject(self.name, copy.deepcopy(self.model), dict(self.inputs), self.node)


def subjects():
    """Every unbroken model: ONNX's back-end models of one node of the family, and the main graphs of the exports."""
    found = []
    for entry in corpus():
        model = onnx.load_from_string(entry.content())
        if len(model.graph.node) == 1 and model.graph.node[0].op_type in FAMILY and entry.path is None:
            found.append(_frozen(Subject(entry.name, model, dict(entry.inputs()), 0)))
    for name, make in EXPORTS.items():
        export = make()
        found += [Subject(name, export.model, dict(export.inputs), place)
                  for place, node in enumerate(export.model.graph.node) if node.op_type in FAMILY]
    return found


def _frozen(subject):
    """The subject with its indices as a constant."""
    name = subject.changed.input[INDICES]
    graph = subject.model.graph
    graph.initializer.append(numpy_helper.from_array(np.asarray(subject.inputs.pop(name)), name))
    kept = [value for value in graph.input if value.name != name]
    del graph.input[:]
    graph.input.extend(kept)
    return subject


def _constant(subject):
    """The initializer that holds the node's indices, or None."""
    name = subject.changed.input[INDICES]
    return next((tensor for tensor in subject.model.graph.initializer if tensor.name == name), None)


def _opset(subject):
    return next(each for each in subject.model.opset_import if each.domain in ("", "ai.onnx"))


def attribute(subject, random):
    node = subject.changed
    choices = [("axis", int(random.choice([-6, -3, 2, 3, 5])))] if not node.op_type.endswith("ND") else []
    if node.op_type.startswith("Scatter") and node.op_type != "Scatter":
        choices.append(("reduction", str(random.choice(REDUCTIONS))))
    if node.op_type == "GatherND":
        choices.append(("batch_dims", int(random.integers(1, 4))))
    name, value = choices[random.integers(len(choices))]
    kept = [each for each in node.attribute if each.name != name]
    del node.attribute[:]
    node.attribute.extend([*kept, helper.make_attribute(name, value)])
    return subject


def shape(subject, random):
    """One of the node's inputs that the model gets gains or loses an element along an axis, or gains an axis."""
    names = [name for name in subject.changed.input if name in subject.inputs]
    if not names:
        return None
    name = names[random.integers(len(names))]
    array = np.asarray(subject.inputs[name])
    way = random.integers(3)
    if way == 0 or array.ndim == 0:
        array = array[None]
    else:
        axis = int(random.integers(array.ndim))
        array = np.concatenate([array, array], axis) if way == 1 else array.take(range(array.shape[axis] - 1), axis)
    return _with_input(subject, name, array)


def type(subject, random):
    """One of the node's inputs has another element type: one that the model gets, or the constant indices."""
    names = [name for name in subject.changed.input if name in subject.inputs]
    constant = _constant(subject)
    dtype = TYPES[random.integers(len(TYPES))]
    place = random.integers(len(names) + (constant is not None)) if names or constant is not None else None
    if place is None:
        return None
    if place == len(names):
        constant.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(constant).astype(dtype), constant.name))
        return subject
    with np.errstate(all="ignore"):
        return _with_input(subject, names[place], np.asarray(subject.inputs[names[place]]).astype(dtype))


def index(subject, random):
    """A constant index is beyond an end of its axis, by a little or by a lot."""
    constant = _constant(subject)
    if constant is None or not constant.dims or not np.prod(constant.dims):
        return None
    array = numpy_helper.to_array(constant).copy()
    width = max((max(np.asarray(value).shape, default=1) for value in subject.inputs.values()), default=1)
    array.reshape(-1)[random.integers(array.size)] = random.choice([width, -width - 1, 2 * width + 70, -1000000])
    constant.CopyFrom(numpy_helper.from_array(array, constant.name))
    return subject


def duplicate(subject, random):
    """A constant index, or index tuple, stands at another place, too."""
    constant = _constant(subject)
    if constant is None or not constant.dims or np.prod(constant.dims) < 2:
        return None
    array = numpy_helper.to_array(constant).copy()
    rows = array.reshape(-1, array.shape[-1] if subject.changed.op_type.endswith("ND") else 1)
    if len(rows) < 2:
        return None
    first, second = random.choice(len(rows), 2, replace=False)
    rows[second] = rows[first]
    constant.CopyFrom(numpy_helper.from_array(array, constant.name))
    return subject


def opset(subject, random):
    """The model declares an older operator set. The node is its only one: other operators would change, too."""
    if len(subject.model.graph.node) > 1:
        return None
    declared = _opset(subject)
    older = [version for version in OPSETS if version < declared.version]
    if not older:
        return None
    declared.version = older[random.integers(len(older))]
    return subject


def _with_input(subject, name, array):
    subject.inputs[name] = array
    value = next(value for value in subject.model.graph.input if value.name == name)
    value.CopyFrom(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
    is_data = name == subject.changed.input[0] and len(subject.model.graph.node) == 1
    for output in subject.model.graph.output:
        element = helper.np_dtype_to_tensor_dtype(array.dtype) if is_data else output.type.tensor_type.elem_type
        output.CopyFrom(helper.make_tensor_value_info(output.name, element or TensorProto.UNDEFINED, None))
    return subject


KINDS = {kind.__name__: kind for kind in (attribute, shape, type, index, duplicate, opset)}


def draw(unbroken, seed):
    """(kind, original, mutant) of a seed; every sixth seed has the same kind."""
    random = np.random.default_rng(seed)
    kind = list(KINDS)[seed % len(KINDS)]
    small = [subject for subject in unbroken if subject.name not in EXPORTS]
    large = [subject for subject in unbroken if subject.name in EXPORTS]
    while True:
        pool = large if random.random() < 0.2 else small
        original = pool[random.integers(len(pool))]
        mutant = KINDS[kind](original.copy(), random)
        if mutant is not None and mutant.model != original.model:
            return kind, original, mutant
