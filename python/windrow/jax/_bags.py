"""embedding_bag: a primitive that folds the rows of a table by bags, its derivatives and its batches.

Operands: table and ids [bags, n]; or table, ids [n], offsets and, if they are given, weights. A sum is
linear in the table and in the weights, a mean in the table; a maximum follows the row that won. All
rules consist of this primitive and of gather and scatter, so derivatives have derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import ad as untyped_ad
from jax.interpreters import batching

from windrow.jax._primitives import Array, Policy, define, gather, scatter

ad: Any = untyped_ad
bags_p: Any = Primitive("windrow_embedding_bag")
_ROW = ("array", "EmbeddingBag", 1, ("reduction", "include_last_offset", "accumulate"))


@dataclass
class Bags:
    """The samples of bags. ids [n] with offsets, and maybe with weights [n], or ids [bags, n] alone."""

    ids: Array
    offsets: Array | None
    weights: Array | None
    policy: Policy
    include_last_offset: bool

    @classmethod
    def of(cls, operands: Any, parameters: Any) -> Bags:
        """The bags of a call of the primitive; operands: those behind the table."""
        ids, offsets, weights = (*operands, None, None)[:3]
        return cls(ids, offsets, weights, parameters["policy"], parameters["include_last_offset"])

    def fold(self, table: Array, reduction: str, accumulate: str = "") -> Array:
        """The rows of a table, one for each row of the first one, folded by bags."""
        others = [array for array in (self.offsets, self.weights) if array is not None]
        return bags_p.bind(
            table,
            self.ids,
            *others,
            form="bags",
            reduction=reduction,
            include_last_offset=self.include_last_offset,
            accumulate=accumulate,
            policy=self.policy,
        )

    def of_samples(self) -> Bags:
        """The same bags, without weights, of a table that has a row for each sample."""
        numbers = lax.iota(np.int32, self.ids.size).reshape(self.ids.shape)
        return replace(self, ids=numbers, weights=None, policy=Policy("error"))

    def spread(self, bags: Array) -> Array:
        """For each sample the slice of its bag; zeros for a sample of none."""
        if self.offsets is None:
            shape = (*self.ids.shape, *bags.shape[1:])
            rows = jnp.broadcast_to(jnp.expand_dims(bags, 1), shape)
            return rows.reshape(self.ids.size, *bags.shape[1:])
        wide = jax.dtypes.canonicalize_dtype(np.int64)
        samples = lax.iota(wide, self.ids.size)
        own = jnp.searchsorted(self.offsets.astype(wide), samples, side="right") - 1
        return gather(bags, own, "rows", Policy("zero", "out_of_range"))

    def rows(self, table: Array) -> Array:
        """The row of each sample; zeros for one that takes none."""
        return gather(table, self.ids.reshape(-1), "rows", self.policy.of_gather())

    def add_rows(self, slices: Array, shape: tuple[int, ...]) -> Array:
        """A table of zeros, to whose rows the samples' slices are added in their order."""
        zeros = jnp.zeros(shape, slices.dtype)
        return scatter(zeros, self.ids.reshape(-1), slices, "rows", "sum", self.policy)

    def wins(self, table: Array, result: Array) -> Array:
        """For each sample and column, whether it is the last that has the maximum of its bag."""
        rows, most = self.rows(table), self.spread(result)
        taken = self.rows(jnp.ones(table.shape[:1], jnp.int32)) == 1
        equal = (rows == most) | ((rows != rows) & (most != most))
        equal &= _along(taken, rows)
        numbers = _along(lax.iota(np.int32, self.ids.size) + 1, rows)
        last = self.of_samples().fold(jnp.where(equal, numbers, 0), "max")
        return equal & (self.spread(last) == numbers)


def _along(numbers: Array, slices: Array) -> Array:
    """A number for each slice, of the rank of the slices."""
    return numbers.reshape(-1, *(1,) * (slices.ndim - 1))


# ---- Derivatives ----


def _jvp(primals: Any, tangents: Any, **parameters: Any) -> Any:
    table, *operands = primals
    result = bags_p.bind(*primals, **parameters)
    bags = Bags.of(operands, parameters)
    parts = []
    if type(tangents[0]) is not ad.Zero:
        if parameters["reduction"] == "max":
            rows = bags.rows(tangents[0])
            rows = jnp.where(bags.wins(table, result), rows, jnp.zeros_like(rows))
            parts.append(bags.of_samples().fold(rows, "sum"))
        else:
            parts.append(bags_p.bind(tangents[0], *operands, **parameters))
    if bags.weights is not None and type(tangents[-1]) is not ad.Zero:
        parts.append(bags_p.bind(table, *operands[:-1], tangents[-1], **parameters))
    if not parts:
        return result, ad.Zero.from_primal_value(result)
    return result, sum(parts[1:], parts[0])


