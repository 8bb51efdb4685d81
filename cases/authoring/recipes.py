"""The deterministic tier: large calls as recipes, with the SHA-256 of the right result, in cases/deterministic.json.

    python3 -m cases.authoring.recipes      (needs NumPy)

Each call has 1 MiB of updates or of output. Results are computed with NumPy's indexing and its unbuffered ufunc.at,
which folds in row-major order of the updates and rounds at every step.
"""

import hashlib
import itertools

import numpy as np

from . import fills
from .write import CASES, lines_of

MIB = 1 << 20
FOLDS = {"add": np.add, "sum": np.add, "sub": np.subtract, "mul": np.multiply, "prod": np.multiply, "max": np.maximum,
         "min": np.minimum}


class Seeds:
    """1, 2, 3 and so on."""

    def __init__(self):
        self.last = 0

    def next(self):
        self.last += 1
        return self.last

    def restart(self):
        self.last = 0


_SEEDS = Seeds()


def uniform(low, high):
    return {"kind": "uniform", "seed": _SEEDS.next(), "low": low, "high": high}


def tensor(dtype, shape, fill):
    return {"dtype": dtype, "shape": list(shape), "fill": fill}


def moved(dtype, shape):
    """Elements that are only moved."""
    if dtype == "bool":
        return tensor(dtype, shape, uniform(0, 2))
    if dtype.startswith("float"):
        return tensor(dtype, shape, {"kind": "fraction", "seed": _SEEDS.next()})
    return tensor(dtype, shape, {"kind": "bits", "seed": _SEEDS.next()})


def small(dtype, shape):
    """Elements whose sums are exact in every order."""
    return tensor(dtype, shape, uniform(0, 8) if dtype.startswith("u") else uniform(-8, 8))


def indices(dtype, shape, extent, *, distinct=False, low=0):
    """Indices of an axis; distinct ones jump about by an odd factor, which meets all of 2^k coordinates."""
    if distinct:
        return tensor(dtype, shape, {"kind": "affine", "factor": 40503, "offset": 17, "extent": extent})
    return tensor(dtype, shape, uniform(low, extent))


def scalar(value):
    return {"dtype": "int64", "shape": [], "data": [value]}


# The operators of each dialect by family: name, version, the rest of the inputs and attributes, names of reductions.
GATHERS = [("onnx", "Gather", 13, lambda axis: ([], {"axis": axis})), ("openvino", "Gather", 8, lambda axis: ([scalar(axis)], {})),
           ("tensorrt", "Gather", 11, lambda axis: ([], {"axis": axis})), ("array", "Take", 1, lambda axis: ([], {"axis": axis}))]
ELEMENTS = [("onnx", "GatherElements", 13, lambda axis: ([], {"axis": axis})),
            ("openvino", "GatherElements", 6, lambda axis: ([], {"axis": axis})),
            ("tensorrt", "Gather", 11, lambda axis: ([], {"mode": "ELEMENT", "axis": axis})),
            ("array", "TakeAlongAxis", 1, lambda axis: ([], {"axis": axis}))]
TUPLES = [("onnx", "GatherND", 13, lambda _: ([], {})), ("openvino", "GatherND", 8, lambda _: ([], {})),
          ("tensorrt", "Gather", 11, lambda _: ([], {"mode": "ND"}))]
SCATTERS = [("onnx", "ScatterElements", 18, lambda axis: ([], {"axis": axis}), ["add", "max", "mul"]),
            ("openvino", "ScatterElementsUpdate", 12, lambda axis: ([scalar(axis)], {}), ["sum", "max", "prod"]),
            ("tensorrt", "Scatter", 11, lambda axis: ([], {"mode": "ELEMENT", "axis": axis}), []),
            ("array", "PutAlongAxis", 1, lambda axis: ([], {"axis": axis}), [])]
SCATTERS_OF_TUPLES = [("onnx", "ScatterND", 18, lambda _: ([], {}), ["add", "max", "mul"]),
                      ("openvino", "ScatterNDUpdate", 15, lambda _: ([], {}), ["sum", "max", "sub"]),
                      ("tensorrt", "Scatter", 11, lambda _: ([], {"mode": "ND"}), [])]
