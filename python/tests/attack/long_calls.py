"""Calls that take minutes and hardly any memory: their indices and updates are one element each, with stride 0.

Every test of interruption runs each of them; a new way to call gets a row here."""

import numpy as np
import onnx
import windrow

UPDATES = 1 << 36


def repeated(value, count=UPDATES):
    return np.broadcast_to(value, (count,))


def index_add(cells, count=UPDATES, **how):
    return windrow.index_add(cells, repeated(np.int64(3), count), repeated(cells.dtype.type(1), count), out=cells, **how)


def scatter_elements(cells, **how):
    updates = repeated(cells.dtype.type(1))
    return windrow.onnx.scatter_elements(cells, repeated(np.int64(3)), updates, axis=0, reduction="add", **how)


def plan(cells, **how):
    inputs = (cells, repeated(np.int32(3)), repeated(cells.dtype.type(1)))
    compiled = windrow.compile("onnx", "ScatterElements", *inputs, axis=0, reduction="max")
    return compiled(*inputs, **how)


def model(cells, **how):
    values = {"data": cells, "indices": repeated(np.int64(3)), "updates": repeated(cells.dtype.type(1))}
    inputs = [
        onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in values.items()
    ]
    output = onnx.helper.make_tensor_value_info("out", inputs[0].type.tensor_type.elem_type, cells.shape)
    node = onnx.helper.make_node("ScatterElements", list(values), ["out"], reduction="add")
    graph = onnx.helper.make_graph([node], "long", inputs, [output])
    proto = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])
    return windrow.load(proto).run(values, **how)


# Each takes the data and the keyword `threads`.
CALLS = {"index_add": index_add, "onnx.ScatterElements": scatter_elements, "a plan": plan, "a model": model}
