"""TensorRT: an engine of one layer for every record. It needs the package tensorrt, a GPU and CUDA's runtime library.

The networks are tested with another implementation of the same interface; the part that runs engines has not been run by
its authors, who had no GPU.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..element_bytes import PACKED_BITS, element_bytes
from ..record import Record
from ..runtime import Call, Runtime, Unsupported
from ..tensor import CARRIERS, Tensor

_TYPES = {
    "float32": "FLOAT",
    "float16": "HALF",
    "int8": "INT8",
    "int32": "INT32",
    "bool": "BOOL",
    "uint8": "UINT8",
    "float8_e4m3fn": "FP8",
    "bfloat16": "BF16",
    "int64": "INT64",
    "int4": "INT4",
}
_SETTINGS = {
    "Gather": ("mode", "axis", "num_elementwise_dims"),
    "Scatter": ("mode", "axis"),
    "OneHot": ("axis",),
    "KVCacheUpdate": ("mode",),
}
_MODES = {"Gather": "GatherMode", "Scatter": "ScatterMode", "KVCacheUpdate": "KVCacheMode"}
_INPUTS = {"Gather": 2, "Scatter": 3, "OneHot": 3, "KVCacheUpdate": 3}
_INT32 = 2**31


class TensorRt(Runtime):
    """Inputs are copied to the GPU."""

    name = "tensorrt"
    package = "tensorrt"
    module = "tensorrt"
    dialects = ("tensorrt",)

    def fault(self) -> str:
        missing = super().fault()
        if missing:
            return missing
        if ctypes.util.find_library("cuda") is None:
            return "tensorrt needs an NVIDIA GPU and its driver: there is no libcuda"
        return ""

    def release(self) -> int:
        """The installed major release."""
        return int(next(iter(self.versions().values()), "0").partition(".")[0])

    def why_not(self, record: Record) -> str:
        reason = super().why_not(record)
        if reason:
            return reason
        if record.version != self.release():
            return f"the record is about TensorRT {record.version}, this is {self.release()}"
        return _why_no_layer(record)

    def prepare(self, record: Record, threads: int = 1) -> Call:
        trt = importlib.import_module(self.module)
        logger = trt.Logger(trt.Logger.ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network()
        layer = add_layer(trt, network, record)
        if layer is None:
            raise ValueError("TensorRT adds no such layer")
        network.mark_output(layer.get_output(0))
        layer.get_output(0).name = "output_0"
        return self.engine(trt, logger, builder, network)

    def engine(self, trt: Any, logger: Any, builder: Any, network: Any) -> Call:
        """What runs the network."""
        plan = builder.build_serialized_network(network, builder.create_builder_config())
        if plan is None:
            raise ValueError("TensorRT builds no engine of the layer")
        engine = trt.Runtime(logger).deserialize_cuda_engine(plan)
        context = engine.create_execution_context()
        return lambda inputs: _run_on_gpu(trt, engine, context, inputs)


def _why_no_layer(record: Record) -> str:
    """What of a record the network interface cannot say; empty if nothing."""
    if len(record.inputs) != _INPUTS[record.op] or any(tensor is None for tensor in record.inputs):
        return "a layer has all of its inputs and no others"
    for tensor in record.inputs:
        if tensor is not None and tensor.dtype not in _TYPES:
            return f"TensorRT has no type {tensor.dtype}"
        if tensor is not None and len(tensor.shape) > 8:
            return "TensorRT has at most 8 axes"
    for name, value in record.attrs.items():
        if name not in _SETTINGS[record.op]:
            return f"the layer has no setting {name}"
        is_number = isinstance(value, int) and -_INT32 <= value < _INT32
        if name != "mode" and not is_number:
            return f"{name} is a 32-bit integer"
    return ""


def add_layer(trt: Any, network: Any, record: Record) -> Any:
    """The record's layer with its inputs input_0, input_1, ..; None where TensorRT refuses it."""
    inputs = [
        network.add_input(f"input_{at}", getattr(trt.DataType, _TYPES[tensor.dtype]), tensor.shape)
        for at, tensor in enumerate(record.inputs)
        if tensor is not None
    ]
    if any(tensor is None for tensor in inputs):
        return None
    attrs = record.attrs
    mode = _mode(trt, record)
    if record.op == "KVCacheUpdate":
        return network.add_kv_cache_update(*inputs, mode or trt.KVCacheMode.LINEAR)
    if record.op == "OneHot":
        return network.add_one_hot(*inputs, attrs.get("axis", -1))
    if record.op == "Scatter":
        layer = network.add_scatter(*inputs, trt.ScatterMode.ELEMENT if mode is None else mode)
    elif mode is None:
        layer = network.add_gather(*inputs, 0)
    else:
        layer = network.add_gather_v2(*inputs, mode)
    if layer is not None:
        layer.axis = attrs.get("axis", 0)
        if record.op == "Gather":
            layer.num_elementwise_dims = attrs.get("num_elementwise_dims", 0)
    return layer


