"""Runs drawn calls of GatherBlockQuantized with ONNX Runtime and with Windrow and says where they part.

    PYTHONPATH=build/release/python .venv/bin/python python/tests/onnx_runtime/quantised_calls.py --seed 1 --calls 2000
    PYTHONPATH=build/release/python .venv/bin/python python/tests/onnx_runtime/quantised_calls.py --seed 1 --call 766

The first counts the calls by what became of them, and ends with exit code 1 if a difference has no row in DIFFERENCES. The
second shows one call.
"""

import argparse
import itertools
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import TensorProto, helper

import windrow

# What ONNX Runtime 1.32 does otherwise: a part of its message, and the cause.
DIFFERENCES = {
    "Could not find an implementation": "its CPU provider has no kernel for bfloat16 scales",
}

PACKED = {"int4": TensorProto.INT4, "uint4": TensorProto.UINT4, "float4_e2m1fn": TensorProto.FLOAT4E2M1}
NUMBERS = {
    "uint8": TensorProto.UINT8,
    "float8_e4m3fn": TensorProto.FLOAT8E4M3FN,
    "float8_e4m3fnuz": TensorProto.FLOAT8E4M3FNUZ,
    "float8_e5m2": TensorProto.FLOAT8E5M2,
    "float8_e5m2fnuz": TensorProto.FLOAT8E5M2FNUZ,
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "bfloat16": TensorProto.BFLOAT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
}
CODES = ["uint8", "uint8", "uint8", "int4", "uint4", *(name for name in NUMBERS if name.startswith("float8")), "float4_e2m1fn"]

FLOATS = [name for name in CODES if name.startswith("float")]
# Type of data, bits, and the values in one element of data.
FORMS = [("int4", 4, 1), ("uint4", 4, 1), ("uint8", 2, 4), ("uint8", 4, 2), ("uint8", 8, 1), *((name, 4, 1) for name in FLOATS)]


@dataclass
class Call:
    """One call: the inputs as arrays, whose elements of 4 bits take a byte each, with the names of their types."""

    attributes: dict
    inputs: list = field(default_factory=list)

    def __str__(self):
        inputs = ", ".join("none" if given is None else f"{given[0]}{list(given[1].shape)}" for given in self.inputs)
        return f"{self.attributes} {inputs}\nindices {self.inputs[1][1].tolist()}"


