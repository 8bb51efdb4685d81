"""Reports about element types, about attributes and operators that an opset does not have, and about reductions and duplicates."""

import ml_dtypes
import numpy as np
from gate_rows import BOTH, CAN, ERROR, HAPPENS, ORT, OV, Row, Want, graph, hosts

ONES = np.ones((3, 3), np.float32)
TWO_ROWS = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
INDICES = "int64[2,3] ids = {0, 1, 2, 0, 1, 2}"
FIVE = np.ones((5, 3), np.float32)

ADDED = """g (float[3,3] x, float[2,3] new) => (float[3,3] y) <int64[2,3] ids = {0, 1, 2, 0, 1, 2}>
{ [put] y = ScatterElements <reduction = "add"> (x, ids, new) }"""

HALF = """g (bool keep, {type}[5,3] x, {type}[2,3] new) => ({type}[5,3] y)
{{ y = If (keep) <
    then_branch = same () => ({type}[5,3] a) {{ a = Identity (x) }},
    else_branch = sums () => ({type}[5,3] b) <int64[2,1] ids = {{0, 3}}> {{ [put] b = ScatterND <reduction = "add"> (x, ids, new) }}
> }}"""

EXTREME = """g (float[4] x, int64[3] ids, float[3] new) => (float[4] y) {{ [pool] y = ScatterElements <reduction = "{how}"> (x, ids, new) }}"""
NAN = np.array([1, np.nan, 3], np.float32)

