"""Derivatives: tangents of the primitives, and their transposes.

A gather is linear in data. A scatter that assigns, adds or averages is linear in data and updates
together; min and max follow the winner of each cell, prod the product rule. All rules consist of
the two primitives, so derivatives have derivatives.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.interpreters import ad as untyped_ad

from windrow.jax._primitives import Array, Form, Policy, gather, gather_p, scatter, scatter_p

ad: Any = untyped_ad
_LINEAR = ("none", "sum", "mean")


class Addressed:
    """The cells of an array that a scatter's indices address, for each update."""

    def __init__(self, indices: Array, updates_shape: tuple[int, ...], parameters: Any) -> None:
        self.indices = indices
        self.shape = updates_shape
        self.form: Form = parameters["form"]
        self.axis: int = parameters["axis"]
        self.policy: Policy = parameters["policy"]

    def read(self, cells: Array) -> Array:
        """The cell of each update; 0 if the update is skipped."""
        if self.form == "elements":
            # The indices may cover only a part of the other axes.
            cells = cells[
                tuple(
                    slice(None) if axis == self.axis else slice(extent)
                    for axis, extent in enumerate(self.shape)
                )
            ]
        return gather(cells, self.indices, self.form, self.policy.of_gather(), self.axis)

    def fold(self, cells: Array, reduction: str, updates: Array) -> Array:
        """The same scatter with other cells and updates."""
        return scatter(
            cells, self.indices, updates, self.form, reduction, self.policy, self.axis
        )

    def counts(self, shape: tuple[int, ...]) -> Array:
        """The number of updates of each cell."""
        return self.fold(jnp.zeros(shape, jnp.int32), "sum", jnp.ones(self.shape, jnp.int32))

    def numbers(self) -> Array:
        """The updates' numbers in row-major order, from 1."""
        return lax.iota(jnp.uint32, int(np.prod(self.shape))).reshape(self.shape) + 1

    def is_last(self, candidates: Array, shape: tuple[int, ...]) -> tuple[Array, Array]:
        """Whether each update is the last candidate of its cell, and whether each cell has none."""
        numbers = self.numbers()
        last = self.fold(
            jnp.zeros(shape, jnp.uint32), "max", jnp.where(candidates, numbers, jnp.uint32(0))
        )
        return candidates & (self.read(last) == numbers), last == 0


# ---- gather ----


def _gather_jvp(primals: Any, tangents: Any, **parameters: Any) -> Any:
    data, indices = primals
    result = gather_p.bind(data, indices, **parameters)
    tangent = tangents[0]
    if type(tangent) is ad.Zero:
        return result, ad.Zero.from_primal_value(result)
    return result, gather_p.bind(tangent, indices, **parameters)


def _gather_transpose(cotangent: Any, data: Any, indices: Array, **parameters: Any) -> Any:
    if type(cotangent) is ad.Zero:
        return ad.Zero(data.aval.to_ct_aval()), None
    form, axis = parameters["form"], parameters["axis"]
    shape = data.aval.shape
    policy: Policy = parameters["policy"].of_scatter()
    if form == "rows":
        updates = cotangent.reshape(*shape[:axis], indices.size, *shape[axis + 1 :])
        indices = indices.reshape(-1)
    elif form == "elements":
        updates = cotangent
        indices = jnp.broadcast_to(indices, cotangent.shape)
        shape = (*cotangent.shape[:axis], shape[axis], *cotangent.shape[axis + 1 :])
    else:
        zeros = jnp.zeros(shape, cotangent.dtype)
        batch_dims = parameters["batch_dims"]
        return scatter_in_batches(zeros, indices, cotangent, "sum", policy, batch_dims), None
    zeros = jnp.zeros(shape, cotangent.dtype)
    sums = scatter(zeros, indices, updates, form, "sum", policy, axis)
    return _sum_to(sums, data.aval.shape), None


def scatter_in_batches(
    data: Array, indices: Array, updates: Array, reduction: str, policy: Policy, batch_dims: int
) -> Array:
    """A scatter by index tuples of which each addresses its own place on the first `batch_dims` axes."""
    if batch_dims and policy.padding_index is not None:
        # Tuples of more than one coordinate have no padding; each element gets an index instead.
        batch, tail = data.shape[:batch_dims], data.shape[batch_dims + 1 :]
        count = math.prod(indices.shape[batch_dims:])
        updates = updates.reshape(*batch, count, *tail)
        columns = indices.reshape(*batch, count, *(1,) * len(tail))
        indices = jnp.broadcast_to(columns, updates.shape)
        return scatter(data, indices, updates, "elements", reduction, policy, batch_dims)
    indices = _with_batch_coordinates(indices, batch_dims)
    return scatter(data, indices, updates, "tuples", reduction, policy)


def _with_batch_coordinates(indices: Array, batch_dims: int) -> Array:
    """Index tuples that begin with their own coordinates on the first `batch_dims` axes."""
    if batch_dims == 0:
        return indices
    shape = (*indices.shape[:-1], 1)
    batch = [lax.broadcasted_iota(indices.dtype, shape, axis) for axis in range(batch_dims)]
    return jnp.concatenate([*batch, indices], axis=-1)


def _sum_to(array: Array, shape: tuple[int, ...]) -> Array:
    """The transpose of broadcasting `shape`, of the same rank."""
    axes = tuple(axis for axis, (n, m) in enumerate(zip(array.shape, shape, strict=True)) if n != m)
    return array.sum(axes, keepdims=True) if axes else array


# ---- scatter ----


