"""TensorRT's network interface: what _network.py has of the extension."""

import enum
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from windrow import _core
from windrow.trt._dims import Dims
from windrow.trt._weights import Weights

_Shape: TypeAlias = Dims | Sequence[int] | npt.NDArray[np.integer[Any]]
# Anything with the buffer protocol or DLPack, too.
_Weights: TypeAlias = Weights | Any

class DataType(enum.IntEnum):
    FLOAT = 0
    HALF = 1
    INT8 = 2
    INT32 = 3
    BOOL = 4
    UINT8 = 5
    FP8 = 6
    BF16 = 7
    INT64 = 8
    INT4 = 9
    FP4 = 10
    E8M0 = 11
    @property
    def itemsize(self) -> int | float: ...

class GatherMode(enum.IntEnum):
    DEFAULT = 0
    ELEMENT = 1
    ND = 2

class ScatterMode(enum.IntEnum):
    ELEMENT = 0
    ND = 1

class KVCacheMode(enum.IntEnum):
    LINEAR = 0

class LayerType(enum.IntEnum):
    CAST = 1
    GATHER = 16
    CONSTANT = 19
    SCATTER = 37
    ONE_HOT = 40
    KVCACHE_UPDATE = 54

class NetworkDefinitionCreationFlag(enum.IntEnum):
    EXPLICIT_BATCH = 0
    STRONGLY_TYPED = 1
    PREFER_JIT_PYTHON_PLUGINS = 2
    PREFER_AOT_PYTHON_PLUGINS = 3

class BuilderFlag(enum.IntEnum):
    FP16 = 0
    INT8 = 1
    DEBUG = 2
    GPU_FALLBACK = 3
    REFIT = 4
    DISABLE_TIMING_CACHE = 5
    TF32 = 6
    SPARSE_WEIGHTS = 7
    SAFETY_SCOPE = 8
    OBEY_PRECISION_CONSTRAINTS = 9
    PREFER_PRECISION_CONSTRAINTS = 10
    DIRECT_IO = 11
    REJECT_EMPTY_ALGORITHMS = 12
    VERSION_COMPATIBLE = 13
    EXCLUDE_LEAN_RUNTIME = 14
    FP8 = 15
    ERROR_ON_TIMING_CACHE_MISS = 16
    BF16 = 17
    DISABLE_COMPILATION_CACHE = 18
    STRIP_PLAN = 19
    REFIT_IDENTICAL = 20
    WEIGHT_STREAMING = 21
    INT4 = 22
    REFIT_INDIVIDUAL = 23
    STRICT_NANS = 24
    MONITOR_MEMORY = 25
    FP4 = 26
    EDITABLE_TIMING_CACHE = 27
    DISTRIBUTIVE_INDEPENDENCE = 28

class MemoryPoolType(enum.IntEnum):
    WORKSPACE = 0
    DLA_MANAGED_SRAM = 1
    DLA_LOCAL_DRAM = 2
    DLA_GLOBAL_DRAM = 3
    TACTIC_DRAM = 4
    TACTIC_SHARED_MEMORY = 5

class ProfilingVerbosity(enum.IntEnum):
    LAYER_NAMES_ONLY = 0
    NONE = 1
    DETAILED = 2

class ILogger:
    class Severity(enum.IntEnum):
        INTERNAL_ERROR = 0
        ERROR = 1
        WARNING = 2
        INFO = 3
        VERBOSE = 4

    INTERNAL_ERROR = Severity.INTERNAL_ERROR
    ERROR = Severity.ERROR
    WARNING = Severity.WARNING
    INFO = Severity.INFO
    VERBOSE = Severity.VERBOSE
    def __init__(self) -> None: ...
    def log(self, severity: Severity, msg: str) -> None: ...

class ITensor:
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, name: str) -> None: ...
    @property
    def shape(self) -> Dims: ...
    @shape.setter
    def shape(self, shape: _Shape) -> None: ...
    @property
    def dtype(self) -> DataType: ...
    @property
    def is_network_input(self) -> bool: ...
    @property
    def is_network_output(self) -> bool: ...
    def set_dimension_name(self, index: int, name: str | None) -> None: ...
    def get_dimension_name(self, index: int) -> str | None: ...

class ILayer:
    name: str
    metadata: str
    @property
    def type(self) -> LayerType: ...
    @property
    def num_inputs(self) -> int: ...
    @property
    def num_outputs(self) -> int: ...
    def get_input(self, index: int) -> ITensor: ...  # None for a number that there is not
    def get_output(self, index: int) -> ITensor: ...  # as for get_input
    def set_input(self, index: int, tensor: ITensor) -> None: ...
    def get_output_type(self, index: int) -> DataType: ...

