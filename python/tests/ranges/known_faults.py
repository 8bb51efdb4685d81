"""Faults of the analysis that are known and not mended yet.

A fault of a random graph is a row's if its kind and its text match the row. Each row has the smallest model that shows it, as a text of ONNX,
and the arrays of a run. The rows are strict: a row whose model no longer shows its fault fails, so that what is mended is removed.
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


ORT, EVALUATOR, OPENVINO = "onnxruntime:cpu", "onnx:reference", "openvino:cpu"
SOME_BOOLS = np.array([0, 5, 2, 1], np.uint8).view(bool)
KNOWN = [
    KnownFault(
        r".* (Compress|Where)\((\w+, )?bool", "a bool of an input has a byte that is neither 0 nor 1, and the runtime then takes other elements", ORT,
        "bool[4] c", "k = Constant<value = int64[4] {3, 3, 3, 3}>() y = Where(c, k, k)", {"c": SOME_BOOLS}),
    KnownFault(
        rf"({ORT}|grown) \w+ (Clip|Min|Max|Sign)\(u?int64", "the runtime compares integers of 64 bits wrongly", ORT,
        "float[3, 1] x", "a = Shape(x) k = Constant<value = int64 {2147483648}>() y = Min(a, k)", {"x": np.zeros((3, 1), np.float32)}),
    KnownFault(
        rf"{ORT} \w+ Shape\(", "the runtime replaces Shape by what onnx infers, whatever the extents of the value are", ORT,
        "float[1, 2, 8] x", "a = MaxPool<ceil_mode = 1, kernel_shape = [1], strides = [3]>(x) y = Shape(a)", {"x": np.zeros((1, 2, 8), np.float32)}),
    KnownFault(
        rf"({ORT}|grown) \w+ (Expand|Concat)\(", "the runtime leaves out empty tensors and extents of 0", ORT,
        "int64[A, 1] x, int64[B, 1] z", "y = Concat<axis = 1>(x, z)", {"x": np.zeros((0, 1), np.int64), "z": np.zeros((1, 1), np.int64)},
        text="elements on axis"),
    KnownFault(
        r".* Arg(Min|Max)\(", "runtimes disagree on the shape of the position of an extreme of nothing", ORT,
        "int64[A, B, 1] x", "y = ArgMin<axis = -3, keepdims = 1>(x)", {"x": np.zeros((4, 0, 1), np.int64)}),
    KnownFault(
        rf"{EVALUATOR} \w+ Loop", "onnx's evaluator stacks a Loop's results of several axes in another form", EVALUATOR,
        "int64 n", """t = Constant<value = bool {1}>()
        y = Loop(n, t) <body = b (int64 i, bool c) => (bool d, int64 w) { d = Identity(c) w = Identity(i) }>""", {"n": np.array(2)}),
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
        rf"{EVALUATOR} \w+ Cast\(bfloat16\)", "onnx's evaluator passes a bool's byte on through bfloat16", EVALUATOR,
        "bool[4] c", "a = Cast<to = 16>(c) y = Cast<to = 6>(a)", {"c": SOME_BOOLS}),
    KnownFault(
        rf"{OPENVINO} ", "OpenVINO reads a constant of no elements as a scalar", OPENVINO,
        "int64[2] x", "k = Constant<value = int64[0] {}>() y = Abs(k)", {"x": np.zeros(2, np.int64)},
        text=r"has the shape \(\), not \[|has 0 elements on axis 0, not 1 .*= Shape \(c\d+\)"),
    KnownFault(
        rf"{OPENVINO} \w+ (BitShift|Cast)\(", "OpenVINO gives shifted scalars an axis", OPENVINO,
        "uint8 x", "k = Constant<value = uint8 {1}>() a = BitShift<direction = \"LEFT\">(x, k) y = Cast<to = 7>(a)", {"x": np.array(3, np.uint8)},
        text=r"has the shape \(1,\), not \[\]"),
    KnownFault(
        rf"{OPENVINO} \w+ TopK", "OpenVINO takes all elements where TopK asks for none", OPENVINO,
        "int64[3] x", "k = Constant<value = int64[1] {0}>() c = Constant<value = int64[3] {3, 1, 2}>() y, a = TopK(c, k)", {"x": np.zeros(3, np.int64)}),
    KnownFault(
        rf"{OPENVINO} \w+ Div\(u?int", "OpenVINO rounds a quotient of constants in another way", OPENVINO,
        "int64[1] x", "a = Constant<value = int64[1] {5}>() k = Constant<value = int64 {-2}>() y = Div(a, k)", {"x": np.zeros(1, np.int64)}),
    KnownFault(
        rf"{OPENVINO} \w+ Range", "OpenVINO counts on where a Range steps away from its limit", OPENVINO,
        "float[N] x", """a = Shape(x) z = Constant<value = int64[1] {0}>() n = Squeeze(a, z)
        s = Constant<value = int64 {0}>() d = Constant<value = int64 {-1}>() y = Range(s, n, d)""", {"x": np.zeros(4, np.float32)}),
    KnownFault(
        rf"{OPENVINO} \w+ (Flatten|Shape|Unsqueeze|Gather|Expand)\(", "OpenVINO changes the extents of tensors without elements", OPENVINO,
        "int64[A, B, C] x", "y = Flatten<axis = 2>(x)", {"x": np.zeros((1, 0, 1), np.int64)}, text="elements on axis|has the shape|reaches from 0 to 0"),
    KnownFault(
        rf"{OPENVINO} ", "OpenVINO's Unique gives other elements and positions", OPENVINO,
        "int64[1] x", "k = Constant<value = int64[2] {-2, -3}>() y, a = Unique<sorted = 0>(k)", {"x": np.zeros(1, np.int64)}, cause="Unique"),
    KnownFault(
        rf"{OPENVINO} \w+ Loop", "OpenVINO gives the results of the run before where a Loop's body runs no time", OPENVINO,
        "float[N] x", """a = Shape(x) z = Constant<value = int64[1] {0}>() n = Squeeze(a, z) t = Constant<value = bool {1}>()
        y = Loop(n, t) <body = b (int64 i, bool c) => (bool d, int64 w) { d = Identity(c) w = Identity(i) }>""",
        [{"x": np.zeros(4, np.float32)}, {"x": np.zeros(0, np.float32)}]),
]


def unexplained(faults):
    return [fault for fault in faults if not any(row.explains(fault) for row in KNOWN)]
