"""ONNX Runtime's CPU provider, alone or with Windrow's beside it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from windrow._base.arrays import ml_dtype, packed, unpacked
from windrow.processes import CannotAsk
from windrow.runners._onnx_models import model_of_node
from windrow.runners._requests import ModelRun, NodeCall
from windrow.runners._runner import Runner

# onnx.TensorProto.DataType of the types that ONNX Runtime has and NumPy does not.
_CODES = {
    "bfloat16": 16,
    "float8_e4m3fn": 17,
    "float8_e4m3fnuz": 18,
    "float8_e5m2": 19,
    "float8_e5m2fnuz": 20,
    "uint4": 21,
    "int4": 22,
    "float4_e2m1fn": 23,
}
_NAMES = {code: name for name, code in _CODES.items()}
_NIBBLES = ("uint4", "int4", "float4_e2m1fn")
_ONLY_ERRORS = 3


class OnnxRuntime(Runner):
    """Sessions on the CPU; threads: the number of threads within a node, nodes run one at a time."""

    name = "onnxruntime"
    package = "onnxruntime"
    takes_windrow = ("onnx",)
    missing_types = frozenset(
        {"complex64", "complex128", "float8_e8m0fnu", "float8_e3m4", "float8_e4m3", "int2", "uint2"}
    )
    no_code = re.compile(
        "NOT_IMPLEMENTED|Could not find an implementation|is till opset|not supported|Type Error|"
        "has been deprecated|invalid type|INVALID_GRAPH|not currently registered"
    )

    def execute(self, run: ModelRun) -> dict[str, Any]:
        return _run(_session(run), run.inputs)

    def prepare_node(self, call: NodeCall) -> Callable[[], dict[str, Any]]:
        # One session for all runs: its warm threads race more often than new ones.
        run = model_of_node(call)
        session = _session(run)
        return lambda: _run(session, run.inputs)


def _run(session: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    outputs = session.get_outputs()
    names = [output.name for output in outputs]
    is_plain = any(map(_is_text_or_sequence, inputs.values()))
    if is_plain or any(not output.type.startswith("tensor(") for output in outputs):
        return dict(zip(names, session.run(names, _plain_feeds(inputs))))
    feeds = {name: _to_value(array) for name, array in inputs.items()}
    values = session.run_with_ort_values(names, feeds)
    return {name: _from_value(value) for name, value in zip(names, values)}


def _session(run: ModelRun) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ONLY_ERRORS
    if run.threads is not None:
        options.intra_op_num_threads = run.threads
    options.inter_op_num_threads = 1
    if not run.optimize:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    model: str | bytes = run.model.path or run.model.read()
    if isinstance(model, bytes) and run.model.folder is not None:
        options.add_session_config_entry(
            "session.model_external_initializers_file_folder_path", run.model.folder
        )
    if not run.windrow_inside:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    from windrow.onnxruntime import register, session_options

    try:
        register()
    except (RuntimeError, ImportError) as error:
        raise CannotAsk(str(error)) from error
    return onnxruntime.InferenceSession(model, session_options(options))


def _is_text_or_sequence(value: Any) -> bool:
    return isinstance(value, list) or np.asarray(value).dtype.kind in "OTU"


def _plain_feeds(inputs: Any) -> dict[str, Any]:
    """Inputs for the session's call without OrtValues, which takes text and sequences but not every type."""
    special = [name for name, value in inputs.items() if not isinstance(value, list) and _special_type(value)]
    if special:
        raise CannotAsk(f"ONNX Runtime's Python package takes no text or sequences beside {special[0]!r}")
    return dict(inputs)


def _special_type(value: Any) -> str:
    name = np.asarray(value).dtype.name
    return name if name in _CODES else ""


def _to_value(given: Any) -> Any:
    from onnxruntime import OrtValue

    array = np.asarray(given)
    name = _special_type(array)
    if name in _NIBBLES:
        memory = packed(array)
        value = OrtValue.ortvalue_from_shape_and_type(list(array.shape), _CODES[name])
        ctypes.memmove(value.data_ptr(), memory.ctypes.data, memory.nbytes)
        return value
    dense = np.asarray(array, order="C")
    if name:
        return OrtValue.ortvalue_from_numpy_with_onnx_type(dense.view(f"u{dense.itemsize}"), _CODES[name])
    return OrtValue.ortvalue_from_numpy(dense)


def _from_value(value: Any) -> np.ndarray[Any, Any]:
    name = _NAMES.get(value.element_type())
    if name is None:
        array: np.ndarray[Any, Any] = value.numpy()
        return array
    shape = tuple(value.shape())
    raw = np.frombuffer(ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes()), np.uint8)
    if name in _NIBBLES:
        return unpacked(raw, name, shape)
    return raw.view(ml_dtype(name)).reshape(shape)