def _transpose(cotangent: Any, table: Any, *operands: Any, **parameters: Any) -> Any:
    of_table = ad.is_undefined_primal(table)
    of_weights = ad.is_undefined_primal(operands[-1])
    nothing: list[Any] = [None] * (1 + len(operands))
    place = 0 if of_table else len(operands)
    if not of_table and not of_weights:
        return nothing
    wanted = table if of_table else operands[-1]
    if type(cotangent) is ad.Zero:
        nothing[place] = ad.Zero(wanted.aval.to_ct_aval())
        return nothing
    bags = Bags.of(operands, parameters)
    if of_table:
        nothing[place] = _to_table(bags, cotangent, table.aval, parameters["reduction"])
    else:
        nothing[place] = _to_weights(bags, cotangent, table, wanted.aval, parameters["accumulate"])
    return nothing


def _to_table(bags: Bags, cotangent: Array, aval: Any, reduction: str) -> Array:
    if reduction == "mean":
        counts = bags.fold(jnp.ones(aval.shape[:1], jnp.int32), "sum")
        wide = jnp.promote_types(cotangent.dtype, jnp.float32)
        divisor = _along(jnp.maximum(counts, 1), cotangent).astype(wide)
        cotangent = (cotangent.astype(wide) / divisor).astype(aval.dtype)
    slices = bags.spread(cotangent)
    if bags.weights is not None:
        slices = (slices * _along(bags.weights, slices)).astype(aval.dtype)
    return bags.add_rows(slices, aval.shape)


def _to_weights(bags: Bags, cotangent: Array, table: Array, aval: Any, accumulate: str) -> Array:
    """For each sample, the product of its row and its bag's cotangent, summed in the order of the columns."""
    products = bags.spread(cotangent).astype(aval.dtype) * bags.rows(table).astype(aval.dtype)
    columns = products.reshape(bags.ids.size, int(np.prod(table.shape[1:]))).T
    numbers = lax.iota(np.int32, columns.shape[0])[None]
    sums = Bags(numbers, None, None, Policy("error"), False).fold(columns, "sum", accumulate)
    return sums.reshape(aval.shape)


# ---- Batches ----


def _batch(arrays: Any, dims: Any, **parameters: Any) -> Any:
    table, ids = arrays[:2]
    if all(dim is None for dim in dims[1:]):
        return bags_p.bind(jnp.moveaxis(table, dims[0], 1), *arrays[1:], **parameters), 1
    if all(dims[place] is None for place in (0, 2) if place < len(dims)) and not parameters["include_last_offset"]:
        size = next(array.shape[dim] for array, dim in zip(arrays, dims, strict=True) if dim is not None)
        result = bags_p.bind(table, *_joined(arrays[1:], dims[1:], size), **parameters)
        return result.reshape(size, result.shape[0] // size, *result.shape[1:]), 0
    mapped = [place for place, dim in enumerate(dims) if dim is not None]

    def entry(given: Any) -> Array:
        operands = list(arrays)
        for place, array in zip(mapped, given, strict=True):
            operands[place] = array
        return bags_p.bind(*operands, **parameters)

    return lax.map(entry, tuple(jnp.moveaxis(arrays[place], dims[place], 0) for place in mapped)), 0


def _joined(operands: Any, dims: Any, size: int) -> list[Array]:
    """The samples of all entries of the batch, one entry's behind the other's; the offsets are not mapped.

    Each entry's bags end where those of the next one begin, so that wrong offsets are found.
    """
    entries = [
        jnp.broadcast_to(array, (size, *array.shape)) if dim is None else jnp.moveaxis(array, dim, 0)
        for array, dim in zip(operands, dims, strict=True)
    ]
    if len(entries) > 1:
        wide = jax.dtypes.canonicalize_dtype(np.int64)
        begins = lax.iota(wide, size) * entries[0].shape[1]
        entries[1] = entries[1].astype(wide) + begins[:, None]
    return [array.reshape(-1, *array.shape[2:]) for array in entries]


def register() -> None:
    """Registers the primitive with JAX, its derivatives and its batching rule."""
    define(bags_p, {"bags": _ROW}, {})
    ad.primitive_jvps[bags_p] = _jvp
    ad.primitive_transposes[bags_p] = _transpose
    batching.primitive_batchers[bags_p] = _batch
