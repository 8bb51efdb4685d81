"""The cases: a row each. All inputs of a case follow from its row and a fixed seed."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

Shape = tuple[int, ...]

MILLION = 1_000_000
ELEMENTWISE = ("GatherElements", "ScatterElements")
TUPLES = ("GatherND", "ScatterND")
# Codes of 4 bits, two in each byte of data, with a scale for each block of a row.
QUANTIZED, CODES_EACH, BLOCK = "GatherBlockQuantized", 2, 32
BAGS = "EmbeddingBag"
# Of Take: the gradient of half the sum of its result's squares; a function with arguments in its own order.
GRADIENT, EMBEDDING = "gradient", "embedding"
DONATED = "donated"  # Of a scatter: its data is given away with every call.
WEIGHTED = "weighted"  # Of bags: each row is multiplied by a number of its own.


@dataclass(frozen=True)
class Case:
    """One call of one operator.

    operator: Gather, GatherElements, GatherND, ScatterElements, ScatterND with ONNX's meaning;
        Take, IndexAdd (indices [n], along axis) with that of the array dialect; QUANTIZED, ONNX Runtime's,
        whose data has a shape in values; BAGS, sums of rows, with indices [n].
    data, indices: shapes. An updates' shape follows from them.
    reduction: of scatters, "none" or "add"; inside a host "max" and "mean" too.
    draw: how indices are drawn. "any": uniform, with duplicates. "distinct": no cell is written
        twice, because peers promise nothing about the order of assignments. "row-constant": one
        index per row of indices, repeated along the row. "sorted": uniform, then sorted.
    in_place: whether a scatter's output is its data.
    how: what a host's function does beside the operator: GRADIENT, EMBEDDING or DONATED.
    nodes: how many of them a model has, one behind the other; times are those of one.
    bag: of BAGS, the number of indices in each.
    """

    name: str
    title: str
    operator: str
    data: Shape
    indices: Shape
    axis: int = 0
    batch_dims: int = 0
    reduction: str = "none"
    draw: str = "any"
    dtype: str = "float32"
    index_dtype: str = "int64"
    in_place: bool = False
    how: str = ""
    nodes: int = 1
    bag: int = 1

    # What drawn cases choose. Here a call writes to an output that is there, if its library can.
    mode = "any"

    @property
    def is_scatter(self) -> bool:
        return self.operator in ("ScatterElements", "ScatterND", "IndexAdd")

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the inputs, in their order."""
        further = {QUANTIZED: ("scales",), BAGS: ("offsets", "weights") if self.how == WEIGHTED else ("offsets",)}
        return ("data", "indices", *(("updates",) if self.is_scatter else further.get(self.operator, ())))

    @property
    def direct(self) -> Shape:
        """The shape of a gather's output, of a scatter's updates."""
        if self.operator in ELEMENTWISE:
            return self.indices
        if self.operator in TUPLES:
            return self.indices[:-1] + self.data[self.batch_dims + self.indices[-1] :]
        return self.data[: self.axis] + self.indices + self.data[self.axis + 1 :]

    @property
    def direct_elements(self) -> int:
        return math.prod(self.direct)

    @property
    def output(self) -> Shape:
        if self.operator == BAGS:
            return (self.indices[0] // self.bag, *self.data[1:])
        return self.data if self.is_scatter or self.how == GRADIENT else self.direct

    @property
    def row_grid(self) -> Shape:
        """The shape of data in rows: a row is what one index, or tuple of indices, addresses."""
        if self.operator in ELEMENTWISE:
            return self.data
        if self.operator in TUPLES:
            return self.data[: self.batch_dims + self.indices[-1]]
        return self.data[: self.axis + 1]

    @property
    def row_elements(self) -> int:
        return math.prod(self.data[len(self.row_grid) :])

    @property
    def row_bytes(self) -> int:
        return self.row_elements * np.dtype(self.dtype).itemsize

    @property
    def moves_single_elements(self) -> bool:
        """Whether every row is small and has a random place, by an index or tuple of its own."""
        tuples = math.prod(self.indices) // (self.indices[-1] if self.operator in TUPLES else 1)
        rows = self.direct_elements // self.row_elements
        return self.row_bytes <= 16 and rows == tuples and self.draw in ("any", "distinct")

    @property
    def bytes_moved(self) -> int:
        """What the call has to read and to write, once each; the copy moves as many.

        Of a gather: the output, as many bytes of data, the indices. Of a scatter, which leaves its
        data as it was: data, output, updates, indices.
        """
        element = np.dtype(self.dtype).itemsize
        index_bytes = math.prod(self.indices) * np.dtype(self.index_dtype).itemsize
        if self.is_scatter:
            return (2 * math.prod(self.data) + self.direct_elements) * element + index_bytes
        return 2 * self.direct_elements * element + index_bytes

    def quick(self) -> Case:
        """The same case at a 64th of its size: to try the bench, not to measure."""

        def smaller(shape: Shape) -> Shape:
            return (max(shape[0] // 64, min(shape[0], 8)), *shape[1:])

        return dataclasses.replace(self, data=smaller(self.data), indices=smaller(self.indices))

    def lies_elsewhere(self, operand: str) -> bool:
        """Whether the operand is a view of memory that is laid out in another way."""
        del operand
        return False

    def view(self, operand: str, base: Any) -> Any:
        """The operand in its memory; base: a contiguous array of NumPy's or JAX's."""
        del operand
        return base

    def base_of(self, operand: str, array: np.ndarray) -> np.ndarray:
        """The contiguous memory in which the operand, an array of view()'s, lies."""
        del operand
        return array

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        shapes = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        return cls(**(fields | shapes))


def _base_cases() -> list[Case]:
    big, square = (16 * MILLION,), (4096, 4096)
    matrix, table = (8192, 2048), (262_144, 128)
    some = (4 * MILLION,)
    return [
        Case("gather_rows_64B", "Gather 1,000,000 rows of 64 B from 1,000,000", "Gather",
             (MILLION, 16), (MILLION,)),
        Case("gather_rows_512B", "Gather 131,072 rows of 512 B from 1,000,000", "Gather",
             (MILLION, 128), (131_072,)),
        Case("gather_rows_8KB", "Gather [4,2048] rows of 8 KB, float16, from 32,000", "Gather",
             (32_000, 4096), (4, 2048), dtype="float16"),
        Case("gather_last_axis", "Gather last axis of 4096x4096, 4096 indices", "Gather",
             square, (4096,), axis=1),
        Case("gather_middle_axis", "Gather middle axis of 64x4096x64, 4096 indices", "Gather",
             (64, 4096, 64), (4096,), axis=1),
        Case("gather_1d_of_16M", "Gather 1-D 4,000,000 from 16,000,000", "Gather", big, some),
        Case("gather_1d_of_4096", "Gather 1-D 4,000,000 from 4,096", "Gather", (4096,), some),
        Case("gather_uint8_of_256", "Gather uint8 4,000,000 from 256", "Gather",
             (256,), some, dtype="uint8"),
        Case("gather_small", "Gather 8 rows of 16 from 100", "Gather", (100, 16), (8,)),
        Case("elements_last_axis", "GatherElements 8192x2048, last axis", "GatherElements",
             matrix, matrix, axis=1),
        Case("elements_axis_0", "GatherElements 8192x2048, axis 0", "GatherElements",
             matrix, matrix),
        Case("elements_1d", "GatherElements 1-D 4,000,000 from 16,000,000", "GatherElements",
             big, some),
        Case("nd_scalars", "GatherND 4,000,000 scalars of 4096x4096", "GatherND",
             square, (4 * MILLION, 2)),
        Case("nd_rows", "GatherND 262,144 rows of 256 B of 512x512x64", "GatherND",
             (512, 512, 64), (262_144, 2)),
        Case("nd_batch", "GatherND batch_dims 1, 64x4096x64", "GatherND",
             (64, 4096, 64), (64, 4096, 1), batch_dims=1),
        Case("scatter_elements_row_constant_add",
             "ScatterElements add [556416,80], 481,385 rows, row-constant indices",
             "ScatterElements", (556_416, 80), (481_385, 80), reduction="add", draw="row-constant"),
        Case("scatter_elements_last_axis", "ScatterElements none 8192x2048, last axis",
             "ScatterElements", matrix, matrix, axis=1, draw="distinct"),
        Case("scatter_elements_axis_0_add",
             "ScatterElements add axis 0, 4096x2048 into 8192x2048",
             "ScatterElements", matrix, (4096, 2048), reduction="add"),
        Case("scatter_elements_1d_add", "ScatterElements add 1-D 4,000,000 into 16,000,000",
             "ScatterElements", big, some, reduction="add"),
        Case("scatter_elements_1d_add_sorted",
             "ScatterElements add 1-D 4,000,000 into 16,000,000, sorted",
             "ScatterElements", big, some, reduction="add", draw="sorted"),
        Case("scatter_nd_rows", "ScatterND none 65,536 rows of 512 B", "ScatterND",
             table, (65_536, 1), draw="distinct"),
        Case("scatter_nd_rows_add", "ScatterND add 131,072 rows of 512 B, duplicates", "ScatterND",
             table, (131_072, 1), reduction="add"),
        Case("scatter_nd_scalars", "ScatterND none 2,000,000 scalars into 4096x4096", "ScatterND",
             square, (2 * MILLION, 2), draw="distinct"),
        Case("array_take", "take 131,072 rows of 512 B from 262,144", "Take", table, (131_072,)),
        Case("array_index_add", "index_add 131,072 rows of 512 B into 262,144", "IndexAdd",
             table, (131_072,), reduction="add"),
        Case("array_index_add_sorted", "index_add 1,000,000 rows of 64 B into 100,000, sorted",
             "IndexAdd", (100_000, 16), (MILLION,), reduction="add", draw="sorted"),
    ]


VARIED = ("gather_rows_512B", "gather_1d_of_16M", "elements_last_axis", "nd_scalars",
          "scatter_elements_axis_0_add", "scatter_nd_rows")
VARIANTS = {
    "float16": {"dtype": "float16"},
    "uint8": {"dtype": "uint8"},
    "int64": {"dtype": "int64"},
    "int32_indices": {"index_dtype": "int32"},
}


def _variants(case: Case) -> list[Case]:
    """The case at other types and the same shapes, so that a row has other bytes."""
    varied = []
    for label, change in VARIANTS.items():
        # A title names the float32 row; a variant's says what differs and leaves the case's name.
        title = f"{case.name}, {label.replace('_', ' ')}"
        varied.append(dataclasses.replace(case, name=f"{case.name}_{label}", title=title, **change))
    return varied


def all_cases() -> list[Case]:
    base = _base_cases()
    return base + [one for case in base if case.name in VARIED for one in _variants(case)]


def find_case(name: str, quick: bool) -> Case:
    case = next(one for one in all_cases() if one.name == name)
    return case.quick() if quick else case


def small_integers(random: np.random.Generator, shape: Shape, dtype: str) -> np.ndarray:
    """Small integers in any type, so that sums are exact and do not depend on their order."""
    low, high = (0, 8) if dtype == "uint8" else (-8, 8)
    return random.integers(low, high, shape, dtype=np.int8).astype(dtype)


def _draw_indices(case: Case, random: np.random.Generator) -> np.ndarray:
    shape, dtype = case.indices, np.dtype(case.index_dtype)
    if case.operator in TUPLES:
        extents = case.data[case.batch_dims : case.batch_dims + shape[-1]]
        if case.draw == "distinct":
            cells = random.permutation(math.prod(extents))[: math.prod(shape[:-1])]
            columns = np.unravel_index(cells, extents)
        else:
            columns = tuple(random.integers(0, extent, shape[:-1]) for extent in extents)
        return np.stack(columns, axis=-1).astype(dtype)
    extent = case.data[case.axis]
    if case.draw == "row-constant":
        rows = random.integers(0, extent, shape[0], dtype=dtype)
        return np.repeat(rows[:, None], shape[1], axis=1)
    if case.draw == "distinct":
        every = np.broadcast_to(np.arange(extent, dtype=dtype), shape)
        return random.permuted(every.copy(), axis=case.axis)
    drawn = random.integers(0, extent, shape, dtype=dtype)
    return np.sort(drawn, axis=case.axis) if case.draw == "sorted" else drawn


def make_inputs(case: Case) -> dict[str, np.ndarray]:
    """The case's operands: C-contiguous arrays, the same at every call. All results are exact."""
    random = np.random.default_rng(1)
    if case.operator == QUANTIZED:
        return _quantized_inputs(case, random)
    inputs = {"data": small_integers(random, case.data, case.dtype)}
    inputs["indices"] = _draw_indices(case, random)
    if case.operator == BAGS:
        inputs["offsets"] = np.arange(0, case.indices[0], case.bag, dtype=case.index_dtype)
    if case.how == WEIGHTED:
        inputs["weights"] = random.integers(1, 4, case.indices).astype(case.dtype)
    if case.is_scatter:
        inputs["updates"] = small_integers(random, case.direct, case.dtype)
    return inputs


def _quantized_inputs(case: Case, random: np.random.Generator) -> dict[str, np.ndarray]:
    rows, values = case.data
    scales = random.integers(1, 9, (rows, values // BLOCK)) / 8
    return {"data": random.integers(0, 256, (rows, values // CODES_EACH), dtype=np.uint8),
            "indices": _draw_indices(case, random), "scales": scales.astype(case.dtype)}


def new_output(case: Case) -> np.ndarray:
    return np.zeros(case.output, case.dtype)


def bases(case: Case, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The contiguous memory in which each operand lies."""
    return {name: case.base_of(name, array) for name, array in inputs.items()}
