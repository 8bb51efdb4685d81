"""A table over ranks (windrow.distributed.ShardedTable) as a module of a network."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from windrow._base.errors import ArgumentError, Unsupported
from windrow._torch import functions, shard_state
from windrow._torch.row_steps import RowGradients, Settings, agree, step
from windrow.distributed import ShardedTable

# Parts of torch without type annotations.
_once: Any = torch.autograd.function.once_differentiable
_Function: Any = torch.autograd.Function


class ShardedEmbedding(torch.nn.Module):
    """torch.nn.Embedding, or with `mode` torch.nn.EmbeddingBag, whose weight is distributed over ranks.

    table: a ShardedTable of float16, float32 or float64, in memory or on disk, of rows of any shape.
    padding_idx: a row that has no gradient and, with `mode`, is left out of bags; it may count from the end.
    mode: None: a row for each id. "sum", "mean", "max": rows pooled by bags.
    include_last_offset, accumulate: of windrow.torch.embedding_bag().
    squares: Adagrad's sums of squares: a ShardedTable of the table's shape and distribution, of float32 or float64.
        None: the first step of Adagrad makes one in memory, of zeros, of the table's type but float32 at least.

    All ranks call the module, each with its own ids, of which there may be none, as they call the functions of the
    table. Backward keeps the gradients of this rank's ids: numbers of rows and values, nothing of the size of the
    table. apply_gradients() then changes the rows on the ranks that have them.

    It has no parameters. Errors are those of ShardedTable, with the rank before the message, the same on all ranks:
    windrow.IndexOutOfRange and others. Arguments that are wrong for the module itself raise windrow.ArgumentError or
    windrow.Unsupported on the rank that gives them. Used by one thread at a time.
    """

    def __init__(
        self,
        table: ShardedTable,
        *,
        padding_idx: int | None = None,
        mode: Literal["sum", "mean", "max"] | None = None,
        include_last_offset: bool = False,
        accumulate: Literal["float32"] | None = None,
        squares: ShardedTable | None = None,
    ) -> None:
        super().__init__()
        if table.dtype not in ("float16", "float32", "float64"):
            raise Unsupported(f"the table has the type {table.dtype}, must have float16, float32 or float64")
        if mode not in (None, "sum", "mean", "max"):
            raise ArgumentError(f"mode is {mode!r}, must be None, 'sum', 'mean' or 'max'")
        if padding_idx is not None and not -len(table) <= padding_idx < len(table):
            raise ArgumentError(f"padding_idx is {padding_idx}, out of range for {len(table)} rows")
        if squares is not None:
            shard_state.require_like(squares, table)
        self.table, self.squares = table, squares
        self.mode: Any = mode
        self.padding_idx = None if padding_idx is None else padding_idx % len(table)
        self.include_last_offset, self.accumulate = include_last_offset, accumulate
        # By the number of the look-up, which is the same on all ranks.
        self._gradients: dict[int, RowGradients] = {}
        self._look_ups = 0
        # What makes autograd call backward. It has no elements and no gradient.
        self._anchor = torch.empty(0, requires_grad=True)

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        """The rows of this rank's ids: input.shape + the shape of a row; with `mode` a row for each of its bags.

        input: integers of any shape, from 0 on. offsets, per_sample_weights: as for torch.nn.EmbeddingBag, with `mode`
        alone; gradients flow to the weights. Collective; errors as for the class.
        """
        if self.mode is None:
            if offsets is not None or per_sample_weights is not None:
                raise ArgumentError("offsets and per_sample_weights are of bags: give the module a mode")
            rows: Tensor = _Rows.apply(self._anchor, self, input)
            return rows
        needs_weights = per_sample_weights is not None and per_sample_weights.requires_grad
        keeps_rows = torch.is_grad_enabled() and (self.mode == "max" or needs_weights)
        pooled: Tensor = _Bags.apply(self._anchor, self, input, offsets, per_sample_weights, keeps_rows)
        return pooled

    def gradients(self) -> list[tuple[Tensor, Tensor]]:
        """What backward has kept on this rank, for each look-up: the numbers of rows, and a gradient for each.

        They share their memory with the module: a gradient that is scaled in place is applied so.
        """
        kept = [self._gradients[number] for number in sorted(self._gradients)]
        return [(torch.from_numpy(rows), torch.from_numpy(values)) for rows, values in kept]

    def apply_gradients(
        self, optimizer: Literal["sgd", "adagrad"] = "sgd", *, lr: float, eps: float = 1e-10
    ) -> None:
        """Takes a step by the gradients that all ranks have kept, and drops these.

        The gradients of a row are added one by one, those of an earlier look-up first; of one look-up those of rank 0,
        then those of rank 1, and so on, in the order of the ids. Their sum is G, with the same bits for any number of
        ranks as in one process that has all ids. Then

            sgd:      row -= lr * G
            adagrad:  squares += G * G;  row -= lr * (G / (sqrt(squares) + eps))

        as torch's optimisers do with sparse gradients; rows without gradients stay as they are. A rank may have kept
        none. Each table is written by one call, `squares` first. Collective. Raises windrow.Error for settings that
        are wrong or differ between ranks, after which nothing has changed; else errors as for the class.
        """
        settings = Settings(optimizer, lr, eps)
        numbers = agree(self.table.exchange, settings, self._gradients)
        if numbers:
            if optimizer == "adagrad" and self.squares is None:
                self.squares = shard_state.zeros_like(self.table)
            none = (np.empty(0, np.int64), np.empty((0, *self.table.shape[1:]), self.table.dtype))
            given = [self._gradients.get(number, none) for number in numbers]
            step(self.table, self.squares if optimizer == "adagrad" else None, settings, given)
        self._gradients.clear()

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drops the gradients that backward has kept on this rank. (That of a module around it does not.)"""
        super().zero_grad(set_to_none)
        self._gradients.clear()

    def get_extra_state(self) -> dict[str, Any]:
        """This rank's part of state_dict(): its rows in memory, and the numbers of the tables' last calls on disk."""
        return shard_state.saved(self.table, self.squares)

    def set_extra_state(self, state: dict[str, Any]) -> None:
        """Of load_state_dict(). Collective; each rank gives what it has saved. Raises windrow.Error."""
        self.squares = shard_state.loaded(self.table, self.squares, state)
        self._gradients.clear()

    def extra_repr(self) -> str:
        """For repr()."""
        given = {"mode": self.mode, "padding_idx": self.padding_idx}
        said = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return ", ".join([repr(self.table), *said])

    def _begin(self) -> int:
        self._look_ups += 1
        return self._look_ups

    def _keep(self, number: int, ids: Tensor, gradients: Tensor) -> None:
        """Keeps the gradients of the rows of ids, which a take has checked; those of a second backward are added."""
        numbers = ids.reshape(-1).numpy().astype(np.int64)
        rows = gradients.detach().reshape(len(numbers), *self.table.shape[1:]).numpy()
        kept = numbers != (-1 if self.padding_idx is None else self.padding_idx)
        if number in self._gradients:
            before = self._gradients[number][1]
            before += rows[kept]
        else:
            self._gradients[number] = numbers[kept], rows[kept]


