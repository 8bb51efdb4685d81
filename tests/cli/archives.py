"""Archives of tensors for the tests, .safetensors by hand: its own package is not among those of the tests."""

import json

import numpy as np

_NAMES = {"float32": "F32", "float64": "F64", "int64": "I64", "int32": "I32", "uint8": "U8", "bool": "BOOL"}


def save_safetensors(path, arrays):
    """Writes arrays by name as the format's documentation says."""
    header, data = {"__metadata__": {"made": "by hand"}}, b""
    for name, array in arrays.items():
        end = len(data) + array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [len(data), end],
        }
        data += np.ascontiguousarray(array).tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def parse_safetensors(content):
    """The arrays of a file's bytes by name."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    types = {short: name for name, short in _NAMES.items()}
    arrays = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        arrays[name] = np.frombuffer(content[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return arrays
