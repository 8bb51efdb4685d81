"""PyTorch: index_select, gather, take with out=; index_add_ for rows; over NumPy's memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from peers.cases import TUPLES, Case, new_output
from peers.contestants import Inputs, Spelling


def versions() -> dict[str, str]:
    return {"torch": torch.__version__}


def _linear(case: Case, indices: torch.Tensor) -> torch.Tensor:
    """Of index tuples, without batch: the row of data with the indexed axes merged."""
    columns = indices.unbind(-1)
    linear = columns[0]
    for column, extent in zip(columns[1:], case.data[1:]):
        linear = linear * extent + column
    return linear


def _gathers(case: Case, data: torch.Tensor, indices: torch.Tensor,
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
               lambda: torch.index_select(rows, 0, _linear(case, indices), out=out))
        if rows.dim() == 1:
            yield ("take at linear indices",
                   lambda: torch.take(rows, _linear(case, indices).to(torch.int64), out=out))


def _scatters(case: Case, data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor,
              out: torch.Tensor) -> Iterator[tuple[str, Callable[[], object]]]:
    adds, axis = case.reduction == "add", case.axis

    def after_copy(write: Callable[[], object]) -> Callable[[], object]:
        def run() -> None:
            out.copy_(data)
            write()

        return run

    if case.operator == "ScatterElements":
        if case.draw == "row-constant":
            rows = indices[:, 0].contiguous()
            yield "copy_, index_add_", after_copy(lambda: out.index_add_(0, rows, updates))
        elif adds:
            yield ("copy_, scatter_add_",
                   after_copy(lambda: out.scatter_add_(axis, indices, updates)))
            yield ("scatter_add(out=)",
                   lambda: torch.scatter_add(data, axis, indices, updates, out=out))
        else:
            yield "copy_, scatter_", after_copy(lambda: out.scatter_(axis, indices, updates))
            yield "scatter(out=)", lambda: torch.scatter(data, axis, indices, updates, out=out)
        return
    depth = indices.shape[-1] if case.operator in TUPLES else 1
    flat = out.view(-1, *data.shape[depth:])

    def linear() -> torch.Tensor:
        return _linear(case, indices) if case.operator in TUPLES else indices

    if adds:
        yield "copy_, index_add_", after_copy(lambda: flat.index_add_(0, linear(), updates))
    else:
        yield "copy_, index_copy_", after_copy(lambda: flat.index_copy_(0, linear(), updates))
        if flat.dim() == 1:
            yield ("copy_, scatter_",
                   after_copy(lambda: flat.scatter_(0, linear().to(torch.int64), updates)))
    columns = indices.unbind(-1) if case.operator in TUPLES else (indices,)
    yield ("copy_, index_put_",
           after_copy(lambda: out.index_put_(columns, updates, accumulate=adds)))


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    torch.set_num_threads(threads)
    array = new_output(case)
    tensors = [torch.from_numpy(one) for one in (*inputs.values(), array)]
    for label, run in (_scatters if case.is_scatter else _gathers)(case, *tensors):
        yields_new = label.startswith("data[")
        yield Spelling(label, run, None if yields_new else array)
