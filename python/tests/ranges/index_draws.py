"""Producers of random graphs: operators whose results are indices, extents or counts, and bodies."""

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.helper import make_function, make_graph, make_node, make_opsetid, make_tensor_value_info, np_dtype_to_tensor_dtype
from random_graphs import Refused
from random_values import BOOL, FLOAT32, FLOATS, INT32, INT64, NUMBERS


def arg_extreme(g):
    value = g.pick(NUMBERS, (1, 2, 3))
    last = {"select_last_index": g.below(2)} if g.opset >= 12 and g.chance(0.5) else {}
    attributes = {} if g.chance(0.1) else {"axis": g.axis_of(value)}
    return g.node(g.one_of(["ArgMax", "ArgMin"]), [value], keepdims=g.below(2), **attributes, **last)


def top_k(g):
    value = g.pick(NUMBERS, (1, 2, 3))
    axis = g.axis_of(value)
    if g.chance(0.5):
        count = g.int64s([g.between(0, max(value.shape[axis], 1))])
    else:
        extent = g.unsqueeze(g.extent_of(value, axis % value.rank), [0])
        count = g.node("Min", [extent, g.int64s([g.between(1, 3)])]) if g.opset >= 12 else extent
    return g.node("TopK", [value, count], outputs=2, axis=axis, largest=g.below(2), sorted=1)


def non_zero(g):
    value = g.pick(NUMBERS + [BOOL], (0, 1, 2, 3, 3))
    found = g.node("NonZero", [value])
    choice = g.random.random()
    if choice < 0.4:
        return g.node("Transpose", [found], **({"perm": [1, 0]} if g.chance(0.6) else {}))
    if choice < 0.6:
        row = g.between(0, max(value.rank - 1, 0))
        return g.node("Gather", [found, g.int64s(g.one_of([row, [row], row - value.rank]))], axis=0)
    if choice < 0.8:
        row = g.between(0, max(value.rank - 1, 0))
        return g.node("Slice", [found, g.int64s([row]), g.int64s([row + g.between(1, 2)]), g.int64s([0])])
    return found


def shape(g):
    value = g.pick()
    ends = {}
    if g.opset >= 15 and g.chance(0.5):
        ends = {name: g.between(-4, 4) for name in ("start", "end") if g.chance(0.7)}
    return g.node("Shape", [value], **ends)


def size(g):
    return g.node("Size", [g.pick()])


def extent(g):
    value = g.extent_of(g.pick(ranks=(1, 2, 3)))
    if g.chance(0.5):
        return g.node(g.one_of(["Sub", "Add", "Mul"]), [value, g.int64s(g.between(-2, 3))])
    return value


def count_up(g):
    dtype = g.one_of([INT64, INT64, INT64, INT32, *FLOATS[1:]])
    start = g.constant(np.array(0, dtype)) if g.chance(0.6) else g.scalar(dtype)
    limit = g.scalar(dtype)
    delta = g.constant(np.array(g.one_of([1, 1, 1, 1, 2, -1, 3]), dtype)) if g.chance(0.8) else g.scalar(dtype)
    for run in list(g.runs):
        if delta.arrays[run].ravel()[:1] == 0:
            if run == 0:
                raise Refused("a Range with a step of 0")
            g.give_up(run)
    return g.node("Range", [start, limit, delta])


def count_down(g):
    high = g.node("Sub", [g.extent_of(g.pick(ranks=(1, 2, 3))), g.int64s(1)])
    return g.node("Range", [high, g.int64s(-1), g.int64s(g.one_of([-1, -1, -2]))])


def unique(g):
    value = g.pick([FLOAT32, INT64, np.dtype(np.float64), np.dtype(np.int8)], (0, 1, 2))
    attributes = {"axis": g.axis_of(value)} if g.chance(0.3) and value.rank else {}
    return g.node("Unique", [value], outputs=g.between(2, 4), sorted=g.below(2), **attributes)


def suppress(g):
    batches, boxes, classes = g.between(1, 2), g.between(1, 4), g.between(1, 3)
    box = score = None
    if g.chance(0.3):
        box = g.input(FLOAT32, 3)
        batches, boxes = box.shape[:2]
    elif g.chance(0.3):
        score = g.input(FLOAT32, 3)
        batches, classes, boxes = score.shape
    box = box or g.constant(g.random.random((batches, boxes, 4)).astype(np.float32))
    score = score or g.constant(g.random.random((batches, classes, boxes)).astype(np.float32))
    limits = [g.int64s([g.between(1, 3)]), g.constant(np.array([0.5], np.float32)), g.constant(np.array([0.1], np.float32))]
    found = g.node("NonMaxSuppression", [box, score, *limits[: g.between(1, 3)]])
    if g.chance(0.7):
        column = g.below(3)
        if g.chance(0.5):
            return g.node("Gather", [found, g.int64s([column])], axis=1)
        return g.node("Slice", [found, g.int64s([column]), g.int64s([column + 1]), g.int64s([1])])
    return found


