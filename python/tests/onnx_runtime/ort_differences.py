"""The table of known differences between Windrow and ONNX Runtime 1.32.0. Any other difference fails the test."""

import dataclasses
from collections.abc import Callable
from typing import Any

import windrow
from ort_probe import describe


@dataclasses.dataclass
class Comparison:
    """One probe: `state` and `text` say how ONNX Runtime's run ended, `here` and `there` the results, or Windrow's error.

    `agreement` is "same" (equal bits but for NaN, or both refuse), "differs", "refused here" (only by Windrow),
    "refused there", "died", "not asked" or "not implemented" (all three of ONNX Runtime).
    """

    number: int
    call: Any
    state: str
    text: str
    agreement: str
    here: Any
    there: Any

    def describe(self):
        said = " ".join(self.text.split())[-300:]
        there = "" if self.there is None else f"{self.there.dtype}{list(self.there.shape)} {self.there.tolist()}"[:600]
        return (f"probe {self.number}: {describe(self.call)}\n  ONNX Runtime: {self.state} {said} {there}\n"
                f"  Windrow: {self.agreement}: {self.here!r}"[:2500])

    @property
    def data(self):
        return self.call.inputs[0]

    def index_refused(self):
        """Whether Windrow refuses an index while ONNX Runtime computes a result."""
        return self.agreement == "refused here" and isinstance(self.here, windrow.IndexOutOfRange)

    def has_nan(self):
        """Whether data or updates have a NaN, which a cell then holds at some time."""
        return any((array != array).any() for array in (self.data, self.call.inputs[-1]))

    def has_fractions(self):
        return self.data.dtype.kind == "f" and bool((self.data != self.data.astype("i8")).any())

    def is_of(self, *names):
        """Whether the operator is one of these: "Gather" is every version, "Gather-1" one."""
        return bool({self.call.operator.name, f"{self.call.operator.name}-{self.call.version}"} & set(names))


@dataclasses.dataclass(frozen=True)
class Row:
    """A known difference. `applies` takes a Comparison that is not "same"; the texts describe it and its cause."""

    where: str
    applies: Callable
    cause: str


ROWS = [
    Row("versions and types without code", lambda c: c.agreement == "not implemented",
        "ONNX Runtime has no kernel, or does not load the model: Scatter-11, 8-bit floats"),
    Row("types without tensors", lambda c: c.agreement == "not asked" and "has no tensors of float8_e8m0fnu" in c.text,
        "ONNX Runtime has no tensors of float8_e8m0fnu, so the call cannot be put to it"),
    Row("Gather of text, slices of several elements",
        lambda c: c.is_of("Gather") and c.data.dtype == object and c.agreement == "differs",
        "copies the first element of each slice alone"),
    Row("OneHot, indices of rank 0",
        lambda c: c.is_of("OneHot") and c.call.inputs[0].ndim == 0 and c.agreement == "refused there",
        "shape inference wants rank 1, which ONNX does not say"),
    Row("OneHot, depth 0",
        lambda c: c.is_of("OneHot") and "Depth is negative" in c.text,
        "takes 0 for a negative depth"),
    Row("OneHot, indices with a fraction",
        lambda c: c.is_of("OneHot") and c.has_fractions() and c.agreement == "differs",
        "compares them with the positions as they are, so that they set nothing; OneHot-11 speaks of a cast to int64"),
    Row("OneHot-9, negative indices",
        lambda c: c.is_of("OneHot-9") and bool((c.data < 0).any()) and c.agreement == "differs",
        "counts them from the end, as only OneHot-11 says"),
    Row("min and max, a cell that is NaN",
        lambda c: c.call.reduction in ("min", "max") and c.has_nan() and c.agreement == "differs",
        "std::min and std::max take the update where the cell is NaN"),
    Row("GatherND, an index out of range, slices without elements",
        lambda c: c.is_of("GatherND") and 0 in c.data.shape and c.index_refused(),
        "does not look at the indices where there is nothing to copy"),
]


def explain(comparison):
    """The first row that explains the comparison, or None."""
    return next((row for row in ROWS if row.applies(comparison)), None)
