"""The result of windrow.explain(): the members of windrow/explain.h, and a picture in notebooks."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from windrow import _core


@dataclass(frozen=True)
class ExplainedTensor:
    """An input, or the output. values: for small tensors, the elements as text in row-major order."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    has_values: bool
    values: tuple[str, ...]


@dataclass(frozen=True)
class TensorAxis:
    """An axis of a tensor, by the tensor's name."""

    tensor: str
    axis: int


@dataclass(frozen=True)
class ExplainedAxis:
    """An axis of a gather's output or of a scatter's updates, which is a counter of the equation.

    origin: "batch", "index", "slice" or "repeat". walks: the axes along which the counter advances.
    """

    name: str
    extent: int
    origin: str
    walks: tuple[TensorAxis, ...]
    sentence: str


@dataclass(frozen=True)
class ExplainedOutputAxis:
    """An axis of the output; loops: the numbers of the axes that form it; sentence: where its extent comes from."""

    extent: int
    loops: tuple[int, ...]
    sentence: str


@dataclass(frozen=True)
class IndexRead:
    """An index that a point reads. stored: the value in decimal. counted: that from the end, or the remainder."""

    input: int
    position: tuple[int, ...]
    stored: str
    counted: int
    negative: bool
    legal: bool
    padding: bool


@dataclass(frozen=True)
class CounterTerm:
    """A summand of a coordinate: a counter times a coefficient."""

    loop: int
    coefficient: int


@dataclass(frozen=True)
class ExplainedCoordinate:
    """How a coordinate is computed: base, counters and indices, then the policy.

    placing: "inside", "clamped", "wrapped", "outside" or "illegal". value: None if there is none.
    """

    extent: int
    base: int
    counters: tuple[CounterTerm, ...]
    indices: tuple[IndexRead, ...]
    sum: int
    placing: str
    value: int | None


@dataclass(frozen=True)
class ExplainedPoint:
    """An element of a gather's output: its position `direct`, and the `cell` of data that it comes from, or None.

    number: its number in row-major order. value: its text; empty if it is not known. code, zero_point, scale: of a
    look-up in a quantised table, the parts of (code - zero_point) * scale; zero_point is empty if none is subtracted.
    """

    number: int
    counters: tuple[int, ...]
    direct: tuple[int, ...]
    coordinates: tuple[ExplainedCoordinate, ...]
    cell: tuple[int, ...] | None
    value: str
    code: str
    zero_point: str
    scale: str


@dataclass(frozen=True)
class ExplainedWrite(ExplainedPoint):
    """An update of a scatter: its position `direct`, and the `cell` of the output that it goes to, or None.

    before, after: the cell's value. earlier, later: the numbers of the writes to the same cell before and after.
    """

    before: str
    after: str
    earlier: int | None
    later: int | None


@dataclass(frozen=True)
class ExplainedCell:
    """A cell of a scatter's output: the number of updates that reach it, and its value before and after them."""

    cell: tuple[int, ...]
    writes: int
    initial: str
    result: str


@dataclass(frozen=True)
class Parting:
    """An element that differs between two calls: both values, and each call's explanation of it."""

    element: tuple[int, ...]
    first: str
    second: str
    first_reason: str
    second_reason: str


@dataclass(frozen=True)
class Comparison:
    """Where and why the results of two operators for the same inputs differ.

    first, second: the operators. shapes: how the outputs' shapes or types differ; first_failure,
    second_failure: why a call fails; each is empty if it does not apply. elements: the number of
    elements of the output; compared: the number compared; parting: the number of those that differ;
    partings: the first ones.
    """

    first: str
    second: str
    shapes: str
    first_failure: str
    second_failure: str
    elements: int
    compared: int
    parting: int
    partings: tuple[Parting, ...]

    @property
    def parts(self) -> bool:
        """Whether anything differs."""
        return bool(self.shapes or self.parting or bool(self.first_failure) != bool(self.second_failure))


@dataclass(frozen=True, repr=False)
class Explanation:
    """One call of one operator; str() gives lines of text, notebooks show an interactive picture.

    equation: in the names of axes. numpy: a line of Python that computes `output` from arrays with the
    inputs' names; empty if there is none. walks: elements of a gather's output; writes, cells: those of
    a scatter; at most the requested number, out of `points`. searched: the number of points read.
    failure: why the call fails; empty if it does not, as far as it was read. comparisons: one per
    operator of `as_`. The other members are those of windrow/explain.h.
    """

    operator: str
    attributes: dict[str, Any]
    scatter: bool
    inputs: tuple[ExplainedTensor, ...]
    output: ExplainedTensor
    indirect_input: int
    updates_input: int
    weights_input: int
    counted_data: ExplainedTensor
    equation: str
    axes: tuple[ExplainedAxis, ...]
    output_axes: tuple[ExplainedOutputAxis, ...]
    numpy: str
    folds: bool
    refuses_duplicates: bool
    initial: str
    points: int
    searched: int
    illegal: int
    failure: str
    walks: tuple[ExplainedPoint, ...]
    writes: tuple[ExplainedWrite, ...]
    cells: tuple[ExplainedCell, ...]
    comparisons: tuple[Comparison, ...]
    _call: _core.Explanation = field(compare=False)

    def to_svg(self) -> str:
        """A picture of the call."""
        return self._call.svg()

    def to_html(self) -> str:
        """A self-contained HTML page, in which one points at elements, steps through writes and reads comparisons."""
        return self._call.html()

    def __str__(self) -> str:
        return self._call.text()

    def __repr__(self) -> str:
        return self._call.text().rstrip("\n")

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that its style and script do not affect the notebook's."""
        title = escape(f"{self.operator}: {self.equation}")
        style = "width: 100%; height: 40em; border: 0"
        return f'<p><b>{title}</b></p><iframe title="{title}" style="{style}" srcdoc="{escape(self.to_html())}"></iframe>'
