"""Gradients of torch.ops.windrow, computed by its own operators: the gradient of a gather is a sum into
zeros, that of a scatter a gather.

Those of prod, mean, amax and amin follow torch: equal extremes share their gradient evenly. If
several elements are scattered to one place without a reduction, the one that remains has the whole
gradient. That of a bag's maximum goes to the first of equal ones, as in torch. Rows are added to
the gradient of a table one by one, in row-major order of the indices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

_ops = torch.ops.windrow
# The reductions whose gradients depend on what is reduced.
REDUCTIONS_OF_VALUES = ("prod", "amax", "amin")


def register() -> None:
    """Registers the gradients. The library must be loaded."""
    gradients: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "index_select": (_keep_index_select, _index_select),
        "take": (_keep_take, _take),
        "gather": (_keep_index_select, _gather),
        "embedding": (_keep_embedding, _embedding),
        "embedding_bag": (_keep_embedding_bag, _embedding_bag),
        "gather_nd": (_keep_gather_nd, _gather_nd),
        "index_add": (_keep_index_add, _index_add),
        "scatter": (_keep_scatter, _scatter),
        "scatter_reduce": (_keep_scatter_reduce, _scatter_reduce),
        "scatter_nd": (_keep_scatter_nd, _scatter_nd),
    }
    for name, (keep, backward) in gradients.items():
        torch.library.register_autograd(f"windrow::{name}", backward, setup_context=keep)


def _options(given: Any) -> dict[str, Any]:
    """Those of the options of an operator's call that say how its indices are read."""
    return {name: given[name] for name in ("out_of_range", "negative", "padding_index")}


def _of_gather(options: dict[str, Any]) -> dict[str, Any]:
    """For the gather that reads what a scatter with these options writes."""
    return {**options, "out_of_range": "zero"} if options["out_of_range"] == "skip" else options


def _of_scatter(options: dict[str, Any]) -> dict[str, Any]:
    """For the scatter that writes what a gather with these options reads."""
    return {**options, "out_of_range": "skip"} if options["out_of_range"] == "zero" else options


# ---- Gathers ----


