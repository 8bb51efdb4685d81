"""Five whole models as they are ported between ONNX Runtime and OpenVINO, each with one hidden trouble, and a fix made by hand.

`solved` is the text after what the tool says was followed; where it is None, --fix writes the model.
"""

from typing import NamedTuple

import numpy as np
import onnx.parser

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'


class Ported(NamedTuple):
    """node, rule, what: of the finding that must be told, and what its text must have. mended_inputs: of `solved`, if it has others."""

    text: str
    inputs: dict
    node: str
    rule: str
    what: tuple
    solved: str | None = None
    mended_inputs: dict | None = None

    def model(self):
        return onnx.parser.parse_model(HEAD + self.text)

    def mended(self):
        return onnx.parser.parse_model(HEAD + self.solved)


RNG = np.random.default_rng(7)

# A sentence encoder that takes the hidden state of each sentence's last token; the columns of its indices are swapped.
RETRIEVER = """
retriever (int64[batch, length] ids, int64[batch] lengths, float[50, 6] words, float[6, 6] weights) => (float[batch, 6] vectors)
<int64 zero = {0}, int64 one = {1}, int64[1] last_axis = {-1}>
{
  embedded = Gather (words, ids)
  mixed = MatMul (embedded, weights)
  hidden = Tanh (mixed)
  last = Sub (lengths, one)
  shape = Shape (ids)
  count = Gather (shape, zero)
  rows = Range (zero, count, one)
  row_column = Unsqueeze (rows, last_axis)
  last_column = Unsqueeze (last, last_axis)
  places = Concat <axis = -1> (last_column, row_column)
  [last_token] taken = GatherND (hidden, places)
  norm = ReduceL2 <axes = [-1], keepdims = 1> (taken)
  vectors = Div (taken, norm)
}"""

# Points of a lidar are summed into cells of a grid, exported from index_put_(accumulate=True) without its reduction.
GRID = """
grid (float[points, 3] positions, float[points, 4] features) => (float[16, 4] cells)
<float size = {0.25}, float zero = {0}, float top = {3}, int64 width = {4}, int64[2] extents = {16, 4}, int64[1] first = {0}, int64[1] second = {1},
 int64[1] third = {2}, int64[1] axis = {1}>
{
  scaled = Div (positions, size)
  floor = Floor (scaled)
  inside = Clip (floor, zero, top)
  whole = Cast <to = 7> (inside)
  x = Slice (whole, first, second, axis)
  y = Slice (whole, second, third, axis)
  row = Mul (x, width)
  cell = Add (row, y)
  seen = Relu (features)
  empty = ConstantOfShape <value = float[1] {0}> (extents)
  [pool] cells = ScatterND (empty, cell, seen)
}"""

# A prompt that may be longer than the table of rotary embeddings, which only one branch reads.
ROTARY = """
rotary (float[length, 4] x, int64 past, bool rotate) => (float[length, 4] y)
<float[8, 4] cosines = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8},
 int64 zero = {0}, int64 one = {1}>
{
  shape = Shape (x)
  length0 = Gather (shape, zero)
  steps = Range (zero, length0, one)
  positions = Add (steps, past)
  scaled = Sigmoid (x)
  [choose] y = If (rotate) <
    then_branch = turned () => (float[length, 4] turned_x) {
      [cos] rows = Gather (cosines, positions)
      turned_x = Mul (scaled, rows)
    },
    else_branch = plain () => (float[length, 4] plain_x) { plain_x = Identity (scaled) }>
}"""

# A tokeniser's merges, decoded step by step: the numbers of merges are hashes of 64 bits.
MERGES = """
merges (int64 first, int64 steps, int64[5] hashes, int64[5] following) => (int64 last, int64[steps_, 1] found)
<bool yes = {1}, int64[1] axis = {0}>
{
  [decode] last, found = Loop (steps, yes, first) <
    body = step (int64 i, bool go, int64 at) => (bool go_on, int64 next, int64[1] hash) {
      [hash_of] one = Gather (hashes, at)
      hash = Unsqueeze (one, axis)
      [next_of] next = Gather (following, at)
      go_on = Identity (go)
    }>
}"""

