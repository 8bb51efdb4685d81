"""Models on which the arithmetic of a host leaves the interval of the specification's: what is proved for the host holds there."""

from dataclasses import dataclass, field

import numpy as np
import onnx.parser
import pytest
import windrow
from facts_beside_values import Run, Tally, compare
from windrow import _core
from windrow.runners import runner


@dataclass
class Case:
    """A graph of an input x and an index i, which a host computes on `values`.

    rows: the extent of an axis that every index lies on in the specification's arithmetic, but not in the host's; 0: every
    index lies there too, but not in the interval.
    """

    host: str
    graph: str
    values: np.ndarray
    rows: int
    dtype: str = "int64"
    constants: dict = field(default_factory=dict)
    assumed: dict = field(default_factory=dict)

    def model(self, with_table=False):
        x = f"{self.dtype}[n] x" if "x" not in self.constants else ""
        made = "".join(f"{name} = Constant<value = {text}>() " for name, text in self.constants.items())
        gather, result = "", "int64[m] i"
        if with_table:
            # Of rank 2: onnx's inference makes a value for each element of a vector, of which some tables would have billions.
            gather, result = "y = Gather(table, i)", "float[m, 1] y"
            x += f", float[{self.rows}, 1] table"
        text = f'<ir_version: 9, opset_import: ["" : 18]> agraph ({x}) => ({result}) {{ {made} {self.graph} {gather} }}'
        return onnx.parser.parse_model(text)


def number(value):
    return f"int64 {{{value}}}"


def ints(*values):
    return np.array(values, np.int64)


def floats(*values):
    return np.array(values, np.float32)


BOOLEANS = np.array([0, 1, 7, 255], np.uint8).view(np.bool_)
MIXED = ints(0, 5, 2**24 + 1, 2**30 + 1, 2**31 - 129, 2**31 - 1)

CASES = {
    "Mod": Case("openvino:cpu", "i = Mod(x, a)", np.arange(2**31 - 4000, 2**31, 7), 7, constants={"a": number(7)}, assumed={"x": (0, 2**31)}),
    "Mod by fmod": Case(
        "openvino:cpu", "i = Mod<fmod = 1>(x, a)", np.arange(2**31 - 4000, 2**31, 7), 7, constants={"a": number(7)},
        assumed={"x": (0, 2**31)}),
    "Mod of everything": Case("openvino:cpu", "i = Mod(x, a)", np.arange(2**31 - 4000, 2**31, 7), 100, constants={"a": number(100)}),
    "Cast to uint16": Case("openvino:cpu", "c = Cast<to = 4>(x) i = Cast<to = 7>(c)", floats(-2e9, 3, 7e4), 65536, "float"),
    "Cast to int16": Case("openvino:cpu", "c = Cast<to = 5>(x) h = Cast<to = 7>(c) i = Add(h, a)", ints(-40000, 40000, 3), 65536, constants={
        "a": number(32768)}),
    "Cast to uint32": Case("openvino:cpu", "c = Cast<to = 12>(x) i = Cast<to = 7>(c)", ints(-1, -7, 3), 2**32),
    "Div of Max": Case("openvino:cpu", "m = Max(x, z) i = Div(m, a)", MIXED, 0, constants={"z": number(0), "a": number(2**27)}, assumed={
        "x": (0, 2**31 - 1)}),
    "Clip": Case("openvino:cpu", "i = Clip(x, z, a)", MIXED, 0, constants={"z": number(0), "a": number(2**24 + 3)}),
    "Max and Min": Case("openvino:cpu", "m = Max(x, z) i = Min(m, a)", MIXED, 0, constants={"z": number(0), "a": number(2**24 + 3)}),
    "Sub of Div of Mul": Case(
        "openvino:cpu", "r = Mod(x, a) m = Mul(r, b) d = Div(m, b) i = Sub(c, d)", ints(*range(16)), 8, constants={
            "a": number(8), "b": number(2**30), "c": number(7)}),
    "Abs": Case("openvino:cpu", "i = Abs(x)", ints(-(2**31), 5), 2**31 + 1, assumed={"x": (-(2**31), 9)}),
    "Add beyond int32": Case("openvino:cpu", "i = Add(x, a)", ints(2**31 - 1, 0), 2**31 + 1, constants={"a": number(1)}, assumed={
        "x": (0, 2**31 - 1)}),
    "uint16 below 0": Case("openvino:cpu", "m = Sub(x, x) s = Sub(m, x) i = Cast<to = 7>(s)", np.array([1, 2], np.uint16), 65536, "uint16"),
    "input beyond int32": Case("openvino:cpu", "i = Max(x, x)", ints(2**31 + 5, 2**32 - 7), 2**32, assumed={"x": (0, 2**32 - 1)}),
    "Ceil of Div": Case(
        "openvino:cpu", "f = Cast<to = 1>(x) q = Div(f, s) c = Ceil(q) i = Cast<to = 7>(c)", ints(*range(50)), 8, constants={
            "s": "float {7}"}, assumed={"x": (0, 49)}),
    "ReduceMax": Case("openvino:cpu", "h = Min(x, a) i = ReduceMax<keepdims = 1>(h)", ints(2**24 + 3, 5), 0, constants={
        "a": number(2**24 + 3)}),
    "booleans": Case("onnxruntime:cpu", "i = Cast<to = 7>(x)", BOOLEANS, 2, "bool"),
    "booleans in OpenVINO": Case("openvino:cpu", "i = Cast<to = 7>(x)", BOOLEANS, 2, "bool"),
    "booleans with And": Case("onnxruntime:cpu", "b = And(x, x) i = Cast<to = 7>(b)", BOOLEANS, 2, "bool"),
    "booleans with Not": Case("onnxruntime:cpu", "b = Not(x) i = Cast<to = 7>(b)", BOOLEANS, 2, "bool"),
}


