"""The patterns that exporters of large models emit most often, on which the check has nothing to say, one small function each.

The form is that of patterns.py. What a model's caller must ensure, such as token numbers below the size of the vocabulary, is
a contract and no finding.
"""

import numpy as np
import spox.opset.ai.onnx.v18 as op
from patterns import BOOL, F32, I32, I64, column, extent, number, table, tensors, up_to, wrapped

EXPORT_PATTERNS = {}


def pattern(function):
    EXPORT_PATTERNS[function.__name__] = function
    return function


def numbers(*values):
    return op.const(np.array(values, I64))


def listed(*parts):
    """Scalars as a list, as torch.onnx writes a shape: Unsqueeze of each, then Concat."""
    return op.concat([op.unsqueeze(part, numbers(0)) if part.unwrap_tensor().shape == () else part for part in parts], axis=0)


@pattern
def heads_of_attention():
    """BERT: x.view(batch, length, heads, -1), the extents by Shape, Gather, Unsqueeze, Concat, Reshape."""
    given = tensors(x=(F32, ("batch", "length", 32)))
    shape = listed(extent(given["x"], 0), extent(given["x"], 1), numbers(4), numbers(8))
    return given, op.transpose(op.reshape(given["x"], shape), perm=[0, 2, 1, 3])


@pattern
def expand_as():
    """Shape, Slice, Concat, Expand."""
    given = tensors(x=(F32, ("batch", "length", 32)), token=(F32, (1, 1, 32)))
    batch = op.slice(op.shape(given["x"]), numbers(0), numbers(1), numbers(0))
    ones = op.gather(op.shape(given["token"]), numbers(1, 2))
    return given, op.expand(given["token"], op.concat([batch, ones], axis=0))


@pattern
def ones_where_no_mask():
    """ConstantOfShape, Equal, Where: how torch.onnx writes expand(-1, n)."""
    given = tensors(x=(F32, ("batch", "length")), kinds=(I64, (1, 512)))
    length = extent(given["x"], 1)
    part = op.slice(given["kinds"], numbers(0), op.unsqueeze(length, numbers(0)), numbers(1))
    wanted = op.concat([op.unsqueeze(extent(given["x"], 0), numbers(0)), numbers(-1)], axis=0)
    ones = op.constant_of_shape(op.shape(wanted), value=np.array([1], I64))
    chosen = op.where(op.equal(wanted, op.mul(ones, number(-1))), ones, wanted)
    return given, op.expand(part, chosen), op.gather(op.shape(given["x"]), number(0))


@pattern
def position_numbers_of_a_prompt():
    """Range of the length, Unsqueeze, a table of positions whose length is clamped."""
    given = tensors(ids=(I64, ("batch", "length")))
    positions = op.min([up_to(extent(given["ids"], 1)), number(511)])
    return given, op.gather(table(512, 8), op.unsqueeze(positions, numbers(0)))


@pattern
def mask_of_attention():
    """GPT: a causal mask of fixed size, sliced by Shape and Gather."""
    given = tensors(x=(F32, ("batch", "length", 8)))
    length = op.unsqueeze(extent(given["x"], 1), numbers(0))
    mask = op.const(np.tril(np.ones((64, 64), BOOL)))
    rows = op.slice(mask, numbers(0), length, numbers(0))
    return given, op.slice(rows, numbers(0), length, numbers(1))


@pattern
def mask_by_gathered_lengths():
    """The mask of each token by GatherND of (batch, position), as newer exporters write a padding mask."""
    given = tensors(mask=(BOOL, ("batch", "length")))
    mask = given["mask"]
    both = op.shape(mask)
    rows = op.expand(op.unsqueeze(up_to(extent(mask, 0)), numbers(1)), both)
    columns = op.expand(op.unsqueeze(up_to(extent(mask, 1)), numbers(0)), both)
    return given, op.gather_nd(mask, op.concat([column(rows), column(columns)], axis=-1))


