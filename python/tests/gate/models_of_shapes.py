"""Reports about shapes, axes and ranks that an operator does not take, about unequal batches and about extents of 0."""

import numpy as np
from gate_rows import BOTH, CAN, ERROR, HAPPENS, OV, Row, Want, graph, hosts

TWELVE = np.arange(12, dtype=np.float32)
CUBE = np.arange(64, dtype=np.float32).reshape(4, 4, 4)
QUERIES = np.arange(20, dtype=np.float32).reshape(1, 5, 4)
RANKED = np.tile(np.array([[1], [3]]), (2, 1, 4))

ROWS = (
    Row("tuples_longer_than_the_rank", "https://github.com/microsoft/onnxruntime/issues/8505",
        graph("""g (float[a,b,c] junctions) => (float[2] y) <int64[2,4] ids = {0, 0, 1, 1, 0, 1, 0, 1}>
        { [pick] y = GatherND (junctions, ids) }"""),
        {"junctions": CUBE}, ERROR, hosts("fails", "fails"), (Want("pick", HAPPENS, BOTH, says="4"),), True),
    Row("tuples_as_long_as_the_rank", "https://github.com/microsoft/onnxruntime/issues/8505",
        graph("""g (float[4,4,4] junctions) => (float[2] y) <int64[2,3] ids = {0, 0, 1, 1, 0, 1}>
        { [pick] y = GatherND (junctions, ids) }"""),
        {"junctions": CUBE}, np.array([1, 17], np.float32), hosts("right", "right")),
    Row("one_update_for_a_scalar", "https://github.com/PaddlePaddle/Paddle2ONNX/issues/212",
        graph("""g (float[3] x, float[1] new) => (float[3] y) <int64[1] ids = {2}> { [put] y = ScatterND (x, ids, new) }""", opset=11),
        {"x": TWELVE[:3], "new": np.array([5], np.float32)}, ERROR, hosts("fails", "fails"),
        (Want("put", HAPPENS, BOTH, says="updates"),), True),
    Row("scalar_update_for_a_scalar", "https://github.com/PaddlePaddle/Paddle2ONNX/issues/212",
        graph("""g (float[3] x, float new) => (float[3] y) <int64[1] ids = {2}> { [put] y = ScatterND (x, ids, new) }""", opset=11),
        {"x": TWELVE[:3], "new": np.array(5, np.float32)}, np.array([0, 1, 5], np.float32), hosts("right", "right")),
    Row("updates_by_the_formula_of_the_page", "https://github.com/onnx/onnx/issues/6821",
        graph("""g (float[4,4,4] x, float[2,4] new) => (float[4,4,4] y) <int64[2,1] ids = {0, 2}>
        { [put] y = ScatterND (x, ids, new) }"""),
        {"x": CUBE, "new": np.ones((2, 4), np.float32)}, ERROR, hosts("fails", "fails"),
        (Want("put", HAPPENS, BOTH, says="updates"),), True),
    Row("sums_in_place_of_rows", "https://github.com/tensorflow/tensorflow/issues/24819",
        graph("""g (float[4,3,2] words, int64[2,1] ids) => (float[4,3,2] y) <float[2,2] sums = {1., 1., 2., 2.}>
        { [put] y = ScatterND (words, ids, sums) }"""),
        {"words": np.zeros((4, 3, 2), np.float32), "ids": np.array([[0], [1]])}, ERROR, hosts("fails", "fails"),
        (Want("put", HAPPENS, BOTH, says="updates"),), True, assume={"ids": (0, 3)}),
    Row("a_batch_that_the_export_froze", "https://github.com/Peterande/D-FINE/pull/35",
        graph("""g (float[1,5,4] memory, int64[b,2,4] ranked) => (float[b,2,4] y)
        { [top] y = GatherElements <axis = 1> (memory, ranked) }"""),
        {"memory": QUERIES, "ranked": RANKED}, ERROR, hosts("fails", "fails"),
        (Want("top", CAN, BOTH),), True, assume={"ranked": (0, 4)}),
    Row("a_batch_of_two_for_a_batch_of_one", "https://github.com/Peterande/D-FINE/pull/35",
        graph("""g (float[1,5,4] memory, int64[2,2,4] ranked) => (float[2,2,4] y)
        { [top] y = GatherElements <axis = 1> (memory, ranked) }"""),
        {"memory": QUERIES, "ranked": RANKED}, ERROR, hosts("fails", "fails"),
        (Want("top", HAPPENS, BOTH),), True, assume={"ranked": (0, 4)}),
    Row("a_batch_of_one_for_a_batch_of_one", "https://github.com/Peterande/D-FINE/pull/35",
        graph("""g (float[1,5,4] memory, int64[1,2,4] ranked) => (float[1,2,4] y)
        { [top] y = GatherElements <axis = 1> (memory, ranked) }"""),
        {"memory": QUERIES, "ranked": RANKED[:1]}, QUERIES[:, [1, 3]], hosts("right", "right"), assume={"ranked": (0, 4)}),
    Row("data_that_is_a_scalar", "https://github.com/PaddlePaddle/Paddle2ONNX/issues/1541",
        graph("""g (float x) => (float y) <int64 zero = {0}> { [count] y = Gather (x, zero) }""", opset=11),
        {"x": np.array(3, np.float32)}, ERROR, hosts("fails", "fails"), (Want("count", HAPPENS, BOTH, says="rank"),), True),
    Row("data_that_a_squeeze_made_a_scalar", "https://github.com/PaddlePaddle/Paddle2ONNX/issues/1603",
        graph("""g (float[1] x) => (float y) <int64 zero = {0}> { whole = Squeeze (x)  [count] y = Gather (whole, zero) }""", opset=13),
        {"x": np.array([3], np.float32)}, ERROR, hosts("fails", "fails"), (Want("count", HAPPENS, BOTH, says="rank"),), True),
    Row("axis_beyond_the_rank", "https://github.com/onnx/onnx-mlir/pull/1328",
        graph("""g (float[4,3] x) => (float[4,3] y) <int64[4,3] ids = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}>
        { [pick] y = GatherElements <axis = 2> (x, ids) }"""),
        {"x": TWELVE.reshape(4, 3)}, ERROR, hosts("fails", "fails"), (Want("pick", HAPPENS, BOTH, says="axis"),), True),
    Row("axis_before_the_first", "https://github.com/onnx/onnx-mlir/pull/1328",
        graph("""g (float[4,3] x) => (float[4,3] y) <int64[1,1] ids = {0}, float[1,1] new = {1.}>
        { [put] y = ScatterElements <axis = -3> (x, ids, new) }"""),
        {"x": TWELVE.reshape(4, 3)}, ERROR, hosts("fails", "fails"), (Want("put", HAPPENS, BOTH, says="axis"),), True),
    Row("axis_from_the_end", "https://github.com/onnx/onnx-tensorrt/issues/125",
        graph("""g (float[4,3] x) => (float[4] y) <int64 ids = {1}> { [column] y = Gather <axis = -1> (x, ids) }"""),
        {"x": TWELVE.reshape(4, 3)}, np.array([1, 4, 7, 10], np.float32), hosts("right", "right")),
    Row("two_rows_of_tuples_for_three", "https://github.com/microsoft/onnxruntime/issues/23828",
        graph("""g (float[3,3] x) => (float[2] y) <int64[2,1] ids = {1, 2}> { [pick] y = GatherND <batch_dims = 1> (x, ids) }"""),
        {"x": TWELVE[:9].reshape(3, 3)}, ERROR, hosts("fails", "fails"),
        (Want("pick", HAPPENS, BOTH, "gather-nd-unequal-batch"),), True),
    Row("three_rows_of_tuples_for_one", "https://github.com/microsoft/onnxruntime/issues/25053",
        graph("""g (float[1,3] x) => (float[3] y) <int64[3,1] ids = {1, 2, 0}> { [pick] y = GatherND <batch_dims = 1> (x, ids) }"""),
        {"x": TWELVE[:3].reshape(1, 3)}, ERROR, hosts("other", "other"),
        (Want("pick", HAPPENS, BOTH, "gather-nd-unequal-batch"),), True),
    Row("rows_of_tuples_for_a_batch_of_two", "https://github.com/openvinotoolkit/openvino/issues/30797",
        graph("""g (float[2,3] x) => (float[2] y) <int64[2,1] ids = {1, 2}> { [pick] y = GatherND <batch_dims = 1> (x, ids) }"""),
        {"x": TWELVE[:6].reshape(2, 3)}, np.array([1, 5], np.float32), hosts("right", "right")),
    Row("rows_by_the_routing_of_experts", "https://github.com/sonos/tract/pull/2635",
        graph("""g (float[8,4,2] states, int64[n,1] ids) => (float[n,4,2] y) { [route] y = GatherND (states, ids) }"""),
        {"states": np.arange(64, dtype=np.float32).reshape(8, 4, 2), "ids": np.array([[7], [0], [7]])},
        np.arange(64, dtype=np.float32).reshape(8, 4, 2)[[7, 0, 7]], hosts("right", "right"), assume={"ids": (0, 7)}),
    Row("slices_without_elements", "https://github.com/ROCm/AMDMIGraphX/issues/5246",
        graph("""g (float[1,8,0] extras) => (float[8,0] y) <int64 zero = {0}> { [first] y = Gather (extras, zero) }"""),
        {"extras": np.zeros((1, 8, 0), np.float32)}, np.zeros((8, 0), np.float32), hosts("right", "right")),
    Row("ids_that_default_to_none", "https://github.com/openvinotoolkit/openvino/pull/1776",
        graph("g (float[0] table, int64[n] ids) => (float[n] y) <int64[0] ids = {}> { [pick] y = Gather (table, ids) }"),
        {"table": np.zeros(0, np.float32)}, np.zeros(0, np.float32), hosts("right", "other"),
        (Want("pick", CAN, OV, "gather-index-range"),), None),
    Row("slices_without_elements_by_a_given_index", "https://github.com/ROCm/AMDMIGraphX/issues/5246",
        graph("g (float[1,8,0] extras, int64 zero) => (float[8,0] y) { [first] y = Gather (extras, zero) }"),
        {"extras": np.zeros((1, 8, 0), np.float32), "zero": np.array(0)}, np.zeros((8, 0), np.float32), hosts("right", "fails"),
        (Want("first", HAPPENS, OV, "gather-empty"),), True, assume={"zero": (0, 0)}),
    Row("slices_without_elements_of_two_batches", "https://github.com/ROCm/AMDMIGraphX/issues/5246",
        graph("g (float[2,8,0] extras) => (float[2,0] y) <int64 zero = {0}> { [first] y = Gather <axis = 1> (extras, zero) }"),
        {"extras": np.zeros((2, 8, 0), np.float32)}, np.zeros((2, 0), np.float32), hosts("right", "fails"),
        (Want("first", HAPPENS, OV, "gather-empty"),), True),
    Row("more_updates_than_cells_at_opset_9", "https://github.com/pytorch/pytorch/issues/32960",
        graph("""g (float[1] x, float[3] new) => (float[1] y) <int64[3] ids = {0, 0, 0}> { [add] y = Scatter (x, ids, new) }""", opset=9),
        {"x": np.zeros(1, np.float32), "new": np.array([1, 2, 3], np.float32)}, ERROR, hosts("other", "other"),
        (Want("add", HAPPENS, ("onnxruntime:cuda",), "scatter-elements-duplicates"),), True, judged="onnxruntime:cpu,onnxruntime:cuda"),
)
