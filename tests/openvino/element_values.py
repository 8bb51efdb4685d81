"""OpenVINO's element types."""

import ml_dtypes
import numpy as np

# How a type's elements are stored here and in .npy files: one item per element.
STORAGE = {
    "boolean": np.dtype(bool),
    "i4": np.dtype(np.int8),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u2": np.dtype(np.uint8),
    "u4": np.dtype(np.uint8),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f4e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "u1": np.dtype(np.uint8),
    "nf4": np.dtype(np.uint8),
    "string": np.dtype(object),
}
# Types of less than a byte: bits, and whether the first element lies in the highest bits.
PACKED = {"i4": (4, False), "u4": (4, False), "nf4": (4, False), "f4e2m1": (4, False), "u2": (2, False), "u1": (1, True)}
INTEGERS = ["i4", "i8", "i16", "i32", "i64", "u4", "u8", "u16", "u32", "u64"]
FLOATS = ["f8e4m3", "f8e5m2", "f16", "bf16", "f32", "f64"]
# By the names that this library's rows have.
NUMPY_NAMES = {"bool": "boolean", "uint1": "u1", "uint2": "u2", "float4_e2m1fn": "f4e2m1", "float8_e4m3fn": "f8e4m3",
               "float8_e5m2": "f8e5m2", "float8_e8m0fnu": "f8e8m0", "bfloat16": "bf16"}
NUMPY_NAMES |= {name: name if name == "string" else name.replace("float", "f").replace("uint", "u").replace("int", "i")
                for name in ("int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64",
                             "float16", "float32", "float64", "nf4", "string")}