def one_hot(g):
    indices = g.pick([INT64, INT32, FLOAT32], (0, 1, 2))
    values = g.constant(np.array([0, 1], g.one_of([np.int64, np.float32])))
    depth = g.constant(np.array(g.between(1, 5), np.int64))
    return g.node("OneHot", [indices, depth, values], axis=g.one_of([-1, 0]))


def compress(g):
    value = g.pick(ranks=(1, 2, 3))
    condition = g.pick([BOOL], [1])
    return g.node("Compress", [value, condition], **({"axis": g.axis_of(value)} if g.chance(0.7) else {}))


def inner_value(name, dtype, dims):
    return make_tensor_value_info(name, np_dtype_to_tensor_dtype(dtype), dims)


def branch(g, value, name, dtype):
    """One branch of an If: a value of the main graph, perhaps changed."""
    nodes = []
    source = value.name
    if g.chance(0.7):
        bound = g.new_name("b")
        nodes.append(make_node("Constant", [], [bound],
                               value=numpy_helper.from_array(np.array(g.between(0, 4), dtype))))
        nodes.append(make_node(g.one_of(["Add", "Mul", "Min", "Max"]), [source, bound], [name]))
    else:
        nodes.append(make_node("Identity", [source], [name]))
    return make_graph(nodes, name, [], [onnx.ValueInfoProto(name=name)])


def choose(g):
    condition = g.pick([BOOL], [0])
    first = g.pick([INT64, INT32])
    second = g.one_of(value for value in g.values if value.dtype == first.dtype)
    bodies = {side: branch(g, value, g.new_name("w"), value.dtype)
              for side, value in (("then_branch", first), ("else_branch", second))}
    return g.node("If", [condition], **bodies)


def repeat(g):
    """A Loop with a number that it carries, its iteration number and a changed value of the main graph as results.

    The body's inner values are results, too, so that they can be compared with what is said of them.
    """
    trips = g.int64s(g.between(0, 4)) if g.chance(0.5) else g.extent_of(g.pick(ranks=(1, 2, 3)))
    carried = g.pick([INT64], [0])
    captured = g.pick([INT64])
    number, condition, state = g.new_name("i"), g.new_name("k"), g.new_name("s")
    step, changed, kept, next_state, counted, used = (g.new_name("w") for _ in range(6))
    nodes = [
        make_node("Constant", [], [step], value=numpy_helper.from_array(np.array(g.between(-2, 3), np.int64))),
        make_node("Identity", [condition], [kept]),
        make_node(g.one_of(["Add", "Add", "Mul", "Min", "Sub"]), [state, step], [next_state]),
        make_node(g.one_of(["Add", "Mul", "Sub"]), [number, step], [counted]),
        make_node(g.one_of(["Add", "Min", "Max"]), [captured.name, g.one_of([number, state])], [changed]),
        make_node("Identity", [g.one_of([state, number])], [used]),
    ]
    body = make_graph(
        nodes, "body",
        [inner_value(number, INT64, []), inner_value(condition, BOOL, []), inner_value(state, INT64, [])],
        [inner_value(kept, BOOL, []), inner_value(next_state, INT64, []),
         *(inner_value(name, INT64, None) for name in (counted, changed, used))],
    )
    going_on = g.constant(np.array(True)) if g.chance(0.5) else None
    results = g.node("Loop", [trips, going_on, carried], outputs=4, body=body)
    for value, name in zip(results[1:], (counted, changed, used), strict=True):
        value.inner = name
    return results


def call(g):
    """A function of the model."""
    name = f"Function{len(g.functions)}"
    body = [
        make_node("Constant", [], ["one"], value=numpy_helper.from_array(np.array(g.between(0, 3), np.int64))),
        make_node(g.one_of(["Min", "Mul", "Sub"]), ["given", "one"], ["result"]),
    ]
    g.functions.append(make_function("local", name, ["given"], ["result"], body, [make_opsetid("", g.opset)]))
    try:
        return g.node(name, [g.pick([INT64])], domain="local")
    except Refused:
        g.functions.pop()
        raise


