"""Libraries of array functions as runtimes: each operator is a few lines in the library's own Python.

The lines of a record are both run and shown in reports, so that a reproduction cannot differ from the run.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from .record import Record
from .runtime import Call, Runtime, Unsupported
from .tensor import CARRIERS, Tensor

# The names of an operator's inputs, and the attributes with their defaults.
_SCATTER = ("data", "indices", "updates")
_OPERATORS: dict[tuple[str, str], tuple[tuple[str, ...], dict[str, Any]]] = {
    ("onnx", "Gather"): (("data", "indices"), {"axis": 0}),
    ("onnx", "GatherElements"): (("data", "indices"), {"axis": 0}),
    ("onnx", "GatherND"): (("data", "indices"), {"batch_dims": 0}),
    ("onnx", "Scatter"): (_SCATTER, {"axis": 0, "reduction": "none"}),
    ("onnx", "ScatterElements"): (_SCATTER, {"axis": 0, "reduction": "none"}),
    ("onnx", "ScatterND"): (_SCATTER, {"reduction": "none"}),
    ("onnx", "OneHot"): (("indices", "depth", "values"), {"axis": -1}),
    ("onnx", "TensorScatter"): (("cache", "update", "write_indices"), {"axis": -2, "mode": "linear"}),
    ("array", "Take"): (("data", "indices"), {"axis": 0}),
    ("array", "TakeAlongAxis"): (("data", "indices"), {"axis": -1}),
    ("array", "PutAlongAxis"): (("data", "indices", "values"), {"axis": -1}),
    ("array", "IndexAdd"): (_SCATTER, {"axis": 0}),
    ("array", "IndexReduce"): (_SCATTER, {"axis": 0, "reduction": "sum", "use_init_val": True}),
    ("array", "SegmentReduce"): (("data", "segment_ids"), {"num_segments": None, "reduction": "sum"}),
}
# Rules about an operator's lists of types, attributes and reductions and about its number of inputs: another
# library has its own lists.
_SCHEMA_RULES = re.compile(r"CALL-|.*-(T\d+|A2|A3)$")


class ArrayLibrary(Runtime):
    """A library in which users write the operator as a line or two.

    lines: for (dialect, operator), or (dialect, operator, reduction), the lines; the last one is an expression, the
    result. They read the inputs by name; attributes stand in braces, {position} is the axis counted from the first,
    {function} the library's name of the reduction. imports: the lines before them. setup: how the library is made to
    take all types, if that needs a setting; it is run once in each process.
    """

    dialects = ("onnx", "array")
    imports: ClassVar[str]
    setup: ClassVar[str] = ""
    lines: ClassVar[Mapping[tuple[str, ...], str]]
    # The library's names of the reductions, where the lines need them.
    functions: ClassVar[Mapping[str, str]] = {}
    # The corpus's types that the library lacks, and those that it takes as indices; None: any integer.
    missing_types: ClassVar[frozenset[str]] = frozenset()
    index_types: ClassVar[frozenset[str] | None] = None
    # The library's error messages for a function that does not implement a type.
    no_code: ClassVar[re.Pattern[str]] = re.compile("(?!)")

    def why_not(self, record: Record) -> str:
        reason = super().why_not(record)
        if reason:
            return reason
        if _SCHEMA_RULES.match(record.rule):
            return "the rule is about the operator's own lists of types, attributes and inputs"
        for tensor in record.inputs:
            if tensor is not None and tensor.dtype in self.missing_types:
                return f"{self.name} has no type {tensor.dtype}"
        try:
            self.source(record)
        except Unsupported as error:
            return str(error)
        return ""

    def source(self, record: Record) -> str:
        """The lines that call the record. Raises Unsupported where there is no such function."""
        template = self.template(record)
        words = {name: repr(value) for name, value in _attributes(record).items()}
        if "{position}" in template:
            words["position"] = str(self._position(record))
        words["function"] = self.functions.get(str(_attributes(record).get("reduction")), "")
        return template.format_map(words)

    def _position(self, record: Record) -> int:
        """The axis counted from the first."""
        axis, first = _attributes(record)["axis"], record.inputs[0]
        rank = 0 if first is None else len(first.shape)
        if not isinstance(axis, int) or not -rank <= axis < rank:
            raise Unsupported(f"the axis is a part of how it is written in {self.name}, and not an argument")
        return axis % rank

    def template(self, record: Record) -> str:
        """The lines with attributes in braces. Raises Unsupported where there is no such function."""
        if record.options:
            raise Unsupported(f"{self.name} has no such option")
        self.check_indices(record)
        key = (record.dialect, record.op)
        reduction = str(_attributes(record).get("reduction", ""))
        found = self.lines.get((*key, reduction)) or self.lines.get(key)
        if found is None or ("{function}" in found and reduction not in self.functions):
            of_reduction = f" with the reduction {reduction}" if reduction else ""
            raise Unsupported(f"{self.name} has no function that means {record.op}{of_reduction}")
        return found

    def check_indices(self, record: Record) -> None:
        """Raises Unsupported for indices that the library interprets differently, or that address no axis."""
        indices = record.inputs[0 if record.op == "OneHot" else min(1, len(record.inputs) - 1)]
        if indices is None and record.op == "SegmentReduce":
            raise Unsupported(f"{self.name} takes the ids of segments, not offsets")
        if indices is None:
            return
        if self.index_types is not None and indices.dtype not in self.index_types:
            raise Unsupported(f"{self.name} takes no indices of type {indices.dtype}")
        if record.op in ("GatherND", "ScatterND") and indices.shape[-1:] in ((), (0,)):
            raise Unsupported(f"tuples of indices are written as index arrays in {self.name}, and here are none")

    def prepare(self, record: Record, threads: int = 1) -> Call:
        names = self._names(record)
        *statements, result = self.source(record).splitlines()
        first = compile("\n".join(statements), "<record>", "exec")
        last = compile(result, "<record>", "eval")
        library: dict[str, Any] = {}
        exec("\n".join(filter(None, (self.imports, self.setup))), library)
        self.use_threads(threads)

        def call(inputs: Sequence[Tensor | None]) -> Tensor:
            room = library | {
                name: self.to_library(tensor)
                for name, tensor in zip(names, inputs, strict=True)
                if tensor is not None
            }
            exec(first, room)
            return self.from_library(eval(last, room))

        return call

    def reproduction(self, record: Record) -> str:
        if self.why_not(record):
            return ""
        pairs = zip(self._names(record), record.inputs, strict=True)
        inputs = [f"{name} = {self.literal(tensor)}" for name, tensor in pairs if tensor is not None]
        *statements, result = self.source(record).splitlines()
        setup = [self.setup] if self.setup else []
        return "\n".join(
            ["; ".join([self.imports, *setup]), "; ".join(inputs), *statements, f"print({result})"]
        )

    def is_unsupported(self, error: BaseException) -> bool:
        return super().is_unsupported(error) or self.no_code.search(f"{type(error).__name__}: {error}") is not None

    def use_threads(self, threads: int) -> None:
        """Sets the library's number of threads, if it has such a setting."""

    @abstractmethod
    def to_library(self, tensor: Tensor) -> Any:
        """The library's array of the tensor, on the tensor's own memory if that is possible."""

    @abstractmethod
    def from_library(self, result: Any) -> Tensor: ...

    @abstractmethod
    def literal(self, tensor: Tensor) -> str:
        """An expression that makes the library's array of the tensor, exactly."""

    def _names(self, record: Record) -> tuple[str, ...]:
        names, _ = _OPERATORS[record.dialect, record.op]
        if len(record.inputs) > len(names):
            raise Unsupported(f"{record.op} has at most {len(names)} inputs")
        return names[: len(record.inputs)]


