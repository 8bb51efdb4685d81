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
KNOWN = [
    KnownFault(194, ANYWHERE, r"(Compress|Where)\((\w+, )?bool", "a bool of an input has a byte that is neither 0 nor 1, and runtimes then take other elements"),
    KnownFault(244, r"onnxruntime:cpu \w+ (Clip|Min|Max|Sign)\(u?int64", "", "ONNX Runtime compares integers of 64 bits wrongly"),
    KnownFault(65, r"onnxruntime:cpu \w+ Shape\(", "", "ONNX Runtime replaces Shape by what onnx infers, whatever the extents of the value are"),
    KnownFault(913, ANYWHERE, "Arg(Min|Max)", "runtimes disagree on the shape of the position of an extreme of nothing", "has .* elements on axis"),
    KnownFault(133, r"onnx:reference \w+ Loop", "", "onnx's evaluator stacks a Loop's results of several axes in another form"),
    KnownFault(195, OPENVINO, "", "OpenVINO reads a constant of no elements as a scalar", r"has the shape \(\), not \[\]?.*0|= Shape \(c\d+\)\n; c\d+ = \w+\[\] "),
    KnownFault(1513, r"onnx:reference \w+ MaxPool", "", "onnx's evaluator has other extents with auto_pad"),
    KnownFault(1955, r"onnx:reference \w+ Shape", "", "onnx's evaluator gives extents where Shape's start lies behind its end"),
    KnownFault(1428, r"onnx:reference \w+ Unique", "", "onnx's evaluator gives Unique along an axis another shape"),
    KnownFault(2073, r"onnx:reference \w+ Cast\(bfloat16\)", "", "onnx's evaluator passes a bool's byte on through bfloat16"),
    KnownFault(1317, r"openvino:cpu \w+ TopK", "", "OpenVINO takes all elements where TopK asks for none", "not 0"),
    KnownFault(1971, r"openvino:cpu \w+ Div\(int", "", "OpenVINO rounds a constant quotient down"),
    KnownFault(1895, r"openvino:cpu \w+ (Min|Max)\(int64", "", "OpenVINO's Max of an integer that was made from a large float leaves the bound"),
    KnownFault(2706, r"openvino:cpu \w+ Loop", "", "OpenVINO gives a value of a Loop's body that runs no time"),
    KnownFault(665, r"openvino:cpu \w+ LayerNormalization", "", "OpenVINO broadcasts a scale that has the axes of the input"),
    KnownFault(284, r"openvino:cpu \w+ Range", "", "OpenVINO counts on where a Range steps away from its limit"),
    KnownFault(426, r"openvino:cpu \w+ Flatten", "", "OpenVINO flattens axes of which one has no elements to other extents"),
]


def unexplained(faults):
    return [fault for fault in faults if not any(row.explains(fault) for row in KNOWN)]
