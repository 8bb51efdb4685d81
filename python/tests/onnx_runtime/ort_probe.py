"""A probe: a random call of an ONNX operator as ONNX Runtime and Windrow run it. Seed and number repeat it."""

import dataclasses
import sys
from pathlib import Path

import windrow

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parents[1] / "tests" / "python")]
from call_maker import SeededDraws  # noqa: E402
from drawn_calls import draw_call  # noqa: E402
from windrow.runners import NodeCall  # noqa: E402

# Types that ONNX Runtime has for no operator; and for OneHot, the few types of each input that it has.
NOWHERE = ("complex64", "complex128")
OF_ONE_HOT = (("int32", "int64", "float32"), ("int32", "int64", "float32"), ("int64", "float32", "string"))


def _with_its_types(operator):
    """The operator without the types that ONNX Runtime lacks."""
    rows = []
    for row in operator.rows:
        inputs = []
        for number, given in enumerate(row["inputs"]):
            kept = [name for name in given["dtypes"] if name not in NOWHERE]
            if operator.name == "OneHot":
                kept = [name for name in kept if name in OF_ONE_HOT[number]]
            inputs.append({**given, "dtypes": kept})
        rows.append({**row, "inputs": inputs})
    return dataclasses.replace(operator, rows=tuple(rows))


OPERATORS = [_with_its_types(operator) for operator in windrow.ops("onnx")]


def make_probe(seed, number):
    """The call, with the operator's own policy, because ONNX Runtime has no other."""
    call = draw_call(SeededDraws(seed, number), OPERATORS[number % len(OPERATORS)], scale=60)
    call.policy = None
    return call


def node_call(call):
    """The call as a runner takes it, on one thread."""
    row = call.row
    return NodeCall(row["name"], tuple(call.inputs), call.attributes, call.version, row["domain"], threads=1)


def describe(call):
    """A description of the call for people, with the values if they are few."""
    lines = [f"{call.row['name']}-{call.version} {call.attributes}"]
    for row, array in zip(call.row["inputs"], call.inputs, strict=False):
        if array is not None:
            values = f" = {array.tolist()}" if array.size <= 40 else ""
            lines.append(f"  {row['name']}: {array.dtype}{list(array.shape)}{values}")
    return "\n".join(lines)