class IGatherLayer(ILayer):
    axis: int
    num_elementwise_dims: int
    mode: GatherMode

class IScatterLayer(ILayer):
    axis: int
    mode: ScatterMode

class IOneHotLayer(ILayer):
    axis: int

class IKVCacheUpdateLayer(ILayer):
    cache_mode: KVCacheMode

class ICastLayer(ILayer):
    to_type: DataType

class IConstantLayer(ILayer):
    @property
    def weights(self) -> npt.NDArray[Any]: ...
    @weights.setter
    def weights(self, weights: _Weights) -> None: ...
    @property
    def shape(self) -> Dims: ...
    @shape.setter
    def shape(self, shape: _Shape) -> None: ...

class _Context:
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

# The add_* and get_* give None where a call is wrong, and the logger says why. They are declared as
# in TensorRT, whose programs do not ask each time.
class INetworkDefinition(_Context):
    name: str
    @property
    def flags(self) -> int: ...
    @property
    def builder(self) -> Builder: ...
    @property
    def num_layers(self) -> int: ...
    @property
    def num_inputs(self) -> int: ...
    @property
    def num_outputs(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> ILayer: ...
    def __iter__(self) -> Iterator[ILayer]: ...
    def get_flag(self, flag: NetworkDefinitionCreationFlag) -> bool: ...
    def get_layer(self, index: int) -> ILayer: ...
    def get_input(self, index: int) -> ITensor: ...
    def get_output(self, index: int) -> ITensor: ...
    def mark_output(self, tensor: ITensor) -> None: ...
    def unmark_output(self, tensor: ITensor) -> None: ...
    def add_input(self, name: str, dtype: DataType, shape: _Shape) -> ITensor: ...
    def add_constant(self, shape: _Shape, weights: _Weights) -> IConstantLayer: ...
    def add_gather(self, input: ITensor, indices: ITensor, axis: int) -> IGatherLayer: ...
    def add_gather_v2(self, input: ITensor, indices: ITensor, mode: GatherMode) -> IGatherLayer: ...
    def add_scatter(
        self, data: ITensor, indices: ITensor, updates: ITensor, mode: ScatterMode
    ) -> IScatterLayer: ...
    def add_one_hot(
        self, indices: ITensor, values: ITensor, depth: ITensor, axis: int
    ) -> IOneHotLayer: ...
    def add_cast(self, input: ITensor, to_type: DataType) -> ICastLayer: ...
    def add_kv_cache_update(
        self, cache: ITensor, update: ITensor, write_indices: ITensor, cache_mode: KVCacheMode
    ) -> IKVCacheUpdateLayer: ...

class IOptimizationProfile:
    def set_shape(self, input: str, min: _Shape, opt: _Shape, max: _Shape) -> None: ...
    def get_shape(self, input: str) -> list[Dims]: ...
    def __bool__(self) -> bool: ...

class IBuilderConfig(_Context):
    flags: int
    builder_optimization_level: int
    profiling_verbosity: ProfilingVerbosity
    @property
    def num_optimization_profiles(self) -> int: ...
    def set_flag(self, flag: BuilderFlag) -> None: ...
    def clear_flag(self, flag: BuilderFlag) -> None: ...
    def get_flag(self, flag: BuilderFlag) -> bool: ...
    def set_memory_pool_limit(self, pool: MemoryPoolType, pool_size: int) -> None: ...
    def get_memory_pool_limit(self, pool: MemoryPoolType) -> int: ...
    def add_optimization_profile(self, profile: IOptimizationProfile) -> int: ...

class Builder(_Context):
    def __init__(self, logger: ILogger) -> None: ...
    @property
    def logger(self) -> ILogger: ...
    def create_network(self, flags: int = 0) -> INetworkDefinition: ...
    def create_builder_config(self) -> IBuilderConfig: ...
    def create_optimization_profile(self) -> IOptimizationProfile: ...
    def build_serialized_network(
        self, network: INetworkDefinition, config: IBuilderConfig
    ) -> None: ...
    def build_engine_with_config(
        self, network: INetworkDefinition, config: IBuilderConfig
    ) -> None: ...
    def is_network_supported(self, network: INetworkDefinition, config: IBuilderConfig) -> bool: ...

def type_name(type: DataType) -> str: ...
def to_model(network: INetworkDefinition) -> _core.Model: ...