def overridden_shape(g):
    """A shape that is an initializer which some runs override."""
    value = g.pick([INT64, FLOAT32], (1, 2))
    shapes = [[-1], [1, -1], [-1, 1], list(value.shape), [int(np.prod(value.shape))]]
    length = g.between(1, 2)
    fits = [shape for shape in shapes if len(shape) == length]
    given = g.input(INT64, 1, numbers=[np.array(g.one_of(fits or [[-1, 1]]), np.int64) for _ in g.extents], has_default=True)
    return g.node(g.one_of(["Reshape", "Reshape", "Expand"]), [value, given])


def list_of_different(g):
    """A list of indices that differ, or nearly: Range, TopK, Unique or a row of NonZero, maybe sorted again."""
    choice = g.random.random()
    if choice < 0.3:
        found = g.node("Range", [g.int64s(0), g.extent_of(g.pick(ranks=(1, 2, 3))), g.int64s(1)])
    elif choice < 0.6:
        value = g.pick(NUMBERS, (1,))
        found = g.node("TopK", [value, g.unsqueeze(g.extent_of(value, 0), [0])], outputs=2, axis=0)[1]
    elif choice < 0.8:
        found = g.node("Unique", [g.pick([FLOAT32, INT64], (1, 2))], outputs=2, sorted=g.below(2))[1]
    else:
        found = g.squeeze(g.node("NonZero", [g.pick(NUMBERS + [BOOL], (1,))]), [0])
    if g.chance(0.2):
        return g.node("TopK", [found, g.unsqueeze(g.extent_of(found, 0), [0])], outputs=2, axis=0)[g.below(2)]
    return found


def affine(g):
    """Different indices, moved, scaled, turned, widened or narrowed: some of these make them equal."""
    found = list_of_different(g)
    for _ in range(g.between(1, 3)):
        choice = g.random.random()
        if choice < 0.6:
            number = g.int64s(g.one_of([-3, -1, 0, 1, 2, 7, 2**31, 2**62, 2**63 - 1]))
            operands = [found, number] if g.chance(0.7) else [number, found]
            found = g.node(g.one_of(["Add", "Sub", "Mul", "Mul", "Mod" if number.arrays[0] > 0 and operands[1] is number else "Add"]), operands)
        elif choice < 0.7:
            found = g.node("Neg", [found])
        elif choice < 0.8:
            found = g.cast(g.cast(found, g.one_of([INT32, np.int8, np.uint8, np.uint32])), INT64)
        elif choice < 0.9:
            found = g.node("Gather", [found, list_of_different(g)], axis=0)
        else:
            found = g.node("Where", [g.node("Less", [found, g.int64s(0)]), g.node("Add", [found, g.extent_of(g.pick(ranks=(1, 2)))]), found])
    return found


def grid(g):
    """Tuples of a grid, as slice assignments are written: lists of indices unsqueezed, expanded and joined."""
    rows, columns = list_of_different(g), g.one_of([list_of_different, list_of_different, affine])(g)
    if rows.rank != 1 or columns.rank != 1:
        raise Refused("lists are needed")
    both = g.node("Concat", [g.node("Shape", [rows]), g.node("Shape", [columns])], axis=0)
    parts = [g.unsqueeze(rows, [1]), g.unsqueeze(columns, [0])]
    if g.chance(0.2):
        parts[1] = g.unsqueeze(rows, [1])
    parts = [g.node("Expand", [part, both]) if g.chance(0.9) else part for part in parts]
    parts = [g.unsqueeze(part, [-1]) for part in parts]
    if g.chance(0.15):
        parts.append(parts[g.below(2)])
    found = g.node("Concat", parts, axis=-1)
    if g.chance(0.3):
        return g.node("Reshape", [found, g.int64s([-1, len(parts)])])
    return g.node("Transpose", [found], perm=[1, 0, 2]) if g.chance(0.2) else found


def columns_of_tuples(g):
    """Tuples, one column of which is a list that may differ."""
    rows = list_of_different(g)
    other = g.node("Mod", [affine(g), g.int64s(2)])
    if rows.rank != 1 or other.rank != 1:
        raise Refused("lists are needed")
    parts = [g.unsqueeze(rows, [1]), g.unsqueeze(other, [1])]
    g.random.shuffle(parts)
    return g.node("Concat", parts, axis=1)


def scattered(g):
    """Indices that differ, or nearly, as the indices of a scatter."""
    found = g.one_of([affine, affine, grid, grid, columns_of_tuples])(g)
    if found.rank == 1:
        found = g.unsqueeze(found, [g.one_of([0, -1])])
    g.different.append(found)
    return found


PRODUCERS = [
    overridden_shape, arg_extreme, arg_extreme, top_k, top_k, non_zero, non_zero, non_zero, shape, shape, size, extent, count_up, count_up, count_up, count_down,
    unique, suppress, one_hot, compress, choose, repeat, call, list_of_different, affine, scattered, scattered, scattered,
]