@pattern
def mask_by_flattened_positions():
    """x[i, j] as torch.onnx writes it with dynamo=False: the flattened data, and i times the length plus j."""
    given = tensors(mask=(BOOL, ("batch", "length")))
    mask = given["mask"]
    flat = op.flatten(mask, axis=2)
    columns = op.unsqueeze(up_to(extent(mask, 1)), numbers(0, 1, 2))
    rows = op.unsqueeze(up_to(extent(mask, 0)), numbers(1, 2, 3))
    return given, op.gather(flat, op.add(columns, op.mul(rows, op.gather(op.shape(mask), numbers(1)))))


@pattern
def mask_by_flattened_positions_of_ids():
    """The same where the number of rows is that of token numbers whose embeddings were added to others."""
    given = tensors(mask=(BOOL, ("batch", "length")), ids=(I64, ("batch", "length")), kinds=(I64, ("batch", "length")))
    mask = given["mask"]
    flat = op.flatten(mask, axis=2)
    hidden = op.add(op.gather(table(7, 4), op.clip(given["ids"], number(0), number(6))), op.gather(table(7, 4), op.clip(given["kinds"], number(0), number(6))))
    columns = op.unsqueeze(up_to(extent(mask, 1)), numbers(0, 1, 2))
    rows = op.unsqueeze(up_to(extent(hidden, 0)), numbers(1, 2, 3))
    return given, op.gather(flat, op.add(op.mul(rows, op.gather(op.shape(mask), numbers(1))), columns))


@pattern
def first_token():
    """BERT: x[:, 0], which every text has, where x is the sum of two embeddings."""
    given = tensors(x=(F32, ("batch", "length", 8)), y=(F32, ("batch", "length", 8)))
    return given, op.gather(op.add(given["x"], given["y"]), number(0), axis=1)


@pattern
def first_of_a_text():
    """x[:, 0] on an axis of any extent but 0."""
    given = tensors(x=(F32, ("batch", "length", 8)))
    return given, op.gather(given["x"], number(0), axis=1)


@pattern
def shape_after_resize():
    """YOLO: the extents of a map that was made larger, of which hosts know less than of others."""
    given = tensors(x=(F32, ("batch", 3, "height", "width")))
    larger = op.resize(given["x"], None, op.const(np.array([1, 1, 2, 2], F32)), mode="nearest")
    joined = op.relu(op.concat([larger, larger], axis=1))
    return given, op.gather(op.shape(joined), number(1)), op.gather(op.shape(joined), numbers(2, 3))


@pattern
def shape_after_pooling():
    """The same of a pool whose extents are rounded up."""
    given = tensors(x=(F32, ("batch", 3, "height", "width")))
    pooled = op.max_pool(given["x"], kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)[0]
    flat = op.reshape(pooled, numbers(0, 3, -1))
    return given, op.gather(op.shape(flat), number(2)), op.gather(op.shape(op.transpose(pooled, perm=[0, 2, 3, 1])), number(3))


@pattern
def windows_of_swin():
    """Swin: windows partitioned by Reshape and Transpose, rolled by Slice and Concat."""
    given = tensors(x=(F32, ("batch", 8, 8, 6)))
    x = given["x"]
    rolled = op.concat([op.slice(x, numbers(2), numbers(8), numbers(1)), op.slice(x, numbers(0), numbers(2), numbers(1))], axis=1)
    shape = listed(extent(x, 0), numbers(2), numbers(4), numbers(2), numbers(4), extent(x, 3))
    return given, op.reshape(op.transpose(op.reshape(rolled, shape), perm=[0, 1, 3, 2, 4, 5]), numbers(-1, 4, 4, 6))


@pattern
def roll_by_an_index():
    """torch.roll as a Gather by (Range + shift) % n."""
    given = tensors(x=(F32, ("batch", 56, 4)))
    rows = op.mod(op.add(up_to(number(56)), number(3)), number(56))
    return given, op.gather(given["x"], rows, axis=1)


@pattern
def bias_of_relative_positions():
    """Swin's table of relative positions, read by a constant index."""
    given = tensors(x=(F32, ("batch", 3, 16, 16)))
    at = np.stack(np.meshgrid(np.arange(4), np.arange(4), indexing="ij")).reshape(2, -1)
    between = at[:, :, None] - at[:, None, :] + 3
    index = (between[0] * 7 + between[1]).reshape(-1).astype(I64)
    bias = op.reshape(op.gather(table(49, 3), op.const(index)), numbers(16, 16, 3))
    return given, op.add(given["x"], op.unsqueeze(op.transpose(bias, perm=[2, 0, 1]), numbers(0)))


