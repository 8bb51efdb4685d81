"""Models whose indices are provably in range: the forms that exporters emit, one small function each.

A function's first line says what it is. It gives the inputs by name and the results of gathers or scatters. One long file,
because it is a list of such functions.
"""

import numpy as np
import spox.opset.ai.onnx.ml.v3 as ml
import spox.opset.ai.onnx.v18 as op
from spox import Tensor, argument, build

I64, I32, F32, BOOL = np.int64, np.int32, np.float32, np.bool_
PATTERNS = {}


def pattern(function):
    PATTERNS[function.__name__] = function
    return function


def model_of(function):
    """The model of a pattern."""
    inputs, *results = function()
    return build(inputs, {f"result{number}": result for number, result in enumerate(results)})


def tensors(**shapes):
    """Inputs of a model by their names: (element type, shape)."""
    return {name: argument(Tensor(dtype, shape)) for name, (dtype, shape) in shapes.items()}


def number(value, dtype=I64):
    return op.const(np.array(value, dtype))


def table(*shape):
    """Constant float data."""
    return op.const(np.arange(np.prod(shape), dtype=F32).reshape(shape))


def extent(value, axis):
    """An extent as a scalar, as torch.onnx writes it."""
    return op.gather(op.shape(value), number(axis))


def last_of(value, axis):
    return op.sub(extent(value, axis), number(1))


def up_to(limit):
    return op.range(number(0), limit, number(1))


def column(value):
    """A list of indices as a column of index tuples."""
    return op.unsqueeze(value, number([-1]))


def wrapped(indices, length):
    """Where(i < 0, i + n, i), as torch.onnx writes every index that may be negative."""
    return op.where(op.less(indices, number(0)), op.add(indices, length), indices)


@pattern
def embedding_after_clamp():
    """torch.clamp of token numbers before nn.Embedding."""
    given = tensors(ids=(I64, ("batch", "length")))
    return given, op.gather(table(1000, 8), op.clip(given["ids"], number(0), number(999)))


@pattern
def embedding_after_minimum_and_maximum():
    """The same with Min and Max, the extent of the table read from its Shape."""
    given = tensors(ids=(I64, ("batch", "length")))
    rows = table(30, 4)
    return given, op.gather(rows, op.max([op.min([given["ids"], last_of(rows, 0)]), number(0)]))


@pattern
def negative_indices_wrapped():
    """Where(i < 0, i + n, i) of clamped indices into a table of fixed extent."""
    given = tensors(ids=(I64, ("length",)))
    ids = op.clip(given["ids"], number(-16), number(15))
    return given, op.gather(table(16, 2), wrapped(ids, number(16)))


@pattern
def negative_indices_wrapped_by_an_extent():
    """Where(i < 0, i + n, i) where n is the data's own extent, known only in a run."""
    given = tensors(x=(F32, ("rows", 4)))
    length = extent(given["x"], 0)
    return given, op.gather(given["x"], wrapped(op.range(op.neg(length), length, number(1)), length))


@pattern
def clamp_by_an_extent():
    """Clip(i, 0, n - 1), n an extent of the data, read from its Shape though it is fixed."""
    given = tensors(x=(F32, (7, "columns")), ids=(I64, ("length",)))
    return given, op.gather(given["x"], op.clip(given["ids"], number(0), last_of(given["x"], 0)))


@pattern
def index_put_of_rows():
    """x[arange(n)] = y: Range, Unsqueeze, ScatterND."""
    given = tensors(x=(F32, ("n", 4)))
    rows = up_to(extent(given["x"], 0))
    return given, op.scatter_nd(given["x"], column(rows), op.neg(given["x"]))


@pattern
def advanced_indexing_with_two_indices():
    """x[arange(n)[:, None], arange(m)[None]]: each index unsqueezed, expanded and joined for GatherND."""
    given = tensors(x=(F32, ("n", "m", 3)))
    x = given["x"]
    both = op.concat([op.shape(x, start=0, end=1), op.shape(x, start=1, end=2)], axis=0)
    rows = op.expand(op.unsqueeze(up_to(extent(x, 0)), number([1])), both)
    columns = op.expand(op.unsqueeze(up_to(extent(x, 1)), number([0])), both)
    tuples = op.concat([column(rows), column(columns)], axis=-1)
    return given, op.gather_nd(x, tuples), op.scatter_nd(x, tuples, x)


@pattern
def best_class_of_each_row():
    """x[arange(n), argmax(x, 1)] by GatherND."""
    given = tensors(x=(F32, ("n", 10)))
    best = op.arg_max(given["x"], axis=1, keepdims=0)
    tuples = op.concat([column(up_to(extent(given["x"], 0))), column(best)], axis=1)
    return given, op.gather_nd(given["x"], tuples)