SCATTERS_OF_ROWS = [("openvino", "ScatterUpdate", 3, lambda axis: ([scalar(axis)], {}), []),
                    ("array", "IndexReduce", 1, lambda axis: ([], {"axis": axis}), ["sum", "max", "prod"])]


def recipe(name, operator, inputs, attrs, rule, family):
    dialect, op, version = operator[:3]
    return {"name": f"{op}_{name}".lower() if dialect != "tensorrt" else f"{op}_{attrs.get('mode', 'default')}_{name}".lower(),
            "dialect": dialect, "op": op, "version": version, "attrs": attrs, "inputs": inputs,
            "rule": f"{dialect.upper()}-V{rule}"}, family


def rows_of(dtype, width):
    """How many rows of that many elements make 1 MiB."""
    return MIB // (np.dtype(dtype).itemsize * width)


def gathers():
    for operator, (dtype, itype, width) in itertools.product(GATHERS, [
            ("float32", "int64", 64), ("float32", "int32", 4), ("float16", "int64", 256), ("int64", "int32", 1), ("int8", "int64", 16)]):
        count = rows_of(dtype, width)
        for axis, shape in ((0, [4096, width]), (1, [width, 4096])):
            rest, attrs = operator[3](axis)
            yield recipe(f"{dtype}_{itype}_{width}_axis_{axis}", operator, [moved(dtype, shape), indices(itype, [count], 4096), *rest],
                         attrs, 1, "rows")
    for operator, (dtype, itype) in itertools.product(
        ELEMENTS, [("float32", "int64"), ("int64", "int32"), ("float16", "int64")]):
        for axis in (0, 1):
            shape = [rows_of(dtype, 64), 64] if axis == 0 else [64, rows_of(dtype, 64)]
            rest, attrs = operator[3](axis)
            yield recipe(f"{dtype}_{itype}_axis_{axis}", operator,
                         [moved(dtype, shape), indices(itype, shape, shape[axis]), *rest], attrs, 1, "elements")
    for operator, (dtype, width) in itertools.product(TUPLES, [("float32", 1), ("float32", 16), ("int64", 4)]):
        rest, attrs = operator[3](0)
        yield recipe(f"{dtype}_{width}", operator, [moved(dtype, [128, 128, width]), indices("int64", [rows_of(dtype, width), 2], 128)],
                     attrs, 1, "tuples")


def _fold_rule(reduction, dtype, exact, distinct):
    if reduction == "none":
        return 1 if distinct else 7
    if reduction == "max" or exact and reduction in ("add", "sum", "sub"):
        return 6
    return 9 if dtype.startswith("int") else 8


# What is scattered: type, whether the values fold exactly, whether no
# cell meets two updates, how many coordinates there are.
WRITES = [("float32", True, False, 1024), ("float32", False, False, 16), ("int32", True, False, 64),
           ("float16", True, False, 4096), ("float16", False, False, 64), ("float32", True, True, None)]


def _write(operator, name, shapes, axis, extent, reduction, how, family):
    """A scatter with data, indices and updates of the given shapes."""
    dtype, exact, distinct, _ = how
    rest, attrs = operator[3](axis)
    if reduction != "none" or operator[1] in ("IndexReduce",):
        attrs["reduction"] = reduction
    of_data, of_indices, of_updates = shapes
    values = small if exact and dtype != "bool" else moved
    inputs = [
    values(
        dtype, of_data), indices(
            "int64", of_indices, extent, distinct=distinct), values(
                dtype, of_updates), *rest]
    kind = f"{'exact' if exact else 'rounded'}{'_distinct' if distinct else ''}"
    return recipe(
    f"{name}_{reduction}_{dtype}_{kind}",
    operator,
    inputs,
    attrs,
    _fold_rule(
        reduction,
        dtype,
        exact,
        distinct),
         family)


def _usable(operator, reduction, how):
    """Products of many small numbers are zero, and distinct cells need one reduction alone."""
    dtype, exact, distinct, _ = how
    if operator[1] == "IndexReduce" and reduction == "none" or distinct and reduction != "none":
        return False
    return reduction not in ("mul", "prod") or not exact


def _calls(operators):
    """(operator, reduction, how, the number of coordinates) of the scatters of a family; it is None for distinct cells."""
    for operator in operators:
        for reduction, how in itertools.product(["none", *operator[4]], WRITES):
            if _usable(operator, reduction, how):
                yield operator, reduction, how, how[3]


