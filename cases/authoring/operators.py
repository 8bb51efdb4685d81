"""What the operators are: their inputs, attributes and the values of these."""

# The names of inputs where they are not data, indices, updates and axis.
INPUTS = {
    "TensorScatter": ["past_cache", "update", "write_indices"], "KVCacheUpdate": ["cache", "update", "write_indices"],
    "ArrayFeatureExtractor": ["X", "Y"], "SegmentReduce": ["data", "segment_ids", "offsets"],
    "SegmentMax": ["data", "segment_ids", "num_segments"],
    "SliceScatter": ["data", "updates", "start", "stop", "step", "axes"],
    "PutAlongAxis": ["data", "indices", "values"],
    **dict.fromkeys(("EmbeddingBagOffsetsSum", "EmbeddingBagOffsets"),
                    ["emb_table", "indices", "offsets", "default_index", "per_sample_weights"]),
    **dict.fromkeys(("EmbeddingBagPackedSum", "EmbeddingBagPacked"), ["emb_table", "indices", "per_sample_weights"]),
    "EmbeddingSegmentsSum": ["emb_table", "indices", "segment_ids", "num_segments", "default_index", "per_sample_weights"],
    "EmbeddingBag": ["table", "ids", "offsets", "weights"],
    "GatherTree": ["step_ids", "parent_ids", "max_seq_len", "end_token"],
    **dict.fromkeys(("GatherBlockQuantized", "TakeQuantized"), ["data", "indices", "scales", "zero_points"]),
}
ONE_HOT = {"onnx": ["indices", "depth", "values"], "tensorrt": ["indices", "values", "depth"],
           "openvino": ["indices", "depth", "on_value", "off_value"]}
CACHES = ("TensorScatter", "KVCacheUpdate")
SEGMENTS = ("SegmentReduce", "SegmentMax")
BAGS = ("EmbeddingBagOffsetsSum", "EmbeddingBagOffsets", "EmbeddingBagPackedSum", "EmbeddingBagPacked", "EmbeddingSegmentsSum")
# With the one of the array dialect.
POOLED = (*BAGS, "EmbeddingBag")
# Inputs that a call may lack, in any operator or in one.
OPTIONAL = {"default_index", "per_sample_weights", "zero_points", ("EmbeddingBag", "offsets"), ("EmbeddingBag", "weights"),
            ("SegmentReduce", "offsets")}
# Look-ups in tables of codes.
QUANTISED = ("GatherBlockQuantized", "TakeQuantized")
GATHERS = {"Gather", "GatherElements", "GatherND", "ArrayFeatureExtractor", "Take", "TakeAlongAxis", "GatherTree", *QUANTISED}
BY_INPUT = {("openvino", op) for op in ("Gather", "ScatterUpdate", "ScatterElementsUpdate")}
# The attributes of an operator, each with the first version that has it.
ATTRIBUTES = {
    ("onnx", "Gather"): {"axis": 1}, ("onnx", "GatherElements"): {"axis": 1}, ("onnx", "GatherND"): {"batch_dims": 12},
    ("onnx", "Scatter"): {"axis": 1}, ("onnx", "ScatterElements"): {"axis": 1, "reduction": 16},
    ("onnx", "ScatterND"): {"reduction": 16}, ("onnx", "TensorScatter"): {"axis": 1, "mode": 1},
    ("onnx", "OneHot"): {"axis": 1}, ("onnx", "ArrayFeatureExtractor"): {},
    ("onnx", "GatherBlockQuantized"): dict.fromkeys(("bits", "block_size", "gather_axis", "quantize_axis"), 1),
    ("openvino", "Gather"): {"batch_dims": 7}, ("openvino", "GatherElements"): {"axis": 1},
    ("openvino", "GatherND"): {"batch_dims": 1}, ("openvino", "ScatterUpdate"): {},
    ("openvino", "ScatterElementsUpdate"): {"reduction": 12, "use_init_val": 12},
    ("openvino", "ScatterNDUpdate"): {"reduction": 15},
    ("openvino", "OneHot"): {"axis": 1, "negative_indices_mode": 16}, ("openvino", "SegmentMax"): {"fill_mode": 1},
    ("openvino", "SliceScatter"): {},
    **{("openvino", op): {} if "Sum" in op else {"reduction": 15} for op in BAGS}, ("openvino", "GatherTree"): {},
    ("tensorrt", "Gather"): {"mode": 1, "axis": 1, "num_elementwise_dims": 1}, ("tensorrt", "Scatter"): {"mode": 1, "axis": 1},
    ("tensorrt", "OneHot"): {"axis": 1}, ("tensorrt", "KVCacheUpdate"): {"mode": 1},
    **{("array", op): {"axis": 1} for op in ("Take", "TakeAlongAxis", "PutAlongAxis", "IndexAdd")},
    ("array", "IndexReduce"): {"axis": 1, "reduction": 1, "use_init_val": 1},
    ("array", "SegmentReduce"): {"num_segments": 1, "reduction": 1},
    ("array", "EmbeddingBag"): {"reduction": 1, "include_last_offset": 1, "accumulate": 1},
    ("array", "TakeQuantized"): dict.fromkeys(("axis", "quantize_axis", "block_size", "bits", "dtype"), 1),
}
REQUIRED = {("openvino", "GatherElements"): "axis", ("openvino", "OneHot"): "axis",
            ("openvino", "SegmentMax"): "fill_mode", ("array", "SegmentReduce"): "num_segments"}
# The values of reduction, mode, negative_indices_mode and fill_mode, each with the first version that has it.
CHOICES = {
    **dict.fromkeys((("onnx", "ScatterElements"), ("onnx", "ScatterND")), {"none": 1, "add": 1, "mul": 1, "max": 18, "min": 18}),
    ("onnx", "TensorScatter"): ["linear", "circular"], ("tensorrt", "Gather"): ["DEFAULT", "ELEMENT", "ND"],
    ("openvino", "ScatterElementsUpdate"): ["none", "sum", "prod", "min", "max", "mean"],
    ("openvino", "ScatterNDUpdate"): ["none", "sum", "sub", "prod", "min", "max"],
    ("openvino", "OneHot"): ["ignore_negative", "normalize"], ("openvino", "SegmentMax"): ["ZERO", "LOWEST"],
    **dict.fromkeys((("openvino", "EmbeddingBagOffsets"), ("openvino", "EmbeddingBagPacked")), ["sum", "mean"]),
    ("tensorrt", "Scatter"): ["ELEMENT", "ND"], ("tensorrt", "KVCacheUpdate"): ["LINEAR"],
    ("array", "EmbeddingBag"): ["sum", "mean", "max"],
    **dict.fromkeys((("array", "IndexReduce"), ("array", "SegmentReduce")), ["sum", "prod", "min", "max", "mean"]),
}
