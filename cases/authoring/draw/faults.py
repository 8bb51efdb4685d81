"""How a legal call is made to break one rule. FAULTS: by kind, a function that changes the call and says what the error
is.

Each takes spec, call, row and draw and returns the kind of the error, or None where the call has no such fault. The
kinds are keys of Spec.faults, whose values are the labels. One long file, since it is a table: a few lines per fault.
"""

from .. import types
from . import indices
from .indices import product
from .spec import REFUSED_INDICES, axis_tensor


def _put(call, spec, role, shape, dtype=None):
    """Another shape, or type, of an input, with elements of its own repeated."""
    place = spec.roles.index(role)
    tensor = call.inputs[place]
    source = tensor["data"] or _any(dtype or tensor["dtype"])
    if dtype and dtype != tensor["dtype"]:
        source = _any(dtype)
    count = product(shape)
    call.inputs[place] = {"dtype": dtype or tensor["dtype"], "shape": list(shape),
                          "data": (source * (count // len(source) + 1))[:count]}


def _is_given(call, spec, role):
    place = spec.roles.index(role) if role in spec.roles else len(call.inputs)
    return place < len(call.inputs) and call.inputs[place] is not None


def _set(call, spec, role, tensor):
    """Gives an input that the call may lack."""
    place = spec.roles.index(role)
    call.inputs += [None] * (place + 1 - len(call.inputs))
    call.inputs[place] = tensor


def _any(dtype):
    return types.SAMPLES[dtype]


def _shape(call, spec, role):
    return list(call.inputs[spec.roles.index(role)]["shape"])


def _grown(shape, axis, by=1):
    return [extent + by * (d == axis) for d, extent in enumerate(shape)]


def data_type(spec, call, row, draw):
    dtype = draw.pick(spec.refused)
    for role in ("data", "updates"):
        if _is_given(call, spec, role):
            _put(call, spec, role, _shape(call, spec, role), dtype)
    return "type"


def index_type(spec, call, row, draw):
    choices = [dtype for dtype in types.I10 if dtype not in spec.index_types]
    if draw.chance(2) or not choices:
        dtype = draw.pick(list(REFUSED_INDICES) if "float32" not in spec.index_types else ["bool", "string"])
        value = REFUSED_INDICES[dtype]
    else:
        dtype, value = draw.pick(choices), 0
    given = call.indices(spec)
    given.update(dtype=dtype, data=[value] * len(given["data"]))
    return "type"


def updates_type(spec, call, row, draw):
    others = [dtype for dtype in spec.types() if dtype != row["dtype"]]
    _put(call, spec, "updates", _shape(call, spec, "updates"), draw.pick(others))
    return "type"


def other_type(spec, call, row, draw):
    """The axis, the depth or the number of segments of a type that it does not have."""
    role = next(role for role in ("axis", "depth", "count") if role in spec.roles)
    dtype = draw.pick(["bool", "string", *(["float32"] if role == "axis" or "float32" not in spec.index_types else [])])
    tensor = call.inputs[spec.roles.index(role)]
    tensor.update(dtype=dtype, data=[{"float32": 0.0, "bool": False, "string": "0"}[dtype]])
    return "type"


def _bad_axis(low, high, draw):
    return draw.pick([high, high + 1, low - 1, low - 2, 2**31, -2**31 - 1, 2**63 - 1, -2**63])


def axis(spec, call, row, draw):
    rank = row["rank"] + ("depth" in spec.roles)
    if spec.axis == "input":
        place = spec.roles.index("axis")
        call.inputs[place] = axis_tensor(0, rank, draw)
        low, high = indices.limits(call.inputs[place]["dtype"])
        wrong = [value for value in (rank, rank + 1, -rank - 1, -rank - 2, high, low) if low <= value <= high
                 and not -rank <= value < rank]
        call.inputs[place]["data"] = [draw.pick(wrong)]
    else:
        call.attrs[spec.axis_name] = _bad_axis(0 if spec.axis == "unsigned" else -rank, rank, draw)
    return "argument"


def cache_axis(spec, call, row, draw):
    rank = row["rank"]
    call.attrs["axis"] = draw.pick([0, -rank, _bad_axis(-rank, rank, draw)])
    return "argument"


def attribute(spec, call, row, draw):
    unknown = ["keepdims", "reduce", "indices_are_sorted", "Axis"]
    call.attrs[draw.pick(unknown)] = draw.pick([0, 1, "none"])
    return "argument"


def reduction(spec, call, row, draw):
    lacking = [name for name in spec.reductions if spec.has and not spec.has(row["dtype"], name)]
    if lacking and draw.chance(2):
        call.attrs["reduction"] = draw.pick(lacking)
        return "type"
    call.attrs["reduction"] = draw.pick(["average", "ADD", "", "logical_or"])
    return "argument"


def mode(spec, call, row, draw):
    call.attrs["mode"] = draw.pick(["ring", "nd", "element", "Linear", ""])
    return "argument"


def fill_mode(spec, call, row, draw):
    call.attrs["fill_mode"] = draw.pick(["zeros", "LOW", "MAX", ""])
    return "argument"


def batch(spec, call, row, draw):
    """batch_dims, or num_elementwise_dims, out of its range."""
    inner = len(_shape(call, spec, "indices"))
    most = min(row["rank"], inner)
    first = {"unsigned": 2, "input": most + 1}.get(spec.axis, most)
    call.attrs[spec.batch_name] = draw.pick([first, first + 1, -most - 1 if spec.axis == "input" else -1, 2**31])
    return "argument"


def segment_count(spec, call, row, draw):
    call.attrs["num_segments"] = draw.pick([-1, -2, -2**63])
    return "argument"


def inputs(spec, call, row, draw):
    """One input less or one more than the operator has."""
    if draw.chance(2):
        optional = spec.roles[-1] == "indices" and spec.axis == "cache" or "fill_mode" in spec.faults
        del call.inputs[-1 - optional:]
    else:
        # Two more: with one, an axis that is an input would be an attribute where positions count.
        call.inputs += [call.inputs[0], call.inputs[0]]
    return "argument"


def policy(spec, call, row, draw):
    row["policy"] = "skip" if not spec.scatters else "zero"
    return "argument"


def duplicates(spec, call, row, draw):
    row["policy"] = "no duplicates"
    return "duplicate"


def bad_index(spec, call, row, draw):
    return "index"


def data_rank(spec, call, row, draw):
    """Data without an axis; operators of elements: ranks that differ."""
    _put(call, spec, "data", [])
    return "shape"


def index_rank(spec, call, row, draw):
    _put(call, spec, "indices", [])
    return "shape"


def either_rank(spec, call, row, draw):
    return (data_rank if draw.chance(2) else index_rank)(spec, call, row, draw)


def ranks(spec, call, row, draw):
    """One of the tensors, which must have one rank, gets another axis."""
    role = draw.pick([role for role in ("indices", "updates")
                     if role in spec.roles and spec.off_axis != "broadcast"] or ["indices"])
    _put(call, spec, role, [*_shape(call, spec, role), 1])
    return "shape"


def cache_ranks(spec, call, row, draw):
    role = draw.pick(["data", "updates"])
    _put(call, spec, role, [*_shape(call, spec, role), 1])
    return "shape"


def off_axis(spec, call, row, draw):
    """Indices, and updates with them, that are longer than data off the axis."""
    data = _shape(call, spec, "data")
    if len(data) < 2:
        return None
    d = draw.pick([d for d in range(len(data)) if d != call.axis])
    inner = _shape(call, spec, "indices")
    inner[d] = data[d] + draw.between(1, 2)
    if spec.off_axis == "broadcast" and data[d] == 1:
        return None
    _put(call, spec, "indices", inner)
    if spec.scatters and spec.off_axis != "broadcast":
        _put(call, spec, "updates", inner)
    return "shape"


def updates_shape(spec, call, row, draw):
    """Updates of the right rank whose extents are not the right ones; of tuples: or of another rank."""
    shape = _shape(call, spec, "updates")
    if not shape:
        _put(call, spec, "updates", [2])
    else:
        _put(call, spec, "updates", _grown(shape, draw.below(len(shape))))
    return "shape"


def values_shape(spec, call, row, draw):
    """Values that do not broadcast to what is addressed."""
    shape = [max(a, b) if d != call.axis and a and b else b if d == call.axis else 0
             for d, (a, b) in enumerate(zip(_shape(call, spec, "data"), _shape(call, spec, "indices"), strict=True))]
    d = draw.below(len(shape))
    _put(call, spec, "updates", _grown(shape, d, 2 if shape[d] == 0 else 1))
    return "shape"


def leading(spec, call, row, draw):
    """Batch extents that differ."""
    b = row.get("batch", 0)
    if not b:
        return None
    inner, d = _shape(call, spec, "indices"), draw.below(b)
    data = _shape(call, spec, "data")
    if spec.off_axis == "leading broadcast" and data[d] == 1:
        return None
    _put(call, spec, "indices", _grown(inner, d, 1 if data[d] else 2))
    return "shape"


def long_tuples(spec, call, row, draw):
    """Tuples with more coordinates than data has axes behind the batch; where tuples of none are refused, those too."""
    inner = _shape(call, spec, "indices")
    inner[-1] = row["rank"] - row.get("batch", 0) + draw.between(1, 2)
    _put(call, spec, "indices", inner)
    return "shape"


def short_tuples(spec, call, row, draw):
    if draw.chance(2):
        return long_tuples(spec, call, row, draw)
    inner = _shape(call, spec, "indices")
    inner[-1] = 0
    _put(call, spec, "indices", inner)
    return "shape"


def bag_inputs(spec, call, row, draw):
    """Fewer inputs than a pooled look-up needs, or more than it has."""
    if draw.chance(2):
        optional = {"default", "updates", *(["offsets"] if spec.cases.dialect == "array" else [])}
        del call.inputs[draw.between(1, sum(role not in optional for role in spec.roles) - 1):]
        return "argument"
    for role, shape in (("default", []), ("updates", _shape(call, spec, "indices"))):
        if role in spec.roles and not _is_given(call, spec, role):
            dtype = row["itype"] if role == "default" else row["dtype"]
            _set(call, spec, role, {"dtype": dtype, "shape": shape, "data": [_any(dtype)[0]] * product(shape)})
    call.inputs.append(call.inputs[0])
    call.attrs.pop("reduction", None)
    return "argument"


def one_type(spec, call, row, draw):
    """Another input of numbers of samples, rows or bags has another type than indices."""
    role = draw.pick([role for role in ("offsets", "segments", "count", "default") if _is_given(call, spec, role)])
    tensor = call.inputs[spec.roles.index(role)]
    tensor["dtype"] = next(dtype for dtype in types.I2 if dtype != row["itype"])
    return "type"


def bag_rank(spec, call, row, draw):
    """Indices, offsets or ids of a rank that they do not have."""
    role = draw.pick([role for role in ("indices", "offsets", "segments") if role in spec.roles])
    shape = _shape(call, spec, role)
    _put(call, spec, role, draw.pick([[*shape, 1], [1, *shape], []]))
    return "shape"


def default_rank(spec, call, row, draw):
    _set(call, spec, "default", {"dtype": row["itype"], "shape": draw.pick([[1], [1, 1]]), "data": [0]})
    return "shape"


def weights_shape(spec, call, row, draw):
    inner = _shape(call, spec, "indices")
    _put(call, spec, "updates", draw.pick([_grown(inner, 0), [*inner, 1], []]))
    return "shape"


def mean_of_weights(spec, call, row, draw):
    return "argument"


def no_end(spec, call, row, draw):
    """No offset where the last one is an end."""
    call.attrs["include_last_offset"] = True
    _put(call, spec, "offsets", [0])
    return "shape"


def unknown_sum(spec, call, row, draw):
    call.attrs["accumulate"] = draw.pick(["float64", "int32", "Float32"])
    return "argument"


def segment_number(spec, call, row, draw):
    tensor = call.inputs[spec.roles.index("count")]
    tensor.update(draw.pick([{"data": [-1]}, {"data": [-7]}, {"shape": [1]}]))
    return "shape"


def _bound(call, spec):
    role = "offsets" if "offsets" in spec.roles else "segments"
    return call.inputs[spec.roles.index(role)], "offsets" if role == "offsets" else "segment_ids"


def falling_bounds(spec, call, row, draw):
    """Offsets or ids that fall somewhere."""
    given, _ = _bound(call, spec)
    if len(set(given["data"])) < 2:
        return None
    given["data"].reverse()
    return "argument"


def bound_outside(spec, call, row, draw):
    """An offset or an id outside its range: the last one above it, or the first one below."""
    given, name = _bound(call, spec)
    extent = len(call.indices(spec)["data"]) if name == "offsets" else call.inputs[spec.roles.index("count")]["data"][0]
    place = draw.pick([0, len(given["data"]) - 1])
    above = extent + (name == "offsets") + draw.pick([0, 1, 100])
    is_below = place == 0 and draw.chance(2) and indices.is_signed(given["dtype"])
    value = -draw.between(1, 3) if is_below else above
    given["data"][place] = value
    call.fault = {"input": name, "position": [place], "value": value, "axis": 0, "extent": extent, "count": 1}
    return "index"


def bad_default(spec, call, row, draw):
    rows = call.inputs[0]["shape"][0]
    value = draw.pick([rows, rows + 7, -2, -100])
    _set(call, spec, "default", {"dtype": row["itype"], "shape": [], "data": [value]})
    call.fault = {"input": "default_index", "position": [], "value": value, "axis": 0, "extent": rows, "count": 1}
    return "index"


def quantised_inputs(spec, call, row, draw):
    """Neither indices nor scales, or no scales, or more inputs than there are."""
    if draw.chance(2):
        del call.inputs[draw.between(1, 2):]
    else:
        call.inputs += [call.inputs[2]] * 2
    return "argument"


def zero_type(spec, call, row, draw):
    dtype = draw.pick([dtype for dtype in spec.types() if dtype != row["dtype"]])
    _set(call, spec, "zero_points", {"dtype": dtype, "shape": [1], "data": _any(dtype)[:1]})
    return "type"


def quantised_axis(spec, call, row, draw):
    call.attrs["quantize_axis"] = _bad_axis(-row["rank"], row["rank"], draw)
    return "argument"


def block_size(spec, call, row, draw):
    call.attrs["block_size"] = draw.pick([1, 8, 24, -16, 2**62 + 16] if spec.cases.dialect == "onnx" else [-1, -2, -2**63])
    return "argument"


def bits(spec, call, row, draw):
    """Bits that codes of the type do not have; of floats ONNX Runtime's operator takes any."""
    own = {"uint8": [2, 4, 8], "int4": [4], "uint4": [4], "float4_e2m1fn": [4]}.get(row["dtype"], [8])
    taken = own if spec.cases.dialect == "onnx" else [0, *own]
    call.attrs["bits"] = draw.pick([number for number in (-4, 0, 1, 2, 3, 4, 8, 16) if number not in taken])
    return "argument"


def result_type(spec, call, row, draw):
    call.attrs["dtype"] = draw.pick(["float64", "int8", "Float32", "float8_e5m2"])
    return "argument"


def axes_of_bytes(spec, call, row, draw):
    """Of data of uint8, which must be gathered along axis 0 and quantised along the last one."""
    call.attrs.update(draw.pick([{"gather_axis": row["rank"] - 1}, {"quantize_axis": -row["rank"]}]))
    return "argument"


def scales_shape(spec, call, row, draw):
    """A block too many, or an axis."""
    shape = _shape(call, spec, "scales")
    place = call.attrs["quantize_axis"] % len(shape)
    _put(call, spec, "scales", draw.pick([_grown(shape, place), [*shape, 1], [1, *shape]]))
    return "shape"


def zeros_shape(spec, call, row, draw):
    """Zero points of another shape; floats have none."""
    shape = _shape(call, spec, "scales") if not _is_given(call, spec, "zero_points") else _shape(call, spec, "zero_points")
    is_float = row["dtype"].startswith("float")
    shape = shape if is_float else draw.pick([_grown(shape, draw.below(len(shape)), 4), [*shape, 1], []])
    count = product(shape)
    _set(call, spec, "zero_points", {"dtype": row["dtype"], "shape": shape, "data": (_any(row["dtype"]) * (count + 1))[:count]})
    return "argument" if is_float else "shape"


def vector(spec, call, row, draw):
    """Indices that are no vector."""
    inner = _shape(call, spec, "indices")
    _put(call, spec, "indices", draw.pick([[], [*inner, 1], [1, *inner]]))
    return "shape"


def vector_length(spec, call, row, draw):
    inner = _shape(call, spec, "indices")
    _put(call, spec, "indices", draw.pick([_grown(inner, 0), _grown(inner, 0, 2), [*inner, 1], []]))
    return "shape"


def cache_extents(spec, call, row, draw):
    shape = _shape(call, spec, "updates")
    _put(call, spec, "updates", _grown(shape, draw.pick([d for d in range(len(shape)) if d != call.axis])))
    return "shape"


def cache_length(spec, call, row, draw):
    shape, data = _shape(call, spec, "updates"), _shape(call, spec, "data")
    shape[call.axis] = data[call.axis] + draw.between(1, 2)
    _put(call, spec, "updates", shape)
    return "shape"


def pair(spec, call, row, draw):
    _put(call, spec, "data", draw.pick([[], [1], [3], [0], [1, 2], [2, 1]]))
    return "shape"


def scalars(spec, call, row, draw):
    """On and off values that are not scalars."""
    _put(call, spec, draw.pick(["data", "updates"]), draw.pick([[1], [2], [0], [1, 1]]))
    return "shape"


def depth(spec, call, row, draw):
    tensor = call.inputs[spec.roles.index("depth")]
    if draw.chance(2) and (tensor["dtype"] in types.FLOATS or indices.is_signed(tensor["dtype"])):
        tensor["data"] = indices.as_type(tensor["dtype"], [draw.pick([-1, -2, -7])])
    else:
        tensor.update(shape=[2], data=tensor["data"] * 2)
    return "shape"


def falling(spec, call, row, draw):
    """Ids that fall somewhere."""
    given = call.indices(spec)
    if len(set(given["data"])) < 2:
        return None
    given["data"].reverse()
    return "argument"


def strict_index(spec, call, row, draw):
    """A negative index in a version whose text does not know them."""
    if row.get("negative") != "yes":
        return None
    row["policy"] = "strict"
    return "index"


FAULTS = {
    function.__name__: function for function in (
        data_type,
        index_type,
        updates_type,
        other_type,
        axis,
        cache_axis,
        attribute,
        reduction,
        mode,
        fill_mode,
        batch,
        segment_count,
        inputs,
        policy,
        duplicates,
        bad_index,
        data_rank,
        index_rank,
        either_rank,
        ranks,
        cache_ranks,
        off_axis,
        updates_shape,
        values_shape,
        leading,
        long_tuples,
        short_tuples,
        vector,
        vector_length,
        cache_extents,
        cache_length,
        pair,
        scalars,
        depth,
        falling,
         strict_index,
        bag_inputs,
        one_type,
        bag_rank,
        default_rank,
        weights_shape,
        mean_of_weights,
        no_end,
        unknown_sum,
        segment_number,
        falling_bounds,
        bound_outside,
        bad_default,
        quantised_inputs,
        zero_type,
        quantised_axis,
        block_size,
        bits,
        result_type,
        axes_of_bytes,
        scales_shape,
        zeros_shape)}
