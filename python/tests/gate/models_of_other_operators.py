"""Reports about gathers and scatters outside ONNX's family, and about runtimes that cannot run here."""

import numpy as np
from gate_rows import BOTH, ERROR, HAPPENS, ORT, Row, Want, graph, hosts

MICROSOFT = ', "com.microsoft" : 1'
IMAGE = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)

PACKED = """g (int64[n] ids) => (float[n,16] y)
<uint8[4,16] codes = {{{codes}}}, float[4,1] scales = {{1., 1., 1., 1.}}>
{{ [words] y = com.microsoft.GatherBlockQuantized <bits = 8, block_size = 16, quantize_axis = 1> (codes, ids, scales) }}"""
CODES = ", ".join(str(128 + row) for row in range(4) for _ in range(16))

UNPOOL = """g (float[1,1,2,2] x) => (float[1,1,4,4] y) <int64[1,1,2,2] ids = {{5, 7, 13, {last}}}>
{{ [unpool] y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (x, ids) }}"""
UNPOOLED = np.zeros((1, 1, 4, 4), np.float32)
UNPOOLED.reshape(-1)[[5, 7, 13, 15]] = [1, 2, 3, 4]
SMALL = np.array([[[[1, 2], [3, 4]]]], np.float32)

CACHE = """g (float[1,4,2] cache, float[1,2,2] new) => (float[1,4,2] y) <int64[1] at = {{{at}}}>
{{ [keep] y = TensorScatter <axis = 1> (cache, new, at) }}"""
STEP = {"cache": np.zeros((1, 4, 2), np.float32), "new": np.ones((1, 2, 2), np.float32)}

