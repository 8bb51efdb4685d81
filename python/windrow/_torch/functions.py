"""The functions of windrow.torch, with the arguments of torch's own functions."""

from __future__ import annotations

import math
from typing import Any, Literal, TypedDict, Unpack

import torch
from torch import Tensor

from windrow._torch import tables
from windrow._torch.gradients import REDUCTIONS_OF_VALUES
from windrow.tables import Table


class Reading(TypedDict, total=False):
    """How indices are read. The operators have the defaults."""

    out_of_range: Literal["error", "zero", "skip", "clamp", "modulo"]
    negative: Literal["from_end", "out_of_range", "error"]
    padding_index: int | None


# Parts of torch without type annotations.
_autograd: Any = torch.autograd
_forward: Any = torch.autograd.forward_ad
_below_autograd: Any = torch._C._AutoDispatchBelowAutograd
_below_views: Any = torch._C._AutoDispatchBelowADInplaceOrView
_is_compiling: Any = torch.compiler.is_compiling
_is_transformed: Any = torch._C._are_functorch_transforms_active
_ops = torch.ops.windrow
_embedding = _ops.embedding.default
_embedding_bag = _ops.embedding_bag.default
_gather = _ops.gather.default
_gather_nd = _ops.gather_nd.default
_index_add = _ops.index_add.default
_index_add_ = _ops.index_add_.default
_index_select = _ops.index_select.default
_scatter = _ops.scatter.default
_scatter_ = _ops.scatter_.default
_scatter_nd = _ops.scatter_nd.default
_scatter_nd_ = _ops.scatter_nd_.default
_scatter_reduce = _ops.scatter_reduce.default
_scatter_reduce_ = _ops.scatter_reduce_.default
_take = _ops.take.default


def index_select(input: Tensor, dim: int, index: Tensor, **options: Unpack[Reading]) -> Tensor:
    """torch.index_select: the slices of input along dim.

    Shapes: index [n]; the result is input.shape with n for the extent of dim.
    """
    return _run(_index_select, input, dim, index, **options)


def take(
    input: Tensor, index: Tensor, *, dim: int | None = None, **options: Unpack[Reading]
) -> Tensor:
    """torch.take, or with dim numpy.take: slices along it, for index of any rank.

    Shapes: without dim the result has index's shape, and an index counts input's elements in row-major order; with
    dim the result is input.shape[:dim] ++ index.shape ++ input.shape[dim+1:].
    Negative indices count from the end, unless the option says otherwise.
    """
    return _run(_take, input, index, dim=dim, **options)


def gather(input: Tensor, dim: int, index: Tensor, **options: Unpack[Reading]) -> Tensor:
    """torch.gather: an element for each index, at the index's own position but for dim.

    Shapes: index has input's rank, and off dim no larger extents; the result has index's shape.
    """
    return _run(_gather, input, dim, index, **options)


def gather_nd(input: Tensor, index: Tensor, **options: Unpack[Reading]) -> Tensor:
    """ONNX's GatherND: the last axis of index holds coordinates of the first axes of input.

    Shapes: index [.., K]; the result is index.shape[:-1] ++ input.shape[K:].
    """
    return _run(_gather_nd, input, index, **options)


