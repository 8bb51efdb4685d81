"""A legal call of each family of operators, by the levels of a row."""

from .. import types
from . import indices, values
from .indices import product
from .spec import Call, add_axis, add_reduction, index_tensor, shape_of, takes_elements


def _length(spec, row, extent, draw):
    """How many indices an axis of that extent gets."""
    if row["empty"] == "indices" or not extent and not takes_elements(spec, row):
        return 0
    least = 2 if row.get("duplicates") == "yes" else 1
    most = extent if row.get("duplicates") == "no" and extent else 4
    return draw.between(least, max(least, min(most, 4)))


def _encoded(spec, row, draw, shape, places, extents):
    numbers = indices.encode(places, extents, row, draw)
    if places and not extents[0]:
        numbers = [draw.pick([0, 1]) for _ in places]
    from_end = spec.negatives
    return index_tensor(shape, indices.put_outside(numbers, extents, row, draw, from_end=from_end), row)


def rows(spec, row, draw):
    """Slices along an axis: Gather, Take, ScatterUpdate, IndexAdd, IndexReduce."""
    batch = row.get("batch", 0)
    axis = draw.between(batch, row["rank"] - 1)
    shape = shape_of(row, axis, 2, draw, first=batch)
    extent = shape[axis]
    count = _length(spec, row, extent, draw)
    own = [] if row.get("rank0") in ("indices", "updates") else [count]
    if spec.off_axis != "vector" and own and draw.chance(3):
        own.insert(draw.below(2), 1)
    groups = product(shape[:batch])
    count = product(own)
    places = [place for _ in range(groups) for place in indices.coordinates(count, extent, row, draw)]
    inner = [*shape[:batch], *own]
    given = _encoded(spec, row, draw, inner, places, [extent] * len(places))
    attrs, inputs = dict(spec.attrs), [spec.elements(shape, row, draw), given]
    if spec.scatters:
        inputs.append(spec.elements([*shape[:axis], *own, *shape[axis + 1:]], row, draw))
    add_axis(spec, axis, row["rank"], draw, attrs, inputs)
    if batch:
        attrs[spec.batch_name] = batch - len(inner) if own and spec.axis == "input" and draw.chance(4) else batch
    add_reduction(row, attrs, draw)
    return Call(inputs, attrs, [(axis, extent)] * len(places), axis)


def _window(spec, shape, axis, count, row, draw):
    """A shape of indices off the axis: that of data, or what the operator takes beside it."""
    inner = list(shape)
    inner[axis] = count
    for d in range(len(shape)):
        if d == axis or not shape[d] and spec.off_axis != "broadcast":
            continue
        if not shape[d]:
            inner[d] = draw.pick([0, 1, 1])
        elif spec.off_axis == "smaller" and draw.chance(4):
            inner[d] = draw.between(1, shape[d])
        elif spec.off_axis == "broadcast" and draw.chance(4):
            inner[d] = 1
    return inner


