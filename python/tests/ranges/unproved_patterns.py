"""Models that look as if their indices were in range, and are not: no proof may hold.

Each function gives the inputs by name, one result, and the values of a run whose index is out of range.
"""

import numpy as np
import onnx
import spox.opset.ai.onnx.v18 as op
from patterns import BOOL, F32, I32, I64, extent, last_of, number, table, tensors, up_to, wrapped
from spox import build
from spox._future import initializer

UNPROVED = {}
# The names of initializers that a run may override.
OVERRIDABLE = "given"


def unproved(function):
    UNPROVED[function.__name__] = function
    return function


def model_and_run(function):
    """(model, inputs of a run with an index out of range)."""
    inputs, result, run, *change = function()
    model = build(inputs, {"result": result})
    for edit in change:
        edit(model.graph)
    return model, {name: np.asarray(value) for name, value in run.items()}


def overridable(value):
    """An initializer that is also an input; `let_override` makes it one."""
    return initializer(np.asarray(value))


def let_override(graph):
    """Makes every initializer of the model also an input."""
    for position, tensor in enumerate(graph.initializer):
        name = f"{OVERRIDABLE}{position}"
        for node in graph.node:
            for place, read in enumerate(node.input):
                if read == tensor.name:
                    node.input[place] = name
        tensor.name = name
        graph.input.append(onnx.helper.make_tensor_value_info(name, tensor.data_type, list(tensor.dims)))


def claim(graph, name, dims):
    """Declares wrong extents for an inner value."""
    for value in [value for value in graph.value_info if value.name == name]:
        graph.value_info.remove(value)
    graph.value_info.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, dims))


@unproved
def plain_ids():
    """The caller's own indices."""
    given = tensors(ids=(I64, ("n",)))
    return given, op.gather(table(10), given["ids"]), {"ids": [10]}


@unproved
def claimed_rows():
    """value_info says that the reshaped data has 100 rows."""
    given = tensors(x=(F32, ("n",)))
    data = op.reshape(given["x"], number([-1, 2]))

    def lie(graph):
        claim(graph, next(node.output[0] for node in graph.node if node.op_type == "Reshape"), [100, 2])

    return given, op.gather(data, number([50])), {"x": np.zeros(8, F32)}, lie


@unproved
def overridden_bound():
    """The upper bound of a Clip is an initializer that a run overrides."""
    given = tensors(ids=(I64, ("n",)))
    ids = op.clip(given["ids"], number(0), overridable(np.int64(9)))
    return given, op.gather(table(10), ids), {"ids": [50], OVERRIDABLE + "0": np.int64(99)}, let_override


@unproved
def overridden_indices():
    """The indices are an initializer that a run overrides."""
    given = tensors(x=(F32, (10,)))
    indices = overridable(np.array([1, 2]))
    return given, op.gather(given["x"], indices), {"x": np.zeros(10, F32), OVERRIDABLE + "0": np.array([1, 10])}, let_override


@unproved
def other_symbol():
    """ArgMax along an axis that has another symbol than the data's."""
    given = tensors(x=(F32, ("n", "m")), y=(F32, ("n", "k")))
    best = op.arg_max(given["x"], axis=1, keepdims=1)
    run = {"x": np.array([[0, 0, 1]], F32), "y": np.zeros((1, 2), F32)}
    return given, op.gather_elements(given["y"], best, axis=1), run


@unproved
def other_axis():
    """i + n where n is the extent of another axis than the one that is gathered from."""
    given = tensors(x=(F32, ("n", "m")))
    length = extent(given["x"], 1)
    ids = wrapped(op.range(op.neg(length), length, number(1)), length)
    return given, op.gather(given["x"], ids), {"x": np.zeros((2, 5), F32)}


@unproved
def nan_through_clip():
    """Clip keeps NaN, and its conversion to an integer is undefined."""
    given = tensors(x=(F32, ("n",)))
    ids = op.cast(op.clip(given["x"], number(0, F32), number(9, F32)), to=I64)
    return given, op.gather(table(10), ids), {"x": np.array([np.nan], F32)}


@unproved
def nan_through_minimum():
    """So do Min and Max."""
    given = tensors(x=(F32, ("n",)))
    bounded = op.max([op.min([given["x"], number(9, F32)]), number(0, F32)])
    return given, op.gather(table(10), op.cast(bounded, to=I64)), {"x": np.array([np.nan], F32)}


@unproved
def sum_that_wraps():
    """The greatest int32 plus 1 is the least."""
    given = tensors(ids=(I32, ("n",)))
    ids = op.add(op.max([given["ids"], number(0, I32)]), number(1, I32))
    return given, op.gather(table(10), op.min([ids, number(9, I32)])), {"ids": np.array([2**31 - 1], I32)}


