"""The TensorRT layers in terms of NumPy's indexing; legal calls only. `policy` is None where a call names none."""

import numpy as np
import numpy_onnx


def gather(data, indices, mode="DEFAULT", axis=0, num_elementwise_dims=0, policy=None):
    policy = policy or "zero"
    if mode == "ELEMENT":
        return numpy_onnx.gather_elements(data, indices, axis, policy)
    if mode == "ND":
        return numpy_onnx.gather_nd(data, indices, num_elementwise_dims, policy)
    if num_elementwise_dims == 0:
        return numpy_onnx.gather(data, indices, axis, policy)
    leading = np.broadcast_shapes(data.shape[:1], indices.shape[:1])
    data, indices = (np.broadcast_to(array, leading + array.shape[1:]) for array in (data, indices))
    parts = [numpy_onnx.gather(d, np.asarray(i), axis - 1, policy) for d, i in zip(data, indices, strict=True)]
    rest = data.shape[1:axis] + indices.shape[1:] + data.shape[axis + 1:]
    return np.stack(parts) if parts else np.empty((0, *rest), data.dtype)


def scatter(data, indices, updates, mode="ELEMENT", axis=0, policy=None):
    if mode == "ND":
        return numpy_onnx.scatter_nd(data, indices, updates, policy=policy or "skip")
    return numpy_onnx.scatter_elements(data, indices, updates, axis, policy=policy or "skip")


def kv_cache_update(cache, update, write_indices, mode="LINEAR", policy=None):
    return numpy_onnx.tensor_scatter(cache, update, write_indices, 2, mode.lower(), policy or "skip")


def one_hot(indices, values, depth, axis=-1, policy=None):
    return numpy_onnx.one_hot(indices, depth, values, axis, policy)


OPERATORS = {
    "Gather": gather,
    "Scatter": scatter,
    "OneHot": one_hot,
    "KVCacheUpdate": kv_cache_update,
}