@pattern
def masked_select():
    """x[x > 0]: NonZero, Transpose, GatherND."""
    given = tensors(x=(F32, ("n", "m")))
    found = op.transpose(op.non_zero(op.greater(given["x"], number(0, F32))), perm=[1, 0])
    return given, op.gather_nd(given["x"], found)


@pattern
def masked_put():
    """x[x > 0] = 0: NonZero, Transpose, ScatterND."""
    given = tensors(x=(F32, ("n", 5, "m")))
    found = op.transpose(op.non_zero(op.greater(given["x"], number(0, F32))), perm=[1, 0])
    zeros = op.expand(number(0, F32), op.shape(found, start=0, end=1))
    return given, op.scatter_nd(given["x"], found, zeros)


@pattern
def rows_where():
    """x[torch.where(mask)[0]]: the first row of NonZero."""
    given = tensors(mask=(BOOL, (6, "k")))
    rows = op.squeeze(op.slice(op.non_zero(given["mask"]), number([0]), number([1]), number([0])), number([0]))
    return given, op.gather(table(6, 3), rows)


@pattern
def rows_of_nonzero_split():
    """torch.where(mask) as a tuple: NonZero, Split, Squeeze, and both halves as indices."""
    given = tensors(mask=(BOOL, (6, 4)))
    first, second = op.split(op.non_zero(given["mask"]), num_outputs=2, axis=0)
    return given, op.gather(table(6), op.squeeze(first, number([0]))), op.gather(table(4), op.squeeze(second, number([0])))


@pattern
def triangle_indices():
    """torch.triu_indices: NonZero of a triangle of ones."""
    given = tensors(x=(F32, (5, 5)))
    ones = op.constant_of_shape(number([5, 5]), value=np.array([1], I32))
    found = op.transpose(op.non_zero(op.trilu(ones, upper=1)), perm=[1, 0])
    return given, op.gather_nd(given["x"], found)


@pattern
def gather_of_argmax():
    """x.gather(1, x.argmax(1).unsqueeze(1))."""
    given = tensors(x=(F32, ("n", "classes")))
    best = op.unsqueeze(op.arg_max(given["x"], axis=-1, keepdims=0), number([1]))
    return given, op.gather_elements(given["x"], best, axis=1)


@pattern
def gather_of_argmin_kept():
    """The same with keepdims and the last index."""
    given = tensors(x=(F32, ("n", 3, "k")))
    worst = op.arg_min(given["x"], axis=2, keepdims=1, select_last_index=1)
    return given, op.gather_elements(given["x"], worst, axis=2)


@pattern
def best_scores():
    """other.gather(1, topk(x).indices), where both inputs call the extent by one symbol."""
    given = tensors(x=(F32, ("n", "classes")), other=(F32, ("n", "classes")))
    _, indices = op.top_k(given["x"], number([2]), axis=1)
    return given, op.gather_elements(given["other"], indices, axis=1)


@pattern
def beam_reordering():
    """The best beams of flattened scores: beam = i / vocabulary and token = i % vocabulary."""
    given = tensors(scores=(F32, (4, 50)), cache=(F32, (4, 8, "length")))
    _, indices = op.top_k(op.reshape(given["scores"], number([200])), number([4]), axis=0)
    beams, tokens = op.div(indices, number(50)), op.mod(indices, number(50))
    return given, op.gather(given["cache"], beams), op.gather(table(50, 2), tokens)


@pattern
def sorted_rows():
    """x[argsort(key)]: TopK of all elements, then Gather."""
    given = tensors(x=(F32, ("n", 4)))
    key = op.squeeze(op.slice(given["x"], number([0]), number([1]), number([1])), number([1]))
    _, order = op.top_k(key, op.shape(key), axis=0, largest=0)
    return given, op.gather(given["x"], order)


@pattern
def cache_modulo_window():
    """A sliding window: ScatterND of one row at position modulo window."""
    given = tensors(cache=(F32, (8, 4)), position=(I64, ()))
    place = op.reshape(op.mod(given["position"], number(8)), number([1, 1]))
    return given, op.scatter_nd(given["cache"], place, table(1, 4))


@pattern
def modulo_of_an_extent():
    """Feature hashing: the remainder by the rows of a table, read from its Shape."""
    given = tensors(ids=(I64, ("n",)))
    rows = table(12, 4)
    return given, op.gather(rows, op.mod(given["ids"], extent(rows, 0)))


@pattern
def positions_of_a_mask():
    """cumsum(mask) - 1, clamped from below, into as many positions as the mask is long."""
    given = tensors(mask=(I64, ("batch", 32)))
    mask = op.cast(op.cast(given["mask"], to=BOOL), to=I64)
    positions = op.max([op.sub(op.cumsum(mask, number(1)), number(1)), number(0)])
    return given, op.gather(table(32, 4), positions)