def embedding(
    input: Tensor,
    weight: Tensor | Table,
    padding_idx: int | None = None,
    *,
    scale_grad_by_freq: bool = False,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.nn.functional.embedding, without max_norm and sparse: a row of weight for each element of input.

    Shapes: weight [rows, columns]; the result is input.shape ++ [columns].
    weight may be a table on disk, of rows of any rank: windrow.open_table(). No gradient flows to it.
    """
    if type(weight) is Table:
        return tables.embedding(input, weight, **options)
    row = -1
    if padding_idx is not None and weight.dim() == 2:  # the operator refuses all other weights
        row = _padding_row("embedding", padding_idx, weight)
    return _run(_embedding, weight, input, row, scale_grad_by_freq, **options)


def embedding_bag(
    input: Tensor,
    weight: Tensor | Table,
    offsets: Tensor | None = None,
    *,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
    accumulate: Literal["float32"] | None = None,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.nn.functional.embedding_bag, without max_norm and sparse; weight of rank 1 or more.

    Shapes: input [bags, n], or [n] with offsets [bags]; per_sample_weights as input; the result is
    [bags] ++ weight.shape[1:]. mode: "sum", "mean" or "max".
    weight may be a table on disk: windrow.open_table(). No gradient flows to it.
    padding_idx: a row's number, which becomes the padding_index unless that is given. accumulate:
    "float32": floats of at most 32 bits are summed in it and rounded once; None: every step is
    rounded.
    """
    if padding_idx is not None and len(weight.shape) > 0:
        options.setdefault("padding_index", _padding_row("embedding_bag", padding_idx, weight))
    if type(weight) is Table:
        return tables.embedding_bag(
            input,
            weight,
            offsets,
            per_sample_weights,
            mode=mode,
            include_last_offset=include_last_offset,
            accumulate=accumulate,
            **options,
        )
    return _run(
        _embedding_bag,
        weight,
        input,
        offsets,
        mode,
        per_sample_weights,
        include_last_offset,
        scale_grad_by_freq,
        accumulate=accumulate or "",
        **options,
    )


def index_add(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: complex = 1,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.index_add; sums in the order of index. alpha: a number that source's type can represent.

    Shapes: index [n]; source is input.shape with n for the extent of dim; the result has input's shape.
    """
    return _run(_index_add, input, dim, index, _times(source, alpha), **options)


def index_add_(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: complex = 1,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.Tensor.index_add_: index_add() into input itself, which it returns."""
    added = _times(source, alpha)
    return _write(_index_add, _index_add_, input, dim, index, added, **options)


def scatter(
    input: Tensor, dim: int, index: Tensor, src: Tensor | complex, **options: Unpack[Reading]
) -> Tensor:
    """torch.scatter; if several elements go to one place, the last one in row-major order remains.

    Shapes: index has input's rank, and off dim no larger extents; src, a tensor of index's extents at least, or a
    number; the result has input's shape.
    """
    return _run(_scatter, input, dim, index, _fit(input, index, src), **options)


def scatter_(
    input: Tensor, dim: int, index: Tensor, src: Tensor | complex, **options: Unpack[Reading]
) -> Tensor:
    """torch.Tensor.scatter_: scatter() into input itself, which it returns."""
    fitted = _fit(input, index, src)
    return _write(_scatter, _scatter_, input, dim, index, fitted, **options)


def scatter_add(
    input: Tensor, dim: int, index: Tensor, src: Tensor, **options: Unpack[Reading]
) -> Tensor:
    """torch.scatter_add; sums in row-major order of index. Shapes: as for scatter(), src a tensor."""
    return scatter_reduce(input, dim, index, src, "sum", **options)


def scatter_add_(
    input: Tensor, dim: int, index: Tensor, src: Tensor, **options: Unpack[Reading]
) -> Tensor:
    """torch.Tensor.scatter_add_: scatter_add() into input itself, which it returns."""
    return scatter_reduce_(input, dim, index, src, "sum", **options)


def scatter_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.scatter_reduce; folds in row-major order of index. Shapes: as for scatter(), src a tensor.

    reduce: "sum", "prod", "mean", "amax" or "amin"; complex numbers have the first three. include_self: whether a fold
    starts with input's element.
    """
    fitted = _fit(input, index, src)
    return _run(
        _scatter_reduce, input, dim, index, fitted, reduce, include_self=include_self, **options
    )


def scatter_reduce_(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
    **options: Unpack[Reading],
) -> Tensor:
    """torch.Tensor.scatter_reduce_: scatter_reduce() into input itself, which it returns."""
    fitted = _fit(input, index, src)
    return _write(
        _scatter_reduce,
        _scatter_reduce_,
        input,
        dim,
        index,
        fitted,
        reduce,
        include_self=include_self,
        **options,
    )


def scatter_nd(
    input: Tensor, index: Tensor, src: Tensor, reduce: str = "none", **options: Unpack[Reading]
) -> Tensor:
    """ONNX's ScatterND; reduce: "none" (the last update remains), "sum", "prod", "amax" or "amin".

    Shapes: index [.., K], src index.shape[:-1] ++ input.shape[K:]; the result has input's shape.
    """
    return _run(_scatter_nd, input, index, src, reduce, **options)


def scatter_nd_(
    input: Tensor, index: Tensor, src: Tensor, reduce: str = "none", **options: Unpack[Reading]
) -> Tensor:
    """scatter_nd() into input itself, which it returns."""
    return _write(_scatter_nd, _scatter_nd_, input, index, src, reduce, **options)


def _padding_row(name: str, padding_idx: int, weight: Tensor | Table) -> int:
    """padding_idx, which may count from the end, as the number of a row."""
    count: int = weight.shape[0]
    if not -count <= padding_idx < count:
        raise RuntimeError(
            f"windrow::{name}: padding_idx = {padding_idx} is out of range for {count} rows"
        )
    return padding_idx % count


def _times(source: Tensor, alpha: complex) -> Tensor:
    """source * alpha in source's type, into which alpha is converted."""
    if alpha == 1:
        return source
    if source.dtype == torch.bool:
        return source & bool(alpha)
    return source * _convert_alpha(alpha, source.dtype)


def _convert_alpha(alpha: complex, dtype: torch.dtype) -> complex:
    """alpha as a number of this type. Raises RuntimeError if the type cannot represent it.

    Floats may be rounded. A negative integer becomes one of an unsigned type, modulo its range.
    """
    if isinstance(alpha, complex) and not dtype.is_complex:
        if alpha.imag != 0:
            raise _bad_alpha(alpha, dtype, "has an imaginary part")
        alpha = alpha.real
    if dtype.is_floating_point or dtype.is_complex:
        parts = (alpha.real, alpha.imag)
        if any(math.isfinite(part) and abs(part) > torch.finfo(dtype).max for part in parts):
            raise _bad_alpha(alpha, dtype, "is out of range")
        return alpha
    if not math.isfinite(alpha.real) or alpha != int(alpha.real):
        raise _bad_alpha(alpha, dtype, "is not a whole number")
    limits = torch.iinfo(dtype)
    wraps = limits.min == 0 and not isinstance(alpha, float)
    if not (-limits.max if wraps else limits.min) <= int(alpha.real) <= limits.max:
        raise _bad_alpha(alpha, dtype, "is out of range")
    return int(alpha.real)


def _bad_alpha(alpha: complex, dtype: torch.dtype, fault: str) -> RuntimeError:
    return RuntimeError(f"windrow::index_add: alpha = {alpha} {fault}; the tensors are {dtype}")


def _fit(input: Tensor, index: Tensor, src: Tensor | complex) -> Tensor:
    """src as torch reads it: a number is repeated; a larger tensor is cut to the part that index covers.

    If index is empty, src may have any shape.
    """
    if not isinstance(src, Tensor):
        return input.new_full((), src).expand(index.shape)
    if src.shape == index.shape:
        return src
    if index.numel() == 0:
        return (src[:0] if src.dim() else src.reshape(1)[:0]).reshape(index.shape)
    if src.dim() != index.dim():
        return src
    if any(wanted > there for wanted, there in zip(index.shape, src.shape, strict=True)):
        return src
    return src[tuple(slice(extent) for extent in index.shape)]


def _write(
    operator: Any, in_place: Any, input: Tensor, *arguments: Any, **options: Any
) -> Tensor:
    """Runs the operator in place; if gradients flow, copies the result of the out-of-place form instead."""
    given = (input, *arguments)
    # No traced program can ask for a tensor's mode; torch itself refuses the change when it runs.
    traced = _is_compiling()
    if not traced and input.is_inference() and not torch.is_inference_mode_enabled():
        raise RuntimeError(
            f"{in_place.name()}: the tensor was made in inference mode and can be changed in place only there; "
            "clone it first"
        )
    if torch.is_grad_enabled() and any(
        item.requires_grad for item in given if isinstance(item, Tensor)
    ):
        # The backward pass of some reductions needs what the tensor holds now.
        kept = any(item in REDUCTIONS_OF_VALUES for item in arguments if isinstance(item, str))
        before = input.clone() if kept else input
        return input.copy_(_run(operator, before, *arguments, **options))
    _refuse_tangents(in_place, given)
    if _needs_all(given):
        in_place(*given, **options)
    else:
        with _below_views():
            in_place(*given, **options)
        _autograd.graph.increment_version(input)
    return input


def _run(operator: Any, *arguments: Any, **options: Any) -> Tensor:
    _refuse_tangents(operator, arguments)
    result: Tensor
    if _needs_all(arguments):
        result = operator(*arguments, **options)
    else:
        # Bypasses the operator's autograd function, which is written in Python and costs more than a small call.
        with _below_autograd():
            result = operator(*arguments, **options)
    return result


def _refuse_tangents(operator: Any, arguments: tuple[Any, ...]) -> None:
    """Raises RuntimeError for forward-mode gradients, which torch would take as 0."""
    if _forward._current_level < 0:
        return
    for item in arguments:
        if isinstance(item, Tensor) and _forward.unpack_dual(item).tangent is not None:
            raise RuntimeError(f"{operator.name()}: there are no forward-mode gradients")


def _needs_all(arguments: tuple[Any, ...]) -> bool:
    """Whether gradients may flow, the call is observed, or autograd is disabled anyway."""
    if _is_compiling() or torch.is_inference_mode_enabled() or _is_transformed():
        return True
    grad = torch.is_grad_enabled()
    for item in arguments:
        kind = type(item)
        if kind is Tensor or kind is torch.nn.Parameter:
            if grad and item.requires_grad:
                return True
        elif isinstance(item, Tensor):  # a subclass, whose use may have any effect
            return True
    return False