@unproved
def product_that_wraps():
    """A product of two large numbers has any sign."""
    given = tensors(ids=(I64, ("n",)))
    ids = op.max([given["ids"], number(0)])
    return given, op.gather(table(10), op.min([op.mul(ids, ids), number(9)])), {"ids": [3037000500]}


@unproved
def absolute_value_of_the_least():
    """The absolute value of the least integer is itself."""
    given = tensors(ids=(I64, ("n",)))
    return given, op.gather(table(10), op.min([op.abs(given["ids"]), number(9)])), {"ids": [-(2**63)]}


@unproved
def narrowed():
    """300 as a byte is 44; a table of 40 rows."""
    given = tensors(ids=(I64, ("n",)))
    ids = op.cast(op.cast(op.clip(given["ids"], number(290), number(300)), to=np.uint8), to=I64)
    return given, op.gather(table(40), ids), {"ids": [300]}


@unproved
def crossed_bounds():
    """Clip from 5 up to 3 gives 3."""
    given = tensors(ids=(I64, ("n",)))
    ids = op.sub(op.clip(given["ids"], number(5), number(3)), number(5))
    return given, op.gather_elements(table(1), ids), {"ids": [4]}


@unproved
def clamp_by_an_extent_of_0():
    """Clip(i, 0, n - 1) gives -1 if n is 0, and nothing can be gathered then."""
    given = tensors(x=(F32, ("n",)), ids=(I64, ("k",)))
    ids = op.clip(given["ids"], number(0), last_of(given["x"], 0))
    return given, op.gather(given["x"], ids), {"x": np.zeros(0, F32), "ids": [0]}


@unproved
def bounds_of_a_run():
    """The bounds of a Clip come with the run."""
    given = tensors(ids=(I64, ("n",)), low=(I64, ()), high=(I64, ()))
    run = {"ids": [10], "low": np.int64(0), "high": np.int64(20)}
    return given, op.gather(table(10), op.clip(given["ids"], given["low"], given["high"])), run


@unproved
def remainder_by_an_input():
    """The remainder by a divisor that comes with the run."""
    given = tensors(ids=(I64, ("n",)), rows=(I64, ()))
    return given, op.gather(table(10), op.mod(given["ids"], given["rows"])), {"ids": [19], "rows": np.int64(20)}


@unproved
def remainder_with_the_dividends_sign():
    """fmod = 1: -9 modulo 10 is -9, below the first row of a table of 5 from its end; 9 is above its last."""
    given = tensors(ids=(I64, ("n",)))
    ids = op.min([op.mod(given["ids"], number(10), fmod=1), number(4)])
    return given, op.gather(table(5), ids), {"ids": [-9]}


@unproved
def positions_of_any_length():
    """arange(length) into 512 learned positions."""
    given = tensors(ids=(I64, ("batch", "length")))
    return given, op.gather(table(512), up_to(extent(given["ids"], 1))), {"ids": np.zeros((1, 513), I64)}


@unproved
def counted_mask():
    """cumsum(mask) without the - 1 reaches the length itself."""
    given = tensors(mask=(BOOL, (8,)))
    return given, op.gather(table(8), op.cumsum(op.cast(given["mask"], to=I64), number(0))), {"mask": np.ones(8, bool)}


@unproved
def choice_by_another_value():
    """Where(j < 0, i + n, i): the comparison is not about i."""
    given = tensors(i=(I64, ("n",)), j=(I64, ("n",)))
    ids = op.clip(given["i"], number(-8), number(7))
    chosen = op.where(op.less(given["j"], number(0)), op.add(ids, number(8)), ids)
    return given, op.gather(table(8), chosen), {"i": [7], "j": [-1]}


@unproved
def choice_with_branches_changed():
    """Where(i >= 0, i + n, i) adds to the wrong half."""
    given = tensors(i=(I64, ("n",)))
    ids = op.clip(given["i"], number(-8), number(7))
    chosen = op.where(op.greater_or_equal(ids, number(0)), op.add(ids, number(8)), ids)
    return given, op.gather(table(8), chosen), {"i": [7]}


@unproved
def rows_of_nonzero_as_tuples():
    """NonZero without its Transpose: rows of all elements' coordinates, not tuples."""
    given = tensors(x=(F32, (3, 9)))
    found = op.slice(op.non_zero(given["x"]), number([0]), number([2]), number([1]))
    x = np.zeros((3, 9), F32)
    x[0, 8] = x[1, 7] = 1
    return given, op.reshape(op.gather_nd(given["x"], found), number([-1])), {"x": x}


@unproved
def scatter_into_a_counted_table():
    """TopK of a longer axis."""
    given = tensors(x=(F32, (4, 12)))
    _, indices = op.top_k(given["x"], number([2]), axis=1)
    x = np.zeros((4, 12), F32)
    x[:, 11] = 1
    return given, op.gather(table(10), indices), {"x": x}
