"""The shapes that our own rules give to operators of other kinds: known without a premise, and those of ONNX Runtime."""

import numpy as np
import pytest
from facts_beside_values import Tally, compare
from foreign_shapes import model_of
from test_foreign_shapes import facts_of, run_of

IMAGE, ROW = "float[2, 8, 9, 6] x", "float[2, 8] x"
FILTER = "float[4, 8, 3, 2] w"
TYPED = {
    "Tanh": (17, ROW, "Tanh(x)"),
    "Softmax": (13, ROW, "Softmax<axis = 1>(x)"),
    "Gelu": (20, ROW, "Gelu(x)"),
    "Pow": (17, "float[2, 1] x, float[8] w", "Pow(x, w)"),
    "Mean": (17, "float[2, 1] x, float[8] w", "Mean(x, w)"),
    "PRelu": (17, f"{IMAGE}, float[8, 1, 1] w", "PRelu(x, w)"),
    "MatMul of batches": (17, "float[3, 1, 2, 8] x, float[5, 8, 4] w", "MatMul(x, w)"),
    "MatMul of a vector": (17, "float[8] x, float[5, 8, 4] w", "MatMul(x, w)"),
    "Gemm": (17, "float[8, 2] x, float[4, 8] w", "Gemm<transA = 1, transB = 1>(x, w)"),
    "Dropout": (13, ROW, "Dropout(x)"),
    "BatchNormalization": (15, f"{IMAGE}, float[8] w", "BatchNormalization(x, w, w, w, w)"),
    "InstanceNormalization": (15, f"{IMAGE}, float[8] w", "InstanceNormalization(x, w, w)"),
    "LayerNormalization": (17, f"{IMAGE}, float[6] w", "LayerNormalization(x, w)"),
    "GroupNormalization": (21, f"{IMAGE}, float[8] w", "GroupNormalization<num_groups = 2>(x, w, w)"),
    "Conv": (17, f"{IMAGE}, {FILTER}", "Conv<strides = [2, 1], pads = [1, 0, 2, 1], dilations = [2, 3]>(x, w)"),
    "Conv VALID": (17, f"{IMAGE}, {FILTER}", 'Conv<strides = [2, 1], auto_pad = "VALID">(x, w)'),
    "Conv SAME": (17, f"{IMAGE}, {FILTER}", 'Conv<strides = [2, 3], auto_pad = "SAME_UPPER">(x, w)'),
    "Conv of groups": (17, f"{IMAGE}, float[6, 4, 3, 3] w", "Conv<group = 2>(x, w)"),
    "ConvTranspose": (
        17, f"{IMAGE}, float[8, 3, 3, 2] w", "ConvTranspose<strides = [2, 3], output_padding = [1, 2], pads = [1, 0, 1, 1]>(x, w)"),
    "ConvTranspose of groups": (17, f"{IMAGE}, float[8, 3, 3, 2] w", "ConvTranspose<group = 2, dilations = [2, 1]>(x, w)"),
    "MaxPool": (17, IMAGE, "MaxPool<kernel_shape = [3, 2], strides = [2, 2], pads = [1, 0, 1, 1]>(x)"),
    "MaxPool that rounds nothing": (17, IMAGE, "MaxPool<kernel_shape = [3, 2], strides = [2, 2], ceil_mode = 1>(x)"),
    "AveragePool": (19, IMAGE, "AveragePool<kernel_shape = [3, 2], dilations = [2, 1]>(x)"),
    "LpPool": (18, IMAGE, "LpPool<kernel_shape = [3, 2], strides = [1, 2]>(x)"),
    "GlobalAveragePool": (17, IMAGE, "GlobalAveragePool(x)"),
    "ReduceMean": (17, IMAGE, "ReduceMean<axes = [-1, 1], keepdims = 0>(x)"),
    "ReduceL2": (17, IMAGE, "ReduceL2(x)"),
    "DepthToSpace": (17, IMAGE, "DepthToSpace<blocksize = 2>(x)"),
    "SpaceToDepth": (17, "float[2, 3, 9, 6] x", "SpaceToDepth<blocksize = 3>(x)"),
    "Pad": (17, ROW, "Pad(x, a)", "a = Constant<value = int64[4] {1, -2, 0, 3}>()"),
    "Pad of some axes": (
        18, IMAGE, "Pad(x, a, b, c)",
        "a = Constant<value = int64[2] {1, 3}>() b = Constant<value = float {0.0}>() c = Constant<value = int64[1] {-1}>()"),
    "Resize by numbers that are exact": (
        13, IMAGE, "Resize(x, a, b)", "a = Constant<value = float[0] {}>() b = Constant<value = float[4] {1.0, 1.0, 2.0, 0.5}>()"),
    "Resize to sizes": (
        13, IMAGE, "Resize(x, a, a, b)", "a = Constant<value = float[0] {}>() b = Constant<value = int64[4] {2, 8, 3, 11}>()"),
    "Einsum": (17, "float[2, 3, 8] x, float[2, 8, 5] w", 'Einsum<equation = "bij, bjk -> bik">(x, w)'),
}
QUANTIZED = {
    "MatMulInteger": (17, "uint8[2, 8] x, uint8[8, 3] w", "MatMulInteger(x, w)", "", "int32"),
    "ConvInteger": (17, "uint8[1, 2, 5, 5] x, uint8[3, 2, 3, 3] w", "ConvInteger<pads = [1, 1, 1, 1]>(x, w)", "", "int32"),
    "QuantizeLinear": (17, "float[2, 8] x", "QuantizeLinear(x, a, b)", "a = Constant<value = float {0.5}>() b = Constant<value = int8 {3}>()", "int8"),
    "DequantizeLinear": (17, "uint8[2, 8] x", "DequantizeLinear(x, a)", "a = Constant<value = float {0.5}>()"),
}
UNKNOWN = {
    "a convolution that keeps extents": ("float[n, 8, h, 7] x, float[4, 8, 3, 3] w", "Conv<pads = [1, 1, 1, 1]>(x, w)", ["x.shape[0]", 4, "x.shape[2]", 7]),
    "a SAME convolution": ("float[n, 8, h, 7] x, float[4, 8, 3, 3] w", 'Conv<auto_pad = "SAME_LOWER">(x, w)', ["x.shape[0]", 4, "x.shape[2]", 7]),
    "a matrix product": ("float[n, s, 8] x, float[8, 3] w", "MatMul(x, w)", ["x.shape[0]", "x.shape[1]", 3]),
    "a mean": ("float[n, s, 8] x", "ReduceMean<axes = [-1]>(x)", ["x.shape[0]", "x.shape[1]", 1]),
    "a normalization": ("float[n, s, 8] x, float[8] w", "LayerNormalization(x, w)", ["x.shape[0]", "x.shape[1]", 8]),
}


