"""PyTorch over NumPy's memory: index_select, gather, take; copy_ and the forms in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from draws.cases import DrawnCase
from draws.contestants import after, as_signed, output_of
from peers.cases import TUPLES
from peers.contestants import Inputs, Spelling, torch_tensors
from peers.contestants.torch_tensors import Write, versions  # noqa: F401

Calls = Iterator[tuple[str, Callable[[], object]]]


def _fresh_gathers(case: DrawnCase, data: torch.Tensor, indices: torch.Tensor) -> Calls:
    axis = case.axis
    if case.operator in ("Gather", "Take"):
        flat, shape = indices.reshape(-1), case.output
        yield "index_select", lambda: torch.index_select(data, axis, flat).view(shape)
        yield "data[indices]", lambda: data[(slice(None),) * axis + (indices,)]
        if data.dim() == 1 and indices.dtype == torch.int64:
            yield "take", lambda: torch.take(data, indices)
    elif case.operator == "GatherElements":
        yield "gather", lambda: torch.gather(data, axis, indices)
    elif case.batch_dims:
        batch = torch.arange(data.shape[0])[:, None]
        yield "data[batch, indices]", lambda: data[batch, indices[..., 0]]
        wide = indices.expand(*indices.shape[:-1], data.shape[-1])
        yield "gather of expanded indices", lambda: torch.gather(data, 1, wide)
    else:
        rows = data.view(-1, *data.shape[indices.shape[-1] :])
        yield "data[tuple]", lambda: data[indices.unbind(-1)]
        yield ("index_select at linear indices",
               lambda: torch.index_select(rows, 0, torch_tensors.linear_indices(case, indices)))


def _fresh_scatters(case: DrawnCase, data: torch.Tensor, indices: torch.Tensor,
                    updates: torch.Tensor) -> Calls:
    def on_clone(write: Write) -> torch.Tensor:
        out = data.clone()
        write(out)
        return out

    for label, write in torch_tensors.writes(case, indices, updates):
        yield f"clone, {label}", lambda write=write: on_clone(write)
    if case.operator == "ScatterElements":
        scatter = torch.scatter_add if case.reduction == "add" else torch.scatter
        yield scatter.__name__, lambda: scatter(data, case.axis, indices, updates)
    elif case.operator not in TUPLES:
        yield "index_add", lambda: torch.index_add(data, 0, indices, updates)


def _calls(case: DrawnCase, tensors: dict[str, torch.Tensor], out: torch.Tensor | None) -> Calls:
    """out: None in the mode "fresh"."""
    if out is None:
        yield from (_fresh_scatters if case.is_scatter else _fresh_gathers)(case, *tensors.values())
    elif case.in_place:
        for label, write in torch_tensors.writes(case, tensors["indices"], tensors["updates"]):
            yield label, lambda write=write: write(out)
    elif case.is_scatter:
        yield from torch_tensors.scatters(case, *tensors.values(), out)
    else:
        for label, run in torch_tensors.gathers(case, *tensors.values(), out):
            if not label.startswith("data["):  # That one makes a new tensor.
                yield label, run


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    """Some functions take int64 indices alone: others are converted in every call too."""
    torch.set_num_threads(threads)
    tensors = {name: torch.from_numpy(array) for name, array in as_signed(inputs).items()}
    array, reset = output_of(case, inputs) if case.mode == "given" else (None, None)
    out = None if array is None else torch.from_numpy(array)
    for label, run in _calls(case, tensors, out):
        yield Spelling(label, run, array, reset=reset)
    indices = tensors["indices"]
    if indices.dtype != torch.int64:
        wide = torch.empty(indices.shape, dtype=torch.int64)
        wide.copy_(indices)
        for label, run in _calls(case, tensors | {"indices": wide}, out):
            yield Spelling(f"indices to int64, {label}", after(lambda: wide.copy_(indices), run),
                           array, reset=reset)