# OpenVINO holds 64-bit integers in 32 bits: the halves of the hashes are looked up.
HALVES = MERGES.replace("int64[5] hashes", "int32[5] low, int32[5] high").replace(
    "int64[steps_, 1] found)", "int32[steps_, 1] found_low, int32[steps_, 1] found_high)").replace(
    "last, found = ", "last, found_low, found_high = ").replace("int64[1] hash)", "int32[1] low_hash, int32[1] high_hash)").replace(
    "[hash_of] one = Gather (hashes, at)", "one = Gather (low, at)\n      two = Gather (high, at)").replace(
    "hash = Unsqueeze (one, axis)", "low_hash = Unsqueeze (one, axis)\n      high_hash = Unsqueeze (two, axis)")

# N-grams are hashed into a table of embeddings.
NGRAMS = """
ngrams (int64[batch, length] ids, float[64, 4] table) => (float[batch, 4] mean)
<int64 factor = {1000003}, int64 size = {64}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] most = {9223372036854775807},
 int64[1] minus = {-1}, int64[1] axis = {1}>
{
  left = Slice (ids, zero, minus, axis)
  right = Slice (ids, one, most, axis)
  spread = Mul (left, factor)
  mixed = Add (spread, right)
  [wrap] bucket = Mod (mixed, size)
  [look] rows = Gather (table, bucket)
  mean = ReduceMean <axes = [1], keepdims = 0> (rows)
}"""

MERGED = {"first": np.array(1), "steps": np.array(3), "following": np.array([2, 3, 4, 0, 1])}

PORTED = {
    "retriever": Ported(
        RETRIEVER,
        {"ids": np.array([[3, 14, 15, 9, 2], [6, 5, 35, 0, 0]]), "lengths": np.array([5, 3]),
         "words": RNG.standard_normal((50, 6)).astype(np.float32), "weights": RNG.standard_normal((6, 6)).astype(np.float32)},
        "main/last_token", "gather-nd-index-range",
        ("indices[0, 0] is 4, but axis 0 of data takes -2 to 1", "in the reverse order every index is in range: they may be swapped"),
        RETRIEVER.replace("(last_column, row_column)", "(row_column, last_column)")),
    "grid": Ported(
        GRID,
        {"positions": np.array([[0.1, 0.6, 0], [0.2, 0.7, 1], [0.9, 0.1, 2], [0.2, 0.6, 0]], np.float32),
         "features": np.arange(16, dtype=np.float32).reshape(4, 4)},
        "main/pool", "scatter-nd-duplicates", ("indices[1] addresses a cell that an earlier one addresses",), GRID.replace("ScatterND (", 'ScatterND <reduction = "add"> (')),
    "rotary": Ported(
        ROTARY, {"x": RNG.standard_normal((5, 4)).astype(np.float32), "past": np.array(4), "rotate": np.array(True)},
        "main/choose.then_branch/cos", "gather-index-range", ("indices[4] is 8, but axis 0 of data takes -8 to 7",)),
    "merges": Ported(
        MERGES, {**MERGED, "hashes": np.array([2**40 + n for n in range(5)])},
        "main/decode.body/hash_of", "type-wide-integers", ("in iteration 0, data[0] is 1099511627776, which no int32 holds",),
        HALVES, {**MERGED, "low": np.arange(5, dtype=np.int32), "high": np.full(5, 2**8, np.int32)}),
    "ngrams": Ported(
        NGRAMS, {"ids": np.array([[101, 2054, 2003, 102], [101, 7592, 2088, 102]]),
                 "table": np.arange(256, dtype=np.float32).reshape(64, 4)},
        "", "outputs-differ", ("the first value that differs is 'spread', made by Mul", "all that this node reads is equal"),
        NGRAMS.replace("spread = Mul (left, factor)", "small = Mod (left, size)\n  spread = Mul (small, small_factor)").replace(
            "int64 size", "int64 small_factor = {3}, int64 size")),
}
