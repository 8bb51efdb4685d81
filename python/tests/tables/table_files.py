"""Files with a table in them, of every format that windrow.open_table() reads."""

import json
from pathlib import Path

import numpy as np

FORMATS = ["npy", "npz", "safetensors", "raw", "onnx", "ir", "arrow"]


def write_table(folder: Path, kind: str, table: np.ndarray) -> tuple[Path, dict]:
    """The file's path, and the arguments of open_table() beside it."""
    path = folder / f"table.{kind}"
    if kind == "npy":
        np.save(path, table)
    elif kind == "npz":
        np.savez(path, other=np.arange(7), table=table)
        return path, {"name": "table"}
    elif kind == "safetensors":
        _write_safetensors(path, {"other": np.arange(7), "table": table})
        return path, {"name": "table"}
    elif kind == "raw":
        path.write_bytes(b"header " + table.tobytes())
        return path, {"dtype": table.dtype, "shape": table.shape, "first_byte": 7}
    elif kind == "onnx":
        _write_onnx(path, table)
    elif kind == "ir":
        return _write_ir(folder / "table.xml", table), {"name": "weights"}
    elif kind == "arrow":
        _write_arrow(path, table)
        return path, {"name": "column"}
    return path, {}


def _write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    names = {"float32": "F32", "float64": "F64", "float16": "F16", "int64": "I64", "int32": "I32", "int8": "I8"}
    names |= {"uint8": "U8", "int16": "I16"}
    header, blob = {}, b""
    for name, tensor in tensors.items():
        span = [len(blob), len(blob) + tensor.nbytes]
        header[name] = {"dtype": names[str(tensor.dtype)], "shape": list(tensor.shape), "data_offsets": span}
        blob += tensor.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + blob)


def _write_onnx(path: Path, table: np.ndarray) -> None:
    import onnx
    from onnx import helper, numpy_helper

    ids = helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["n"])
    rows = helper.make_tensor_value_info("rows", helper.np_dtype_to_tensor_dtype(table.dtype), None)
    node = helper.make_node("Gather", ["table", "ids"], ["rows"])
    graph = helper.make_graph([node], "lookup", [ids], [rows], [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    onnx.save(model, path, save_as_external_data=True, location="table.data", size_threshold=0)


def _write_ir(path: Path, table: np.ndarray) -> Path:
    names = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32", "int8": "i8"}
    names |= {"uint8": "u8", "int16": "i16"}
    element = names[str(table.dtype)]
    dims = "".join(f"<dim>{extent}</dim>" for extent in table.shape)
    shape = ",".join(str(extent) for extent in table.shape)
    path.write_text(f"""<?xml version="1.0"?>
<net name="lookup" version="11"><layers>
<layer id="0" name="weights" type="Const" version="opset1">
<data element_type="{element}" shape="{shape}" offset="64" size="{table.nbytes}"/>
<output><port id="0" precision="{element.upper()}">{dims}</port></output></layer>
<layer id="1" name="out" type="Result" version="opset1">
<input><port id="0" precision="{element.upper()}">{dims}</port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
""")
    path.with_suffix(".bin").write_bytes(bytes(64) + table.tobytes())
    return path


def _write_arrow(path: Path, table: np.ndarray) -> None:
    import pyarrow as pa

    values = pa.array(table.reshape(-1))
    row = int(np.prod(table.shape[1:]))
    column = values if table.ndim == 1 else pa.FixedSizeListArray.from_arrays(values, row)
    batches = pa.table({"column": column, "other": np.arange(len(table))})
    with pa.ipc.new_file(path, batches.schema) as writer:
        writer.write_table(batches, max_chunksize=max(1, len(table) // 3))