def _on_any_rank(table: ShardedTable, is_so: bool) -> bool:
    ranks = table.exchange.ranks
    return bool(table.exchange.exchange_numbers(np.full((ranks, 1), is_so, np.int64)).any())


class _Rows(_Function):
    """A row for each id. The ids are copied: what has been checked does not change."""

    @staticmethod
    def forward(ctx: Any, anchor: Tensor, module: ShardedEmbedding, ids: Tensor) -> Tensor:
        ctx.module, ctx.number, ctx.ids = module, module._begin(), ids.detach().clone()
        return torch.from_numpy(module.table.take(ctx.ids, negative="out_of_range"))

    @staticmethod
    @_once  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad: Tensor) -> Any:
        ctx.module._keep(ctx.number, ctx.ids, grad)
        return None, None, None


class _Bags(_Function):
    """Rows pooled by bags. `keeps_rows`: whether their gradients depend on them."""

    @staticmethod
    def forward(
        ctx: Any,
        anchor: Tensor,
        module: ShardedEmbedding,
        ids: Tensor,
        offsets: Tensor | None,
        weights: Tensor | None,
        keeps_rows: bool,
    ) -> Tensor:
        ctx.module, ctx.number = module, module._begin()
        copies = [None if given is None else given.detach().clone() for given in (ids, offsets, weights)]
        ctx.ids, ctx.offsets, ctx.weights = copies
        pooled = module.table.embedding_bag(
            ctx.ids,
            offsets=ctx.offsets,
            weights=ctx.weights,
            mode=module.mode,
            include_last_offset=module.include_last_offset,
            accumulate=module.accumulate,
            negative="out_of_range",
            padding_index=module.padding_idx,
        )
        ctx.rows = None
        if _on_any_rank(module.table, keeps_rows):
            ctx.rows = torch.from_numpy(module.table.take(ctx.ids.reshape(-1)))
        return torch.from_numpy(pooled)

    @staticmethod
    @_once  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad: Tensor) -> Any:
        """By the gradients of the same bags of a table that has a row for each sample."""
        module, count = ctx.module, ctx.ids.numel()
        samples = torch.arange(count).reshape(ctx.ids.shape)
        if module.padding_idx is not None:
            samples = samples.masked_fill(ctx.ids == module.padding_idx, -1)
        rows = ctx.rows
        if rows is None:
            rows = grad.new_zeros([1, *grad.shape[1:]]).expand([count, *grad.shape[1:]])
        wanted = [rows.detach().requires_grad_()]
        if ctx.needs_input_grad[4]:
            wanted.append(ctx.weights.detach().requires_grad_())
        with torch.enable_grad():
            pooled = functions.embedding_bag(
                samples,
                wanted[0],
                ctx.offsets,
                mode=module.mode,
                per_sample_weights=wanted[1] if ctx.needs_input_grad[4] else ctx.weights,
                include_last_offset=module.include_last_offset,
                accumulate=module.accumulate,
                padding_index=-1,
            )
        to_rows, *to_weights = torch.autograd.grad(pooled, wanted, grad)
        module._keep(ctx.number, ctx.ids, to_rows)
        return None, None, None, None, to_weights[0] if to_weights else None, None
