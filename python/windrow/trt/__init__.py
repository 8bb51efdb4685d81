"""TensorRT's Python network interface for the layers of this library, without a GPU.

import windrow.trt as trt

Names, keywords and defaults are TensorRT's, for its gather, scatter, one-hot, KV-cache, cast and
constant layers (docs/operators/tensorrt.md says what each computes). There are no engines: where a
program would build one, windrow.trt.testing.run(network, inputs) runs the network on the CPU. Wrong
use shows as in TensorRT: an add_* gives None and the logger gets one line that says why.
docs/guide/tensorrt_style.md tells how to port a program and what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.trt import testing
from windrow.trt._dims import Dims, Dims2, Dims3, Dims4, DimsHW, volume
from windrow.trt._logger import Logger
from windrow.trt._network import (
    Builder,
    BuilderFlag,
    DataType,
    GatherMode,
    IBuilderConfig,
    ICastLayer,
    IConstantLayer,
    IGatherLayer,
    IKVCacheUpdateLayer,
    ILayer,
    ILogger,
    INetworkDefinition,
    IOneHotLayer,
    IOptimizationProfile,
    IScatterLayer,
    ITensor,
    KVCacheMode,
    LayerType,
    MemoryPoolType,
    NetworkDefinitionCreationFlag,
    ProfilingVerbosity,
    ScatterMode,
)
from windrow.trt._types import (
    bfloat16,
    bool,
    e8m0,
    float16,
    float32,
    fp4,
    fp8,
    int4,
    int8,
    int32,
    int64,
    nptype,
    uint8,
)
from windrow.trt._weights import Weights

__all__ = [
    "Builder",
    "BuilderFlag",
    "DataType",
    "Dims",
    "Dims2",
    "Dims3",
    "Dims4",
    "DimsHW",
    "GatherMode",
    "IBuilderConfig",
    "ICastLayer",
    "IConstantLayer",
    "IGatherLayer",
    "IKVCacheUpdateLayer",
    "ILayer",
    "ILogger",
    "INetworkDefinition",
    "IOneHotLayer",
    "IOptimizationProfile",
    "IScatterLayer",
    "ITensor",
    "KVCacheMode",
    "LayerType",
    "Logger",
    "MemoryPoolType",
    "NetworkDefinitionCreationFlag",
    "ProfilingVerbosity",
    "ScatterMode",
    "Weights",
    "bfloat16",
    "bool",
    "e8m0",
    "float16",
    "float32",
    "fp4",
    "fp8",
    "int4",
    "int8",
    "int32",
    "int64",
    "nptype",
    "testing",
    "uint8",
    "volume",
]

if not TYPE_CHECKING:  # a type checker reports missing names itself

    def __getattr__(name: str) -> Any:
        raise AttributeError(
            f"windrow.trt has no {name}: it is TensorRT's network interface without engines,"
            " runtimes, parsers and plugins; windrow.trt.testing.run(network, inputs) runs"
            " a network"
        )
