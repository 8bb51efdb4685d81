"""Random calls of every operator: shapes, types, indices inside and outside, policies.

CALLS has an entry per operator. Every call keeps all rules but, some of them, the one about indices.
"""

import dataclasses
import math
from typing import Any

import numpy as np
from case_data import CODES, numpy_dtype
from element_types import integer_limits, random_elements
from hypothesis import strategies as st
from layouts import repeated

# The legal range of an index: of one axis whose negative indices count from the end.
FROM_BOTH_ENDS = "both ends"
FROM_FRONT = "front"
_ANY = st.integers(0, 2**16 - 1)


@dataclasses.dataclass
class Call:
    """A call; `extents`: of the axes that the indices address, one per entry of a tuple, or one for all."""

    operator: Any
    row: dict
    inputs: list = dataclasses.field(default_factory=list)
    attributes: dict = dataclasses.field(default_factory=dict)
    policy: str | None = None
    index_input: int = 1
    lows: list = dataclasses.field(default_factory=list)
    highs: list = dataclasses.field(default_factory=list)
    extents: list = dataclasses.field(default_factory=list)
    # Of an operator without the attribute.
    implied_reduction: str = "none"
    # A cache without entries takes any index under every other policy.
    empty_axis_fails: bool = True

    @property
    def version(self):
        return self.row["since_version"]

    @property
    def reduction(self):
        return self.attributes.get("reduction", self.implied_reduction)

    @property
    def index_name(self):
        return self.row["inputs"][self.index_input]["name"]

    def bad_indices(self):
        """Where indices are that the policy refuses, in row-major order, with their values."""
        indices = self.inputs[self.index_input]
        if indices is None:
            return []
        values = whole(indices)
        policy = self.policy or self.row["out_of_range"]
        if policy == "error":
            bad = (values < per_entry(self.lows)) | (values > per_entry(self.highs))
        elif policy in ("clamp", "modulo") and self.empty_axis_fails:
            bad = np.broadcast_to(np.equal(per_entry(self.extents), 0), values.shape)
        else:
            return []
        places = [tuple(map(int, place)) for place in zip(*np.nonzero(np.atleast_1d(bad).astype(bool)), strict=True)]
        places = places if values.ndim else [()] * len(places)
        return [(place, int(values[place])) for place in places]


def whole(indices):
    """Indices as Python's integers, floats cut toward zero."""
    if indices.dtype.kind == "f":
        return np.vectorize(int, otypes=[object])(indices)
    return indices.astype(object)


def per_entry(numbers):
    """Numbers to compare with indices: one for all, or one for each place of the last axis."""
    return numbers[0] if len(numbers) == 1 else np.array(numbers, object)


def count(data, low, high):
    """A whole number from low to high, all of them alike: st.integers() prefers the ends of small ranges."""
    return low + data.draw(_ANY) % (high - low + 1) if high > low else low


