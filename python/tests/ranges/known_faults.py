"""Faults of the analysis that are known and not mended yet.

A fault is a row's if its kind and text match and one of the nodes that its value depends on is the row's node. Rows are strict: the
row's seed must show a fault of it, so that a mended row is removed; a change of a drawer may ask for another seed. No row is added without its cause.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class KnownFault:
    """where, node, text: patterns of a fault's kind, of a node's signature and of the fault's text. seed: of a graph that shows it."""

    seed: int
    where: str
    node: str
    reason: str
    text: str = ""

    def explains(self, fault):
        return bool(
            re.match(self.where, fault.kind) and re.search(self.text, fault.text, re.DOTALL) and any(re.match(self.node, node) for node in fault.chain))


ANYWHERE, OPENVINO = "", "openvino"
NARROW = r"(u?int(8|16|32|4)|bool|float16|bfloat16|float8\w+)"
KNOWN = [
    KnownFault(144, ANYWHERE, r".*\((\w+, )?bool", "a bool of an input has a byte that is neither 0 nor 1, which Cast, Compress, Where and others pass on"),
    KnownFault(238, ANYWHERE, "PRelu", "onnx's inference takes the first input's shape, and runtimes broadcast in both directions"),
    KnownFault(46, ANYWHERE, "(Max|Average|Lp)Pool", "onnx's inference of extents with ceil_mode and auto_pad"),
    KnownFault(346, ANYWHERE, "ConvTranspose", "onnx's inference of extents with output_shape and auto_pad"),
    KnownFault(134, ANYWHERE, r"Cast\(int64\) -> " + NARROW, "onnx's propagation of shapes keeps a number that a narrow type does not hold"),
    KnownFault(4662, ANYWHERE, r"(Un)?[Ss]queeze\(\w+\) ", "onnx's inference with negative axes before operator set 11, which runtimes take"),
    KnownFault(1586, r"onnxruntime:cpu \w+ (Clip|Min|Max|Sign)\(u?int64", "", "ONNX Runtime compares integers of 64 bits wrongly"),
    KnownFault(1955, "onnx:reference", "Shape", "onnx's evaluator gives extents where Shape's start lies behind its end", r"v\d+ = Shape <(start|end)"),
    KnownFault(4574, OPENVINO, "", "OpenVINO reads a constant of no elements as a scalar", r"has the shape \(\), not \[0"),
    KnownFault(3816, OPENVINO, "Range", "OpenVINO counts on where a Range steps away from its limit"),
    KnownFault(350, r"openvino:cpu \w+ (Mod|Div|Mul|Add|Sub|Cast|Clip|Min|Max)\(", "",
               "OpenVINO computes integers of 64 bits in 32 bits and in float32, and narrow ones without wrapping"),
    KnownFault(590, OPENVINO, "Resize", "OpenVINO takes the given sizes whatever the policy for the aspect ratio is"),
]


def unexplained(faults):
    return [fault for fault in faults if not any(row.explains(fault) for row in KNOWN)]