def _mode(trt: Any, record: Record) -> Any:
    name = record.attrs.get("mode")
    if name is None:
        return None
    modes = getattr(trt, _MODES[record.op]).__members__
    if name not in modes:
        raise Unsupported(f"TensorRT has no mode {name}")
    return modes[name]


def _run_on_gpu(trt: Any, engine: Any, context: Any, inputs: Sequence[Tensor | None]) -> Tensor:
    cuda = _Cuda()
    with cuda:
        for at, tensor in enumerate(inputs):
            assert tensor is not None
            content = element_bytes(tensor) if tensor.dtype in PACKED_BITS else tensor.array.tobytes()
            context.set_tensor_address(f"input_{at}", cuda.copied(content))
        shape = tuple(context.get_tensor_shape("output_0"))
        number = engine.get_tensor_dtype("output_0")
        dtype = next(name for name, kind in _TYPES.items() if getattr(trt.DataType, kind, None) == number)
        count = int(np.prod(shape, dtype=np.int64))
        stored = np.dtype(CARRIERS.get(dtype, dtype))
        size = (count * PACKED_BITS[dtype] + 7) // 8 if dtype in PACKED_BITS else count * stored.itemsize
        place = cuda.room(size)
        context.set_tensor_address("output_0", place)
        if not context.execute_async_v3(0):
            raise RuntimeError("TensorRT did not run the layer")
        cuda.wait()
        raw = np.frombuffer(cuda.fetched(place, size), np.uint8)
    if dtype in PACKED_BITS:
        codes = np.stack([raw & 15, raw >> 4], axis=1).reshape(-1)[:count]
        return Tensor(dtype, codes.reshape(shape))
    return Tensor(dtype, raw.view(stored).reshape(shape))


class _Cuda:
    """The few functions of CUDA's runtime that are needed, and the memory that they gave."""

    def __init__(self) -> None:
        found = ctypes.util.find_library("cudart")
        if found is None:
            raise Unsupported("there is no libcudart, CUDA's runtime library")
        self._library = ctypes.CDLL(found)
        self._places: list[ctypes.c_void_p] = []

    def __enter__(self) -> None: ...

    def __exit__(self, *ending: object) -> None:
        for place in self._places:
            self._library.cudaFree(place)

    def room(self, size: int) -> int:
        place = ctypes.c_void_p()
        self._require(self._library.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(max(size, 1))))
        self._places.append(place)
        return int(place.value or 0)

    def copied(self, content: bytes) -> int:
        place = self.room(len(content))
        self._require(self._library.cudaMemcpy(ctypes.c_void_p(place), content, ctypes.c_size_t(len(content)), 1))
        return place

    def fetched(self, place: int, size: int) -> bytes:
        content = ctypes.create_string_buffer(max(size, 1))
        self._require(self._library.cudaMemcpy(content, ctypes.c_void_p(place), ctypes.c_size_t(size), 2))
        return content.raw[:size]

    def wait(self) -> None:
        self._require(self._library.cudaDeviceSynchronize())

    def _require(self, status: int) -> None:
        if status:
            raise RuntimeError(f"CUDA's error {status}")
