"""The case files for tests, and their tensors as NumPy arrays."""

import gzip
import json
import os
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "cases").glob("*/*.json"))
# NumPy has no such types; their codes move as bytes.
CODES = {"uint1": "uint8", "nf4": "uint8"}

sys.path.insert(0, str(ROOT))


def read(path):
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return json.loads(text.decode("utf-8"))


def further_files():
    """Those in the folders of WINDROW_CASES."""
    folders = [Path(folder) for folder in os.environ.get("WINDROW_CASES", "").split(":") if folder]
    return [path for folder in folders for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")])]


def file_name(path):
    """"onnx/gather"."""
    return f"{path.parent.name}/{path.stem}"


def numpy_dtype(name):
    name = CODES.get(name, name)
    if name == "string":
        return np.dtype(object)
    return np.dtype(getattr(ml_dtypes, name, name))


def _element(dtype, value):
    """One element as a NumPy scalar of that type."""
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        return np.array([_element(part, half) for half in value]).view(dtype)[0]
    if isinstance(value, str) and value.startswith("0x"):
        bits = int(value, 16).to_bytes(dtype.itemsize, "little")
        return np.frombuffer(bits, np.uint8).view(dtype)[0]
    return np.array(float(value) if isinstance(value, str) else value).astype(dtype)[()]


def to_numpy(tensor):
    dtype = numpy_dtype(tensor["dtype"])
    array = np.empty(len(tensor["data"]), dtype)
    if dtype == object:
        array[:] = tensor["data"]
    elif dtype.kind in "iu" or dtype.name in ("int4", "uint4", "uint2"):
        array = np.array([int(str(value), 0) for value in tensor["data"]], dtype=dtype)
    else:
        for position, value in enumerate(tensor["data"]):
            array[position] = _element(dtype, value)
    return array.reshape(tensor["shape"])


def same_values(expected, actual):
    """Equal in type, shape and value, with NaN equal to NaN and -0 equal to 0."""
    if expected.dtype == object or expected.dtype.kind in "biuc":
        return same_bits(expected, actual)
    return expected.dtype == actual.dtype and expected.shape == actual.shape and bool(
        np.all((expected == actual) | ((expected != expected) & (actual != actual))))


def same_bits(expected, actual):
    """Equal in type, shape and bits, with NaN equal to NaN."""
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    if expected.dtype == object:
        return bool(np.all(expected == actual))
    if expected.dtype.kind == "c":
        part = f"f{expected.dtype.itemsize // 2}"
        return same_bits(np.ascontiguousarray(expected).reshape(-1).view(part),
                         np.ascontiguousarray(actual).reshape(-1).view(part))
    with np.errstate(invalid="ignore"):
        nan = (expected != expected) & (actual != actual)
    bits = f"u{expected.dtype.itemsize}"
    equal = np.ascontiguousarray(expected).reshape(-1).view(bits) == \
        np.ascontiguousarray(actual).reshape(-1).view(bits)
    return bool(np.all(equal.reshape(nan.shape) | nan))


def _bits(array):
    """The elements as unsigned integers, complex ones as two."""
    part = array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1)
    return np.ascontiguousarray(array).reshape(-1).view(f"u{part}")


def matches(tensor, actual):
    """Whether an array is a record's output: equal in type, shape and bits, any NaN where the record says "nan"."""
    expected = to_numpy(tensor)
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    if expected.dtype == object:
        return expected.tolist() == actual.tolist()
    parts = [part for element in tensor["data"] for part in (element if isinstance(element, list) else [element])]
    is_any_nan = np.array([part == "nan" for part in parts], bool)
    values = np.ascontiguousarray(actual).reshape(-1)
    if actual.dtype.kind == "c":
        values = values.view(f"f{actual.dtype.itemsize // 2}")
    with np.errstate(invalid="ignore"):
        is_nan = (values != values).astype(bool)
    return bool(np.all(np.where(is_any_nan, is_nan, _bits(expected) == _bits(actual))))
