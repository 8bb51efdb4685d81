"""Arrays of different libraries and types, shared by the tests of arrays."""

import numpy as np

GIB = 1 << 30
ROWS = [2, 0, -1]
TYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
]
# The types of ml_dtypes that an operator of ONNX takes.
ML_TYPES = [
    "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "float4_e2m1fn", "int4", "uint4",
]


class DLPackOnly:
    """An array that gives access to its memory only by DLPack."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class OnOtherDevice(DLPackOnly):
    def __dlpack_device__(self):
        return (2, 0)  # CUDA


def same(actual, expected):
    assert type(actual) is np.ndarray
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    assert actual.tobytes() == expected.tobytes()


def numbers(dtype, shape=(4, 3)):
    return np.arange(np.prod(shape), dtype=np.int64).reshape(shape).astype(dtype)


STRIDED = {
    "C": lambda a: a,
    "Fortran": np.asfortranarray,
    "every second": lambda a: np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2],
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "columns of a wider array": lambda a: np.concatenate([a, a], 1)[:, :a.shape[1]],
    "repeated": lambda a: np.broadcast_to(a[:1], a.shape),
    "field of records": lambda a: np.rec.fromarrays([a, np.zeros(a.shape, "i1")], names="x,y")["x"],
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}
