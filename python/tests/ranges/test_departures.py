"""Models that a host computes otherwise than the specification says: what is proved for the host holds there all the same.

Each model shows one of the rows of src/ranges/departures.cc or of the fields of an arithmetic profile.
"""

from dataclasses import dataclass

import numpy as np
import onnx.parser
import pytest
from host_verdicts import compare_model
from soundness import facts_of
from windrow.runners import runner

ORT, OPENVINO = "onnxruntime:cpu", "openvino:cpu"


@dataclass(frozen=True)
class Departure:
    """A graph of inputs (`signature`) that gives y, and the inputs of a run, or of several runs one after another."""

    host: str
    signature: str
    nodes: str
    inputs: dict | list
    opset: int = 18
    shows_all: bool = True  # whether the host shows every value, which keeps it from joining nodes
    constants: str = ""
    is_common: bool = True  # whether proofs for runtimes that were not run take it into account
    last: tuple = ()  # the last release of the host that does it: (1, 31); empty: the installed one does

    @property
    def model(self):
        return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {self.opset}]> shown ({self.signature}) => (y) <{self.constants}> {{ {self.nodes} }}')

    @property
    def runs(self):
        return self.inputs if isinstance(self.inputs, list) else [self.inputs]


def zeros(*shape, dtype=np.int64):
    return np.zeros(shape, dtype)


def floats(*shape):
    return zeros(*shape, dtype=np.float32)


