"""Concrete values of models: by ONNX Runtime one node at a time, or by onnx's evaluator where it has no kernel.

A session for each node, without optimisation, so that no fusion stands between a node and its value. Integer divisions by
zero, and of the least number by -1, would end the process of ONNX Runtime, so they are refused here before they run.
"""

import os
import warnings

import numpy as np
import onnx
import onnx.shape_inference
import onnxruntime
from onnx.helper import make_graph, make_model, make_opsetid, make_tensor_value_info, np_dtype_to_tensor_dtype
from onnx.reference import ReferenceEvaluator
from random_values import plain
from windrow.runners import _onnxruntime

MOST_ELEMENTS = 4096
MOST_AXES = 6
ONLY_FATAL = 4
# ONNX Runtime up to 1.31 compares 64-bit integers wrongly in them: the Min of 2 ** 31 + 1 and 3, twice, is 2 ** 31 + 1.
WRONG_IN_64_BITS = {"Clip", "Min", "Max", "ReduceMin", "ReduceMax", "Sign"}


class Refused(Exception):
    """Raised if the witness does not compute a value."""


# Operators whose small inputs are the extents of the result, or factors of them.
SIZED = {"Resize", "Upsample", "CenterCropPad", "Col2Im", "MaxUnpool", "AffineGrid", "BlackmanWindow", "HannWindow", "HammingWindow", "DFT",
         "STFT", "MelWeightMatrix", "RoiAlign"}


class Stages:
    """What a worker process does, as lines of its standard error, from which the caller learns what ended it."""

    told = False

    @classmethod
    def enter(cls, stage):
        if cls.told:
            os.write(2, f"\nstage: {stage}\n".encode())


def session_options():
    options = onnxruntime.SessionOptions()
    options.log_severity_level = ONLY_FATAL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


def require_small(node, inputs):
    """Refuses nodes that would use up the process's memory: their inputs' values determine the size of the result."""
    if node.op_type in ("Expand", "ConstantOfShape"):
        size = np.prod(np.asarray(inputs[-1], np.float64))
    elif node.op_type == "Tile":
        size = inputs[0].size * np.prod(np.asarray(inputs[1], np.float64))
    elif node.op_type == "Range":
        with np.errstate(all="ignore"):
            start, limit, delta = (np.float64(value) for value in inputs)
            size = (limit - start) / delta
    elif node.op_type == "Pad":
        size = inputs[0].size + np.sum(np.abs(np.asarray(inputs[1], np.float64)))
    elif node.op_type == "OneHot":
        size = inputs[0].size * np.asarray(inputs[1], np.float64).max(initial=1)
    elif node.op_type in SIZED:
        with np.errstate(all="ignore"):
            size = max((np.prod(np.abs(np.asarray(plain(array), np.float64))) for array in inputs if array.size < 9), default=0)
    else:
        return
    if not np.max(size, initial=0) <= MOST_ELEMENTS:
        raise Refused(f"{node.op_type} of {size} elements")


def require_survivable(node, inputs):
    """Refuses nodes that would end ONNX Runtime's process."""
    if node.op_type == "Unique" and inputs[0].size == 0:
        raise Refused("Unique of nothing")
    groups = attribute_of(node, "group", 1)
    if any(0 in attribute_of(node, name, ()) for name in ("strides", "kernel_shape", "dilations")) or groups < 1:
        raise Refused("a window without extent, or no groups")
    if node.op_type == "ReverseSequence" and ((inputs[1] < 0) | (inputs[1] > max(inputs[0].shape))).any():
        raise Refused("a length beyond the axis")
    if node.op_type in ("ConvInteger", "MaxRoiPool", "Multinomial", "STFT"):
        raise Refused("ends the process for some weights and regions")
    if node.op_type == "RoiAlign" and ((inputs[2] < 0) | (inputs[2] >= len(inputs[0]))).any():
        raise Refused("a region of no image")
    if node.op_type == "Einsum":
        require_einsum(attribute_of(node, "equation", b"").decode(), inputs)
    if node.op_type not in ("Div", "Mod") or inputs[0].dtype.kind not in "iu":
        return
    dividend, divisor = inputs
    if (divisor == 0).any():
        raise Refused("integer division by zero")
    if dividend.dtype.kind == "i" and (divisor == -1).any() and (dividend == np.iinfo(dividend.dtype).min).any():
        raise Refused("the least integer divided by -1")


def require_einsum(equation, inputs):
    """Refuses what ends ONNX Runtime's process: extents that do not fit the equation, or none."""
    try:
        np.einsum(equation, *inputs)
    except Exception as error:  # NumPy has several kinds
        raise Refused(str(error)) from error
    if any(array.size == 0 for array in inputs):
        raise Refused("Einsum of nothing")


def attribute_of(node, name, default):
    return next((onnx.helper.get_attribute_value(value) for value in node.attribute if value.name == name), default)


