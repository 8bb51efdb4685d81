"""Shapes of results without data, for torch.compile and torch.export, and the registrations of
operators that write in place."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

# Parts of torch without type annotations.
_library: Any = torch.library
_autograd: Any = torch.autograd
_c: Any = torch._C

_IN_PLACE = ("index_add_", "scatter_", "scatter_reduce_", "scatter_nd_")


def register() -> None:
    """Registers the shape functions. The library must be loaded."""
    shapes = {
        "index_select": _index_select,
        "take": _take,
        "gather": _gather,
        "embedding": _embedding,
        "embedding_bag": _embedding_bag,
        "gather_nd": _gather_nd,
        "index_add": _like_self,
        "scatter": _like_self,
        "scatter_reduce": _like_self,
        "scatter_nd": _like_self,
    }
    for name, function in shapes.items():
        _library.register_fake(f"windrow::{name}", function)
    library = _library.Library("windrow", "FRAGMENT")
    for name in _IN_PLACE:
        _library.register_fake(f"windrow::{name}", _nothing)
        operator = getattr(torch.ops.windrow, name).default
        library.impl(name, _Bump(operator), "ADInplaceOrView", with_keyset=True)
    _kept.append(library)


# The registrations end with the lifetime of this object.
_kept: list[Any] = []


class _Bump:
    """Counts a new version of the tensor that is written, so that autograd notices."""

    def __init__(self, operator: Any) -> None:
        self._operator = operator

    def __call__(self, keyset: Any, input: Tensor, *arguments: Any, **options: Any) -> None:
        _autograd.graph.increment_version(input)
        with _c._AutoDispatchBelowADInplaceOrView():
            below = keyset & _c._after_ADInplaceOrView_keyset
            self._operator.redispatch(below, input, *arguments, **options)


def _index_select(self: Tensor, dim: int, index: Tensor, **options: Any) -> Tensor:
    if self.dim() == 0:
        return self.new_empty(index.shape if index.numel() != 1 else ())
    shape = list(self.shape)
    shape[_wrap(dim, self)] = index.numel()
    return self.new_empty(shape)


def _take(self: Tensor, index: Tensor, *, dim: int | None = None, **options: Any) -> Tensor:
    if dim is None:
        return self.new_empty(index.shape)
    axis = _wrap(dim, self)
    return self.new_empty([*self.shape[:axis], *index.shape, *self.shape[axis + 1 :]])


def _gather(self: Tensor, dim: int, index: Tensor, **options: Any) -> Tensor:
    return self.new_empty(index.shape)


def _embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    **options: Any,
) -> Tensor:
    if weight.dim() != 2:
        raise RuntimeError(
            f"windrow::embedding: weight has the shape {tuple(weight.shape)}; it must have two axes"
        )
    return weight.new_empty([*indices.shape, weight.shape[1]])


def _embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor | None = None,
    mode: str = "mean",
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    scale_grad_by_freq: bool = False,
    **options: Any,
) -> Tensor:
    if weight.dim() == 0:
        raise RuntimeError("windrow::embedding_bag: weight has no axis; it must have one or more")
    bags = indices.shape[0] if offsets is None else offsets.shape[0] - include_last_offset
    return weight.new_empty([bags, *weight.shape[1:]])


def _gather_nd(self: Tensor, index: Tensor, **options: Any) -> Tensor:
    return self.new_empty([*index.shape[:-1], *self.shape[index.shape[-1] :]])


def _like_self(self: Tensor, *arguments: Any, **options: Any) -> Tensor:
    return self.new_empty(self.shape)


def _nothing(self: Tensor, *arguments: Any, **options: Any) -> None:
    return None


def _wrap(dim: int, tensor: Tensor) -> int:
    rank: int = max(tensor.dim(), 1)
    if not -rank <= dim < rank:
        raise RuntimeError(f"dim = {dim} is out of range: it must be from {-rank} to {rank - 1}")
    return dim % rank