class Drawer:
    """Draws the parts of a call. `scale`: the number of elements that a tensor has about, at most."""

    def __init__(self, data, scale=150):
        self.data, self.scale = data, scale
        self.rng = np.random.default_rng(self.count(0, 2**16 - 1))

    def count(self, low, high):
        """A whole number from low to high; smaller ones are simpler."""
        return count(self.data, low, high)

    def choice(self, options):
        return options[self.count(0, len(options) - 1)]

    def chance(self, one_in):
        return self.count(1, one_in) == one_in

    def extent(self, rank=1, scale=None):
        if self.chance(15):
            return 0
        return self.count(1, max(2, round((scale or self.scale) ** (1 / max(rank, 1)))))

    def shape(self, least, most, each=1):
        """So many axes; about `scale` elements at most, if every one of them stands for `each`."""
        rank = self.count(least, most)
        scale = max(1, self.scale // each)
        shape = [self.extent(rank, scale) for _ in range(rank)]
        while math.prod(shape) > 4 * scale:
            shape[shape.index(max(shape))] //= 2
        return tuple(shape)

    def type_of(self, row, position, refused=()):
        types = [name for name in row["inputs"][position]["dtypes"] if name not in CODES and name not in refused]
        return self.choice(types)

    def elements(self, shape, name, arithmetic=False):
        array = random_elements(self.rng, shape, name, arithmetic)
        return repeated(self.count, array) if self.chance(6) else array

    def numbers(self, shape, name, low, high, outside):
        """Indices from low to high, and a few others if `outside`, as far as the type has them."""
        dtype = numpy_dtype(name)
        first, last = integer_limits(dtype) if dtype.kind != "f" else (-99, 99)
        if outside:
            wide = self.rng.integers(low - 3, max(high, low) + 4, shape)
            if self.chance(4):
                wide = np.where(self.rng.random(shape) < 0.2, self.rng.choice([last, first, last // 2], shape), wide)
            few = self.rng.random(shape) < 0.3
            near = np.clip(self.rng.integers(low, max(low, high) + 1, shape), low, max(low, high))
            values = np.where(few, wide, near)
        else:
            values = self.rng.integers(low, max(low, high) + 1, shape)
        limit = min(last, 2**63 - 1)
        values = np.clip(np.asarray(values, object), first, limit)
        if dtype.kind == "f":
            values = np.asarray(values, np.float64) + self.rng.choice([0.0, 0.25], shape)
        return np.asarray(values).astype(dtype).reshape(shape)


class Maker:
    """Makes one call, step by step."""

    def __init__(self, draw, operator):
        self.draw = draw
        row = draw.choice(operator.rows)
        self.call = Call(operator, row)
        other = "skip" if row["scatter"] else "zero"
        policies = [None, "error", other] + ["clamp", "modulo"] * (operator.name != "SegmentReduce")
        self.call.policy = draw.choice(policies)
        self.outside = draw.chance(3) or (self.call.policy not in (None, "error") and draw.chance(2))

    def has(self, attribute):
        return any(row["name"] == attribute for row in self.call.row["attributes"])

    def add(self, array):
        self.call.inputs.append(array)

    def add_data(self, least=1, most=5, position=0, reductions=None):
        """Data; before it the reduction, which says what types there are: reductions(type) gives their names."""
        self.type = self.draw.type_of(self.call.row, position)
        if self.has("reduction") and reductions:
            self.call.attributes["reduction"] = self.draw.choice(reductions(self.type, self.call))
        self.arithmetic = self.call.reduction != "none"
        self.shape = self.draw.shape(least, most)
        self.add(self.draw.elements(self.shape, self.type, self.arithmetic))
        self.rank = len(self.shape)

    def add_updates(self, shape):
        self.add(self.draw.elements(shape, self.type, self.arithmetic))

    def add_indices(self, shape, extents, kind=FROM_BOTH_ENDS, tuples=False):
        """Indices of one axis, or with `tuples` one per entry along the last axis."""
        call, draw = self.call, self.draw
        call.index_input = len(call.inputs)
        call.extents = list(extents)
        name = draw.type_of(call.row, call.index_input)
        call.lows = [-extent if kind == FROM_BOTH_ENDS else 0 for extent in extents]
        call.highs = [extent - 1 for extent in extents]
        drawn_low = [0 if draw.chance(2) else low for low in call.lows]
        drawn_low = [0 if name.startswith("uint") else low for low in drawn_low]
        if tuples:
            columns = [draw.numbers(shape[:-1], name, low, high, self.outside)
                       for low, high in zip(drawn_low, call.highs, strict=True)]
            array = np.stack(columns, -1) if columns else np.zeros(shape, numpy_dtype(name))
        else:
            array = draw.numbers(shape, name, drawn_low[0], call.highs[0], self.outside)
        if draw.chance(8):
            array = repeated(draw.count, array)
        self.add(array)

    def axis(self, from_end=True, low=0):
        """An axis from `low` on, as a number that may count from the end."""
        self.at = self.draw.count(low, self.rank - 1)
        return self.at - self.rank if from_end and self.draw.chance(3) else self.at

    def add_axis(self, axis):
        name = self.draw.type_of(self.call.row, len(self.call.inputs))
        if name.startswith("uint"):
            axis %= self.rank
        self.add(np.full([1] * self.draw.count(0, 1), axis).astype(numpy_dtype(name)))

    def index_shape(self, addressed, most=3):
        """A shape of indices, each of which stands for a slice of data over all axes but the addressed ones."""
        kept = [max(extent, 1) for axis, extent in enumerate(self.shape) if axis not in addressed]
        return self.draw.shape(0, most, math.prod(kept))


def _onnx_reductions(name, call):
    if name == "string":
        names = ["none", "add", "max", "min"]
    elif name.startswith("complex"):
        names = ["none", "add", "mul"]
    else:
        names = ["none", "add", "mul", "max", "min"]
    return names if call.version >= 18 else [each for each in names if each not in ("max", "min")]


def _openvino_reductions(name, call):
    if name == "string":
        return ["none"]
    if call.operator.name == "ScatterNDUpdate":
        return ["none", "sum", "sub", "prod", "min", "max"]
    names = ["none", "sum", "prod", "min", "max"]
    return names if name == "bool" else [*names, "mean"]


def _array_reductions(name, call):
    del call  # there is one version
    if name.startswith("complex"):
        return ["sum", "prod"]
    names = ["sum", "prod", "min", "max"]
    return names if name == "bool" else [*names, "mean"]


def _gather_onnx(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(make.index_shape([make.at]), [make.shape[make.at]])


def _window(make, other=None):
    """A shape of indices: any extent on the axis, elsewhere at most that of data (or exactly, if `other`)."""
    shape = [extent if other or make.draw.chance(2) else make.draw.count(0, extent) for extent in make.shape]
    shape[make.at] = make.draw.extent(make.rank)
    return tuple(shape)


def _gather_elements_onnx(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_window(make), [make.shape[make.at]])


def _tuples(make, least=1, batch=0):
    """The extents that index tuples address behind the batch axes, and a shape of tuples without those."""
    length = make.draw.count(min(least, make.rank - batch), make.rank - batch)
    return make.shape[batch:batch + length], make.index_shape(range(batch, batch + length), 2)


def _gather_nd_onnx(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.has("batch_dims") and make.draw.chance(2) else 0
    extents, shape = _tuples(make, 1, batch)
    make.add_indices((*make.shape[:batch], *shape, len(extents)), extents, tuples=True)
    if batch:
        make.call.attributes["batch_dims"] = batch


def _scatter_elements_onnx(make):
    make.add_data(reductions=_onnx_reductions)
    make.call.attributes["axis"] = make.axis()
    shape = _window(make)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_updates(shape)


def _scatter_nd_onnx(make):
    make.add_data(reductions=_onnx_reductions)
    extents, shape = _tuples(make, 0)
    make.add_indices((*shape, len(extents)), extents, tuples=True)
    make.add_updates(shape + make.shape[len(extents):])


def _cache(make, axis, circular):
    """update and write_indices of a cache; the axis of the sequence is `axis`."""
    length = make.draw.count(0, make.shape[axis])
    make.add_updates(make.shape[:axis] + (length,) + make.shape[axis + 1:])
    make.add_indices(make.shape[:1], [max(make.shape[axis] - length + 1, 1)], FROM_FRONT)
    make.call.empty_axis_fails = False
    if circular:
        make.call.highs = [2**63 - 1]


def _tensor_scatter(make):
    make.add_data(2, 4)
    make.call.attributes["axis"] = make.axis(low=1)
    mode = make.draw.choice(["linear", "circular"])
    make.call.attributes["mode"] = mode
    _cache(make, make.at, mode == "circular")
    # Cells that two updates reach are for the policies that allow it.
    if make.draw.chance(8):
        make.call.inputs[2] = None


def _one_hot(make, version):
    """indices, depth and values, in ONNX's order."""
    indices_row, depth_row, values_row = make.rows
    depth = make.draw.count(0, 9)
    shape = make.draw.shape(0, 3)
    make.rank = len(shape) + 1
    make.call.extents = [depth]
    make.call.lows, make.call.highs = [-depth if version >= 11 else 0], [depth - 1]
    index_type, depth_type, type_ = (make.draw.type_of(make.call.row, row) for row in
                                     (indices_row, depth_row, values_row))
    low = 0 if index_type.startswith("uint") else make.call.lows[0]
    given = {
        indices_row: make.draw.numbers(shape, index_type, low, depth - 1, make.outside),
        depth_row: np.array(depth).astype(numpy_dtype(depth_type)),
        values_row: make.draw.elements((2,), type_),
    }
    make.call.index_input = indices_row
    make.call.inputs = [given[row] for row in range(3)]
    make.call.attributes["axis"] = make.axis()


def _one_hot_onnx(make):
    make.rows = (0, 1, 2)
    _one_hot(make, make.call.version)


def _one_hot_tensorrt(make):
    make.rows = (0, 2, 1)
    _one_hot(make, 11)


def _array_feature_extractor(make):
    make.add_data(1, 4)
    count = make.draw.count(1, 9)
    make.add_indices((1,) * make.draw.count(0, 1) + (count,), [make.shape[-1]], FROM_FRONT)


def _gather_openvino(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.has("batch_dims") and make.draw.chance(2) else 0
    axis = make.axis(low=batch)
    shape = make.shape[:batch] + make.index_shape([make.at], 2)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_axis(axis)
    if batch:
        from_end = batch < len(shape) <= batch + make.rank and make.draw.chance(3)
        make.call.attributes["batch_dims"] = batch - len(shape) if from_end else batch


def _gather_elements_openvino(make):
    make.add_data()
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_window(make, other=True), [make.shape[make.at]])


def _gather_nd_openvino(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1) if make.draw.chance(2) else 0
    extents, shape = _tuples(make, 0, batch)
    batches = list(make.shape[:batch])
    if batch and make.call.version == 8 and make.draw.chance(3):
        batches[make.draw.count(0, batch - 1)] = 1
    make.add_indices((*batches, *shape, len(extents)), extents, tuples=True)
    if batch:
        make.call.attributes["batch_dims"] = batch


def _scatter_update_openvino(make):
    make.add_data(most=4)
    axis = make.axis()
    shape = make.index_shape([make.at], 2)
    make.add_indices(shape, [make.shape[make.at]], FROM_FRONT)
    make.add_updates(make.shape[:make.at] + shape + make.shape[make.at + 1:])
    make.add_axis(axis)


def _scatter_elements_openvino(make):
    make.add_data(reductions=_openvino_reductions)
    axis = make.axis()
    shape = _window(make)
    make.add_indices(shape, [make.shape[make.at]])
    make.add_updates(shape)
    make.add_axis(axis)
    if make.has("use_init_val"):
        make.call.attributes["use_init_val"] = make.draw.chance(2)


def _scatter_nd_openvino(make):
    make.add_data(reductions=_openvino_reductions)
    extents, shape = _tuples(make, 0)
    make.add_indices((*shape, len(extents)), extents, tuples=True)
    make.add_updates(shape + make.shape[len(extents):])


def _gather_tensorrt(make):
    mode = make.draw.choice(["DEFAULT", "ELEMENT", "ND"])
    if mode == "ND":
        _gather_nd_tensorrt(make)
    else:
        make.add_data()
        elementwise = int(mode == "DEFAULT" and make.rank > 1 and make.draw.chance(2))
        make.call.attributes["axis"] = make.axis(from_end=False, low=elementwise)
        shape = _window(make) if mode == "ELEMENT" else make.index_shape([make.at])
        if elementwise:
            leading = 1 if make.draw.chance(3) else make.shape[0]
            shape = (leading, *shape[1:])
            make.call.attributes["num_elementwise_dims"] = 1
        make.add_indices(shape, [make.shape[make.at]])
    make.call.attributes["mode"] = mode


def _gather_nd_tensorrt(make):
    make.add_data()
    batch = make.draw.count(0, make.rank - 1)
    extents, shape = _tuples(make, 1, batch)
    make.add_indices((*make.shape[:batch], *shape, len(extents)), extents, tuples=True)
    make.call.attributes["num_elementwise_dims"] = batch


def _scatter_tensorrt(make):
    mode = make.draw.choice(["ELEMENT", "ND"])
    make.add_data()
    if mode == "ELEMENT":
        make.call.attributes["axis"] = make.axis(from_end=False)
        shape = _window(make)
        make.add_indices(shape, [make.shape[make.at]])
        make.add_updates(shape)
    else:
        extents, shape = _tuples(make, 1)
        make.add_indices((*shape, len(extents)), extents, tuples=True)
        make.add_updates(shape + make.shape[len(extents):])
    make.call.attributes["mode"] = mode


def _kv_cache_update(make):
    make.add_data(4, 4)
    _cache(make, 2, circular=False)


def _broadcast_window(make):
    """A shape of indices that broadcasts against data off the axis; data may lose extents for it, too."""
    shape = [1 if make.draw.chance(4) else extent for extent in make.shape]
    shape[make.at] = make.draw.extent(make.rank)
    narrow = tuple(slice(0, 1) if axis != make.at and make.draw.chance(6) else slice(None)
                   for axis in range(make.rank))
    make.call.inputs[0] = make.call.inputs[0][narrow]
    make.shape = make.call.inputs[0].shape
    return tuple(shape)


def _take_along_axis(make):
    make.add_data(most=4)
    make.call.attributes["axis"] = make.axis()
    make.add_indices(_broadcast_window(make), [make.shape[make.at]])


def _put_along_axis(make):
    _take_along_axis(make)
    indices = make.call.inputs[1]
    shape = [max(pair) if 0 not in pair else 0 for pair in zip(indices.shape, make.shape, strict=True)]
    shape[make.at] = indices.shape[make.at]
    values = [1 if make.draw.chance(5) else extent for extent in shape]
    make.add_updates(tuple(values[make.draw.count(0, make.rank) if make.draw.chance(3) else 0:]))


def _index_add(make):
    make.call.implied_reduction = "sum"
    _index_reduce(make)


def _index_reduce(make):
    make.add_data(most=4, reductions=_array_reductions)
    make.call.attributes["axis"] = make.axis()
    make.add_indices((make.draw.extent(make.rank),), [make.shape[make.at]])
    make.add_updates(make.shape[:make.at] + make.call.inputs[1].shape + make.shape[make.at + 1:])
    if make.has("use_init_val"):
        make.call.attributes["use_init_val"] = make.draw.chance(2)


def _segment_reduce(make):
    make.add_data(most=4, reductions=_array_reductions)
    segments = make.draw.count(0 if make.draw.chance(9) else 1, 9)
    make.call.attributes["num_segments"] = segments
    make.add_indices(make.shape[:1], [segments], FROM_FRONT)
    make.call.inputs[1] = np.sort(make.call.inputs[1])


CALLS = {
    ("array", "Take"): _gather_onnx,
    ("array", "TakeAlongAxis"): _take_along_axis,
    ("array", "PutAlongAxis"): _put_along_axis,
    ("array", "IndexAdd"): _index_add,
    ("array", "IndexReduce"): _index_reduce,
    ("array", "SegmentReduce"): _segment_reduce,
    ("onnx", "Gather"): _gather_onnx,
    ("onnx", "GatherElements"): _gather_elements_onnx,
    ("onnx", "GatherND"): _gather_nd_onnx,
    ("onnx", "Scatter"): _scatter_elements_onnx,
    ("onnx", "ScatterElements"): _scatter_elements_onnx,
    ("onnx", "ScatterND"): _scatter_nd_onnx,
    ("onnx", "TensorScatter"): _tensor_scatter,
    ("onnx", "OneHot"): _one_hot_onnx,
    ("onnx", "ArrayFeatureExtractor"): _array_feature_extractor,
    ("openvino", "Gather"): _gather_openvino,
    ("openvino", "GatherElements"): _gather_elements_openvino,
    ("openvino", "GatherND"): _gather_nd_openvino,
    ("openvino", "ScatterUpdate"): _scatter_update_openvino,
    ("openvino", "ScatterElementsUpdate"): _scatter_elements_openvino,
    ("openvino", "ScatterNDUpdate"): _scatter_nd_openvino,
    ("tensorrt", "Gather"): _gather_tensorrt,
    ("tensorrt", "Scatter"): _scatter_tensorrt,
    ("tensorrt", "OneHot"): _one_hot_tensorrt,
    ("tensorrt", "KVCacheUpdate"): _kv_cache_update,
}


def draw_call(data, operator, scale=150):
    make = Maker(Drawer(data, scale), operator)
    CALLS[operator.dialect, operator.name](make)
    return make.call
