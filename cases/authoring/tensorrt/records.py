"""The list in which a TensorRT layer's file collects its records, and data that many of them have."""

import itertools

from ..records import Cases as OnnxCases
from ..semantics import tensor
from . import semantics
from .releases import RELEASES as RELEASES

LAYERS = {
    "Gather": semantics.gather,
    "Scatter": semantics.scatter,
    "OneHot": semantics.one_hot,
    "KVCacheUpdate": semantics.kv_cache_update,
}


def digits(shape, dtype="float32"):
    """Elements that spell their position: 1000 a + 100 b + 10 c + d at [a, b, c, d]."""
    values = [float("".join(map(str, position))) for position in itertools.product(*map(range, shape))]
    return tensor(dtype, shape, values)


class Cases(OnnxCases):
    """The records of one layer."""

    dialect = "tensorrt"

    def compute(self, inputs, attrs, policy, version):
        del version
        return LAYERS[self.op](*inputs, **attrs, policy=policy)
