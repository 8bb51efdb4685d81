"""Concrete values of models: by ONNX Runtime one node at a time, or by onnx's evaluator where it has no kernel.

A session for each node, without optimisation, so that no fusion stands between a node and its value. Integer divisions by
zero, and of the least number by -1, would end the process of ONNX Runtime, so they are refused here before they run.
"""

import warnings

import numpy as np
import onnx
import onnxruntime
from onnx.helper import make_graph, make_model, make_opsetid, make_tensor_value_info, np_dtype_to_tensor_dtype
from onnx.reference import ReferenceEvaluator

MOST_ELEMENTS = 4096
ONLY_FATAL = 4
# ONNX Runtime 1.31 compares 64-bit integers wrongly in them: the Min of 2 ** 31 + 1 and 3, twice, is 2 ** 31 + 1.
WRONG_IN_64_BITS = {"Clip", "Min", "Max", "ReduceMin", "ReduceMax", "Sign"}


class Refused(Exception):
    """Raised if the witness does not compute a value."""


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
    else:
        return
    if not size <= MOST_ELEMENTS:
        raise Refused(f"{node.op_type} of {size} elements")


def require_survivable(node, inputs):
    """Refuses nodes that would end ONNX Runtime's process."""
    if node.op_type == "Unique" and inputs[0].size == 0:
        raise Refused("Unique of nothing")
    if node.op_type not in ("Div", "Mod") or inputs[0].dtype.kind not in "iu":
        return
    dividend, divisor = inputs
    if (divisor == 0).any():
        raise Refused("integer division by zero")
    if dividend.dtype.kind == "i" and (divisor == -1).any() and (dividend == np.iinfo(dividend.dtype).min).any():
        raise Refused("the least integer divided by -1")


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


class SingleNode:
    """A node, ready to run on arrays: `types` has the element types of what it reads, by name."""

    def __init__(self, node, types, opset, functions=()):
        self.node = node
        self.names = free_names(node)
        self.outputs = [name for name in node.output if name]
        inputs = [make_tensor_value_info(name, np_dtype_to_tensor_dtype(types[name]), None) for name in self.names]
        outputs = [onnx.ValueInfoProto(name=name) for name in self.outputs]
        opsets = [make_opsetid("", opset)] + [make_opsetid("local", 1)] * bool(functions)
        graph = make_graph([node], "node", inputs, outputs)
        self.model = make_model(graph, opset_imports=opsets, ir_version=10, functions=list(functions))
        self.session = self.evaluator = None
        if node.op_type in WRONG_IN_64_BITS and types[node.input[0]].name in ("int64", "uint64"):
            self.evaluator = ReferenceEvaluator(self.model)
            return
        try:
            self.session = onnxruntime.InferenceSession(self.model.SerializeToString(), session_options())
        except Exception as error:  # the kinds of ONNX Runtime's errors have no common base
            if "NOT_IMPLEMENTED" not in str(error):
                raise Refused(str(error)) from error
            self.evaluator = ReferenceEvaluator(self.model)

    def run(self, values):
        """The outputs by name. Raises Refused."""
        inputs = [values[name] for name in self.node.input if name]
        require_small(self.node, inputs)
        require_survivable(self.node, inputs)
        require_agreement(self.node, inputs)
        feeds = {name: values[name] for name in self.names}
        witness = self.session or self.evaluator
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                arrays = witness.run(None, feeds)
        except Exception as error:
            raise Refused(str(error)) from error
        arrays = [np.asarray(array) for array in arrays]
        if has_wrong_body(self.node):
            require_32_bits([*feeds.values(), *arrays])
        if any(array.size > MOST_ELEMENTS for array in arrays):
            raise Refused("too many elements")
        return dict(zip(self.outputs, arrays, strict=True))
