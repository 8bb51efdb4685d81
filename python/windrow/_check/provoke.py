"""Makes inputs on which a gather or scatter node shows the effect of a rule of portability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow._base.arrays import numpy_dtype
from windrow._ops.table import OPERATORS

# Types whose elements hosts return as codes, not as values.
CODED_TYPES = frozenset({"uint1", "u1", "nf4"})

Array = np.ndarray[Any, Any]
Dims = tuple[int | str | None, ...]

# The extent used where it is unknown; the number of updates of one cell in a race; the limit on elements of all inputs.
_EXTENT = 4
_RACING = 1_000_000
_MOST_ELEMENTS = 1 << 25
# Roles of inputs by the operators' names for them.
_ROLES = {"X": "data", "Y": "indices", "past_cache": "data", "update": "updates", "write_indices": "indices"}
_WIDE_INDEX = (1 << 32) + 1
_WIDE_INTEGER = (1 << 40) + 5


class NoInputs(Exception):
    """Why there are no inputs that show a rule on a node."""


@dataclass(frozen=True)
class GivenInput:
    """What is known of a node's input; value: the value of a constant, otherwise None."""

    dtype: str
    dims: Dims | None
    value: Array | None = None


@dataclass(frozen=True)
class NodeForm:
    """A node without its values. inputs: in the operator's order, None for an omitted one."""

    dialect: str
    op_type: str
    attributes: Mapping[str, Any]
    inputs: tuple[GivenInput | None, ...]

    @property
    def roles(self) -> list[str]:
        """The role of each input: "data", "indices", "updates", "axis", "depth", ..."""
        names = [row["name"] for row in OPERATORS[self.dialect, self.op_type].newest["inputs"]]
        return [_ROLES.get(name, name) for name in names[: len(self.inputs)]]


def provoke(form: NodeForm, provocation: str) -> tuple[Array | None, ...]:
    """Inputs with the node's types and shapes that realise a provocation of windrow/check.h.

    Constants stay unchanged. Extents that the model leaves open are small, except for a race. Raises NoInputs.
    """
    return _Inputs(form, provocation).make()