SOME_BOOLS = np.array([0, 5, 2, 1], np.uint8).view(bool)
COUNT = "a = Shape(x) z = Constant<value = int64[1] {0}>() n = Squeeze(a, z)"
LOOP = "Loop(n, t) <body = b (int64 i, bool c) => (bool d, int64 w) { d = Identity(c) w = Identity(i) }>"
WIDE = np.array([2**31, 5, 2**31 + 7, -3])
CASES = {
    "Where with odd bools": Departure(
        ORT, "bool[4] c", "k = Constant<value = int64[4] {3, 3, 3, 3}>() y = Where(c, k, k)", {"c": SOME_BOOLS}),
    "Compress with odd bools": Departure(
        ORT, "bool[4] c", "k = Constant<value = int64[4] {3, 3, 3, 3}>() y = Compress(k, c)", {"c": SOME_BOOLS}),
    "Min of an extent": Departure(
        ORT, "float[3, 1] x", "a = Shape(x) k = Constant<value = int64 {2147483648}>() y = Min(a, k)", {"x": floats(3, 1)},
        is_common=False, last=(1, 31)),
    "Sign": Departure(ORT, "int64[4] x", "k = Constant<value = int64[4] {2147483648, 1, 2, 3}>() y = Sign(k)", {"x": WIDE}, is_common=False, last=(1, 31)),
    "A pool that rounds up": Departure(
        OPENVINO, "float[1, 2, 7, 3] x", 'y = MaxPool<auto_pad = "SAME_UPPER", ceil_mode = 1, kernel_shape = [3, 1], strides = [1, 4]>(x)',
        {"x": floats(1, 2, 7, 3)}),
    "Positions of a pool that rounds up": Departure(
        OPENVINO, "float[1, 2, 2] x", 'a, y = MaxPool<auto_pad = "SAME_UPPER", ceil_mode = 1, kernel_shape = [1], strides = [2]>(x)',
        {"x": floats(1, 2, 2)}),
    "Floats in 4 bits": Departure(
        OPENVINO, "float[1] x", "k = Constant<value = float[3] {-0.9, 0.9, 0.1}>() a = Cast<to = 22>(k) y = Cast<to = 7>(a)",
        {"x": floats(1)}, opset=21),
    "Gather out of range": Departure(
        OPENVINO, "int64[1] x", "k = Constant<value = int64[2, 1] {5, 6}>() y = Gather(k, x)", {"x": np.array([2])}),
    "Gather beside a short vector": Departure(
        OPENVINO, "int64[1] x", "k = Constant<value = int64[2] {5, 6}>() y = Gather(k, x)", {"x": np.array([2])}),
    "GatherND out of range": Departure(
        OPENVINO, "int64[1, 1] x", "k = Constant<value = int64[2] {5, 6}>() y = GatherND(k, x)", {"x": np.array([[9]])}),
    "Or of odd bools": Departure(
        ORT, "bool[4] c", "a = Or(c, c) b = Cast<to = 6>(a) d = Cast<to = 9>(b) y = Cast<to = 7>(d)", {"c": SOME_BOOLS}, last=(1, 31)),
    "Extents times 1": Departure(
        OPENVINO, "float[A, N, 4] x", """s = Shape(x) k = Constant<value = int64 {0}>() n = Gather(s, k) one = Constant<value = int64[1] {1}>()
        y = Mul(n, one)""", {"x": floats(3, 3, 4)}, shows_all=False),
    **{f"{operator} of an extent and one element": Departure(
        OPENVINO, "float[N] x", f"{COUNT} one = Constant<value = int64[1] {{1}}>() y = {operator}(n, one)", {"x": floats(4)}, shows_all=False)
       for operator in ("Mean", "Pow", "Sum")},
    "Extents clipped": Departure(
        OPENVINO, "float[N] x", f"{COUNT} one = Constant<value = int64[1] {{1}}>() y = Clip(one, , n)", {"x": floats(4)}, shows_all=False),
    "Remainder of a large float": Departure(
        OPENVINO, "float[1] x", "k = Constant<value = float[1] {-4294967040}>() d = Constant<value = float {7.024855}>() y = Mod<fmod = 1>(k, d)",
        {"x": floats(1)}),
    "ReduceL1 along axes": Departure(OPENVINO, "int64[2, 3, 2] x", "y = ReduceL1<axes = [0, 1]>(x)", {"x": zeros(2, 3, 2)}, opset=13),
    "LayerNormalization with a wide bias": Departure(
        OPENVINO, "float[N, M] x", "w = Constant<value = float {1}>() y = LayerNormalization(x, w, x)", {"x": floats(3, 1)}),
    "LayerNormalization with a long scale": Departure(
        OPENVINO, "float[2, M] x, float[5] w", "y = LayerNormalization(x, w)", {"x": floats(2, 1), "w": floats(5)}),
    "NonZero of one element": Departure(
        OPENVINO, "int64[1] x", "k = Constant<value = float[1, 1, 1, 1] {8}>() y = NonZero(k)", {"x": zeros(1)}),
    "Product of vectors": Departure(
        OPENVINO, "int8[2] x", "k = Constant<value = uint8[2] {6, 3}>() y = MatMulInteger(x, k)", {"x": zeros(2, dtype=np.int8)}),
    "Shape behind negative axes": Departure(
        ORT, "int16 x", "a = Unsqueeze<axes = [-1]>(x) y = Shape(a)", {"x": np.array(3, np.int16)}, opset=7),
    "Shape of a pool": Departure(
        ORT, "float[1, 2, 8] x", "a = MaxPool<ceil_mode = 1, kernel_shape = [1], strides = [3]>(x) y = Shape(a)", {"x": floats(1, 2, 8)}),
    "Shape behind a pool": Departure(
        ORT, "float[1, 2, 8] x", "a = MaxPool<ceil_mode = 1, kernel_shape = [1], strides = [3]>(x) b = Abs(a) y = Shape(b)",
        {"x": floats(1, 2, 8)}),
    "Concat of an empty part": Departure(
        ORT, "int64[A, 1] x, int64[B, 1] z", "y = Concat<axis = 1>(x, z)", {"x": zeros(0, 1), "z": zeros(1, 1)}),
    "ArgMin of nothing": Departure(ORT, "int64[A, B, 1] x", "y = ArgMin<axis = -3, keepdims = 1>(x)", {"x": zeros(4, 0, 1)}, last=(1, 31)),
    "constant without elements": Departure(OPENVINO, "int64[2] x", "k = Constant<value = int64[0] {}>() y = Abs(k)", {"x": zeros(2)}),
    "Gather by a constant without elements": Departure(
        OPENVINO, "int64[2] x", "k = Constant<value = int64[0] {}>() y = Gather(x, k)", {"x": zeros(2)}),
    "BitShift of scalars": Departure(
        OPENVINO, "uint8 x", 'k = Constant<value = uint8 {1}>() a = BitShift<direction = "LEFT">(x, k) y = Cast<to = 7>(a)',
        {"x": np.array(3, np.uint8)}),
    "TopK of none": Departure(
        OPENVINO, "int64[3] x", "k = Constant<value = int64[1] {0}>() c = Constant<value = int64[3] {3, 1, 2}>() y, a = TopK(c, k)",
        {"x": zeros(3)}),
    "Div of constants": Departure(
        OPENVINO, "int64[1] x", "a = Constant<value = int64[1] {5}>() k = Constant<value = int64 {-2}>() y = Div(a, k)", {"x": zeros(1)}),
    "Range away from its limit": Departure(
        OPENVINO, "float[N] x", f"{COUNT} s = Constant<value = int64 {{0}}>() d = Constant<value = int64 {{-1}}>() y = Range(s, n, d)",
        {"x": floats(4)}),
    "Flatten of nothing": Departure(OPENVINO, "int64[A, B, C] x", "y = Flatten<axis = 2>(x)", {"x": zeros(1, 0, 1)}),
    "Unique without order": Departure(
        OPENVINO, "int64[1] x", "k = Constant<value = int64[2] {-2, -3}>() y, a = Unique<sorted = 0>(k)", {"x": zeros(1)}),
    "Shape of a slice from before the data": Departure(
        OPENVINO, "float[N] x", """a = Constant<value = int64[1] {-9223372036854775807}>() b = Constant<value = int64[1] {-3}>()
        z = Constant<value = int64[1] {0}>() d = Constant<value = int64[1] {-1}>() s = Slice(x, a, b, z, d) y = Shape(s)""",
        {"x": floats(1)}),
    "Clip of a constant at a scalar": Departure(
        OPENVINO, "int64[1] x", "c = Clip(k, a) y = Cast<to = 7>(c)", {"x": zeros(1)}, constants="int8[1] k = {7}, int8 a = {3}", shows_all=False),
    "Clip at the largest number": Departure(
        OPENVINO, "int32[2] x", "a = Constant<value = int32 {2147483647}>() y = Clip(x, a)", {"x": np.array([5, -3], np.int32)}),
    "Unique of NaN": Departure(
        OPENVINO, "float[2] x", "a, b, c, y = Unique(x)", {"x": np.array([np.nan, 1], np.float32)}),
    "An odd bool in 8 bits": Departure(
        ORT, "bool[4] c", "a = Cast<to = 12>(c) b = Cast<to = 3>(a) y = Cast<to = 7>(b)", {"c": np.array([221, 1, 0, 1], np.uint8).view(bool)}),
    "Unique's positions": Departure(
        OPENVINO, "int64[N] x", "a, y = Unique(x)", [{"x": np.arange(4)}, {"x": zeros(0)}]),
    "Abs of a constant": Departure(
        OPENVINO, "int64[1] x", "c = Constant<value_ints = [-1, -2]>() a = Cast<to = 6>(c) y = Abs(a)", {"x": zeros(1)}, shows_all=False),
    "Abs of a float constant": Departure(
        OPENVINO, "int64[1] x", "c = Constant<value_ints = [-1, -2]>() a = Cast<to = 1>(c) b = Abs(a) y = Cast<to = 7>(b)", {"x": zeros(1)},
        shows_all=False),
    "DequantizeLinear of a scalar": Departure(
        OPENVINO, "int8 x", "a = DequantizeLinear(x, k) y = Cast<to = 7>(a)", {"x": np.array(3, np.int8)}, constants="float[1] k = {2}"),
    "Trilu of a large number": Departure(
        OPENVINO, "int64[A, B] x", "k = Constant<value = int64 {128}>() a = Max(x, k) y = Trilu<upper = 0>(a)", {"x": np.array([[2**31 - 1]])}),
    "A sum in doubles": Departure(
        ORT, "int64[1] x", "a = Constant<value = int64[1] {0}>() y = ReduceSum(k, a)", {"x": zeros(1)},
        constants="int64[1] k = {9007199254740993}"),
    "An extent that becomes a bool": Departure(
        ORT, "float[7] x", """a = Shape(x) b = Cast<to = 9>(a) c = Cast<to = 7>(b) e = ConstantOfShape<value = int64[1] {0}>(c) s = Shape(e)
        z = Constant<value = int64 {0}>() o = Constant<value = int64 {1}>() n = Gather<axis = 0>(s, z) r = Range(z, n, o) q = Sub(r, o)
        y = Shape(q)""", {"x": floats(7)}, shows_all=False),
    "GatherElements of a slice": Departure(
        OPENVINO, "int64[1, 3] x", """s = Shape(x) a = Constant<value = int64[1] {0}>() b = Constant<value = int64[1] {1}>() c = Slice(s, a, b)
        y = GatherElements(c, k)""", {"x": zeros(1, 3)}, constants="int64[2] k = {0, -1}"),
    "Clip of an extent at a bound with an axis": Departure(
        OPENVINO, "float[4] x", f"""{COUNT} k = Constant<value_ints = [0]>() y = Clip(n, "", k)""", {"x": floats(4)}, opset=15),
    "Max of a large remainder": Departure(
        OPENVINO, "int64[2] x", """k = Constant<value = int64 {9007199254740995}>() z = Constant<value = int64 {0}>() m = Mod(x, k)
        y = Max(m, z)""", {"x": np.array([5, -1])}, shows_all=False),
    "A reciprocal with axes": Departure(
        ORT, "float[7, 1] x", """s = Shape(x) z = Constant<value = int64 {1}>() n = Gather(s, z) d = Div(k, n) y = Mul(d, n)""",
        {"x": floats(7, 1)}, constants="int64[1, 1] k = {1}", opset=12, shows_all=False),
    "Loop without trips": Departure(
        OPENVINO, "float[N] x", f"{COUNT} t = Constant<value = bool {{1}}>() y = {LOOP}", [{"x": floats(4)}, {"x": floats(0)}]),
}


def faults(case, pool_of, find_facts):
    found, outcomes = compare_model(case.host, pool_of(case.host), case.model, case.runs, find_facts, case.shows_all)
    assert all("arrays" in outcome for outcome in outcomes), outcomes
    return found


@pytest.fixture(params=CASES)
def case(request):
    found = CASES[request.param]
    host = runner(found.host.partition(":")[0])
    if host.fault():
        pytest.skip(host.fault())
    return found


def release_of(host):
    """The first two numbers of the installed release."""
    version = next(iter(runner(host.partition(":")[0]).versions().values()))
    return tuple(int(number) for number in version.split(".")[:2])


def test_what_is_proved_for_the_host_holds(case, pool_of):
    assert faults(case, pool_of, facts_of) == []


def test_an_unknown_runtime_may_do_the_same(case, pool_of):
    if case.is_common:
        assert faults(case, pool_of, lambda model, host: facts_of(model, "tensorrt:gpu")) == []


def test_the_specification_says_something_else(case, pool_of):
    found = faults(case, pool_of, lambda model, host: facts_of(model, ""))
    assert bool(found) == (not case.last or release_of(case.host) <= case.last)
