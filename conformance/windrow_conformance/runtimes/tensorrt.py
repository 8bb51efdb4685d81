"""TensorRT on an NVIDIA GPU: an engine of one layer for every record.

The tests build the networks with windrow.trt, which has the same interface, and run them through this file with main
memory in place of GPU memory. The authors had no GPU: TensorRT's own engines and CUDA's driver have not been run.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..cuda_memory import CudaMemory, fault_of_gpu
from ..element_bytes import PACKED_BITS, element_bytes, unpacked
from ..record import Record
from ..runtime import Call, Runtime
from ..tensor import CARRIERS, Tensor
from ..tensorrt_network import OUTPUT, TYPES, build_network, input_name, why_no_network

# Any of these packages provides the module `tensorrt`.
_PACKAGES = ("tensorrt", "tensorrt-cu13", "tensorrt-cu12", "tensorrt-cu11")
# The bytes of outputs before the call, so that an earlier result is not taken for the new one.
_UNWRITTEN = b"\xa5"


class TensorRt(Runtime):
    """TensorRT with inputs that are copied to the GPU. The number of threads has no effect."""

    name = "tensorrt"
    package = "tensorrt"
    module = "tensorrt"
    dialects = ("tensorrt",)

    def versions(self) -> dict[str, str]:
        for package in _PACKAGES:
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                return {self.package: importlib.metadata.version(package)}
        return {}

    def fault(self) -> str:
        return "; ".join(filter(None, (super().fault(), fault_of_gpu())))

    def why_not(self, record: Record) -> str:
        reason = super().why_not(record)
        if reason:
            return reason
        release = self.versions().get(self.package, "none").partition(".")[0]
        if str(record.version) != release:
            return f"the record is about TensorRT {record.version}, installed is {release}"
        return why_no_network(record)

    def prepare(self, record: Record, threads: int = 1) -> Call:
        return _session(importlib.import_module(self.module)).prepare(record)


class _Session:
    """The state that the calls of a process share: TensorRT uses the first logger for all of them."""

    def __init__(self, trt: Any) -> None:
        self._trt, self._memory = trt, CudaMemory()
        self._errors: list[str] = []
        self._logger = _logger(trt, self._errors)
        self._builder = trt.Builder(self._logger)

    def prepare(self, record: Record) -> Call:
        self._errors.clear()
        plan = None
        network = build_network(self._trt, self._builder, record)
        if network is not None:
            plan = self._builder.build_serialized_network(network, self._builder.create_builder_config())
        self._memory.wait()
        if plan is None:
            raise self._failure("TensorRT builds no engine")
        engine = self._trt.Runtime(self._logger).deserialize_cuda_engine(plan)
        return functools.partial(self._run, engine, engine.create_execution_context())

    def _run(self, engine: Any, context: Any, inputs: Sequence[Tensor | None]) -> Tensor:
        self._errors.clear()
        names = [engine.get_tensor_name(at) for at in range(engine.num_io_tensors)]
        tensors = {input_name(at): tensor for at, tensor in enumerate(inputs) if tensor is not None}
        contents = {name: element_bytes(tensor) for name, tensor in tensors.items() if name in names}
        dtype, shape = self._dtype(engine), tuple(context.get_tensor_shape(OUTPUT))
        size = _size(dtype, shape)
        # Releases without this query have no layer that works in place.
        shared = getattr(engine, "get_aliased_input_tensor", lambda name: None)(OUTPUT)
        if not shared:
            contents[OUTPUT] = _UNWRITTEN * size
        with self._memory.copies(contents.values()) as places:
            addresses = dict(zip(contents, places))
            addresses[OUTPUT] = addresses[shared or OUTPUT]
            for name in names:
                context.set_tensor_address(name, addresses[name])
            has_run = context.execute_async_v3(0)
            self._memory.wait()
            if not has_run:
                raise self._failure("TensorRT does not run the engine")
            return unpacked(self._memory.content(addresses[OUTPUT], size), dtype, shape)

    def _dtype(self, engine: Any) -> str:
        wanted = engine.get_tensor_dtype(OUTPUT)
        return next(name for name, member in TYPES.items() if getattr(self._trt.DataType, member, None) == wanted)

    def _failure(self, text: str) -> RuntimeError:
        return RuntimeError(": ".join([text, *self._errors]))


@functools.cache
def _session(trt: Any) -> _Session:
    return _Session(trt)


def _logger(trt: Any, errors: list[str]) -> Any:
    """A logger that adds TensorRT's errors to the list."""

    class Logger(trt.ILogger):  # type: ignore[misc]
        def __init__(self) -> None:
            trt.ILogger.__init__(self)

        def log(self, severity: Any, msg: str) -> None:
            if int(severity) <= int(trt.ILogger.Severity.ERROR):
                errors.append(msg)

    return Logger()


def _size(dtype: str, shape: tuple[int, ...]) -> int:
    """The size of the tensor in bytes."""
    bits = PACKED_BITS.get(dtype) or 8 * np.dtype(CARRIERS.get(dtype, dtype)).itemsize
    return (int(np.prod(shape, dtype=np.int64)) * bits + 7) // 8