def scatters():
    for operator, reduction, how, few in _calls(SCATTERS):
        count = rows_of(how[0], 16)
        if few:
            yield _write(operator, "axis_0", ([few, 16], [count, 16], [count, 16]), 0, few, reduction, how, "elements")
        else:
            yield _write(operator, "vector", ([count * 16],) * 3, 0, count * 16, reduction, how, "elements")
    for operator, reduction, how, few in _calls(SCATTERS_OF_TUPLES):
        for width in (1, 32):
            count = rows_of(how[0], width)
            shapes = [few or count, width], [count, 1], [count, width]
            yield _write(operator, f"rows_of_{width}", shapes, 0, few or count, reduction, how, "tuples")
    for operator, reduction, how, few in _calls(SCATTERS_OF_ROWS):
        count = rows_of(how[0], 32)
        shapes = [few or count, 32], [count], [count, 32]
        yield _write(operator, "rows", shapes, 0, few or count, reduction, how, "rows")


def caches():
    for operator, dtype, mode in itertools.product([("onnx", "TensorScatter", 24), ("tensorrt", "KVCacheUpdate", 11)],
                                                   ["float32", "float16"], ["linear", "circular"]):
        if operator[0] == "tensorrt" and mode == "circular":
            continue
        shape, length = [16, 4, 1024, 64], rows_of(dtype, 64 * 16 * 4)
        starts = uniform(0, 1024 - length + 1 if mode == "linear" else 1024)
        attrs = {"mode": mode.upper() if operator[0] == "tensorrt" else mode}
        inputs = [moved(dtype, shape), moved(dtype, [16, 4, length, 64]), tensor("int64", [16], starts)]
        yield recipe(f"{dtype}_{mode}", operator, inputs, attrs, 1, "cache")


def _places(inputs, attrs, family):
    """The flat cell of data of each element of updates, or of the result of a gather, in row-major order."""
    data, given = inputs[0], inputs[1]
    axis = attrs.get("axis", inputs[-1].item() if inputs[-1].ndim == 0 else 0)
    grid = np.arange(data.size).reshape(data.shape)
    if family == "elements":
        return np.take_along_axis(grid, given, axis)
    if family == "tuples":
        return grid[tuple(np.moveaxis(given, -1, 0))]
    return np.take(grid, given, axis)


def _cache_places(inputs, attrs):
    cache, update, starts = inputs
    steps = (starts[:, None] + np.arange(update.shape[2])) % cache.shape[2]
    grid = np.arange(cache.size).reshape(cache.shape)
    return np.stack([grid[batch][:, steps[batch]] for batch in range(len(starts))])


def result(call, family, inputs=None):
    """What the call gives. `inputs`: its arrays, if they are there already."""
    inputs = inputs or [fills.elements(each) for each in call["inputs"]]
    attrs = call["attrs"]
    places = _cache_places(inputs, attrs) if family == "cache" else _places(inputs, attrs, family)
    if "Scatter" not in call["op"] and call["op"] not in ("PutAlongAxis", "IndexReduce", "KVCacheUpdate"):
        return inputs[0].reshape(-1)[places]
    updates = inputs[1] if family == "cache" else inputs[2]
    output = inputs[0].reshape(-1).copy()
    reduction = attrs.get("reduction", "none")
    with np.errstate(all="ignore"):
        if reduction == "none":
            output[places.reshape(-1)] = updates.reshape(-1)
        else:
            FOLDS[reduction].at(output, places.reshape(-1), updates.reshape(-1))
    return output.reshape(inputs[0].shape)


def recipes():
    """(recipe, family) of the whole tier, in order; seeds follow from the order."""
    _SEEDS.restart()
    return [*gathers(), *scatters(), *caches()]


def with_hash(call, family):
    output = result(call, family)
    digest = hashlib.sha256(np.ascontiguousarray(output).tobytes()).hexdigest()
    return {**call, "outputs": [{"dtype": output.dtype.name, "shape": list(output.shape), "sha256": digest}]}


def main():
    rows = [with_hash(*each) for each in recipes()]
    (CASES / "deterministic.json").write_text(lines_of(rows), encoding="utf-8")
    print(f"deterministic.json: {len(rows)} recipes")


if __name__ == "__main__":
    main()
