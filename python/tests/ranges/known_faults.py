"""Faults of the analysis that are known and not mended yet.

A fault of a random graph is a row's if its kind and its text match the row. Each row has the smallest model that shows it, as a text of ONNX,
and the arrays of a run. The rows are strict: a row whose model no longer shows its fault fails, so that what is mended is removed.

All rows are about onnx's evaluator, which stands for the specification (it has the arithmetic profile "specification", as this library has): where it
does not compute what the specification says, the fault is its own, and a weaker proof would hide faults of the analysis.
"""

import re
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class KnownFault:
    """kind, text: patterns of a fault's kind and text. cause: of the signature of a node that the value depends on. opset, signature, nodes: the
    model. host: where it is shown. inputs: of the run, by name, or of several runs one after another.
    """

    kind: str
    reason: str
    host: str
    signature: str
    nodes: str
    inputs: dict | list
    text: str = ""
    cause: str = ""
    opset: int = 18

    @property
    def model(self):
        return f'<ir_version: 8, opset_import: ["": {self.opset}]> shown ({self.signature}) => (y) {{ {self.nodes} }}'

    @property
    def runs(self):
        return self.inputs if isinstance(self.inputs, list) else [self.inputs]

    def explains(self, fault):
        behind = not self.cause or any(re.match(self.cause, node) for node in fault.chain)
        return behind and bool(re.match(self.kind, fault.kind) and re.search(self.text, fault.text, re.DOTALL))


EVALUATOR = "onnx:reference"
SOME_BOOLS = np.array([0, 5, 2, 1], np.uint8).view(bool)
KNOWN = [
    KnownFault(
        rf"{EVALUATOR} \w+ Loop", "onnx's evaluator stacks a Loop's results of several axes in another form", EVALUATOR,
        "int64 n", """t = Constant<value = bool {1}>()
        y = Loop(n, t) <body = b (int64 i, bool c) => (bool d, int64 w) { d = Identity(c) w = Identity(i) }>""", {"n": np.array(2)}),
    KnownFault(
        rf"{EVALUATOR} \w+ GlobalMaxPool", "onnx's evaluator loses the second axis of a tensor of rank 3", EVALUATOR,
        "float[2, 3, 5] x", "y = GlobalMaxPool(x)", {"x": np.zeros((2, 3, 5), np.float32)}),
    KnownFault(
        rf"{EVALUATOR} \w+ ReduceSumSquare", "onnx's evaluator sums squares in 64 bits", EVALUATOR,
        "int32[5] x", "y = ReduceSumSquare(x)", {"x": np.arange(5, dtype=np.int32)}),
    KnownFault(
        rf"{EVALUATOR} \w+ Clip", "onnx's evaluator broadcasts bounds that are no scalars", EVALUATOR,
        "int16[A, B] x, int16[3] c", "y = Clip(x, c)", {"x": np.zeros((5, 1), np.int16), "c": np.zeros(3, np.int16)}),
    KnownFault(
        rf"{EVALUATOR} \w+ LpPool", "onnx's evaluator does not dilate the window of LpPool", EVALUATOR,
        "float[1, 2, 4, 8] x", 'y = LpPool<auto_pad = "VALID", dilations = [1, 2], kernel_shape = [3, 3], strides = [3, 4]>(x)',
        {"x": np.ones((1, 2, 4, 8), np.float32)}),
    KnownFault(
        rf"{EVALUATOR} \w+ AveragePool", "onnx's evaluator has other extents with auto_pad and dilations", EVALUATOR,
        "float[1, 3, 8] x", 'y = AveragePool<auto_pad = "VALID", dilations = [2], kernel_shape = [2], strides = [3]>(x)',
        {"x": np.ones((1, 3, 8), np.float32)}, opset=19),
    KnownFault(
        rf"{EVALUATOR} \w+ Unsqueeze", "onnx's evaluator inserts axes one after another in the order in which an attribute names them", EVALUATOR,
        "float[2, 3] x", "y = Unsqueeze<axes = [2, 0]>(x)", {"x": np.zeros((2, 3), np.float32)}, opset=11),
    KnownFault(
        rf"{EVALUATOR} \w+ Trilu", "onnx's evaluator makes a matrix of a vector", EVALUATOR,
        "uint64[2] x", "y = Trilu(x)", {"x": np.array([6, 3], np.uint64)}),
    KnownFault(
        rf"{EVALUATOR} \w+ InstanceNormalization", "onnx's evaluator broadcasts scales of another number of channels", EVALUATOR,
        "double[3, 1, 5] x, double[6] s", "y = InstanceNormalization(x, s, s)", {"x": np.ones((3, 1, 5)), "s": np.ones(6)}),
    KnownFault(
        rf"{EVALUATOR} \w+ Compress", "onnx's evaluator takes elements beyond data that has none", EVALUATOR,
        "int64[A, 0] x, bool[B] c", "y = Compress<axis = 1>(x, c)", {"x": np.zeros((0, 0), np.int64), "c": np.ones(2, bool)}),
    KnownFault(
        rf"{EVALUATOR} \w+ EyeLike", "onnx's evaluator makes a matrix of a vector", EVALUATOR,
        "bool[A] x", "y = EyeLike(x)", {"x": np.zeros(1, bool)}),
    KnownFault(
        rf"{EVALUATOR} \w+ MaxPool", "onnx's evaluator has other extents with auto_pad", EVALUATOR,
        "float[1, 1, 2, 9] x", 'y = MaxPool<auto_pad = "SAME_LOWER", kernel_shape = [3, 2], strides = [3, 2]>(x)', {"x": np.zeros((1, 1, 2, 9), np.float32)}),
    KnownFault(
        rf"{EVALUATOR} \w+ Shape", "onnx's evaluator gives extents where Shape's start lies behind its end", EVALUATOR,
        "float[1, 4, 3] x", "y = Shape<start = 1, end = -4>(x)", {"x": np.zeros((1, 4, 3), np.float32)}),
    KnownFault(
        rf"{EVALUATOR} \w+ Unique", "onnx's evaluator gives Unique along an axis another shape", EVALUATOR,
        "int64[4, 1] x", "y, a, b = Unique<axis = -1, sorted = 0>(x)", {"x": np.array([[-4], [0], [4], [1]])}),
    KnownFault(
        rf"{EVALUATOR} \w+ Cast\(u?int4\)", "onnx's evaluator passes a bool's byte on through int4", EVALUATOR,
        "bool[4] c", "a = Cast<to = 22>(c) y = Cast<to = 7>(a)", {"c": SOME_BOOLS}, opset=21),
    KnownFault(
        rf"{EVALUATOR} \w+ Cast\(bfloat16\)", "onnx's evaluator passes a bool's byte on through bfloat16", EVALUATOR,
        "bool[4] c", "a = Cast<to = 16>(c) y = Cast<to = 6>(a)", {"c": SOME_BOOLS}),
]


def unexplained(faults):
    return [fault for fault in faults if not any(row.explains(fault) for row in KNOWN)]