ROWS = (
    Row("sum_at_opset_13", "https://github.com/apache/tvm/issues/19435", graph(ADDED, opset=13),
        {"x": ONES, "new": TWO_ROWS}, ERROR, hosts("fails", "other"),
        (Want("put", HAPPENS, ORT, says="16"),), True),
    Row("sum_at_opset_16", "https://github.com/apache/tvm/issues/19435", graph(ADDED.replace("0, 1, 2}", "1, 2, 0}"), opset=16),
        {"x": ONES, "new": TWO_ROWS}, np.array([[2, 1, 7], [5, 3, 1], [1, 6, 4]], np.float32), hosts("right", "right")),
    Row("maximum_at_opset_16", "https://github.com/onnx/onnx/pull/4411",
        graph("""g (float[4] x) => (float[4] y) <int64[2,1] ids = {1, 3}, float[2] new = {5., 6.}>
        { [put] y = ScatterND <reduction = "max"> (x, ids, new) }""", opset=16),
        {"x": np.zeros(4, np.float32)}, ERROR, hosts("other", "other"), (Want("put", HAPPENS, (), says="18"),), None),
    Row("scatter_nd_at_opset_9", "https://github.com/PaddlePaddle/Paddle2ONNX/issues/198",
        graph("""g (float[3] x) => (float[3] y) <int64[1,1] ids = {2}, float[1] new = {5.}> { [put] y = ScatterND (x, ids, new) }""", opset=9),
        {"x": np.zeros(3, np.float32)}, ERROR, hosts("fails", "other"), (Want("put", HAPPENS, ORT, says="11"),), True),
    Row("gather_nd_batch_at_opset_11", "https://github.com/apache/tvm/pull/8084",
        graph("""g (float[2,3] x) => (float[2] y) <int64[2,1] ids = {1, 2}> { [pick] y = GatherND <batch_dims = 1> (x, ids) }""", opset=11),
        {"x": TWO_ROWS}, ERROR, hosts("fails", "other"), (Want("pick", HAPPENS, ORT, says="12"),), True,
        never=("gather-nd-index-range",)),
    Row("indices_as_floats", "https://github.com/pytorch/pytorch/pull/47653",
        graph("""g (float[5,3] x, float n) => (float[k,3] y) <float zero = {0}, float one = {1}>
        { ids = Range (zero, n, one)  [pick] y = Gather (x, ids) }""", opset=11),
        {"x": FIVE, "n": np.array(2, np.float32)}, ERROR, hosts("fails", "fails"), (Want("pick", HAPPENS, BOTH),), True),
    Row("indices_as_bytes", "https://github.com/ENOT-AutoDL/onnx2torch/pull/116",
        graph("""g (float[5,3] x) => (float[2,3] y) <uint8[2] ids = {4, 0}> { [pick] y = Gather (x, ids) }"""),
        {"x": FIVE}, ERROR, hosts("fails", "other"), (Want("pick", HAPPENS, ORT),), True),
    Row("tuples_of_32_bits", "https://github.com/onnx/tensorflow-onnx/pull/1949",
        graph("""g (float[5,3] x, int32[2,1] ids, float[2,3] new) => (float[5,3] y)
        { [put] y = ScatterND <reduction = "add"> (x, ids, new) }"""),
        {"x": FIVE, "ids": np.array([[1], [3]], np.int32), "new": TWO_ROWS}, ERROR, hosts("fails", "other"),
        (Want("put", HAPPENS, ORT),), True, assume={"ids": (0, 4)}),
    Row("brain_floats_before_opset_13", "https://github.com/microsoft/onnxruntime/pull/6267",
        graph("""g (bfloat16[5,3] x) => (bfloat16[2,3] y) <int64[2] ids = {4, 0}> { [pick] y = Gather (x, ids) }""", opset=11),
        {"x": FIVE.astype(ml_dtypes.bfloat16)}, ERROR, hosts("fails", "fails/other"), (Want("pick", HAPPENS, ORT, says="bfloat16"),), True),
    Row("half_sum_in_a_branch", "https://github.com/microsoft/onnxscript/pull/1298", graph(HALF.format(type="float16")),
        {"keep": np.array(False), "x": FIVE.astype(np.float16), "new": TWO_ROWS.astype(np.float16)},
        np.array([[2, 3, 4], [1, 1, 1], [1, 1, 1], [5, 6, 7], [1, 1, 1]], np.float16), hosts("fails", "right"),
        (Want("put", HAPPENS, ORT, "reduction-half"),), True),
    Row("whole_sum_in_a_branch", "https://github.com/microsoft/onnxscript/pull/1298", graph(HALF.format(type="float")),
        {"keep": np.array(False), "x": FIVE, "new": TWO_ROWS},
        np.array([[2, 3, 4], [1, 1, 1], [1, 1, 1], [5, 6, 7], [1, 1, 1]], np.float32), hosts("right", "right")),
    Row("half_maximum", "https://github.com/microsoft/onnxruntime/issues/18864",
        graph("""g (float16[4] x, float16[2] new) => (float16[4] y) <int64[2] ids = {1, 3}>
        { [pool] y = ScatterElements <reduction = "max"> (x, ids, new) }"""),
        {"x": np.zeros(4, np.float16), "new": np.array([5, 6], np.float16)}, np.array([0, 5, 0, 6], np.float16), hosts("right", "right"),
        (Want("pool", CAN, BOTH, "reduction-nan"),), True),
    Row("maximum_of_nan", "https://github.com/openvinotoolkit/openvino/issues/35933", graph(EXTREME.format(how="max")),
        {"x": np.zeros(4, np.float32), "ids": np.array([0, 1, 3]), "new": NAN}, np.array([1, np.nan, 0, 3], np.float32),
        hosts("right", "other"), (Want("pool", HAPPENS, OV, "reduction-nan"),), True, given=True),
    Row("minimum_of_nan", "https://github.com/openvinotoolkit/openvino/issues/36238", graph(EXTREME.format(how="min")),
        {"x": np.zeros(4, np.float32), "ids": np.array([0, 1, 3]), "new": NAN}, np.array([0, np.nan, 0, 0], np.float32),
        hosts("right", "other"), (Want("pool", CAN, OV, "reduction-nan"),), True, assume={"ids": (0, 3)}),
    Row("accumulating_put_that_assigns", "https://github.com/pytorch/pytorch/issues/61034",
        graph("""g (float[5,3] x, float[5,3] new) => (float[5,3] y) <int64[5,1] ids = {0, 4, 2, 2, 4}>
        { [put] y = ScatterND (x, ids, new) }""", opset=11),
        {"x": FIVE, "new": np.arange(15, dtype=np.float32).reshape(5, 3)}, ERROR, hosts("other", "other"),
        (Want("put", HAPPENS, BOTH, "scatter-nd-duplicates"),), True),
    Row("adding_scatter_that_assigns", "https://github.com/pytorch/pytorch/issues/125835",
        graph("""g (float[10,4] x, int64[10,4] ids, float[10,4] new) => (float[10,4] y)
        { [put] y = ScatterElements (x, ids, new) }""", opset=11),
        {"x": np.zeros((10, 4), np.float32), "ids": np.zeros((10, 4), np.int64), "new": np.arange(40, dtype=np.float32).reshape(10, 4)},
        ERROR, hosts("other", "other"), (Want("put", HAPPENS, ("onnxruntime:cuda",), "scatter-elements-duplicates"),), True, given=True,
        judged="onnxruntime:cpu,onnxruntime:cuda"),
    Row("adding_index_that_assigns_each_row_once", "https://github.com/pytorch/pytorch/issues/111159",
        graph("""g (float[5,3] x, float[2,3] new) => (float[5,3] y) <int64[2,1] ids = {3, 0}> { [put] y = ScatterND (x, ids, new) }"""),
        {"x": FIVE, "new": TWO_ROWS}, np.array([[4, 5, 6], [1, 1, 1], [1, 1, 1], [1, 2, 3], [1, 1, 1]], np.float32),
        hosts("right", "right")),
    Row("sums_whose_order_is_open", "https://github.com/openvinotoolkit/openvino/issues/24021",
        graph("""g (float[5,3] x, int64[4,3] ids, float[4,3] new) => (float[5,3] y)
        { [put] y = ScatterElements <reduction = "add"> (x, ids, new) }"""),
        {"x": FIVE, "ids": np.zeros((4, 3), np.int64), "new": np.array([[1e8] * 3, [1] * 3, [-1e8] * 3, [1] * 3], np.float32)},
        ERROR, hosts("other", "other"), (Want("put", CAN, ("openvino:gpu",), "float-sum-order"),), True, assume={"ids": (0, 4)}, judged="openvino:cpu,openvino:gpu"),
    Row("maximum_for_tensorrt", "https://github.com/onnx/onnx-tensorrt/issues/957",
        graph("""g (float[4] x) => (float[4] y) <int64[2,1] ids = {1, 3}, float[2] new = {5., 6.}>
        { [put] y = ScatterND <reduction = "max"> (x, ids, new) }"""),
        {"x": np.zeros(4, np.float32)}, np.array([0, 5, 0, 6], np.float32), hosts("right", "right"),
        (Want("put", HAPPENS, ("tensorrt:gpu",), "scatter-nd-reduction"),), True, judged="tensorrt"),
    Row("sum_for_tensorrt", "https://github.com/NVIDIA/TensorRT/issues/2396", graph(ADDED, opset=16),
        {"x": ONES, "new": TWO_ROWS}, np.array([[6, 1, 1], [1, 8, 1], [1, 1, 10]], np.float32), hosts("right", "right"),
        (Want("put", HAPPENS, ("tensorrt:gpu",), "scatter-elements-reduction"),), True, judged="tensorrt@8.5"),
    Row("wide_rows", "https://github.com/openvinotoolkit/openvino/issues/35823",
        graph("""g (int64[2] a, int64[2] b) => (int64[2] y) <int64[2] ids = {1, 0}> { table = Add (a, b)  [pick] y = Gather (table, ids) }"""),
        {"a": np.array([5 * 10**9, 7 * 10**9]), "b": np.array([3 * 10**9, 2 * 10**9])}, np.array([9 * 10**9, 8 * 10**9]),
        hosts("right", "other"), (Want("pick", CAN, OV, "type-wide-integers"),), True),
    Row("small_rows", "https://github.com/openvinotoolkit/openvino/issues/35823",
        graph("""g (int64[2] a, int64[2] b) => (int64[2] y) <int64[2] ids = {1, 0}> { table = Add (a, b)  [pick] y = Gather (table, ids) }"""),
        {"a": np.array([5, 7]), "b": np.array([3, 2])}, np.array([9, 8]), hosts("right", "right"),
        assume={"a": (0, 1000), "b": (0, 1000)}),
)