@pattern
def buckets_of_relative_positions():
    """T5: the distance of two positions, clipped, as a row of a table."""
    given = tensors(x=(F32, ("batch", "length", 8)))
    rows = up_to(extent(given["x"], 1))
    between = op.sub(op.unsqueeze(rows, numbers(0)), op.unsqueeze(rows, numbers(1)))
    return given, op.gather(table(33, 2), op.add(op.clip(between, number(-16), number(16)), number(16)))


@pattern
def anchors_of_yolo():
    """YOLO: a grid of anchors by Range, Expand, and the boxes by Split."""
    given = tensors(x=(F32, ("batch", 84, "anchors")))
    best = op.top_k(op.reduce_max(op.slice(given["x"], numbers(4), numbers(84), numbers(1)), numbers(1), keepdims=0), numbers(1))[1]
    boxes = op.transpose(op.slice(given["x"], numbers(0), numbers(4), numbers(1)), perm=[0, 2, 1])
    repeated = op.tile(op.unsqueeze(best, numbers(2)), numbers(1, 1, 4))
    return given, op.gather_elements(boxes, repeated, axis=1)


@pattern
def best_boxes():
    """RT-DETR: TopK of scores, the class by Mod, the box by Div and GatherElements."""
    given = tensors(scores=(F32, ("batch", 300, 80)), boxes=(F32, ("batch", 300, 4)))
    flat = op.reshape(given["scores"], numbers(0, 24000))
    _, at = op.top_k(flat, numbers(100))
    rows = op.tile(op.unsqueeze(op.div(at, number(80)), numbers(2)), numbers(1, 1, 4))
    return given, op.gather_elements(given["boxes"], rows, axis=1), op.mod(at, number(80))


@pattern
def boxes_that_are_kept():
    """NonMaxSuppression, the column of boxes by Gather, the boxes by Gather."""
    given = tensors(boxes=(F32, (1, 100, 4)), scores=(F32, (1, 5, 100)))
    found = op.non_max_suppression(given["boxes"], given["scores"], numbers(20), op.const(np.array([0.5], F32)), op.const(np.array([0.1], F32)))
    rows = op.squeeze(op.slice(found, numbers(2), numbers(3), numbers(1)), numbers(1))
    return given, op.gather(op.squeeze(given["boxes"], numbers(0)), rows)


@pattern
def elements_that_are_found():
    """x[mask]: NonZero, Transpose, GatherND."""
    given = tensors(x=(F32, ("n", 3)), mask=(BOOL, ("n",)))
    found = op.transpose(op.non_zero(op.greater(given["x"], number(0, F32))), perm=[1, 0])
    return given, op.gather_nd(given["x"], found)


@pattern
def elements_that_are_replaced():
    """x[mask] = y: NonZero, Transpose, ScatterND."""
    given = tensors(x=(F32, (7, 3)))
    found = op.transpose(op.non_zero(op.greater(given["x"], number(0, F32))), perm=[1, 0])
    zeros = op.expand(number(0, F32), op.shape(found, start=0, end=1))
    return given, op.scatter_nd(given["x"], found, zeros)


@pattern
def slice_that_is_assigned():
    """x[:, :n] = y: a grid of Range by Expand and Concat, and ScatterND."""
    given = tensors(x=(F32, ("rows", "columns", 4)))
    x = given["x"]
    both = op.shape(x, start=0, end=2)
    rows = op.expand(op.unsqueeze(up_to(extent(x, 0)), numbers(1)), both)
    columns = op.expand(op.unsqueeze(up_to(extent(x, 1)), numbers(0)), both)
    tuples = op.concat([column(rows), column(columns)], axis=-1)
    return given, op.scatter_nd(x, tuples, op.neg(x))


