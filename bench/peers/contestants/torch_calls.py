"""Functions of PyTorch, or windrow.torch's of the same names, as a program calls them: results are new tensors, unless
the function works in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import torch

from peers.cases import BAGS, EMBEDDING, GRADIENT, Case
from peers.contestants import Inputs, NotOffered, Spelling, output_of
from peers.contestants.torch_tensors import versions  # noqa: F401

REDUCTIONS = {"add": "sum", "max": "amax", "mean": "mean"}


def _module(ours: bool) -> ModuleType:
    if not ours:
        return torch
    import windrow.torch

    return windrow.torch


def _function(case: Case, module: ModuleType) -> Callable[..., torch.Tensor]:
    """Of the case's tensors in their order. torch's functions in place are a tensor's methods."""
    def named(name: str) -> Callable[..., torch.Tensor]:
        name += "_" if case.in_place else ""
        return getattr(torch.Tensor if module is torch and case.in_place else module, name)

    if case.operator == "Take":
        embedding = torch.nn.functional.embedding if module is torch else module.embedding
        if case.how == EMBEDDING:
            return lambda data, rows: embedding(rows, data)
        if case.how == GRADIENT:
            return lambda data, rows: _gradient(embedding, data, rows)
        return lambda data, rows: module.index_select(data, 0, rows)
    if case.operator == BAGS and module is torch:
        bags = torch.nn.functional.embedding_bag
        return lambda data, indices, offsets, weights=None: bags(
            indices, data, offsets, mode="sum", per_sample_weights=weights)
    if case.operator == "GatherElements":
        return lambda data, indices: module.gather(data, case.axis, indices)
    if case.operator == "IndexAdd":
        index_add = named("index_add")
        return lambda data, rows, updates: index_add(data, 0, rows, updates)
    if case.operator == "ScatterElements":
        scatter_reduce, kind = named("scatter_reduce"), REDUCTIONS[case.reduction]
        return lambda data, indices, updates: scatter_reduce(data, case.axis, indices, updates, kind)
    raise NotOffered("no function of this meaning")


def _gradient(embedding: Callable[..., torch.Tensor], data: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    weight = data.detach().requires_grad_()
    result = embedding(rows, weight)
    (gradient,) = torch.autograd.grad(result, weight, result.detach())
    return gradient


def spellings(case: Case, inputs: Inputs, threads: int, ours: bool = False,
              inference: bool = False) -> Iterator[Spelling]:
    """inference: in torch.inference_mode, where no gradient can be asked for later."""
    if inference and case.how == GRADIENT:
        raise NotOffered("no gradients in inference_mode")
    torch.set_num_threads(threads)
    function = _function(case, _module(ours))
    array, reset = output_of(case, inputs) if case.in_place else (None, None)
    # Entered for good: this process has no other use.
    torch.inference_mode().__enter__() if inference else None
    tensors = [torch.from_numpy(one) for one in inputs.values()]
    if case.draw == "row-constant":  # As programs expand an index for each row.
        tensors[1] = tensors[1][:, :1].contiguous().expand(tensors[1].shape)
    yield Spelling("as a program calls it", lambda: function(*tensors), array, reset=reset)
