"""Gather and scatter operators exactly as ONNX, TensorRT and OpenVINO define them.

windrow.take and similar functions: everyday row operations with NumPy's meaning.
windrow.onnx, windrow.openvino, windrow.tensorrt: the operators of a dialect, a function each.
windrow.call, windrow.compile, windrow.ops: operators by name, plans, the operator table.
windrow.explain: where every element of one call comes from, and why.
windrow.load: models. windrow.check: where runtimes differ on a model. windrow.fix: changes it there.
windrow.trt: TensorRT's network interface without a GPU.
windrow.onnxruntime, windrow.openvino_plugin, windrow.jax, windrow.torch: the operators inside a host.
windrow.runners: runs models in the installed hosts.

These last ones are loaded on first use, since they need packages that the rest of this package does not.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from windrow import array, onnx, openvino, tensorrt
from windrow._call import call, compile, kernel_sets, ops
from windrow._check import (
    CheckReport,
    FindingEffect,
    FirstDifference,
    InputContract,
    ObservedDifference,
    PortabilityFinding,
    TriedEffect,
    UnjudgedOperator,
    check,
)
from windrow._check_fixes import FixResult, FixVerification, ModelFix, fix
from windrow._check_rules import PortabilityRule, RuleEffect, operator_rules, portability_rules
from windrow._core import Plan, __version__
from windrow._errors import (
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
from windrow._explain import explain
from windrow._explanation import (
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
from windrow._lowest_opset import DomainOpset, LowestOpset, NodeOpset, lowest_opset
from windrow._model_reports import Finding, Inference, Inspection, Node, NodeReport, Value
from windrow._models import Model, load
from windrow._prepared_model import PreparedModel
from windrow._rows import (
    index_add,
    index_reduce,
    put_along_axis,
    put_along_axis_copy,
    segment_reduce,
    take,
    take_along_axis,
)
from windrow._spec import Spec

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
    "PortabilityFinding",
    "PortabilityRule",
    "PreparedModel",
    "RuleEffect",
    "ShapeError",
    "Spec",
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
    "explain",
    "fix",
    "index_add",
    "index_reduce",
    "kernel_sets",
    "load",
    "lowest_opset",
    "onnx",
    "openvino",
    "operator_rules",
    "ops",
    "portability_rules",
    "put_along_axis",
    "put_along_axis_copy",
    "segment_reduce",
    "take",
    "take_along_axis",
    "tensorrt",
]

# Modules that are loaded on first use. dir() does not list them: what looks at all attributes, such as
# inspect.getmembers(), would load every host.
_ON_FIRST_USE = frozenset({"jax", "onnxruntime", "openvino_plugin", "runners", "torch", "trt"})

if TYPE_CHECKING:  # a type checker that sees __getattr__ accepts any name; hosts are not there for all users
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