def facts_of(case, runtime):
    model = windrow.load(case.model())
    rows = _core.find_ranges(model._core, case.assumed, None, runtime)
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def computed(case):
    host = runner(case.host.partition(":")[0])
    if host.fault():
        pytest.skip(host.fault())
    result = host.run(case.model(), {"x": case.values})
    assert result.failure is None, result.failure
    return result.outputs["i"]


def faults(case, runtime, array):
    tally = Tally()
    compare(facts_of(case, runtime)["i"], array, Run({"x": case.values}), tally)
    assert tally.premises_unmet == 0
    return tally.faults


@pytest.mark.parametrize("name", CASES)
def test_values_lie_in_the_intervals_of_their_host(name):
    case = CASES[name]
    array = computed(case)
    assert faults(case, case.host, array) == []
    assert faults(case, "tensorrt:gpu", array) == [], "an unknown runtime may do the same"
    assert faults(case, "", array), "the host keeps the specification's interval, so that the case shows nothing"


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].rows])
def test_what_a_host_can_leave_is_proved_for_others_only(name):
    case = CASES[name]
    report = windrow.check(
        case.model(with_table=True), runtimes=[case.host, "onnx:reference"], assume=case.assumed, select=["gather-index-range"],
        show_cannot=True)
    verdicts = {runtime: finding.verdict for finding in report.findings for runtime in finding.runtimes}
    contracts = [rule for contract in report.contracts for rule in contract.rules]
    assert verdicts.pop("onnx:reference") == "cannot"
    assert verdicts == {case.host: "can"} or contracts == ["gather-index-range"], (verdicts, report.contracts)


def test_arithmetic_that_openvino_keeps_is_proved_for_it():
    kept = Case("openvino:cpu", "m = Max(x, z) i = Min(m, a)", MIXED, 100, constants={"z": number(0), "a": number(99)})
    assert faults(kept, kept.host, computed(kept)) == []
    report = windrow.check(kept.model(with_table=True), select=["gather-index-range"], show_cannot=True)
    assert [finding.verdict for finding in report.findings] == ["cannot"]


def test_sigmoid_may_leave_its_range_in_onnxruntime():
    case = Case("onnxruntime:cpu", "i = Sigmoid(x)", floats(1), 0, "float")
    low, high, _ = facts_of(case, case.host)["i"]["intervals"][0]
    assert low < 0 and high >= 1.0000001
    assert facts_of(case, "")["i"]["intervals"][0][:2] == (0, 1)
