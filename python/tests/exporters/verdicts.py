"""The verdicts of windrow.check() on the exported networks, for all runtimes.

A way is an exporter of PyTorch (the one with dynamo=True or the older one) and an opset.

What is open is of two kinds. True of the models: positions beyond a table of 64 (gpt2, roberta, whisper_decoder), a mask that is shorter than the
cache and the new tokens (llama), edges of the caller (graph_network). False alarms that wait for a proof: the first token behind a sum with a
slice of the positions (bert), distances in buckets (t5), strides (swin), and most of indexed.
"""

# Way: (dynamo, opset).
WAYS = {"script-13": (False, 13), "script-17": (False, 17), "dynamo-18": (True, 18), "dynamo-23": (True, 23)}

# Network: way: (nodes, cannot, can, happens, contracts).
VERDICTS = {
    "bert": {
        "script-13": (12, 171, 1, 0, 2),
        "script-17": (18, 261, 1, 0, 2),
        "dynamo-18": (5, 66, 1, 0, 2),
        "dynamo-23": (5, 66, 1, 0, 2),
    },
    "roberta": {
        "script-13": (14, 198, 2, 0, 1),
        "script-17": (20, 288, 2, 0, 1),
        "dynamo-18": (5, 63, 2, 0, 1),
        "dynamo-23": (5, 63, 2, 0, 1),
    },
    "gpt2": {
        "script-13": (37, 548, 3, 0, 1),
        "script-17": (43, 638, 3, 0, 1),
        "dynamo-18": (3, 40, 1, 0, 1),
        "dynamo-23": (3, 40, 1, 0, 1),
    },
    "t5": {
        "script-13": (12, 174, 1, 0, 1),
        "script-17": (18, 264, 1, 0, 1),
        "dynamo-18": (3, 39, 1, 0, 1),
        "dynamo-23": (3, 39, 1, 0, 1),
    },
    "llama": {
        "script-13": (34, 500, 2, 0, 1),
        "script-17": (40, 590, 2, 0, 1),
        "dynamo-18": (6, 81, 1, 0, 1),
        "dynamo-23": (6, 81, 1, 0, 1),
    },
    "llama_prompt": {
        "script-13": (30, 446, 0, 0, 1),
        "script-17": (36, 536, 0, 0, 1),
        "dynamo-18": (2, 26, 0, 0, 1),
        "dynamo-23": (2, 26, 0, 0, 1),
    },
    "whisper_encoder": {
        "script-13": (4, 60, 0, 0, 0),
        "script-17": (10, 150, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "whisper_decoder": {
        "script-13": (17, 247, 1, 0, 1),
        "script-17": (29, 427, 1, 0, 1),
        "dynamo-18": (6, 81, 1, 0, 1),
        "dynamo-23": (6, 81, 1, 0, 1),
    },
    "resnet": {
        "script-13": (0, 0, 0, 0, 0),
        "script-17": (0, 0, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "vit": {
        "script-13": (6, 89, 0, 0, 0),
        "script-17": (12, 179, 0, 0, 0),
        "dynamo-18": (1, 14, 0, 0, 0),
        "dynamo-23": (1, 14, 0, 0, 0),
    },
    "swin": {
        "script-13": (58, 870, 0, 0, 0),
        "script-17": (70, 1050, 0, 0, 0),
        "dynamo-18": (1, 11, 2, 0, 0),
        "dynamo-23": (1, 11, 2, 0, 0),
    },
    "segmentation": {
        "script-13": (4, 60, 0, 0, 0),
        "script-17": (4, 60, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "yolo": {
        "script-13": (18, 270, 0, 0, 0),
        "script-17": (18, 270, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "yolo_masks": {
        "script-13": (18, 270, 0, 0, 0),
        "script-17": (18, 270, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "yolo_without_suppression": {
        "script-13": (22, 330, 0, 0, 0),
        "script-17": (22, 330, 0, 0, 0),
        "dynamo-18": (0, 0, 0, 0, 0),
        "dynamo-23": (0, 0, 0, 0, 0),
    },
    "graph_network": {
        "script-17": (8, 83, 2, 1, 1),
        "dynamo-18": (8, 104, 6, 2, 1),
        "dynamo-23": (8, 104, 6, 2, 1),
    },
    "indexed": {
        "script-17": (34, 476, 10, 2, 0),
        "dynamo-18": (21, 288, 7, 1, 0),
        "dynamo-23": (21, 288, 7, 1, 0),
    },
}

# Network: way: rule: the number of its findings with the verdicts can and happens.
OPEN = {
    "bert": {
        "script-13": {"gather-index-range": 1},
        "script-17": {"gather-index-range": 1},
        "dynamo-18": {"gather-index-range": 1},
        "dynamo-23": {"gather-index-range": 1},
    },
    "roberta": {
        "script-13": {"gather-elements-index-range": 1, "gather-index-range": 1},
        "script-17": {"gather-elements-index-range": 1, "gather-index-range": 1},
        "dynamo-18": {"gather-elements-index-range": 1, "gather-index-range": 1},
        "dynamo-23": {"gather-elements-index-range": 1, "gather-index-range": 1},
    },
    "gpt2": {
        "script-13": {"gather-index-range": 2, "gather-negative-index-dynamic": 1},
        "script-17": {"gather-index-range": 2, "gather-negative-index-dynamic": 1},
        "dynamo-18": {"gather-index-range": 1},
        "dynamo-23": {"gather-index-range": 1},
    },
    "t5": {
        "script-13": {"gather-index-range": 1},
        "script-17": {"gather-index-range": 1},
        "dynamo-18": {"gather-index-range": 1},
        "dynamo-23": {"gather-index-range": 1},
    },
    "llama": {
        "script-13": {"gather-index-range": 1, "gather-negative-index-dynamic": 1},
        "script-17": {"gather-index-range": 1, "gather-negative-index-dynamic": 1},
        "dynamo-18": {"gather-nd-index-range": 1},
        "dynamo-23": {"gather-nd-index-range": 1},
    },
    "llama_prompt": {},
    "whisper_encoder": {},
    "whisper_decoder": {
        "script-13": {"gather-index-range": 1},
        "script-17": {"gather-index-range": 1},
        "dynamo-18": {"gather-nd-index-range": 1},
        "dynamo-23": {"gather-nd-index-range": 1},
    },
    "resnet": {},
    "vit": {},
    "swin": {
        "dynamo-18": {"gather-index-range": 1, "gather-negative-index-dynamic": 1},
        "dynamo-23": {"gather-index-range": 1, "gather-negative-index-dynamic": 1},
    },
    "segmentation": {},
    "yolo": {},
    "yolo_masks": {},
    "yolo_without_suppression": {},
    "graph_network": {
        "script-17": {"scatter-elements-longer-indices": 2, "ONNX-ScatterElements-A3": 1},
        "dynamo-18": {"scatter-nd-race": 2, "float-sum-order": 2, "scatter-nd-reduction": 2, "reduction-nan": 1, "reduction-both-zeros": 1},
        "dynamo-23": {"scatter-nd-race": 2, "float-sum-order": 2, "scatter-nd-reduction": 2, "reduction-nan": 1, "reduction-both-zeros": 1},
    },
    "indexed": {
        "script-17": {"gather-index-range": 2, "gather-negative-index-dynamic": 4, "scatter-elements-longer-indices": 2, "gather-of-range": 1, "scatter-elements-duplicates": 1, "scatter-elements-longer-off-axis": 1, "one-hot-index-range": 1},
        "dynamo-18": {"gather-nd-index-range": 1, "gather-negative-index-dynamic": 4, "scatter-elements-longer-indices": 2, "gather-index-range": 1},
        "dynamo-23": {"gather-nd-index-range": 1, "gather-negative-index-dynamic": 4, "scatter-elements-longer-indices": 2, "gather-index-range": 1},
    },
}

# ONNX Runtime refuses the caches that the exporter gives to RotaryEmbedding.
REFUSED = {("llama", "dynamo-23"), ("llama_prompt", "dynamo-23")}