class _Inputs:
    def __init__(self, form: NodeForm, provocation: str) -> None:
        self.form, self.provocation = form, provocation
        self.given = {role: given for role, given in zip(form.roles, form.inputs) if given is not None}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.arrays: dict[str, Array] = {}

    def make(self) -> tuple[Array | None, ...]:
        for role, given in self.given.items():
            if given.dtype in CODED_TYPES:
                raise NoInputs(f"NumPy has no {given.dtype}")
            if role not in ("data", "indices", "updates"):
                self.arrays[role] = self._other(role)
        self._choose_shapes()
        if sum(map(math.prod, self.shapes.values())) > _MOST_ELEMENTS:
            raise NoInputs(f"its inputs have more than {_MOST_ELEMENTS} elements")
        for role in ("data", "updates", "indices"):
            if role in self.given:
                known = self.given[role].value
                self.arrays[role] = getattr(self, f"_{role}")() if known is None else known
        return tuple(
            None if given is None else self.arrays[role]
            for role, given in zip(self.form.roles, self.form.inputs)
        )

    # Shapes.

    def _dims(self, role: str, rank: int) -> tuple[int, ...]:
        """The extents of an input; open ones are small and all equal."""
        given = self.given[role]
        if given.value is not None:
            return tuple(given.value.shape)
        dims = given.dims if given.dims is not None else (None,) * rank
        return tuple(dim if isinstance(dim, int) and dim >= 0 else _EXTENT for dim in dims)

    def _is_open(self, role: str, place: int) -> bool:
        given = self.given[role]
        return given.value is None and (
            given.dims is None or not isinstance(given.dims[place], int) or given.dims[place] == -1
        )

    def _choose_shapes(self) -> None:
        operator = self.form.op_type
        is_tuples = "ND" in operator
        if "data" in self.given:
            self.shapes["data"] = self._dims("data", 2)
        data = self.shapes.get("data", ())
        if "indices" not in self.given:
            self.shapes["updates"] = self._dims("updates", len(data))
            return
        shape = list(self._dims("indices", 2 if is_tuples else max(1, len(data)) if "Elements" in operator else 1))
        batch = self._attribute("batch_dims", 0)
        for place in range(len(shape)):
            if not self._is_open("indices", place):
                continue
            if is_tuples and place == len(shape) - 1:
                shape[place] = max(1, len(data) - batch)
            elif place < len(data) and (place < batch or "Elements" in operator and place != self.axis):
                shape[place] = data[place]
        if "updates" not in self.given or not shape:
            pass
        elif self.provocation == "race" and self.given["indices"].value is None:
            self._lengthen(shape)
        elif self.provocation in ("duplicates", "fine-sums", "negative-sums"):
            place = self.axis if "Elements" in operator else 0
            if self._is_open("indices", place):
                shape[place] = 64
        self.shapes["indices"] = tuple(shape)
        if "updates" in self.given:
            self.shapes["updates"] = self._updates_shape()

    def _lengthen(self, shape: list[int]) -> None:
        """Makes indices that race; there are many of them, whatever the model says."""
        place = self.axis if "Elements" in self.form.op_type else 0
        self.shapes["indices"] = tuple(shape)
        slices = math.prod(self._updates_shape()) // max(1, shape[place])
        shape[place] = max(shape[place], _RACING // max(1, slices))

    def _updates_shape(self) -> tuple[int, ...]:
        data, indices = self.shapes["data"], self.shapes["indices"]
        if self.form.op_type in ("ScatterND", "ScatterNDUpdate"):
            made = (*indices[:-1], *data[indices[-1] :])
        elif self.form.op_type == "ScatterUpdate":
            made = (*data[: self.axis], *indices, *data[self.axis + 1 :])
        elif self.form.op_type == "TensorScatter":
            return self._dims("updates", len(data))
        else:
            made = indices
        declared = self._dims("updates", len(made))
        # A rule may concern updates whose shape the operator does not allow.
        return made if self.provocation == "race" or self._has_open("updates") else declared

    def _has_open(self, role: str) -> bool:
        given = self.given[role]
        return given.value is None and (
            given.dims is None or any(self._is_open(role, place) for place in range(len(given.dims)))
        )

    @property
    def axis(self) -> int:
        """The axis of data that indices address, for operators that have one."""
        rank = len(self.shapes.get("data", ()))
        if "axis" in self.arrays and self.arrays["axis"].size:
            axis = int(self.arrays["axis"].reshape(-1)[0])
        else:
            default = -2 if self.form.op_type == "TensorScatter" else 0
            axis = self._attribute("axis", default)
        return axis + rank if axis < 0 else axis

    def _attribute(self, name: str, default: int) -> int:
        value = self.form.attributes.get(name, default)
        return value if isinstance(value, int) else default

    # Values.

    def _other(self, role: str) -> Array:
        """The axis, the depth, the values of OneHot."""
        given = self.given[role]
        if given.value is not None:
            return given.value
        shape = self._dims(role, 0)
        if role == "axis":
            return np.zeros(shape, numpy_dtype(given.dtype))
        if role == "depth":
            return np.full(shape, _EXTENT, numpy_dtype(given.dtype))
        return _numbers(math.prod(shape), given.dtype, 0).reshape(shape)

    def _data(self) -> Array:
        given = self.given["data"]
        count = math.prod(self.shapes["data"])
        return self._payload(count, given.dtype, 1).reshape(self.shapes["data"])

    def _updates(self) -> Array:
        given = self.given["updates"]
        count = math.prod(self.shapes["updates"])
        return self._payload(count, given.dtype, 2).reshape(self.shapes["updates"])

    def _payload(self, count: int, dtype: str, start: int) -> Array:
        """Elements of data, which start at 1, or of updates, which start at 2."""
        is_update = start == 2
        if self.provocation == "race" and self._reduction() != "none":
            return _filled(count, dtype, [1] if is_update else [0])
        patterns: dict[str, list[Any]] = {
            "nan": [float("nan"), 5.0] if is_update else [float("nan"), 1.0, 2.0],
            "both-zeros": [0.0, -0.0] if is_update else [-0.0, 0.0],
            "wide-integers": [_WIDE_INTEGER, 7],
            "wide-floats": [1e300, 0.1],
            "negative-sums": [-2, -1],
            "fine-sums": [0.001] if is_update else [1.0],
        }
        if self.provocation in patterns and dtype not in ("string", "bool"):
            return _filled(count, dtype, patterns[self.provocation])
        if self.provocation == "duplicates" and dtype == "bool":
            return _filled(count, dtype, [is_update])
        return _numbers(count, dtype, start)

    def _reduction(self) -> str:
        return str(self.form.attributes.get("reduction", "none"))

    def _indices(self) -> Array:
        given, shape = self.given["indices"], self.shapes["indices"]
        count = math.prod(shape)
        extents = self._addressed()
        if given.dtype.startswith(("float", "bfloat")):
            return (np.arange(count) % 2 + 0.5).astype(numpy_dtype(given.dtype)).reshape(shape)
        if self.provocation in ("duplicates", "fine-sums", "negative-sums") or (
            self.provocation == "race" and self._reduction() != "none"
        ):
            values = np.zeros(count, np.int64)
        elif self.form.op_type == "TensorScatter":
            values = np.zeros(count, np.int64)
        elif self._is_tuples():
            values = _tuples(count // max(1, len(extents)), extents).reshape(-1)[:count]
        else:
            values = np.arange(count) % max(1, extents[0])
        if count:
            bad = {
                "index-above": extents[0] + 5,
                "index-below": -extents[0] - 5,
                "index-negative": -1,
                "index-wide": _WIDE_INDEX,
            }
            if self.provocation in bad:
                # The first column of the last tuple.
                values[count - len(extents) if self._is_tuples() else count - 1] = bad[self.provocation]
        dtype = numpy_dtype(given.dtype)
        if count and not np.array_equal(values.astype(dtype).astype(np.int64), values):
            raise NoInputs(f"no {given.dtype} holds such an index")
        return values.astype(dtype).reshape(shape)

    def _is_tuples(self) -> bool:
        return "ND" in self.form.op_type

    def _addressed(self) -> list[int]:
        """The extents of the axes that indices address, one for each entry of a tuple."""
        data = self.shapes.get("data", ())
        if self.form.op_type == "OneHot":
            return [int(self.arrays["depth"].reshape(-1)[0])]
        if self._is_tuples():
            batch = self._attribute("batch_dims", 0)
            return list(data[batch : batch + self.shapes["indices"][-1]]) or [1]
        if self.form.op_type == "ArrayFeatureExtractor":
            return [data[-1] if data else 1]
        return [data[self.axis] if self.axis < len(data) else 1]


def _tuples(count: int, extents: list[int]) -> Array:
    """Index tuples that enumerate the cells in row-major order, and repeat only after the last cell."""
    cells = np.arange(count) % max(1, math.prod(extents))
    return np.stack(np.unravel_index(cells, [max(1, extent) for extent in extents]), axis=-1).astype(np.int64)


def _filled(count: int, dtype: str, pattern: list[Any]) -> Array:
    """The repeated pattern. Raises NoInputs if the type cannot represent it."""
    target = numpy_dtype(dtype)
    with np.errstate(all="ignore"):
        wide = np.resize(np.array(pattern), count)
        made = wide.astype(target)
    is_held = np.array_equal(made.astype(wide.dtype), wide, equal_nan=wide.dtype.kind == "f")
    if wide.dtype.kind == "i" and not is_held:
        raise NoInputs(f"no {dtype} holds {pattern[0]}")
    return made


def _numbers(count: int, dtype: str, start: int) -> Array:
    """Small numbers or texts; adjacent elements differ."""
    values = (np.arange(count) + start) % 7
    if dtype == "string":
        return np.array([f"t{value}" for value in values], object)
    return values.astype(numpy_dtype(dtype))