def _keep_index_select(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, ctx.dim, index = inputs
    ctx.shape, ctx.options = data.shape, _of_scatter(_options(keyword_only_inputs))
    ctx.save_for_backward(index)


def _index_select(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    zeros = grad.new_zeros(ctx.shape)
    return _ops.index_add(zeros, ctx.dim, index, grad, **ctx.options), None, None


def _gather(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    zeros = grad.new_zeros(ctx.shape)
    return _ops.scatter_reduce(zeros, ctx.dim, index, grad, "sum", **ctx.options), None, None


def _keep_take(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, index = inputs
    ctx.shape, ctx.dim = data.shape, keyword_only_inputs["dim"]
    ctx.options = _of_scatter(_options(keyword_only_inputs))
    ctx.save_for_backward(index)


def _take(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    rows = index.reshape(-1)
    if ctx.dim is None or len(ctx.shape) == 0:
        before, after, zeros = [], [], grad.new_zeros([_product(ctx.shape)])
    else:
        axis = ctx.dim % len(ctx.shape)
        before, after, zeros = ctx.shape[:axis], ctx.shape[axis + 1 :], grad.new_zeros(ctx.shape)
    slices = grad.reshape([*before, rows.numel(), *after])
    sums = _ops.index_add(zeros, len(before), rows, slices, **ctx.options)
    return sums.reshape(ctx.shape), None


def _keep_embedding(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    weight, indices, ctx.padding_idx, ctx.scale_grad_by_freq = inputs
    ctx.shape, ctx.options = weight.shape, _of_scatter(_options(keyword_only_inputs))
    ctx.save_for_backward(indices)


def _embedding(ctx: Any, grad: Tensor) -> Any:
    (indices,) = ctx.saved_tensors
    rows = indices.reshape(-1)
    sums = _add_rows(ctx, rows, grad.reshape(rows.numel(), ctx.shape[1]))
    if ctx.padding_idx >= 0:
        sums = sums.index_fill(0, rows.new_full([1], ctx.padding_idx, dtype=torch.int64), 0)
    return sums, None, None, None


def _add_rows(ctx: Any, rows: Tensor, slices: Tensor) -> Tensor:
    """The gradient of a table whose rows of these numbers have the gradients `slices`."""
    if ctx.scale_grad_by_freq:
        ones = torch.ones_like(rows)
        counts = _ops.index_add(rows.new_zeros(ctx.shape[0]), 0, rows, ones, **ctx.options)
        own = _ops.index_select(counts, 0, rows, **_of_gather(ctx.options))
        slices = slices / _along(own.clamp(min=1), slices)
    sums: Tensor = _ops.index_add(slices.new_zeros(ctx.shape), 0, rows, slices, **ctx.options)
    return sums


def _along(numbers: Tensor, slices: Tensor) -> Tensor:
    """A number for each slice, of the rank of the slices."""
    return numbers.reshape([-1, *[1] * (slices.dim() - 1)])


@dataclass
class _Bags:
    """The samples of bags: the numbers of their rows, in row-major order."""

    indices: Tensor
    offsets: Tensor | None
    has_end: bool
    options: dict[str, Any]  # how indices are read

    def fold(self, table: Tensor, mode: str, **options: Any) -> Tensor:
        """The rows of another table, one for each row of the first one, folded by bags."""
        folded: Tensor = _ops.embedding_bag(
            table, self.indices, self.offsets, mode, None, self.has_end, **options
        )
        return folded

    def of_samples(self) -> _Bags:
        """The same bags of a table that has a row for each sample."""
        numbers = torch.arange(self.indices.numel(), device=self.indices.device)
        return _Bags(numbers.reshape(self.indices.shape), self.offsets, self.has_end, {})

    def spread(self, bags: Tensor) -> Tensor:
        """For each sample the slice of its bag; zeros for a sample of none."""
        count = self.indices.numel()
        if self.offsets is None:
            width = self.indices.shape[1]
            rows = bags.unsqueeze(1).expand([bags.shape[0], width, *bags.shape[1:]])
            return rows.reshape([count, *bags.shape[1:]])
        samples = torch.arange(count, device=bags.device, dtype=self.offsets.dtype)
        own = torch.searchsorted(self.offsets.contiguous(), samples, right=True) - 1
        spread: Tensor = _ops.index_select(bags, 0, own, out_of_range="zero")
        return spread

    def rows(self, table: Tensor) -> Tensor:
        """The row of each sample; zeros for one that takes none."""
        rows: Tensor = _ops.index_select(
            table, 0, self.indices.reshape(-1), **_of_gather(self.options)
        )
        return rows

    def one(self, count: Any) -> Tensor:
        """A table of so many rows that all are 1."""
        return torch.ones([1], dtype=torch.int64, device=self.indices.device).expand([count])


def _keep_embedding_bag(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    weight, indices, offsets, ctx.mode, factors, ctx.has_end, ctx.scale_grad_by_freq = inputs
    ctx.shape, ctx.options = weight.shape, _options(keyword_only_inputs)
    ctx.accumulate = keyword_only_inputs["accumulate"]
    needs_table = factors is not None or ctx.mode == "max"
    kept = (weight if needs_table else None, output if ctx.mode == "max" else None)
    ctx.save_for_backward(indices, offsets, factors, *kept)


def _embedding_bag(ctx: Any, grad: Tensor) -> Any:
    indices, offsets, factors, table, output = ctx.saved_tensors
    bags = _Bags(indices, offsets, ctx.has_end, ctx.options)
    if ctx.mode == "mean":
        counts = bags.fold(bags.one(ctx.shape[0]), "sum", **ctx.options).clamp(min=1)
        grad = grad / _along(counts, grad)
    slices, to_factors = bags.spread(grad), None
    if ctx.mode == "max":
        slices = slices.masked_fill(~_wins(bags, table, output), 0)
    if factors is not None:
        if ctx.needs_input_grad[4]:
            to_factors = _of_factors(bags, table, slices, factors, ctx.accumulate)
        slices = (slices * _along(factors, slices).conj()).to(grad.dtype)
    return _add_rows(ctx, indices.reshape(-1), slices), None, None, None, to_factors, None, None


def _wins(bags: _Bags, table: Tensor, output: Tensor) -> Tensor:
    """For each sample and column, whether it is the first that has the maximum of its bag."""
    rows, most = bags.rows(table), bags.spread(output)
    taken = bags.rows(bags.one(table.shape[0])) == 1
    equal = ((rows == most) | (rows.isnan() & most.isnan())) & _along(taken, rows)
    count = bags.indices.numel()
    backwards = _along(torch.arange(count, 0, -1, device=table.device), rows)
    numbers = backwards.masked_fill(~equal, 0)
    first = bags.spread(bags.of_samples().fold(numbers, "max"))
    return equal & (numbers == first)


def _of_factors(
    bags: _Bags, table: Tensor, slices: Tensor, factors: Tensor, accumulate: str
) -> Tensor:
    """For each sample, the product of its row and its bag's gradient, summed in the order of the columns."""
    products = slices.to(factors.dtype) * bags.rows(table).to(factors.dtype).conj()
    columns = products.reshape([products.shape[0], _product(products.shape[1:])]).t()
    numbers = torch.arange(columns.shape[0], device=columns.device).unsqueeze(0)
    sums: Tensor = _ops.embedding_bag(columns, numbers, mode="sum", accumulate=accumulate)
    return sums.reshape(factors.shape)


def _keep_gather_nd(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, index = inputs
    ctx.shape, ctx.options = data.shape, _of_scatter(_options(keyword_only_inputs))
    ctx.save_for_backward(index)


def _gather_nd(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    return _ops.scatter_nd(grad.new_zeros(ctx.shape), index, grad, "sum", **ctx.options), None


# ---- Scatters ----


def _keep_index_add(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    _, ctx.dim, index, source = inputs
    ctx.shape, ctx.options = source.shape, _of_gather(_options(keyword_only_inputs))
    ctx.save_for_backward(index)


def _index_add(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    to_source = None
    if ctx.needs_input_grad[3]:
        read = _ops.index_select(grad, ctx.dim, index, **ctx.options)
        to_source = read.reshape(ctx.shape)
    return grad, None, None, to_source


@dataclass
class _Places:
    """Where a scatter writes: along the axis dim, or by tuples of coordinates if dim is None."""

    dim: int | None
    index: Tensor
    options: dict[str, Any]  # the scatter's, of how indices are read

    def read(self, cells: Tensor) -> Tensor:
        """The cell of every element of src; zero for an element that is not written."""
        options = _of_gather(self.options)
        if self.dim is None:
            tuples: Tensor = _ops.gather_nd(cells, self.index, **options)
            return tuples
        elements: Tensor = _ops.gather(cells, self.dim, self.index, **options)
        return elements

    def fold(self, cells: Tensor, src: Tensor, reduce: str, include_self: bool = True) -> Tensor:
        """The forward operation."""
        if self.dim is None:
            result: Tensor = _ops.scatter_nd(cells, self.index, src, reduce, **self.options)
        elif reduce == "none":
            result = _ops.scatter(cells, self.dim, self.index, src, **self.options)
        else:
            result = _ops.scatter_reduce(
                cells,
                self.dim,
                self.index,
                src,
                reduce,
                include_self=include_self,
                **self.options,
            )
        return result

    def clear(self, cells: Tensor, like: Tensor) -> Tensor:
        """Zero in every cell that is written; like: any tensor of src's shape."""
        return self.fold(cells, torch.zeros_like(like, dtype=cells.dtype), "none")


def _keep(ctx: Any, places: _Places, tensors: Any, reduce: str, include_self: bool) -> None:
    data, src, output = tensors
    ctx.dim, ctx.reduce, ctx.include_self, ctx.shape = places.dim, reduce, include_self, src.shape
    ctx.options = places.options
    values = tensors if reduce in REDUCTIONS_OF_VALUES else ()
    ctx.save_for_backward(places.index, *values)


def _keep_scatter(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, dim, index, src = inputs
    _keep(ctx, _Places(dim, index, _options(keyword_only_inputs)), (data, src, output), "none", True)


def _keep_scatter_reduce(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, dim, index, src, reduce = inputs
    places = _Places(dim, index, _options(keyword_only_inputs))
    _keep(ctx, places, (data, src, output), reduce, keyword_only_inputs["include_self"])


def _keep_scatter_nd(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Tensor) -> None:
    data, index, src, reduce = inputs
    _keep(ctx, _Places(None, index, _options(keyword_only_inputs)), (data, src, output), reduce, True)


def _scatter(ctx: Any, grad: Tensor) -> Any:
    to_self, to_src = _gradients(ctx, grad)
    return to_self, None, None, to_src


def _scatter_reduce(ctx: Any, grad: Tensor) -> Any:
    to_self, to_src = _gradients(ctx, grad)
    return to_self, None, None, to_src, None


def _scatter_nd(ctx: Any, grad: Tensor) -> Any:
    to_self, to_src = _gradients(ctx, grad)
    return to_self, None, to_src, None


def _gradients(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
    index, *values = ctx.saved_tensors
    places = _Places(ctx.dim, index, ctx.options)
    if ctx.reduce == "none":
        return places.clear(grad, grad.new_empty(ctx.shape)), _of_last(places, grad, ctx.shape)
    if ctx.reduce == "sum":
        to_self, to_src = grad, places.read(grad)
    elif ctx.reduce == "mean":
        to_self, to_src = _of_mean(places, grad, ctx.shape, ctx.include_self)
    elif ctx.reduce == "prod":
        to_self, to_src = _of_product(places, grad, values, ctx.include_self)
    else:
        to_self, to_src = _of_extreme(places, grad, values, ctx.include_self)
    if not ctx.include_self:
        to_self = places.clear(to_self, to_src)
    return to_self, to_src


def _of_last(places: _Places, grad: Tensor, shape: Any) -> Tensor:
    """The gradient of the elements that remain, zero for those that were overwritten."""
    numbers = torch.arange(_product(shape), device=grad.device).reshape(shape)
    owners = places.fold(numbers.new_full(grad.shape, -1), numbers, "none")
    return places.read(grad).masked_fill(places.read(owners) != numbers, 0)


def _of_mean(
    places: _Places, grad: Tensor, shape: Any, include_self: bool
) -> tuple[Tensor, Tensor]:
    start = torch.ones_like(grad) if include_self else torch.zeros_like(grad)
    counts = places.fold(start, grad.new_ones(shape), "sum")
    share = grad / counts.masked_fill(counts == 0, 1)
    return share, places.read(share)


def _of_product(
    places: _Places, grad: Tensor, values: Any, include_self: bool
) -> tuple[Tensor, Tensor]:
    data, src, result = values
    to_self = grad
    if include_self:
        to_self = grad * places.fold(torch.ones_like(data), src, "prod").conj()
    zero = src == 0
    counts = torch.zeros_like(data, dtype=torch.int32)
    zeros = places.read(places.fold(counts, zero.to(torch.int32), "sum"))
    if torch.is_grad_enabled() and not torch.compiler.is_compiling() and bool((zeros > 1).any()):
        raise RuntimeError(
            "windrow: the second derivative of a product with several factors of 0 is not implemented"
        )
    # With one zero factor, the product of the others; with several, zero.
    lone = zero & (zeros == 1)
    others = places.fold(data, src.masked_fill(lone, 1), "prod", include_self)
    rest = places.read(grad * result.conj()) / src.masked_fill(zero, 1).conj()
    return to_self, torch.where(lone, places.read(grad * others.conj()), rest)


def _of_extreme(
    places: _Places, grad: Tensor, values: Any, include_self: bool
) -> tuple[Tensor, Tensor]:
    data, src, result = values
    own = (data == result).to(grad.dtype)
    if not include_self:
        own = places.clear(own, src)
    equal = (src == places.read(result)).to(grad.dtype)
    share = grad / places.fold(own, equal, "sum")
    return own * share, equal * places.read(share)


def _product(shape: Any) -> Any:
    result = 1
    for extent in shape:
        result = result * extent
    return result
