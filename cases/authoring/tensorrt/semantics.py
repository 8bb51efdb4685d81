"""The TensorRT layers, element by element, as ..semantics has the ONNX operators.

Written from docs/operators/tensorrt.md. The calls are legal; `policy` is None where the options name none.
"""

from .. import semantics
from ..semantics import at, coordinate, gathered, positions, tensor


def _gather_default(data, indices, axis, batch, policy):
    """A leading axis of extent 1 on one side stands for all positions of the other."""
    shape, inner = data["shape"], indices["shape"]
    assert all(d == i or 1 in (d, i) for d, i in zip(shape[:batch], inner[:batch], strict=True))
    leading = [i if d == 1 else d for d, i in zip(shape[:batch], inner[:batch], strict=True)]
    result = []
    for first in positions(leading):
        own, other = ([0 if extent == 1 else k for k, extent in zip(first, extents, strict=False)]
                      for extents in (shape, inner))
        for before in positions(shape[batch:axis]):
            for step in positions(inner[batch:]):
                place = coordinate(at(indices, (*other, *step)), shape[axis], policy)
                for after in positions(shape[axis + 1:]):
                    result.append(gathered(data, (*own, *before, place, *after)))
    return tensor(data["dtype"], leading + shape[batch:axis] + inner[batch:] + shape[axis + 1:], result)


def gather(data, indices, mode="DEFAULT", axis=0, num_elementwise_dims=0, policy=None):
    policy = policy or "zero"
    if mode == "ELEMENT":
        return semantics.gather_elements(data, indices, axis, policy)
    if mode == "ND":
        return semantics.gather_nd(data, indices, num_elementwise_dims, policy)
    return _gather_default(data, indices, axis, num_elementwise_dims, policy)


def scatter(data, indices, updates, mode="ELEMENT", axis=0, policy=None):
    if mode == "ND":
        return semantics.scatter_nd(data, indices, updates, policy=policy or "skip")
    return semantics.scatter_elements(data, indices, updates, axis, policy=policy or "skip")


def kv_cache_update(cache, update, write_indices, mode="LINEAR", policy=None):
    return semantics.tensor_scatter(cache, update, write_indices, 2, mode.lower(), policy or "skip")


def one_hot(indices, values, depth, axis=-1, policy=None):
    return semantics.one_hot(indices, depth, values, axis, policy or "skip")
