"""Operators by name."""

from __future__ import annotations

import textwrap
from typing import Any

from windrow import _core
from windrow._base.errors import Unsupported
from windrow._base.spec import Spec
from windrow._core import Plan
from windrow._ops.table import FUNCTIONS, OPERATORS, Operator


def _find(dialect: str, name: str) -> Any:
    function = FUNCTIONS.get((dialect, name))
    if function is not None:
        return function
    dialects = sorted({operator.dialect for operator in OPERATORS.values()})
    if dialect not in dialects:
        raise Unsupported(f"there is no dialect {dialect!r}; there are: {', '.join(dialects)}{_core.nearest_hint(dialect, dialects)}")
    names = [operator.name for operator in OPERATORS.values() if operator.dialect == dialect]
    hint = _core.nearest_hint(name, names) or f"; there are: {', '.join(sorted(set(names)))}"
    raise Unsupported(f"{dialect} has no operator {name!r}{hint}")


def call(
    dialect: str,
    name: str,
    *inputs: Any,
    version: int | None = None,
    out: Any = None,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    kernels: str | None = None,
    threads: int | None = None,
    **attributes: Any,
) -> Any:
    """Runs an operator: windrow.call("onnx", "ScatterND", data, indices, updates, reduction="add").

    dialect: "onnx", "openvino", "tensorrt" or "array". name: the operator's own, "GatherND".
    inputs: arrays in the operator's order, None for an absent one. Anything with the buffer protocol or
        DLPack is used in place, with any strides; strings, 4-bit types and lists are copied.
    version: the opset for ONNX, the operator's version for OpenVINO, the major release for TensorRT; the
        newest operator version that is not above it applies. None: the newest.
    out: an array for the result, with its type and shape, that overlaps no input; a scatter runs in
        place if out is its data. After an error an in-place scatter has changed nothing; the contents
        of any other out are unspecified.
    out_of_range: "error"; gathers: "zero"; scatters: "skip"; "clamp"; "modulo"; None: what the
        operator says.
    negative: a negative index counts from the end ("from_end"), is handled by out_of_range whatever its
        size ("out_of_range"), or is an error ("error"); None: what the operator says.
    padding_index: an index that equals it gives zeros in a gather and no update in a scatter, before it could
        count from the end; the call must have one indexed axis.
    strict: refuse what the specification calls undefined or is silent about.
    duplicates: "allow" (None): the last update in row-major order wins, reductions fold them in
        that order; "error": refused.
    kernels: "plain", "avx2", "avx512", "neon", "sve"; None: the best set that the machine supports. Settings
        that a plan otherwise chooses itself may follow after commas, as in "avx2,stream=off" (see the guide to threads).
    threads: the number of threads, at most the cores that the process may use; None: all of these. It does not
        change the result.
    attributes: the operator's, by its own names.

    Returns a new NumPy array, or `out`. Raises a windrow.Error: DTypeError, ShapeError,
    ArgumentError, IndexOutOfRange, DuplicateIndex, Unsupported. Rules: docs/operators/.
    """
    return _find(dialect, name)(
        *inputs,
        version=version,
        out=out,
        out_of_range=out_of_range,
        negative=negative,
        padding_index=padding_index,
        strict=strict,
        duplicates=duplicates,
        kernels=kernels,
        threads=threads,
        **attributes,
    )


def compile(
    dialect: str,
    name: str,
    *inputs: Any,
    version: int | None = None,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    kernels: str | None = None,
    threads: int | None = None,
    **attributes: Any,
) -> Plan:
    """Compiles an operator for inputs like these into a plan that can run many times: see windrow.Plan.

    inputs: windrow.Spec, or arrays as examples: their types, shapes and strides are used, and the value of an
        input on which shapes depend. The rest as for windrow.call(); `threads` is the default for the
        plan's runs.
    """
    plan: Plan = _find(dialect, name).compile(
        *inputs,
        version=version,
        out_of_range=out_of_range,
        negative=negative,
        padding_index=padding_index,
        strict=strict,
        duplicates=duplicates,
        kernels=kernels,
        threads=threads,
        **attributes,
    )
    return plan


def restore_plan(
    dialect: str,
    name: str,
    specs: list[tuple[Any, ...] | None],
    attributes: dict[str, Any],
    options: dict[str, Any],
) -> Plan:
    """The plan that a pickle describes, compiled for this machine."""
    inputs = [None if spec is None else Spec(*spec) for spec in specs]
    return compile(dialect, name, *inputs, **options, **attributes)


class Operators(list[Operator]):
    """Operators as windrow.ops() lists them; its repr has a few lines per dialect."""

    def __repr__(self) -> str:
        lines = []
        for dialect in dict.fromkeys(op.dialect for op in self):
            names = [op.name for op in self if op.dialect == dialect]
            lines += textwrap.wrap(f"{dialect}: {', '.join(names)}", 79, subsequent_indent="    ")
        return "\n".join(lines) or "[]"


def ops(dialect: str | None = None) -> list[Operator]:
    """The operators of one dialect or of all dialects, with a row per version."""
    return Operators(op for op in OPERATORS.values() if dialect in (None, op.dialect))


def kernel_sets() -> dict[str, bool]:
    """The kernel sets that the library was built with, and whether this machine supports them."""
    return dict(_core.list_kernel_sets())