@pattern
def boxes_that_remain():
    """The third column of NonMaxSuppression's result gathers boxes."""
    given = tensors(boxes=(F32, (1, "n", 4)), scores=(F32, (1, 3, "n")))
    found = op.non_max_suppression(given["boxes"], given["scores"], number([5]), number([0.5], F32), number([0.1], F32))
    chosen = op.squeeze(op.slice(found, number([2]), number([3]), number([1])), number([1]))
    return given, op.gather(given["boxes"], chosen, axis=1)


@pattern
def scores_that_remain():
    """All three columns of NonMaxSuppression's result are tuples of GatherND."""
    given = tensors(boxes=(F32, (2, 40, 4)), scores=(F32, (2, 3, 40)))
    found = op.non_max_suppression(given["boxes"], given["scores"], number([5]), number([0.5], F32), number([0.1], F32))
    return given, op.gather_nd(given["scores"], found)


@pattern
def classes_that_remain():
    """The second column of NonMaxSuppression's result, by Gather, names the class."""
    given = tensors(boxes=(F32, (1, 20, 4)), scores=(F32, (1, 80, 20)))
    found = op.non_max_suppression(given["boxes"], given["scores"], number([5]))
    return given, op.gather(table(80, 2), op.gather(found, number(1), axis=1))


@pattern
def experts_of_tokens():
    """Mixture of experts: OneHot of the chosen experts, its NonZero, and the tokens that it names."""
    given = tensors(logits=(F32, (16, 4)), tokens=(F32, (16, 8)))
    _, experts = op.top_k(given["logits"], number([1]), axis=1)
    chosen = op.one_hot(op.squeeze(experts, number([1])), number(4), number([0, 1]), axis=0)
    tokens = op.gather(op.non_zero(chosen), number(1), axis=0)
    return given, op.gather(given["tokens"], tokens)


@pattern
def positions_clamped():
    """arange(length), clamped to the learned positions."""
    given = tensors(ids=(I64, ("batch", "length")))
    positions = op.clip(up_to(extent(given["ids"], 1)), number(0), number(511))
    return given, op.gather(table(512, 2), positions)


@pattern
def positions_after_the_past():
    """Positions behind a cache: arange(past, past + length), the smaller of it and the last position."""
    given = tensors(ids=(I64, ("batch", "length")), past=(F32, ("batch", 2, "seen", 4)))
    seen = extent(given["past"], 2)
    positions = op.range(seen, op.add(seen, extent(given["ids"], 1)), number(1))
    return given, op.gather(table(64, 4), op.min([positions, number(63)]))


@pattern
def reversed_rows():
    """x.flip(0): Range from n - 1 down to 0."""
    given = tensors(x=(F32, ("n", 4)))
    order = op.range(last_of(given["x"], 0), number(-1), number(-1))
    return given, op.gather(given["x"], order)


@pattern
def reversed_fixed_rows():
    """n - 1 - arange(n) of a fixed extent."""
    given = tensors(x=(F32, (9, 4)))
    return given, op.gather(given["x"], op.sub(number(8), up_to(number(9))))


@pattern
def relative_positions():
    """T5's buckets of distance: clip(i - j, -k, k) + k."""
    given = tensors(x=(F32, ("n", "m")))
    distance = op.sub(column(up_to(extent(given["x"], 0))), up_to(extent(given["x"], 1)))
    return given, op.gather(table(17, 2), op.add(op.clip(distance, number(-8), number(8)), number(8)))


@pattern
def cells_of_a_grid():
    """Row and column of a flat index: i / w and i % w."""
    given = tensors(image=(F32, (6, 7)))
    cells = up_to(number(42))
    tuples = op.concat([column(op.div(cells, number(7))), column(op.mod(cells, number(7)))], axis=1)
    return given, op.gather_nd(given["image"], tuples)


@pattern
def flat_index_of_a_grid():
    """row * w + column of clamped coordinates."""
    given = tensors(rows=(I64, ("n",)), columns=(I64, ("n",)))
    row = op.clip(given["rows"], number(0), number(5))
    place = op.add(op.mul(row, number(7)), op.clip(given["columns"], number(0), number(6)))
    return given, op.gather(table(42), place)


@pattern
def mask_as_index():
    """A comparison, cast to int64, chooses between two rows: token types."""
    given = tensors(ids=(I64, ("batch", "length")))
    return given, op.gather(table(2, 8), op.cast(op.greater(given["ids"], number(102)), to=I64))


@pattern
def bytes_as_ids():
    """uint8 ids into a table of 256 rows."""
    given = tensors(ids=(np.uint8, ("n",)))
    return given, op.gather(table(256, 2), op.cast(given["ids"], to=I32))