def _scatter_jvp(primals: Any, tangents: Any, **parameters: Any) -> Any:
    data, indices, updates = primals
    result = scatter_p.bind(data, indices, updates, **parameters)
    if type(tangents[0]) is ad.Zero and type(tangents[2]) is ad.Zero:
        return result, ad.Zero.from_primal_value(result)
    data_tangent = ad.instantiate_zeros(tangents[0])
    updates_tangent = ad.instantiate_zeros(tangents[2])
    reduction = parameters["reduction"]
    if reduction in _LINEAR:
        return result, scatter_p.bind(data_tangent, indices, updates_tangent, **parameters)
    addressed = Addressed(indices, updates.shape, parameters)
    if reduction == "prod":
        factors = _other_factors(data, updates, addressed, parameters["use_init_val"])
        of_data, of_updates = data_tangent * factors[0], updates_tangent * factors[1]
    else:
        keeps, wins = _winners(data, updates, result, addressed, parameters["use_init_val"])
        of_data = jnp.where(keeps, data_tangent, jnp.zeros_like(data_tangent))
        of_updates = jnp.where(wins, updates_tangent, jnp.zeros_like(updates_tangent))
    return result, addressed.fold(of_data, "sum", of_updates)


def _winners(
    data: Array, updates: Array, result: Array, addressed: Addressed, starts_with_data: bool
) -> tuple[Array, Array]:
    """Which cells keep data's gradient, and which updates get their cell's gradient.

    The fold takes the later of equal values, so the last update that equals the result has won.
    """
    wins, keeps = addressed.is_last(updates == addressed.read(result), data.shape)
    if not starts_with_data:
        keeps = addressed.counts(data.shape) == 0
    return keeps, wins


def _other_factors(
    data: Array, updates: Array, addressed: Addressed, starts_with_data: bool
) -> tuple[Array, Array]:
    """For each cell and each update, the product of the other factors of the cell's product.

    It is computed by division, with zeros counted separately: a factor of 0 leaves the product of the others.
    """
    one = jnp.ones((), data.dtype)
    start = data if starts_with_data else jnp.ones_like(data)
    zeros = addressed.fold((start == 0).astype(jnp.int32), "sum", (updates == 0).astype(jnp.int32))
    product = addressed.fold(
        jnp.where(start == 0, one, start), "prod", jnp.where(updates == 0, one, updates)
    )

    def others(factor: Array, zeros: Array, product: Array) -> Array:
        none = jnp.zeros_like(product)
        of_zero = jnp.where(zeros == 1, product, none)
        of_others = jnp.where(zeros == 0, product / jnp.where(factor == 0, one, factor), none)
        return jnp.where(factor == 0, of_zero, of_others)

    of_updates = others(updates, addressed.read(zeros), addressed.read(product))
    if starts_with_data:
        return others(data, zeros, product), of_updates
    untouched = addressed.counts(data.shape) == 0
    return untouched.astype(data.dtype), of_updates


def _scatter_transpose(
    cotangent: Any, data: Any, indices: Array, updates: Any, **parameters: Any
) -> Any:
    of_data, of_updates = ad.is_undefined_primal(data), ad.is_undefined_primal(updates)
    if type(cotangent) is ad.Zero:
        return (
            ad.Zero(data.aval.to_ct_aval()) if of_data else None,
            None,
            ad.Zero(updates.aval.to_ct_aval()) if of_updates else None,
        )
    updates_shape = updates.aval.shape if of_updates else updates.shape
    addressed = Addressed(indices, updates_shape, parameters)
    transpose = {"none": _transpose_assign, "sum": _transpose_sum, "mean": _transpose_mean}
    to_data, to_updates = transpose[parameters["reduction"]](
        cotangent, addressed, parameters["use_init_val"]
    )
    return to_data() if of_data else None, None, to_updates() if of_updates else None


def _transpose_assign(cotangent: Array, addressed: Addressed, _: bool) -> Any:
    def to_data() -> Array:
        return addressed.fold(cotangent, "none", jnp.zeros(addressed.shape, cotangent.dtype))

    def to_updates() -> Array:
        wins, _ = addressed.is_last(jnp.ones(addressed.shape, bool), cotangent.shape)
        return jnp.where(wins, addressed.read(cotangent), jnp.zeros((), cotangent.dtype))

    return to_data, to_updates


def _transpose_sum(cotangent: Array, addressed: Addressed, starts_with_data: bool) -> Any:
    def to_data() -> Array:
        if starts_with_data:
            return cotangent
        untouched = addressed.counts(cotangent.shape) == 0
        return jnp.where(untouched, cotangent, jnp.zeros((), cotangent.dtype))

    return to_data, lambda: addressed.read(cotangent)


def _transpose_mean(cotangent: Array, addressed: Addressed, starts_with_data: bool) -> Any:
    counts = addressed.counts(cotangent.shape)
    divisor = counts + 1 if starts_with_data else jnp.maximum(counts, 1)
    wide = jnp.promote_types(cotangent.dtype, jnp.float32)
    share = (cotangent.astype(wide) / divisor.astype(wide)).astype(cotangent.dtype)

    def to_data() -> Array:
        touched = share if starts_with_data else jnp.zeros((), cotangent.dtype)
        return jnp.where(counts == 0, cotangent, touched)

    return to_data, lambda: addressed.read(share)


def register() -> None:
    """Registers the derivatives of the primitives."""
    ad.primitive_jvps[gather_p] = _gather_jvp
    ad.primitive_transposes[gather_p] = _gather_transpose
    ad.primitive_jvps[scatter_p] = _scatter_jvp
    ad.primitive_transposes[scatter_p] = _scatter_transpose