def _attributes(record: Record) -> dict[str, Any]:
    _, defaults = _OPERATORS.get((record.dialect, record.op), ((), {}))
    return {**defaults, **record.attrs}


# The largest number of elements that are written as a list; the text of a longer one takes too long.
MOST_LISTED = 10_000


def numpy_literal(tensor: Tensor, prefix: str = "np.") -> str:
    """An expression of NumPy that makes the tensor's elements, those of CARRIERS as their bits."""
    array, dtype = tensor.array, CARRIERS.get(tensor.dtype, tensor.dtype)
    if dtype == "string":
        dtype = "object"
    elif array.size and (array.size > MOST_LISTED or not _is_short(array)):
        return f"{prefix}frombuffer(bytes.fromhex({array.tobytes().hex()!r}), {dtype!r}).reshape({array.shape})"
    text = f"{prefix}array({array.tolist()!r}, {dtype!r})"
    return text if array.size else f"{text}.reshape({array.shape})"


def _is_short(array: np.ndarray[Any, Any]) -> bool:
    """Whether a list of numbers is exact: it loses the bits of NaN and of booleans other than 0 and 1."""
    if array.dtype.kind in "fc":
        return bool(np.isfinite(array).all())
    return array.dtype.kind != "b" or bool((array.view(np.uint8) <= 1).all())


def batch_dims_of(record: Record) -> int:
    """The attribute of GatherND. Raises Unsupported if the call does not have that number of axes."""
    batch_dims = record.attrs.get("batch_dims", 0)
    ranks = [len(tensor.shape) for tensor in record.inputs if tensor is not None]
    if not isinstance(batch_dims, int) or not 0 <= batch_dims < min(ranks):
        raise Unsupported("the number of batch dimensions is a part of how the call is written")
    return batch_dims


def require_zero_and_one(record: Record) -> None:
    """Raises Unsupported unless OneHot's values are 0 and 1 and its depth is one number."""
    depth, values = record.inputs[1], record.inputs[2]
    if depth is None or values is None or values.dtype in CARRIERS or depth.array.size != 1:
        raise Unsupported("the function's depth is one number, its values are 0 and 1")
    if values.shape != (2,) or values.dtype == "string" or values.array.tolist() != [0, 1]:
        raise Unsupported("the function's values are 0 and 1")


def require_no_broadcast(record: Record, what: str) -> None:
    """Raises Unsupported if NumPy would broadcast off the axis, or the values, and `what` does not."""
    _, defaults = _OPERATORS[record.dialect, record.op]
    axis = record.attrs.get("axis", defaults["axis"])
    shapes = [() if tensor is None else tensor.shape for tensor in record.inputs]
    position = axis + len(shapes[0]) if axis < 0 else axis
    pairs = [pair for at, pair in enumerate(zip(shapes[0], shapes[1])) if at != position]
    if any(one != other for one, other in pairs) or any(shape != shapes[1] for shape in shapes[2:]):
        raise Unsupported(f"{what}: nothing is broadcast, and nothing else is smaller than data")


def require_no_negative_index(record: Record, what: str) -> None:
    """Raises Unsupported for a call that must succeed and has a negative index, which `what` refuses by contract."""
    indices = record.inputs[1]
    if not record.must_fail and indices is not None and bool((indices.array < 0).any()):
        raise Unsupported(f"{what} takes no negative index")
