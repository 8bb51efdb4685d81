"""Reports about indices out of range: constant ones, those of inputs, and those that a model computes."""

import numpy as np
from gate_rows import BOTH, CAN, EITHER, ERROR, HAPPENS, OV, ORT, Row, Want, graph, hosts

FIVE = np.array([10, 20, 30, 40, 50], np.float32)
TABLE = np.arange(24, dtype=np.float32).reshape(6, 4)


def rows_of(n, width=2):
    """The text of a table: its row r holds r, r, ..."""
    values = ", ".join(str(float(row)) for row in range(n) for _ in range(width))
    return f"float[{n},{width}] table = {{{values}}}"


POSITIONS = """g (float[n,2] x) => (float[n,2] y)
<int64 zero = {{0}}, int64 one = {{1}}, int64 last = {{{last}}}, {table}>
{{
  shape = Shape (x)
  n = Gather (shape, zero)
  positions = Range (zero, n, one)
  {limit}
  [look] y = Gather (table, {ids})
}}"""


def positions(limit="", ids="positions"):
    """Learnt positions of a sequence of any length in a table of 8 rows."""
    return graph(POSITIONS.format(last=7, table=rows_of(8), limit=limit, ids=ids))


LOOP = f"""g (int64[n] bags, int64 trips) => (float[t,2] y)
<bool yes = {{1}}, {rows_of(6)}>
{{
  y = Loop (trips, yes) <body = each (int64 i, bool go) => (bool on, float[2] row)
  {{
    on = Identity (go)
    id = Gather (bags, i)
    [look] row = Gather (table, id)
  }}>
}}"""

BUCKET = """g (float[n] distance) => (float[n,2] y)
<float four = {{4}}, int64 last = {{7}}, {table}>
{{
  logs = Log (distance)
  scaled = Mul (logs, four)
  whole = Cast <to = 7> (scaled)
  {limit}
  [look] y = Gather (table, bucket)
}}"""

COUNTED = """g (float[5] x, int64 {given}) => (float[n] y) <int64 zero = {{0}}, int64 one = {{1}}, int64 minus = {{-1}}, int64 low = {{-2}}>
{{ ids = Range ({ids})  [look] y = Gather (x, ids)  {more} }}"""


def counted(given, ids, more=""):
    """A gather by a Range, of whose start and limit one is given."""
    return graph(COUNTED.format(given=given, ids=ids, more=more))


OF_RANGE = "https://github.com/microsoft/onnxruntime/issues/26788"

SLICED = """g (int64[4] x, int64[m] ids) => (int64[k] y) <int64[1] start = {{{start}}}, int64[1] end = {{{end}}}{more}>
{{ part = Slice (x, start, end)  [look] y = GatherElements ({data}, {ids}) }}"""
OF_SLICE = "https://github.com/openvinotoolkit/openvino/pull/18614"
FOUR = {"x": np.array([7, 8, 9, 10]), "ids": np.array([0, -1, -2])}


def sliced(start, end, data="part", ids="ids", more=""):
    """Elements of a part of a vector."""
    return graph(SLICED.format(start=start, end=end, data=data, ids=ids, more=more))


