"""Gather and scatter operators exactly as ONNX, TensorRT and OpenVINO define them.

windrow.take and similar functions: everyday row operations with NumPy's meaning.
windrow.onnx, windrow.openvino, windrow.tensorrt: the operators of a dialect, a function each.
windrow.call, windrow.compile, windrow.ops: operators by name, plans, the operator table.
windrow.explain: where every element of one call comes from, and why. windrow.playground: the same in a page that one types in.
windrow.load: models. windrow.check: where runtimes differ on a model. windrow.fix: changes it there.
windrow.trt: TensorRT's network interface without a GPU.
windrow.onnxruntime, windrow.openvino_plugin, windrow.jax, windrow.torch: the operators inside a host.
windrow.runners: runs models in the installed hosts.

windrow.arrow: look-ups on Arrow columns, of pyarrow, Polars, pandas and others.
windrow.distributed: tables whose rows are distributed over the ranks of MPI or torch.distributed.

These last ones are loaded on first use, since they need packages that the rest of this package does not.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from windrow import array, onnx, openvino, tensorrt
from windrow._base.errors import (
    ArgumentError,
    ArgumentTypeError,
    AxisError,
    DTypeError,
    DuplicateIndex,
    Error,
    FileError,
    FormatError,
    HostError,
    BadIndices,
    IndexOutOfRange,
    InternalError,
    OperatorWarning,
    OutOfMemory,
    ShapeError,
    Unsupported,
)
from windrow._base.spec import Spec
from windrow._check.api import check
from windrow._check.report import (
    CheckReport,
    FindingEffect,
    FirstDifference,
    InputContract,
    ObservedDifference,
    PortabilityFinding,
    TriedEffect,
    UnjudgedOperator,
)
from windrow._check.rules import PortabilityRule, RuleEffect, operator_rules, portability_rules
from windrow._core import Plan, __version__
from windrow._explain.api import explain
from windrow._explain.playground import Playground, playground
from windrow._explain.report import (
    Comparison,
    CounterTerm,
    ExplainedAxis,
    ExplainedCell,
    ExplainedCoordinate,
    ExplainedOutputAxis,
    ExplainedPoint,
    ExplainedTensor,
    ExplainedWrite,
    Explanation,
    IndexRead,
    Parting,
    TensorAxis,
)
from windrow._fixes.api import fix
from windrow._fixes.lowest_opset import DomainOpset, LowestOpset, NodeOpset, lowest_opset
from windrow._fixes.results import FixResult, FixVerification, ModelFix
from windrow._models.model import Model, load
from windrow._models.prepared import PreparedModel
from windrow._models.reports import Finding, Inference, Inspection, Node, NodeReport, Value
from windrow._ops.call import call, compile, kernel_sets, ops
from windrow._ops.result_pool import release_result_pool, result_pool_held, set_result_pool
from windrow._ops.rows import (
    embedding_bag,
    index_add,
    index_reduce,
    put_along_axis,
    put_along_axis_copy,
    segment_reduce,
    take,
    take_along_axis,
    take_quantized,
)
from windrow.tables import Table, TableCache, TablePart, open_table

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "AxisError",
    "CheckReport",
    "Comparison",
    "CounterTerm",
    "DTypeError",
    "DomainOpset",
    "DuplicateIndex",
    "Error",
    "ExplainedAxis",
    "ExplainedCell",
    "ExplainedCoordinate",
    "ExplainedOutputAxis",
    "ExplainedPoint",
    "ExplainedTensor",
    "ExplainedWrite",
    "Explanation",
    "FileError",
    "Finding",
    "FindingEffect",
    "FirstDifference",
    "FixResult",
    "FixVerification",
    "FormatError",
    "HostError",
    "BadIndices",
    "IndexOutOfRange",
    "IndexRead",
    "Inference",
    "InputContract",
    "Inspection",
    "InternalError",
    "LowestOpset",
    "Model",
    "ModelFix",
    "Node",
    "NodeOpset",
    "NodeReport",
    "ObservedDifference",
    "OperatorWarning",
    "OutOfMemory",
    "Parting",
    "Plan",
    "Playground",
    "PortabilityFinding",
    "PortabilityRule",
    "PreparedModel",
    "RuleEffect",
    "ShapeError",
    "Spec",
    "Table",
    "TableCache",
    "TablePart",
    "TensorAxis",
    "TriedEffect",
    "UnjudgedOperator",
    "Unsupported",
    "Value",
    "__version__",
    "array",
    "call",
    "check",
    "compile",
    "embedding_bag",
    "explain",
    "fix",
    "index_add",
    "index_reduce",
    "kernel_sets",
    "load",
    "lowest_opset",
    "onnx",
    "open_table",
    "openvino",
    "operator_rules",
    "ops",
    "playground",
    "portability_rules",
    "put_along_axis",
    "put_along_axis_copy",
    "release_result_pool",
    "result_pool_held",
    "segment_reduce",
    "set_result_pool",
    "take",
    "take_along_axis",
    "take_quantized",
    "tensorrt",
]


def _host_run(*arguments: Any, **options: Any) -> dict[str, Any]:
    """The outputs of a model in a host, as for windrow.runners.run_with_host(). The first such run loads the runners."""
    from windrow.runners._whole_models import require_outputs, run_with_host

    return require_outputs(run_with_host(*arguments, **options))


Model._host_run = staticmethod(_host_run)

# By this line conformance/windrow_conformance/own_windrow.py distinguishes this package from another project's `windrow`.
__distribution__ = "windrow-ops"

# Modules that are loaded on first use. dir() does not list them: what looks at all attributes, such as
# inspect.getmembers(), would load every host.
_ON_FIRST_USE = frozenset({"arrow", "distributed", "jax", "onnxruntime", "openvino_plugin", "runners", "torch", "trt"})

if TYPE_CHECKING:  # a type checker that sees __getattr__ accepts any name; hosts are not there for all users
    from windrow import arrow as arrow
    from windrow import distributed as distributed
    from windrow import runners as runners
    from windrow import trt as trt
else:

    def __getattr__(name: str) -> ModuleType:
        """A module that is loaded on first use.

        Raises AttributeError for any other name; ImportError, which says what to install, if a package is missing.
        """
        if name not in _ON_FIRST_USE:
            raise AttributeError(f"module 'windrow' has no attribute {name!r}")
        return importlib.import_module(f"windrow.{name}")