@pattern
def signed_bytes_as_ids():
    """int8 ids, moved by 128, into a table of 256 rows."""
    given = tensors(ids=(np.int8, ("n",)))
    return given, op.gather(table(256, 2), op.add(op.cast(given["ids"], to=I64), number(128)))


@pattern
def short_ids():
    """uint16 ids, cut to 12 bits by a remainder."""
    given = tensors(ids=(np.uint16, ("n",)))
    return given, op.gather(table(4096), op.mod(op.cast(given["ids"], to=I32), number(4096, I32)))


@pattern
def quantised_level():
    """A byte as a part of 1, times the number of levels, rounded down."""
    given = tensors(pixels=(np.uint8, ("h", "w")))
    part = op.div(op.cast(given["pixels"], to=F32), number(255, F32))
    return given, op.gather(table(11, 3), op.cast(op.floor(op.mul(part, number(10, F32))), to=I64))


@pattern
def bucketize():
    """The number of boundaries below a value: the sum of comparisons."""
    given = tensors(x=(F32, ("n",)))
    above = op.cast(op.greater(column(given["x"]), op.const(np.linspace(0, 1, 9, dtype=F32))), to=I64)
    return given, op.gather(table(10, 2), op.reduce_sum(above, number([1]), keepdims=0))


@pattern
def masked_by_a_default():
    """Where(mask, ids, 0) of clamped ids, joined with a constant first token."""
    given = tensors(ids=(I64, ("n",)), mask=(BOOL, ("n",)))
    ids = op.where(given["mask"], op.clip(given["ids"], number(0), number(99)), number(0))
    return given, op.gather(table(100, 2), op.concat([number([1]), ids], axis=0))


@pattern
def out_of_vocabulary():
    """tf2onnx: ids outside of the vocabulary become the last row, by the ids' own comparison."""
    given = tensors(ids=(I64, ("n",)))
    ids = given["ids"]
    outside = op.or_(op.less(ids, number(0)), op.greater_or_equal(ids, number(50)))
    return given, op.gather(table(51, 2), op.where(outside, number(50), ids))


@pattern
def steps_of_a_loop():
    """Each iteration of a Loop gathers the row of its number."""
    given = tensors(x=(F32, ("n", 4)))
    (rows,) = op.loop(extent(given["x"], 0), v_initial=[], body=lambda i, going_on: [going_on, op.gather(given["x"], i)])
    return given, rows


@pattern
def either_branch():
    """An If whose branches give indices of one table."""
    given = tensors(flag=(BOOL, ()), ids=(I64, ("n",)))
    (ids,) = op.if_(
        given["flag"],
        then_branch=lambda: [op.clip(given["ids"], number(0), number(9))],
        else_branch=lambda: [op.mod(given["ids"], number(10))],
    )
    return given, op.gather(table(10, 2), ids)


@pattern
def label_of_the_best_class():
    """skl2onnx: ArgMax of a classifier's scores, then ArrayFeatureExtractor of the labels."""
    given = tensors(scores=(F32, ("n", 3)))
    best = op.reshape(op.arg_max(given["scores"], axis=1, keepdims=1), number([-1]))
    return given, ml.array_feature_extractor(number([10, 20, 30]), best)


@pattern
def first_occurrences():
    """Unique's second result gathers from what was searched."""
    given = tensors(x=(F32, (30,)))
    _, first, _, _ = op.unique(given["x"])
    return given, op.gather(given["x"], first)


@pattern
def tiled_and_reshaped():
    """Indices that are tiled, reshaped, transposed and sliced on their way."""
    given = tensors(x=(F32, ("n", 12)))
    best = op.tile(op.arg_max(given["x"], axis=1, keepdims=1), number([1, 4]))
    best = op.slice(op.transpose(op.reshape(best, number([-1, 2])), perm=[1, 0]), number([-1]), number([-9]), number([0]), number([-1]))
    return given, op.gather(table(12, 2), best)


@pattern
def batched_lookup():
    """tf.gather with batch_dims: GatherND whose tuples are clamped columns."""
    given = tensors(x=(F32, (2, 9, 4)), ids=(I32, (2, "n")))
    ids = op.clip(given["ids"], number(0, I32), number(8, I32))
    return given, op.gather_nd(given["x"], op.unsqueeze(op.cast(ids, to=I64), number([2])), batch_dims=1)


@pattern
def first_token():
    """hidden[:, 0] of a fixed length."""
    given = tensors(hidden=(F32, ("batch", 16, 8)))
    return given, op.gather(given["hidden"], number(0), axis=1)


@pattern
def extents_by_number():
    """Extents gathered from a Shape, as every exporter does."""
    given = tensors(x=(F32, ("a", "b", "c")))
    return given, op.gather(op.shape(given["x"]), number([2, -3]))