ROWS = (
    Row("last_of_a_slice", OF_SLICE, sliced(0, 2, ids="last", more=", int64[2] last = {0, -1}"), FOUR, np.array([7, 8]),
        hosts("right", "other"), (Want("look", HAPPENS, OV, "gather-elements-of-slice"),), True),
    Row("given_ids_of_a_slice", OF_SLICE, sliced(0, 2), FOUR, np.array([7, 8, 7]), hosts("right", "other"),
        (Want("look", CAN, OV, "gather-elements-of-slice"),), True, assume={"ids": (-2, 1)}),
    Row("positive_ids_of_a_slice", OF_SLICE, sliced(0, 2), FOUR | {"ids": np.array([0, 1, 0])}, np.array([7, 8, 7]),
        hosts("right", "right"), assume={"ids": (0, 1)}),
    Row("last_of_a_slice_from_the_middle", OF_SLICE, sliced(2, 4, ids="last", more=", int64[2] last = {0, -1}"), FOUR, np.array([9, 10]),
        hosts("right", "right")),
    Row("last_of_all", OF_SLICE, sliced(0, 2, data="x", ids="last", more=", int64[2] last = {0, -1}"), FOUR, np.array([7, 10]),
        hosts("right", "right")),
    Row("range_past_the_table", OF_RANGE, counted("limit", "zero, limit, one"), {"x": FIVE, "limit": np.array(7)}, ERROR, hosts("other", "other"),
        (Want("look", CAN, ORT, "gather-of-range"), Want("look", CAN, OV, "gather-index-range")), True),
    Row("range_from_the_end", OF_RANGE, counted("limit", "low, limit, one"), {"x": FIVE, "limit": np.array(0)}, np.array([40, 50], np.float32),
        hosts("other", "right"), (Want("look", HAPPENS, ORT, "gather-of-range"),), True, assume={"limit": (0, 0)}),
    Row("range_down_to_the_first", OF_RANGE, counted("start", "start, minus, minus"), {"x": FIVE, "start": np.array(3)},
        np.array([40, 30, 20, 10], np.float32), hosts("other", "right"), (Want("look", HAPPENS, ORT, "gather-of-range"),), True,
        assume={"start": (0, 4)}),
    Row("range_on_the_table", OF_RANGE, counted("limit", "zero, limit, one"), {"x": FIVE, "limit": np.array(4)},
        np.array([10, 20, 30, 40], np.float32), hosts("right", "right"), assume={"limit": (0, 5)}),
    Row("range_with_two_readers", OF_RANGE, counted("limit", "low, limit, one", "twice = Add (ids, ids)"), {"x": FIVE, "limit": np.array(0)},
        np.array([40, 50], np.float32), hosts("right", "right"), assume={"limit": (0, 0)}),
    Row("gather_one_past_the_end", "https://github.com/microsoft/onnxruntime/issues/28311",
        graph("""g (float[5] params) => (float[6] y) <int64[6] ids = {0, 1, 2, 3, 5, 4}>
        { [look] y = Gather (params, ids) }""", opset=13),
        {"params": FIVE}, ERROR, hosts("fails", "other"),
        (Want("look", HAPPENS, BOTH, "gather-index-range"),), True),
    Row("gather_up_to_the_end", "https://github.com/microsoft/onnxruntime/issues/28311",
        graph("""g (float[5] params) => (float[5] y) <int64[5] ids = {0, 1, 2, 3, 4}>
        { [look] y = Gather (params, ids) }""", opset=13),
        {"params": FIVE}, FIVE, hosts("right", "right")),
    Row("gather_of_integers_past_the_end", "https://github.com/openvinotoolkit/openvino/issues/35687",
        graph("""g (int32[12] params, int64[n] ids) => (int32[n] y) { [look] y = Gather (params, ids) }""", opset=13),
        {"params": np.arange(1, 13, dtype=np.int32), "ids": np.array([0, 3, 6, 9, 12, 1])}, ERROR, hosts("fails", "other"),
        (Want("look", HAPPENS, ORT, "gather-index-range"), Want("look", HAPPENS, OV, "gather-")), True, given=True,
        contract={"ids": ("-12", "11")}),
    Row("gather_past_the_end_for_tensorrt", "https://github.com/NVIDIA/TensorRT/issues/4774",
        graph("""g (float[3,4] params) => (float[3,4] y) <int64[3] ids = {0, 3, -4}> { [look] y = Gather (params, ids) }"""),
        {"params": TABLE[:3]}, ERROR, hosts("fails", "other"),
        (Want("look", HAPPENS, ("tensorrt:gpu",), "gather-index-range"),), True, judged="tensorrt"),
    Row("positions_longer_than_their_table", "https://github.com/espnet/espnet_onnx/issues/63",
        positions(), {"x": np.zeros((11, 2), np.float32)}, ERROR, hosts("other", "other"),
        (Want("look", CAN, BOTH, "gather-index-range"),), True),
    Row("positions_longer_than_their_table_in_a_run", "https://github.com/espnet/espnet_onnx/issues/24",
        positions(), {"x": np.zeros((11, 2), np.float32)}, ERROR, hosts("other", "other"),
        (Want("look", HAPPENS, BOTH, "gather-index-range"),), True, given=True),
    Row("positions_held_in_their_table", "https://github.com/espnet/espnet_onnx/issues/63",
        positions("held = Min (positions, last)", "held"),
        {"x": np.zeros((10, 2), np.float32)}, np.repeat([0, 1, 2, 3, 4, 5, 6, 7, 7, 7], 2).reshape(10, 2).astype(np.float32),
        hosts("right", "right")),
    Row("token_ids_given_as_token_types", "https://github.com/shibing624/text2vec/issues/115",
        graph(f"""g (int64[n] input_ids, int64[n] token_type_ids) => (float[n,2] y) <{rows_of(8)}, float[2,2] types = {{0., 0., 1., 1.}}>
        {{ [words] a = Gather (table, input_ids)  [kinds] b = Gather (types, token_type_ids)  y = Add (a, b) }}"""),
        {"input_ids": np.array([0, 0, 0]), "token_type_ids": np.array([1, 6, 2])}, ERROR, hosts("fails", "other"),
        (Want("kinds", HAPPENS, BOTH, "gather-index-range"),), True, given=True, contract={"token_type_ids": ("-2", "1")}),
    Row("token_types_promised_as_words", "https://github.com/jiangnanboy/onnx-java/issues/1",
        graph("""g (int64[n] token_type_ids) => (float[n,2] y) <float[2,2] types = {0., 0., 1., 1.}>
        { [kinds] y = Gather (types, token_type_ids) }"""),
        {"token_type_ids": np.array([1, 6, 2])}, ERROR, hosts("fails", "other"),
        (Want("kinds", CAN, BOTH, "gather-index-range"),), True, assume={"token_type_ids": (0, 7)}),
    Row("token_types_promised_outside", "https://github.com/jiangnanboy/onnx-java/issues/1",
        graph("""g (int64[3] token_type_ids) => (float[3,2] y) <float[2,2] types = {0., 0., 1., 1.}>
        { [kinds] y = Gather (types, token_type_ids) }"""),
        {"token_type_ids": np.array([3, 6, 2])}, ERROR, hosts("fails", "other"),
        (Want("kinds", HAPPENS, BOTH, "gather-index-range"),), True, assume={"token_type_ids": (2, 7)}),
    Row("token_types_promised_inside", "https://github.com/jiangnanboy/onnx-java/issues/1",
        graph("""g (int64[n] token_type_ids) => (float[n,2] y) <float[2,2] types = {0., 0., 1., 1.}>
        { [kinds] y = Gather (types, token_type_ids) }"""),
        {"token_type_ids": np.array([1, 0, 1])}, np.array([[1, 1], [0, 0], [1, 1]], np.float32), hosts("right", "right"),
        assume={"token_type_ids": (0, 1)}),
    Row("extent_of_an_axis_that_is_not_there", "https://github.com/NVIDIA/TensorRT/issues/826",
        graph("""g (int64[n] input_ids) => (int64 y) <int64 one = {1}>
        { shape = Shape (input_ids)  [length] y = Gather (shape, one) }"""),
        {"input_ids": np.array([4, 5])}, ERROR, hosts("fails", "other"),
        (Want("length", HAPPENS, BOTH, "gather-"),), True),
    Row("extent_of_an_axis_that_is_there", "https://github.com/NVIDIA/TensorRT/issues/826",
        graph("""g (int64[b,n] input_ids) => (int64 y) <int64 one = {1}>
        { shape = Shape (input_ids)  [length] y = Gather (shape, one) }"""),
        {"input_ids": np.array([[4, 5, 6]])}, np.array(3), hosts("right", "right")),
    Row("row_of_an_empty_slice", "https://github.com/onnxsim/onnxsim/issues/303",
        graph("""g (float[4,3] x) => (float[3] y) <int64[1] from = {4}, int64[1] to = {9}, int64 zero = {0}>
        { rest = Slice (x, from, to)  [first] y = Gather (rest, zero) }"""),
        {"x": np.ones((4, 3), np.float32)}, ERROR, hosts("fails", "fails/other"),
        (Want("first", HAPPENS, ORT, "gather-"), Want("first", EITHER, OV, "gather-")), True),
    Row("id_of_an_embedding_bag_in_a_loop", "https://github.com/microsoft/onnxruntime/issues/6319",
        graph(LOOP), {"bags": np.array([2, 5, 7]), "trips": np.array(3)}, ERROR, hosts("fails", "other"),
        (Want("look", HAPPENS, BOTH, "gather-index-range"),), True, given=True),
    Row("promised_id_of_an_embedding_bag_in_a_loop", "https://github.com/microsoft/onnxruntime/issues/6319",
        graph(LOOP), {"bags": np.array([2, 5, 7]), "trips": np.array(3)}, ERROR, hosts("fails", "other"),
        (Want("look", CAN, BOTH, "gather-index-range"),), True, assume={"bags": (0, 11), "trips": (0, 3)}),
    Row("bucket_of_a_logarithm", "https://github.com/microsoft/onnxruntime/issues/18970",
        graph(BUCKET.format(table=rows_of(8), limit="bucket = Min (whole, last)")),
        {"distance": np.array([1, 0, 2], np.float32)}, ERROR, hosts("fails", "other"),
        (Want("look", CAN, BOTH, "gather-index-range"),), True),
    Row("tuple_one_past_the_end", "https://github.com/apache/tvm/issues/20297",
        graph("""g (float[6,4] x) => (float[2] y) <int64[2,2] ids = {5, 3, 6, 0}> { [pick] y = GatherND (x, ids) }"""),
        {"x": TABLE}, ERROR, hosts("fails", "other"), (Want("pick", HAPPENS, BOTH, "gather-nd-index-range"),), True),
    Row("update_one_past_the_end", "https://github.com/apache/tvm/issues/20297",
        graph("""g (float[6,4] x) => (float[6,4] y) <int64[1,1] ids = {6}, float[1,4] new = {1., 1., 1., 1.}>
        { [put] y = ScatterND (x, ids, new) }"""),
        {"x": TABLE}, ERROR, hosts("fails", "fails/other"), (Want("put", HAPPENS, BOTH, "scatter-nd-index-range"),), True),
    Row("update_far_out_of_range", "https://github.com/apache/tvm/issues/20297",
        graph("""g (float[6,4] x) => (float[6,4] y) <int64[1,1] ids = {100000000}, float[1,1] new = {1.}>
        { [put] y = ScatterElements (x, ids, new) }"""),
        {"x": TABLE}, ERROR, hosts("fails", "fails"), (Want("put", HAPPENS, BOTH, "scatter-elements-index-range"),), True),
    Row("negative_tuples_within_range", "https://github.com/apache/tvm/issues/20217",
        graph("""g (float[6,4] x) => (float[2] y) <int64[2,2] ids = {-1, -1, 0, -2}> { [pick] y = GatherND (x, ids) }"""),
        {"x": TABLE}, np.array([23, 2], np.float32), hosts("right", "right")),
    Row("negative_index_before_opset_11", "https://github.com/microsoft/onnxruntime/issues/1533",
        graph("""g (float[2,4] x) => (float[4] y) <int64 ids = {-1}> { [last] y = Gather (x, ids) }""", opset=10),
        {"x": TABLE[:2]}, ERROR, hosts("other", "other"),
        (Want("last", HAPPENS, ("onnxruntime:cpu",), "old-negative-index"),), True),
    Row("ignored_label_as_an_index", "https://github.com/apache/tvm/pull/8971",
        graph("""g (float[3,4] chances, bool[3,1] seen, int64[3,1] labels) => (float[3,1] y) <int64 ignored = {-100}>
        { target = Where (seen, labels, ignored)  [pick] y = GatherElements <axis = 1> (chances, target) }"""),
        {"chances": TABLE[:3], "seen": np.array([[True], [False], [True]]), "labels": np.array([[1], [1], [2]])},
        ERROR, hosts("fails", "fails/other"), (Want("pick", CAN, BOTH, "gather-elements-index-range"),), True,
        assume={"labels": (0, 3)}),
    Row("ignored_label_held", "https://github.com/apache/tvm/pull/8971",
        graph("""g (float[3,4] chances, bool[3,1] seen, int64[3,1] labels) => (float[3,1] y) <int64 first = {0}>
        { target = Where (seen, labels, first)  [pick] y = GatherElements <axis = 1> (chances, target) }"""),
        {"chances": TABLE[:3], "seen": np.array([[True], [False], [True]]), "labels": np.array([[1], [1], [2]])},
        np.array([[1], [4], [10]], np.float32), hosts("right", "right"), assume={"labels": (0, 3)}),
    Row("sum_beyond_32_bits_as_an_index", "https://github.com/openvinotoolkit/openvino/issues/35837",
        graph(f"""g (int64[n] x) => (float[n,2] y) <int64 axis = {{0}}, int64 seven = {{7}}, {rows_of(7)}>
        {{ sums = CumSum (x, axis)  ids = Mod (sums, seven)  [look] y = Gather (table, ids) }}"""),
        {"x": np.array([1879050000, 798])},
        np.repeat([1879050000 % 7, 1879050798 % 7], 2).reshape(-1, 2).astype(np.float32),
        hosts("right", "other"), (Want("look", CAN, OV, "gather-index-range"),), True),
    Row("boxes_that_suppression_keeps", "https://github.com/Unity-Technologies/barracuda-release/issues/173",
        graph("""g (float[1,6,4] boxes, float[1,1,6] scores) => (float[k,4] y)
        <int64[1] most = {3}, float[1] overlap = {0.5}, float[1] least = {0.1}, int64 two = {2}, int64[1] zero = {0}>
        { kept = NonMaxSuppression (boxes, scores, most, overlap, least)  [column] ids = Gather <axis = 1> (kept, two)
          flat = Squeeze (boxes, zero)  [look] y = Gather (flat, ids) }"""),
        {"boxes": np.zeros((1, 6, 4), np.float32), "scores": np.zeros((1, 1, 6), np.float32)}, np.zeros((0, 4), np.float32),
        hosts("right", "right")),
)