ROWS = (
    Row("quantized_row_out_of_range", "https://github.com/microsoft/onnxruntime/pull/29258",
        graph(PACKED.format(codes=CODES), domains=MICROSOFT, opset=21), {"ids": np.array([0, 4, 3])}, ERROR,
        hosts("other", "other"), (Want("words", HAPPENS, BOTH),), True, given=True),
    Row("quantized_row_promised_inside", "https://github.com/microsoft/onnxruntime/pull/21630",
        graph(PACKED.format(codes=CODES), domains=MICROSOFT, opset=21), {"ids": np.array([0, 1, 3])},
        np.repeat([0, 1, 3], 16).reshape(3, 16).astype(np.float32), hosts("right", "right"), judged="onnxruntime:cpu", assume={"ids": (0, 3)}),
    Row("unpooled_cell_out_of_range", "https://github.com/microsoft/onnxruntime/pull/27432", graph(UNPOOL.format(last=99)),
        {"x": SMALL}, ERROR, hosts("fails", "fails"), (), None, judged="onnxruntime:cpu", notes=("MaxUnpool",)),
    Row("region_of_an_image_that_is_not_there", "https://github.com/microsoft/onnxruntime/pull/27543",
        graph("""g (float[1,1,4,4] x, float[1,4] boxes) => (float[1,1,2,2] y) <int64[1] image = {3}>
        { [crop] y = RoiAlign <output_height = 2, output_width = 2> (x, boxes, image) }"""),
        {"x": IMAGE, "boxes": np.array([[0, 0, 3, 3]], np.float32)}, ERROR, hosts("fails", "fails"), (), None,
        judged="onnxruntime:cpu", notes=("RoiAlign",)),
    Row("angle_of_a_position_that_is_not_there", "https://github.com/microsoft/onnxruntime/issues/28205",
        graph("""g (float[1,1,4] x) => (float[1,1,4] y)
        <int64[1,1] at = {9}, float[3,2] cosines = {1., 1., 1., 1., 1., 1.}, float[3,2] sines = {0., 0., 0., 0., 0., 0.}>
        { [turn] y = com.microsoft.RotaryEmbedding <num_heads = 1> (x, at, cosines, sines) }""", domains=MICROSOFT),
        {"x": np.ones((1, 1, 4), np.float32)}, ERROR, hosts("fails", "fails"), (), None, judged="onnxruntime:cpu",
        notes=("RotaryEmbedding",)),
    Row("grid_of_another_batch", "https://github.com/microsoft/onnxruntime/issues/14178",
        graph("""g (float[2,1,4,4] x, float[1,2,2,2] grid) => (float[2,1,2,2] y) { [warp] y = GridSample (x, grid) }"""),
        {"x": np.ones((2, 1, 4, 4), np.float32), "grid": np.zeros((1, 2, 2, 2), np.float32)}, ERROR, hosts("fails", "fails"),
        (), None, judged="onnxruntime:cpu", notes=("GridSample",)),
    Row("condition_of_rank_two", "https://github.com/onnx/models/issues/170",
        graph("""g (int32[1,5] x, bool[1,5] condition) => (int32[k] y) { [choose] y = Compress (x, condition) }"""),
        {"x": np.arange(5, dtype=np.int32).reshape(1, 5), "condition": np.array([[False, True, False, True, False]])}, ERROR,
        hosts("other", "other"), (), None, judged="onnxruntime:cpu", notes=("Compress",)),
    Row("cache_entry_beyond_the_end", "https://github.com/microsoft/onnxruntime/pull/27389", graph(CACHE.format(at=3), opset=24, ir=11),
        STEP, ERROR, hosts("fails", "fails"), (Want("keep", HAPPENS, ORT, "tensor-scatter-position"),), True, judged="onnxruntime:cpu"),
    Row("cache_entry_at_the_end", "https://github.com/microsoft/onnxruntime/pull/27446", graph(CACHE.format(at=2), opset=24, ir=11),
        STEP, np.array([[[0, 0], [0, 0], [1, 1], [1, 1]]], np.float32), hosts("right", "fails"), judged="onnxruntime:cpu"),
    Row("flags_for_qnn", "https://github.com/onnxruntime/onnxruntime-qnn/pull/50",
        graph("""g (bool[4,2] x) => (bool[2] y) <int64 ids = {1}> { [flag] y = Gather (x, ids) }"""),
        {"x": np.eye(4, 2) > 0}, np.array([False, True]), hosts("right", "right"), (Want("flag", HAPPENS, ("onnxruntime:qnn",)),), True,
        judged="qnn"),
    Row("negative_row_for_qnn", "https://github.com/onnxruntime/onnxruntime-qnn/pull/311",
        graph("""g (float[4,2] x) => (float[4,2] y) <int64[1,1] ids = {-1}, float[1,2] new = {1., 2.}> { [put] y = ScatterND (x, ids, new) }"""),
        {"x": np.zeros((4, 2), np.float32)}, np.array([[0, 0], [0, 0], [0, 0], [1, 2]], np.float32), hosts("right", "right"),
        (Want("put", HAPPENS, ("onnxruntime:qnn",)),), True, judged="qnn"),
    Row("negative_row_for_tflite", "https://github.com/PINTO0309/onnx2tf/pull/277",
        graph("""g (float[4,2] x) => (float[2] y) <int64 ids = {-1}> { [last] y = Gather (x, ids) }"""),
        {"x": np.arange(8, dtype=np.float32).reshape(4, 2)}, np.array([6, 7], np.float32), hosts("right", "right"),
        (Want("last", HAPPENS, ("tflite",)),), True, judged="tflite"),
    Row("negative_row_for_tvm", "https://github.com/apache/tvm/issues/19436",
        graph("""g (float[3,4] x) => (float[2,4] y) <int64[2] ids = {0, -1}> { [pick] y = Gather (x, ids) }""", opset=13),
        {"x": np.arange(12, dtype=np.float32).reshape(3, 4)}, np.array([[0, 1, 2, 3], [8, 9, 10, 11]], np.float32),
        hosts("right", "right"), (Want("pick", HAPPENS, ("tvm",)),), True, judged="tvm"),
    Row("wide_rows_for_coreml", "https://github.com/apple/coremltools/issues/2222",
        graph("""g (int32[2] x) => (int32 y) <int64 ids = {0}> { [pick] y = Gather (x, ids) }"""),
        {"x": np.array([70000, 1], np.int32)}, np.array(70000, np.int32), hosts("right", "right"),
        (Want("pick", ("can", "happens"), ("onnxruntime:coreml",)),), True, judged="coreml"),
)