def model_with(opset, inputs, call, constants="", dtype="float"):
    return model_of(opset, f"({inputs}) => ({dtype} y) {{ {constants} y = {call} }}")


@pytest.mark.parametrize("name", [*TYPED, *QUANTIZED])
def test_shapes_are_known_without_a_premise(name):
    model = model_with(*(TYPED | QUANTIZED)[name])
    array = run_of(model).arrays["y"]
    fact = facts_of(model)["y"]
    assert fact["shape_premises"] == fact["type_premises"] == []
    assert (fact["dtype"], tuple(fact["dims"])) == (array.dtype.name, array.shape)


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_extents_are_kept(name):
    inputs, call, dims = UNKNOWN[name]
    fact = facts_of(model_with(17, inputs, call))["y"]
    assert fact["dims"] == dims
    assert fact["shape_premises"] == []


def random_window(random):
    """A Conv, ConvTranspose or pool with drawn attributes, legal or not, as the text of a model."""
    extents = [int(number) for number in random.integers(1, 12, 2)]
    kernel = [int(number) for number in random.integers(1, 5, 2)]
    name = str(random.choice(["Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool"]))
    given = [f"strides = {random.integers(1, 5, 2).tolist()}"]
    if random.random() < 0.4:
        given.append(f"dilations = {random.integers(1, 4, 2).tolist()}")
    mode = str(random.choice(["", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"], p=[0.4, 0.1, 0.1, 0.2, 0.2]))
    if mode:
        given.append(f'auto_pad = "{mode}"')
    if random.random() < (0.2 if mode else 0.6):
        given.append(f"pads = {random.integers(0, max(kernel), 4).tolist()}")
    if name.endswith("Pool"):
        given += [f"kernel_shape = {kernel}"] + ["ceil_mode = 1"] * int(random.random() < 0.5)
        return f"(float[1, 2, {extents[0]}, {extents[1]}] x) => (y) {{ y = {name}<{', '.join(given)}>(x) }}"
    if name == "ConvTranspose" and random.random() < 0.3:
        given.append(f"output_padding = {random.integers(0, 2, 2).tolist()}")
    return (
        f"(float[1, 2, {extents[0]}, {extents[1]}] x, float[2, 2, {kernel[0]}, {kernel[1]}] w) => (y) "
        f"{{ y = {name}<{', '.join(given)}>(x, w) }}")


WINDOWS = 600


def test_windows_have_the_shapes_of_onnxruntime():
    """Whatever the attributes are: a shape without a premise is ONNX Runtime's, and most of them have none."""
    random = np.random.default_rng(7)
    runs = known = 0
    for _ in range(WINDOWS):
        text = random_window(random)
        # Shape shows the bounds of extents that are not numbers.
        model = model_of(int(random.choice([19, 22])), text.removesuffix("}") + "shape = Shape(y) }")
        try:
            run = run_of(model)
        except Exception:  # ONNX Runtime's errors have no common base
            continue
        tally = Tally()
        facts = facts_of(model)
        for value in ("y", "shape"):
            compare(facts[value], run.arrays[value], run, tally)
        fact = facts["y"]
        assert tally.faults == [], text
        runs += 1
        known += not fact["shape_premises"] and None not in fact["dims"] and "y.shape" not in str(fact["dims"])
    assert runs > WINDOWS / 2
    assert known > runs / 2