def require_agreement(node, inputs):
    """Refuses nodes for which ONNX Runtime is known to break the specification, or the specification is silent."""
    op_type, first = node.op_type, inputs[0] if inputs else None
    if op_type == "NonZero" and first.ndim == 0:
        raise Refused("a row for a scalar, which has no axis")
    if op_type.startswith(("Arg", "Reduce")) and first.size == 0:
        raise Refused("an extreme or a sum of nothing keeps the extent 0")
    if op_type == "Concat":
        axis = attribute_of(node, "axis", 0) % first.ndim
        if len({array.shape[:axis] + array.shape[axis + 1 :] for array in inputs}) > 1:
            raise Refused("empty tensors are left out whatever their other extents are")
    if op_type == "Slice" and len(inputs) == 5 and ((inputs[4] < 0) & (inputs[2] == np.iinfo(np.int64).max)).any():
        raise Refused("the greatest end is the other end of the axis for negative steps")


def free_names(node):
    """The values that a node reads, those of the main graph in its bodies included."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            inside = {value.name for value in attribute.g.input} | {value.name for value in attribute.g.initializer}
            for inner in attribute.g.node:
                names += [name for name in free_names(inner) if name not in inside]
                inside.update(inner.output)
            names += [value.name for value in attribute.g.output if value.name not in inside]
    return list(dict.fromkeys(names))


def has_wrong_body(node):
    """Whether a body of the node has an operator that ONNX Runtime computes wrongly where 64-bit integers are large."""
    bodies = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
    return any(inner.op_type in WRONG_IN_64_BITS for body in bodies for inner in body.node)


def require_32_bits(arrays):
    for array in arrays:
        if array.dtype == np.int64 and (np.abs(array.astype(np.float64)) >= 2.0**31).any():
            raise Refused("large integers in a body that compares them")


def evaluator_of(model):
    try:
        onnx.shape_inference.infer_shapes(model, check_type=True)  # the evaluator takes types that the operator set does not
        return ReferenceEvaluator(model)
    except Exception as error:  # it has no implementation, or refuses the node
        raise Refused(str(error)[:200]) from error


class SingleNode:
    """A node, ready to run on arrays: `types` has the element types of what it reads, by name.

    agreeing: whether nodes are refused on which ONNX Runtime is known to break the specification. by_kernel: whether a node is refused for
    which ONNX Runtime has no kernel.
    """

    def __init__(self, node, types, opset, functions=(), agreeing=True, by_kernel=False):
        self.node, self.agreeing = node, agreeing
        self.names = free_names(node)
        self.outputs = [name for name in node.output if name]
        inputs = [make_tensor_value_info(name, np_dtype_to_tensor_dtype(types[name]), None) for name in self.names]
        outputs = [onnx.ValueInfoProto(name=name) for name in self.outputs]
        opsets = [make_opsetid("", opset)] + [make_opsetid("local", 1)] * bool(functions)
        graph = make_graph([node], "node", inputs, outputs)
        self.model = make_model(graph, opset_imports=opsets, ir_version=10, functions=list(functions))
        self.session = self.evaluator = None
        Stages.enter(f"{node.op_type} in ONNX Runtime")
        if agreeing and node.op_type in WRONG_IN_64_BITS and node.input[0] and types[node.input[0]].name in ("int64", "uint64"):
            if by_kernel:
                raise Refused("ONNX Runtime computes it wrongly")
            self.evaluator = evaluator_of(self.model)
            return
        try:
            self.session = onnxruntime.InferenceSession(self.model.SerializeToString(), session_options())
            Stages.enter("analysis")
        except Exception as error:  # the kinds of ONNX Runtime's errors have no common base
            if by_kernel or "NOT_IMPLEMENTED" not in str(error):
                raise Refused(str(error)) from error
            self.evaluator = evaluator_of(self.model)

    def run(self, values):
        """The outputs by name. Raises Refused."""
        inputs = [values[name] for name in self.node.input if name]
        self.require_all(inputs)
        feeds = {name: values[name] for name in self.names}
        Stages.enter(f"{self.node.op_type} in ONNX Runtime")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                arrays = self.results(feeds)
        except Exception as error:
            raise Refused(str(error)) from error
        Stages.enter("analysis")
        if any(isinstance(array, (list, dict)) or np.asarray(array).dtype.kind in "OSU" for array in arrays):
            raise Refused("text or a sequence")
        arrays = [np.asarray(array) for array in arrays]
        if self.agreeing and has_wrong_body(self.node):
            require_32_bits([*feeds.values(), *arrays])
        if any(array.ndim > MOST_AXES for array in arrays):
            raise Refused("too many axes")
        if any(array.size > MOST_ELEMENTS for array in arrays):
            raise Refused("too many elements")
        return dict(zip(self.outputs, arrays, strict=True))

    def require_all(self, inputs):
        try:
            require_small(self.node, inputs)
            require_survivable(self.node, inputs)
            if self.agreeing:
                require_agreement(self.node, inputs)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Refused(f"the node is malformed: {error}") from error

    def results(self, feeds):
        if self.session is None:
            return self.evaluator.run(None, feeds)
        return list(_onnxruntime._run(self.session, feeds).values())
