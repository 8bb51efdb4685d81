"""PyTorch: index_select, gather, take with out=; index_add_ for rows; over NumPy's memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from peers.cases import TUPLES, Case, new_output
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {"torch": torch.__version__}


def linear_indices(case: Case, indices: torch.Tensor) -> torch.Tensor:
    """Of index tuples, without batch: the row of data with the indexed axes merged."""
    columns = indices.unbind(-1)
    linear = columns[0]
    for column, extent in zip(columns[1:], case.data[1:]):
        linear = linear * extent + column
    return linear


def gathers(case: Case, data: torch.Tensor, indices: torch.Tensor,
             out: torch.Tensor) -> Iterator[tuple[str, Callable[[], object]]]:
    axis = case.axis
    if case.operator in ("Gather", "Take"):
        flat = indices.reshape(-1)
        shape = data.shape[:axis] + flat.shape + data.shape[axis + 1 :]
        flat_out = out.view(shape)
        yield "index_select(out=)", lambda: torch.index_select(data, axis, flat, out=flat_out)
        if data.dim() == 1 and indices.dtype == torch.int64:
            yield "take(out=)", lambda: torch.take(data, indices, out=out)
            yield "gather(out=)", lambda: torch.gather(data, 0, indices, out=out)
    elif case.operator == "GatherElements":
        yield "gather(out=)", lambda: torch.gather(data, axis, indices, out=out)
    elif case.batch_dims:
        batch = torch.arange(data.shape[0])[:, None]
        yield "data[batch, indices]", lambda: data[batch, indices[..., 0]]
        wide = indices.expand(*indices.shape[:-1], data.shape[-1])
        yield "gather of expanded indices", lambda: torch.gather(data, 1, wide, out=out)
    else:
        rows = data.view(-1, *data.shape[indices.shape[-1] :])
        yield "data[tuple]", lambda: data[indices.unbind(-1)]
        yield ("index_select at linear indices",
               lambda: torch.index_select(rows, 0, linear_indices(case, indices), out=out))
        if rows.dim() == 1:
            yield ("take at linear indices",
                   lambda: torch.take(rows, linear_indices(case, indices).to(torch.int64), out=out))


Write = Callable[[torch.Tensor], object]


def writes(case: Case, indices: torch.Tensor, updates: torch.Tensor) -> Iterator[tuple[str, Write]]:
    """What is done to a tensor that holds a scatter's data to make it the result."""
    adds, axis = case.reduction == "add", case.axis
    if case.operator == "ScatterElements":
        if case.draw == "row-constant":
            rows = indices[:, 0].contiguous()
            yield "index_add_", lambda out: out.index_add_(0, rows, updates)
        elif adds:
            yield "scatter_add_", lambda out: out.scatter_add_(axis, indices, updates)
        else:
            yield "scatter_", lambda out: out.scatter_(axis, indices, updates)
        return
    depth = indices.shape[-1] if case.operator in TUPLES else 1
    flat = (-1, *case.data[depth:])

    def linear() -> torch.Tensor:
        return linear_indices(case, indices) if case.operator in TUPLES else indices

    if adds:
        yield "index_add_", lambda out: out.view(flat).index_add_(0, linear(), updates)
    else:
        yield "index_copy_", lambda out: out.view(flat).index_copy_(0, linear(), updates)
        if len(flat) == 1:
            yield ("scatter_",
                   lambda out: out.view(flat).scatter_(0, linear().to(torch.int64), updates))
    columns = indices.unbind(-1) if case.operator in TUPLES else (indices,)
    yield "index_put_", lambda out: out.index_put_(columns, updates, accumulate=adds)


def scatters(case: Case, data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor,
             out: torch.Tensor) -> Iterator[tuple[str, Callable[[], object]]]:
    def after_copy(write: Write) -> Callable[[], object]:
        def run() -> None:
            out.copy_(data)
            write(out)

        return run

    for label, write in writes(case, indices, updates):
        yield f"copy_, {label}", after_copy(write)
    if case.operator == "ScatterElements" and case.draw != "row-constant":
        scatter = torch.scatter_add if case.reduction == "add" else torch.scatter
        yield (f"{scatter.__name__}(out=)",
               lambda: scatter(data, case.axis, indices, updates, out=out))


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    torch.set_num_threads(threads)
    array = new_output(case)
    tensors = [torch.from_numpy(one) for one in (*inputs.values(), array)]
    for label, run in (scatters if case.is_scatter else gathers)(case, *tensors):
        yields_new = label.startswith("data[")
        yield Spelling(label, run, None if yields_new else array)
