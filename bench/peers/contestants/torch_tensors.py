"""PyTorch over NumPy's memory: index_select, gather, take, with out= where there is an output; copy_ and the forms in
place."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import torch

from peers.cases import TUPLES, Case
from peers.contestants import Inputs, Spelling, after, as_signed, output_of


def versions() -> dict[str, str]:
    return {"torch": torch.__version__}


def _linear_indices(case: Case, indices: torch.Tensor) -> torch.Tensor:
    """Of index tuples, without batch: the row of data with the indexed axes merged."""
    columns = indices.unbind(-1)
    linear = columns[0]
    for column, extent in zip(columns[1:], case.data[1:]):
        linear = linear * extent + column
    return linear


def _flat(indices: torch.Tensor) -> Callable[[], torch.Tensor]:
    """Gives them in one dimension; where that takes a copy, a new one with every call."""
    if indices.dim() > 1 and not indices.is_contiguous():
        return lambda: indices.reshape(-1)
    flat = indices.view(-1)
    return lambda: flat


Calls = Iterator[tuple[str, Callable[[], object]]]
NEW = "data["  # So begin the labels of what makes a new tensor in any case.


def _gathers(case: Case, data: torch.Tensor, indices: torch.Tensor, out: torch.Tensor | None) -> Calls:
    """out: None where every call is to return a new tensor."""
    axis, given = case.axis, "" if out is None else "(out=)"
    if case.operator in ("Gather", "Take"):
        flat, shape = _flat(indices), case.output
        if out is None:
            yield "index_select", lambda: torch.index_select(data, axis, flat()).view(shape)
            yield "data[indices]", lambda: data[(slice(None),) * axis + (indices,)]
        else:
            flat_out = out.view(data.shape[:axis] + (-1,) + data.shape[axis + 1 :])
            yield "index_select(out=)", lambda: torch.index_select(data, axis, flat(), out=flat_out)
        if data.dim() == 1 and indices.dtype == torch.int64:
            yield f"take{given}", lambda: torch.take(data, indices, out=out)
            if indices.dim() == 1:
                yield f"gather{given}", lambda: torch.gather(data, 0, indices, out=out)
    elif case.operator == "GatherElements":
        yield f"gather{given}", lambda: torch.gather(data, axis, indices, out=out)
    elif case.batch_dims:
        batch = torch.arange(data.shape[0])[:, None]
        yield "data[batch, indices]", lambda: data[batch, indices[..., 0]]
        wide = indices[(..., 0, *(None for _ in data.shape[2:]))].expand(case.output)
        yield "gather of expanded indices", lambda: torch.gather(data, 1, wide, out=out)
    else:
        shape = (-1, *data.shape[indices.shape[-1] :])
        rows = data.view(shape) if data.is_contiguous() else None

        def merged() -> torch.Tensor:
            return data.reshape(shape) if rows is None else rows

        yield "data[tuple]", lambda: data[indices.unbind(-1)]
        yield ("index_select at linear indices",
               lambda: torch.index_select(merged(), 0, _linear_indices(case, indices), out=out))
        if len(shape) == 1:
            yield ("take at linear indices",
                   lambda: torch.take(merged(), _linear_indices(case, indices).to(torch.int64), out=out))


Write = Callable[[torch.Tensor], object]


def _writes(case: Case, indices: torch.Tensor, updates: torch.Tensor) -> Iterator[tuple[str, Write]]:
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
        return _linear_indices(case, indices) if case.operator in TUPLES else indices

    if adds:
        yield "index_add_", lambda out: out.view(flat).index_add_(0, linear(), updates)
    else:
        yield "index_copy_", lambda out: out.view(flat).index_copy_(0, linear(), updates)
        if len(flat) == 1:
            yield ("scatter_",
                   lambda out: out.view(flat).scatter_(0, linear().to(torch.int64), updates))
    columns = indices.unbind(-1) if case.operator in TUPLES else (indices,)
    yield "index_put_", lambda out: out.index_put_(columns, updates, accumulate=adds)


def _scatters(case: Case, data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor,
              out: torch.Tensor | None) -> Calls:
    def into_out(write: Write) -> None:
        out.copy_(data)
        write(out)

    def into_clone(write: Write) -> torch.Tensor:
        clone = data.clone()
        write(clone)
        return clone

    for label, write in _writes(case, indices, updates):
        if out is None:
            yield f"clone, {label}", functools.partial(into_clone, write)
        elif case.in_place:
            yield label, functools.partial(write, out)
        else:
            yield f"copy_, {label}", functools.partial(into_out, write)
    if case.in_place:
        return
    given = "" if out is None else "(out=)"
    if case.operator == "ScatterElements" and case.draw != "row-constant":
        scatter = torch.scatter_add if case.reduction == "add" else torch.scatter
        yield f"{scatter.__name__}{given}", lambda: scatter(data, case.axis, indices, updates, out=out)
    elif out is None and case.operator == "IndexAdd":
        yield "index_add", lambda: torch.index_add(data, 0, indices, updates)


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    """Some functions take int64 indices alone: others are converted in every call too."""
    torch.set_num_threads(threads)
    tensors = {name: torch.from_numpy(array) for name, array in as_signed(inputs).items()}
    array, reset = (None, None) if case.mode == "fresh" else output_of(case, inputs)
    out = None if array is None else torch.from_numpy(array)
    taken = [("", None, tensors["indices"])]
    if tensors["indices"].dtype != torch.int64:
        wide = torch.empty(tensors["indices"].shape, dtype=torch.int64)
        wide.copy_(tensors["indices"])
        taken.append(("indices to int64, ", lambda: wide.copy_(tensors["indices"]), wide))
    for converted, convert, indices in taken:
        operands = (tensors | {"indices": indices}).values()
        for label, run in (_scatters if case.is_scatter else _gathers)(case, *operands, out):
            is_new = label.startswith(NEW)
            if not is_new or case.mode != "given":
                yield Spelling(converted + label, after(convert, run), None if is_new else array, reset=reset)