@pattern
def rows_that_are_assigned():
    """x[k:] = y for a fixed extent: a constant list of rows and ScatterND."""
    given = tensors(x=(F32, (9, 4)), y=(F32, (5, 4)))
    return given, op.scatter_nd(given["x"], op.const(np.arange(4, 9, dtype=I64)[:, None]), given["y"])


@pattern
def cache_of_keys():
    """A cache of fixed length of which the first rows are replaced, by Range, Add and ScatterND."""
    given = tensors(cache=(F32, (1024, 8)), new=(F32, ("length", 8)))
    rows = up_to(extent(given["cache"], 0))
    best = op.top_k(op.reduce_sum(given["cache"], numbers(1), keepdims=0), numbers(16))[1]
    return given, op.scatter_nd(given["cache"], column(rows), op.neg(given["cache"])), op.gather(given["cache"], best)


@pattern
def tokens_are_looked_up():
    """Token numbers of the caller: a contract."""
    given = tensors(ids=(I64, ("batch", "length")))
    return given, op.gather(table(1000, 8), given["ids"])


@pattern
def beams_are_reordered():
    """Beam search: the best of all beams' continuations, and the states by the beam that each continues."""
    given = tensors(scores=(F32, (4, 100)), states=(F32, (4, "length", 8)))
    best = op.top_k(op.reshape(given["scores"], numbers(-1)), numbers(4))[1]
    return given, op.gather(given["states"], op.div(best, number(100))), op.mod(best, number(100))


@pattern
def tokens_are_suppressed():
    """Whisper: the logits of fixed tokens become minus infinity by ScatterND or ScatterElements."""
    given = tensors(logits=(F32, (1, 200)))
    tokens = op.const(np.array([[1, 2, 7, 90, 199]], I64))
    low = op.const(np.full((1, 5), -np.inf, F32))
    return given, op.scatter_elements(given["logits"], tokens, low, axis=1)


@pattern
def last_token():
    """Llama: x[:, -1] by Gather of a constant -1 on a fixed axis, and by the last position of a dynamic one."""
    given = tensors(x=(F32, ("batch", "length", 8)), y=(F32, ("batch", 4, 8)))
    last = op.slice(given["x"], numbers(-1), numbers(2**63 - 1), numbers(1))
    return given, last, op.gather(given["y"], number(3), axis=1)


@pattern
def rotary_embedding():
    """Llama: cosines by position, the positions by Range and a length that is clamped."""
    given = tensors(x=(F32, ("batch", "length", 8)))
    positions = op.clip(up_to(extent(given["x"], 1)), number(0), number(2047))
    return given, op.unsqueeze(op.gather(table(2048, 4), positions), numbers(0))


@pattern
def experts_are_sorted():
    """Mixture of experts: the order of tokens by TopK over the whole axis, and the rows put back by ScatterND."""
    given = tensors(gate=(F32, ("tokens",)), x=(F32, ("tokens", 8)))
    count = op.shape(given["gate"])
    order = op.top_k(given["gate"], count)[1]
    rows = op.gather(given["x"], order)
    return given, op.scatter_nd(op.mul(given["x"], number(0, F32)), column(order), rows)


@pattern
def sizes_of_resize():
    """ResNet and segmentation heads: the extents of another feature map by Shape, Slice, Cast and Concat."""
    given = tensors(x=(F32, ("batch", 3, "height", "width")), y=(F32, ("batch", 3, "h", "w")))
    sizes = op.gather(op.shape(given["y"]), numbers(2, 3))
    halves = op.div(op.add(sizes, number(1)), number(2))
    return given, op.gather(halves, number(0)), op.gather(op.sub(sizes, number(1)), numbers(1, 0))


@pattern
def flatten_by_shape():
    """ResNet: x.view(x.size(0), -1)."""
    given = tensors(x=(F32, ("batch", 64, 1, 1)))
    return given, op.reshape(given["x"], listed(extent(given["x"], 0), numbers(-1)))


@pattern
def negative_rows_of_a_fixed_axis():
    """x[..., -1] by indices that are wrapped by Where."""
    given = tensors(x=(F32, (5, "n")))
    return given, op.gather(given["x"], wrapped(numbers(0, 1, 2), number(5)))


_ = I32