def elements(spec, row, draw):
    """An element for every index: GatherElements, TakeAlongAxis, ScatterElements, PutAlongAxis and their like."""
    axis = draw.below(row["rank"])
    shape = shape_of(row, axis, 2, draw)
    extent = shape[axis]
    inner = _window(spec, shape, axis, _length(spec, row, extent, draw), row, draw)
    line = indices.coordinates(inner[axis], extent, row, draw)
    after = product(inner[axis + 1:])
    places = [line[number // after % inner[axis]] for number in range(product(inner))] if product(inner) else []
    given = _encoded(spec, row, draw, inner, places, [extent] * len(places))
    attrs, inputs = dict(spec.attrs), [spec.elements(shape, row, draw), given]
    if spec.scatters:
        wide = inner
        if spec.off_axis == "broadcast":
            wide = [draw.pick([n, n, 1]) for n in (max(a, b) if d != axis and a and b else b if d == axis else a * b
                                                   for d, (a, b) in enumerate(zip(shape, inner, strict=True)))]
        inputs.append(spec.elements([] if row.get("rank0") == "updates" else wide, row, draw))
    add_axis(spec, axis, row["rank"], draw, attrs, inputs)
    add_reduction(row, attrs, draw)
    return Call(inputs, attrs, [(axis, extent)] * len(places), axis)


def _tuples(count, extents, row, draw):
    """`count` tuples of coordinates, with or without two that are equal."""
    if not product(extents):
        return [[0] * len(extents) for _ in range(count)]
    cells = list(range(product(extents)))
    chosen = draw.shuffled(cells)[:count] if row.get("duplicates") == "no" else [draw.pick(cells) for _ in range(count)]
    if row["bounds"] in ("first", "last") and chosen:
        edge = 0 if row["bounds"] == "first" else cells[-1]
        if edge not in chosen:
            chosen[draw.below(len(chosen))] = edge
    if row.get("duplicates") == "yes":
        chosen[-1] = chosen[0]
    result = []
    for cell in chosen:
        place = []
        for extent in reversed(extents):
            place.insert(0, cell % extent)
            cell //= extent
        result.append(place)
    return result


def tuples(spec, row, draw):
    """Slices by index tuples: GatherND, ScatterND and their like."""
    batch, rank = row.get("batch", 0), row["rank"]
    tail = row["empty"] == "data" or not draw.chance(2)
    scalar = row.get("rank0") == "updates"
    length = rank - batch if scalar or not tail else draw.between(1, max(1, rank - batch - (row["empty"] == "data")))
    shape = shape_of(row, batch, 2, draw)
    if row["empty"] == "data":
        shape = [max(extent, 1) for extent in shape]
        shape[draw.between(batch + length, rank - 1)] = 0
    extents = shape[batch:batch + length]
    count = 1 if scalar else _length(spec, row, product(extents), draw)
    outer = [] if scalar else [count]
    if outer and draw.chance(4):
        outer.insert(0, 1)
    groups = product(shape[:batch])
    chosen = [place for _ in range(groups) for place in _tuples(count, extents, row, draw)]
    places = [coordinate for place in chosen for coordinate in place]
    addressed = [(batch + k, extent) for _ in chosen for k, extent in enumerate(extents)]
    inner = [*shape[:batch], *outer, length]
    bounds = [extent for _, extent in addressed]
    numbers = indices.put_outside(
    indices.encode(
        places,
        bounds,
        row,
        draw) if product(extents) else places,
        bounds,
        row,
         draw)
    attrs, inputs = dict(spec.attrs), [spec.elements(shape, row, draw), index_tensor(inner, numbers, row)]
    if spec.scatters:
        inputs.append(spec.elements([*outer, *shape[length:]], row, draw))
    if batch:
        attrs[spec.batch_name] = batch
    add_reduction(row, attrs, draw)
    return Call(inputs, attrs, addressed)


def caches(spec, row, draw):
    """Entries of a cache from a write index on: TensorScatter, KVCacheUpdate."""
    rank, fixed = row["rank"], spec.axis is None
    axis = 2 if fixed else draw.between(1, rank - 1)
    shape = [draw.between(1, 3), *(draw.between(1, 2) for _ in range(rank - 1))]
    extent = shape[axis] = 0 if row["empty"] == "axis" else draw.between(3, 5)
    if row["empty"] == "data":
        shape[draw.pick([d for d in range(1, rank) if d != axis])] = 0
    if row["empty"] == "indices":
        shape[0] = 0
    length = 0 if row["empty"] == "axis" or draw.chance(8) else draw.between(1, extent - 1)
    attrs, circular = dict(spec.attrs), not fixed and row["mode"] == "circular"
    if circular or not fixed and draw.chance(3):
        attrs["mode"] = row["mode"]
    room = extent - length
    starts = [draw.between(0, 2 * extent + 1 if circular else room) for _ in range(shape[0])]
    if row["bounds"] in ("first", "last") and starts:
        starts[draw.below(len(starts))] = 0 if row["bounds"] == "first" else room
    if row["bounds"] in indices.OUTSIDE:
        starts = indices.put_outside(starts, [room + 1] * len(starts), row, draw, from_end=False)
    update = [*shape[:axis], length, *shape[axis + 1:]]
    inputs = [spec.elements(shape, row, draw), spec.elements(update, row, draw),
              index_tensor([shape[0]], starts, row)]
    if not fixed and (axis != rank - 2 or draw.chance(2)):
        attrs["axis"] = axis - rank if draw.chance(2) else axis
    if row.get("rank0") == "absent":
        del inputs[2]
    return Call(inputs, attrs, [(axis, extent)] * len(starts), axis)


def one_hot(spec, row, draw):
    """OneHot: `rank` is that of indices."""
    rank, depth = row["rank"], 0 if row["empty"] == "axis" else draw.between(2, 5)
    shape = [draw.between(1, 3 if rank < 4 else 2) for _ in range(rank)]
    if row["empty"] == "indices":
        shape[draw.below(rank)] = 0
    count = product(shape)
    places = indices.coordinates(count, depth, row, draw)
    numbers = indices.put_outside(
    indices.encode(
        places,
        [depth] * count,
        row,
        draw) if depth else places,
        [depth] * count,
        row,
         draw)
    attrs, given = dict(spec.attrs), index_tensor(shape, numbers, row)
    axis = draw.between(-rank - 1, rank)
    if spec.axis == "required" or not draw.chance(4):
        attrs["axis"] = axis
    # OpenVINO's text has one type for both.
    kind = row["itype"] if "updates" in spec.roles else draw.pick(spec.index_types)
    of_depth = {"dtype": kind, "shape": [], "data": indices.as_type(kind, [depth])}
    both = {"indices": given, "depth": of_depth, "data": spec.elements([2], row, draw)}
    if "updates" in spec.roles:  # two scalars
        off, on = both["data"]["data"]
        both |= {"data": {**both["data"], "shape": [], "data": [on]}, "updates": {**both["data"], "shape": [], "data": [off]}}
    place = axis % (rank + 1) if "axis" in attrs else rank
    return Call([both[role] for role in spec.roles], attrs, [(place, depth)] * count, place)


def features(spec, row, draw):
    """ArrayFeatureExtractor: columns of data."""
    rank = row["rank"]
    shape = shape_of(row, rank - 1, 2, draw)
    count = _length(spec, row, shape[-1], draw)
    own = [] if row["rank0"] == "indices" else [count]
    places = indices.coordinates(product(own), shape[-1], row, draw)
    numbers = indices.put_outside(places, [shape[-1]] * len(places), row, draw, from_end=False)
    return Call([spec.elements(shape, row, draw), index_tensor(own, numbers, row)], {},
                [(rank - 1, shape[-1])] * len(places), rank - 1)


def segments(spec, row, draw):
    """Rows with sorted ids, the number of segments as an attribute or an input."""
    shape = [draw.between(1, 4), *(draw.between(1, 3 if row["rank"] < 4 else 2) for _ in range(row["rank"] - 1))]
    if row["empty"] == "data":
        shape[draw.between(1, row["rank"] - 1)] = 0
    if row["empty"] in ("indices", "axis"):
        shape[0] = 0
    number = 0 if row["empty"] == "axis" else shape[0] + draw.between(0, 2) or 2
    if row["duplicates"] == "yes":
        shape[0] = max(shape[0], 2)
    ids = draw.shuffled(range(number))[:shape[0]] if row["duplicates"] == "no" else \
        [draw.below(number) for _ in range(shape[0])]
    if row["bounds"] in ("first", "last") and ids:
        edge = 0 if row["bounds"] == "first" else number - 1
        if edge not in ids:
            ids[0] = edge
    if row["duplicates"] == "yes":
        ids[-1] = ids[0]
    ids = indices.put_outside(ids, [number] * len(ids), row, draw, from_end=False)
    of_count = "depth" in spec.roles
    if of_count and row["outcome"] != "bad_index":
        ids = [id if id >= 0 else ~id + number for id in ids]  # negative ones are errors
    ids = sorted(ids)
    given = [spec.elements(shape, row, draw), index_tensor([shape[0]], ids, row)]
    if of_count:
        attrs = {"fill_mode": draw.pick(["ZERO", "LOWEST"])}
        kind = draw.pick(spec.index_types)
        given.append({"dtype": kind, "shape": [], "data": [number]})
    else:
        attrs = {"num_segments": number}
    add_reduction(row, attrs, draw)
    return Call(given, attrs, [(0, number)] * len(ids))


def _bag_sizes(count, row, draw):
    """How many samples each bag of a call has; one of them none where row["bag"] says so."""
    sizes = [0] * draw.between(1, 3)
    for _ in range(count):
        sizes[draw.below(len(sizes))] += 1
    if row.get("bag") == "empty" and all(sizes):
        sizes.insert(draw.between(0, len(sizes)), 0)
    if row.get("bag") == "full":
        sizes = [size for size in sizes if size]
    return sizes


def bags(spec, row, draw):
    """Pooled look-ups: sums and means of rows, with the inputs that `spec.roles` names."""
    shape = shape_of(row, 0, 2, draw)
    count = _length(spec, row, shape[0], draw)
    sizes = _bag_sizes(count, row, draw)
    own = [count]
    if "offsets" not in spec.roles and "segments" not in spec.roles:
        each = draw.between(1, 3)
        own = [count, each] if count else [draw.between(0, 2), 0] if row["empty"] == "axis" else draw.pick([[0, each], [each, 0]])
    count = product(own)
    given = _encoded(spec, row, draw, own, indices.coordinates(count, shape[0], row, draw), [shape[0]] * count)
    weights = None
    if row["weights"] == "yes":
        weights = spec.elements(own, {**row, "reduction": "prod"}, draw)
    default = None if row.get("default") in (None, "absent") else -1 if row["default"] == "minus 1" else draw.below(shape[0])
    begins = [sum(sizes[:bag]) for bag in range(len(sizes))]
    ids = [bag for bag, size in enumerate(sizes) for _ in range(size)]
    by_role = {"data": spec.elements(shape, row, draw), "indices": given, "updates": weights,
               "offsets": index_tensor([len(begins)], begins, row), "segments": index_tensor([len(ids)], ids, row),
               "count": index_tensor([], [len(sizes)], row),
               "default": None if default is None else index_tensor([], [default], row)}
    inputs = [by_role[role] for role in spec.roles]
    while inputs[-1] is None:
        inputs.pop()
    attrs = dict(spec.attrs)
    add_reduction(row, attrs, draw)
    return Call(inputs, attrs, [(0, shape[0])] * count)


def _blocks(spec, row, extent, draw):
    """A size of blocks for an axis of that extent."""
    if spec.cases.dialect == "array":
        return draw.pick([0, 0, 1, 2, 3, 16])
    return draw.pick([16, 16, 128, *([0] if row["dtype"].startswith("float") else [])])


def _scales(shape, row, draw):
    dtype = draw.pick(types.S3)
    level = "rough" if row["values"] == "rough" else "plain"
    data = values.elements(dtype, product(shape), level, "prod", draw)
    return {"dtype": dtype, "shape": shape, "data": data if level == "rough" else [abs(value) for value in data]}


def quantised(spec, row, draw):
    """Look-ups in tables of codes: GatherBlockQuantized, TakeQuantized."""
    rank, dtype, is_onnx = row["rank"], row["dtype"], spec.cases.dialect == "onnx"
    is_float, is_of_bytes = dtype.startswith("float"), dtype == "uint8"
    bits = draw.pick([2, 4, 8]) if is_of_bytes else 4
    each = 8 // bits if is_of_bytes else 1
    axis, along = (0, rank - 1) if is_onnx and is_of_bytes else (draw.below(rank), draw.below(rank))
    shape = shape_of(row, axis, 2, draw)
    if is_onnx and rank < 4 and axis != along and shape[along] and draw.chance(4):
        shape[along] = -(-draw.between(17, 33) // each)  # two blocks, or three
    extents = [*shape[:-1], shape[-1] * each]
    block = _blocks(spec, row, extents[along], draw)
    of_scales = [extent if d != along else -(-extent // (block or max(extent, 1))) for d, extent in enumerate(extents)]
    if is_float:
        of_scales = [1 if d != along and draw.chance(4) else extent for d, extent in enumerate(of_scales)]
    own = [] if row["rank0"] == "indices" else [_length(spec, row, extents[axis], draw)]
    places = indices.coordinates(product(own), extents[axis], row, draw)
    given = _encoded(spec, row, draw, own, places, [extents[axis]] * len(places))

    def codes(of):
        many = {"dtype": dtype, "shape": of, "data": [draw.below(256) for _ in range(product(of))]}
        return many if is_of_bytes else spec.elements(of, row, draw)

    inputs = [codes(shape), given, _scales(of_scales, row, draw)]
    if not is_float and draw.chance(2):
        inputs.append(codes([*of_scales[:-1], -(-of_scales[-1] // each)]))
    attrs = {"quantize_axis": along - rank * draw.below(2), "block_size": block}
    if is_of_bytes and not (is_onnx and bits == 4):
        attrs["bits"] = bits
    if not is_onnx and draw.chance(3):
        attrs["dtype"] = draw.pick(types.S3)
    add_axis(spec, axis, rank, draw, attrs, inputs)
    return Call(inputs, attrs, [(axis, extents[axis])] * len(places), axis)
