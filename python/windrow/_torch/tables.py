"""Tables on disk (windrow.open_table) as the weight of a look-up. No gradient flows to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from windrow._base.errors import Error
from windrow.tables import Table


@torch.compiler.disable  # type: ignore[untyped-decorator]
def embedding(input: Tensor, table: Table, **options: Any) -> Tensor:
    """The rows of the ids, of shape [*input.shape, *table.shape[1:]]."""
    out = _new("embedding", table, input.shape)
    _call("embedding", lambda: table.take(input.detach(), out=out, **_reading(options)))
    return out


@torch.compiler.disable  # type: ignore[untyped-decorator]
def embedding_bag(
    input: Tensor, table: Table, offsets: Tensor | None, weights: Tensor | None, **options: Any
) -> Tensor:
    """The rows of each bag of ids, pooled."""
    bags = input.shape[0] if offsets is None else max(len(offsets) - bool(options["include_last_offset"]), 0)
    out = _new("embedding_bag", table, (bags,))
    factors = None if weights is None else weights.detach()
    _call(
        "embedding_bag",
        lambda: table.embedding_bag(
            input.detach(), offsets=offsets, weights=factors, out=out, **_reading(options)
        ),
    )
    return out


def _reading(options: dict[str, Any]) -> dict[str, Any]:
    """The options with the operators' default."""
    return {"negative": "out_of_range", **options}


def _new(name: str, table: Table, extents: tuple[int, ...]) -> Tensor:
    """Memory for rows of the table. Raises RuntimeError."""
    dtype = getattr(torch, table.dtype, None)
    if dtype is None:
        raise RuntimeError(f"windrow::{name}: torch has no type {table.dtype}, which the table has")
    return torch.empty((*extents, *table.shape[1:]), dtype=dtype)


def _call(name: str, call: Callable[[], Any]) -> None:
    """Raises RuntimeError, as the operators do."""
    try:
        call()
    except Error as error:
        raise RuntimeError(f"windrow::{name}: {error}") from error