def numpy_type(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def codes(draw, dtype, shape):
    """Random bits, NaN among them."""
    bits = np.array([draw.getrandbits(8) for _ in range(int(np.prod(shape)))], np.uint8).reshape(shape)
    if dtype not in PACKED:
        return bits.view(numpy_type(dtype))
    low = bits & 15
    return (low.astype(np.int8) - 16 * (low > 7)).astype(numpy_type(dtype)) if dtype == "int4" else (
        low.astype(numpy_type(dtype)) if dtype == "uint4" else low.view(numpy_type(dtype)))


def scales(draw, dtype, shape):
    usual = [draw.choice([draw.uniform(-2, 2), draw.uniform(-1e-6, 1e-6), draw.uniform(-1e5, 1e5), 0.0, float("inf"), float("nan"),
                          1.0, 0.1]) for _ in range(int(np.prod(shape)))]
    with np.errstate(over="ignore"):
        return np.array(usual, np.float64).reshape(shape).astype(numpy_type(dtype))


def drawn_call(seed, number):
    """Call `number` of a seed; one in eight breaks a rule."""
    draw = random.Random(f"{seed} {number}")
    dtype = draw.choice(CODES)
    is_float = dtype.startswith("float")
    bits = draw.choice([2, 4, 8]) if dtype == "uint8" else 4
    each = 8 // bits if dtype == "uint8" else 1
    rank = draw.choice([2, 2, 3, 4])
    shape = [draw.randint(1, 4) for _ in range(rank - 1)] + [draw.choice([0, 1, 5, 8, 16, 24, 33, 70])]
    if dtype != "uint8" and draw.random() < 0.3:
        shape[draw.randrange(rank)] = draw.choice([17, 40])
    gather, quantised = (0, rank - 1) if dtype == "uint8" else (draw.randrange(rank), draw.randrange(rank))
    block = draw.choice([16, 32, 64, 1 << 40] + [0] * is_float)
    values = [*shape[:-1], shape[-1] * each]
    of_scales = list(values)
    of_scales[quantised] = min(values[quantised], 1) if block == 0 else -(-values[quantised] // block)
    for axis in range(rank):
        if is_float and axis != quantised and draw.random() < 0.3:
            of_scales[axis] = 1
    of_zeros = [*of_scales[:-1], -(-of_scales[-1] // each)]
    attributes = {"bits": bits, "block_size": block, "gather_axis": gather - rank * draw.randint(0, 1),
                  "quantize_axis": quantised - rank * draw.randint(0, 1)}
    has_zeros = not is_float and draw.random() < 0.5
    if draw.random() < 0.125:
        has_zeros = break_one(draw, attributes, shape, of_scales, of_zeros) or has_zeros
    extent = values[gather]
    count = draw.choice([[], [0], [7], [2, 3]])
    low, high = (-extent, extent - 1) if extent and draw.random() < 0.6 else (-extent - 2, extent + 1)
    index = draw.choice(["int32", "int64"])
    indices = np.array([draw.randint(low, high) for _ in range(int(np.prod(count)))], index).reshape(count)
    scale_type = draw.choice(["float32", "float32", "float16", "float16", "bfloat16"])
    inputs = [(dtype, codes(draw, dtype, shape)), (index, indices), (scale_type, scales(draw, scale_type, of_scales))]
    inputs.append((dtype, codes(draw, dtype, of_zeros)) if has_zeros else None)
    return Call(attributes, inputs)


def legal_calls(dtype, bits, each):
    """Every combination of axes, block size, zero points and types of the other inputs, of a table of 3 axes."""
    draw = random.Random(f"{dtype} {bits}")
    is_bytes, is_float = dtype == "uint8", dtype in FLOATS
    axes = range(-3, 3)
    pairs = itertools.product((0, -3), (2, -1)) if is_bytes else itertools.product(axes, axes)
    blocks = [16, 32, 1 << 40] + [0] * is_float
    zeros = (False,) if is_float else (False, True)
    for (gather, quantised), block, has_zeros, scale, index in itertools.product(
            pairs, blocks, zeros, ("float32", "float16", "bfloat16"), ("int32", "int64")):
        shape = [5, 3, 40]
        values = [5, 3, 40 * each]
        extent = values[quantised]
        of_scales = list(values)
        of_scales[quantised] = 1 if block == 0 else -(-extent // block)
        of_zeros = [*of_scales[:-1], -(-of_scales[-1] // each)]
        indices = np.array([[0, -1, 1], [2, -3, 99]], index)  # 99 is outside, of which the host makes zeros
        yield Call(
            {"bits": bits, "block_size": block, "gather_axis": gather, "quantize_axis": quantised},
            [(dtype, codes(draw, dtype, shape)), (index, indices), (scale, scales(draw, scale, of_scales)),
             (dtype, codes(draw, dtype, of_zeros)) if has_zeros else None])


def break_one(draw, attributes, shape, of_scales, of_zeros):
    """Breaks a rule, as a rule. Returns whether zero points must be given."""
    part = draw.randrange(6)
    if part == 0:
        attributes["block_size"] = draw.choice([0, 8, 24, -16])
    elif part == 1:
        attributes["bits"] = draw.choice([0, 1, 3, 8, 16])
    elif part == 2:
        attributes[draw.choice(["gather_axis", "quantize_axis"])] = draw.choice([-7, 0, 1, 7])
    elif part == 3:
        of_scales[draw.randrange(len(shape))] += 1
    elif part == 4:
        of_zeros[draw.randrange(len(shape))] += 1
    else:
        of_zeros.append(1)
    return part >= 4


def proto(name, dtype, array):
    tensor = TensorProto(name=name, data_type=PACKED.get(dtype) or NUMBERS[dtype], dims=array.shape)
    if dtype not in PACKED:
        tensor.raw_data = array.tobytes()
        return tensor
    low = array.reshape(-1).view(np.uint8) & 15
    low = np.append(low, np.zeros(low.size % 2, np.uint8))
    tensor.raw_data = (low[0::2] | (low[1::2] << 4)).tobytes()
    return tensor


def model_of(call):
    """A model of the call, with every input an initializer."""
    names = ["data", "indices", "scales", "zero_points"]
    tensors = [proto(name, *given) for name, given in zip(names, call.inputs, strict=True) if given is not None]
    node = helper.make_node("GatherBlockQuantized", [tensor.name for tensor in tensors], ["output"], domain="com.microsoft", **call.attributes)
    output = helper.make_tensor_value_info("output", NUMBERS[call.inputs[2][0]], None)
    graph = helper.make_graph([node], "call", [], [output], initializer=tensors)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def run_onnxruntime(call):
    """The result, or what ONNX Runtime says. A bfloat16 result is bits."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model_of(call).SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(None, {})[0], ""
    except Exception as error:  # its errors have no common class
        return None, str(error)


def run_windrow(call):
    try:
        return windrow.onnx.gather_block_quantized(*(None if given is None else given[1] for given in call.inputs), **call.attributes), ""
    except windrow.Error as error:
        return None, str(error)


def same(ours, theirs):
    """Equal shapes and bits; a NaN is equal to any other."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    nan = np.isnan(ours)
    return bool((nan == np.isnan(theirs)).all()) and ours[~nan].tobytes() == theirs[~nan].tobytes()


def outcome(call):
    """"equal", "refused", the cause of a known difference, or "" for one that is not known."""
    ours, our_text = run_windrow(call)
    theirs, their_text = run_onnxruntime(call)
    if theirs is None:
        if ours is None:
            return "refused by both", our_text, their_text
        known = next((cause for part, cause in DIFFERENCES.items() if part in their_text), "")
        return known, "ran", their_text
    if ours is None:
        return "", our_text, "ran"
    return ("equal" if same(ours, theirs) else ""), str(ours), str(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--call", type=int)
    asked = parser.parse_args()
    numbers = range(asked.calls) if asked.call is None else [asked.call]
    counts = Counter()
    for number in numbers:
        call = drawn_call(asked.seed, number)
        cause, ours, theirs = outcome(call)
        counts[cause or "unknown difference"] += 1
        if not cause or asked.call is not None:
            print(f"call {number}: {call}\nWindrow: {ours}\nONNX Runtime: {theirs}\n{cause}\n")
    for cause, count in counts.most_common():
        print(f"{count:6} {cause}")
    return 1 if counts["unknown difference"] else 0


if __name__ == "__main__":
    sys.exit(main())
