#!/usr/bin/env python3
"""Windrow's operators in PyTorch beside PyTorch's own: small calls and large ones, in turn.

    PYTHONPATH=build/release/python PYTHON bench/torch_plugin.py [--rounds N] [--threads N]

PYTHON has torch, and `python -m windrow.torch build` was run. Every contestant runs once per round,
torch's first; shown are the medians, and the median over the rounds of torch / Windrow (above 1,
Windrow is faster).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

import torch
import windrow.torch as ours

Case = tuple[str, Callable[[], object], Callable[[], object]]
SMALL_CALLS = 5000


def small_calls() -> Iterator[Case]:
    """Three rows of 4 float32 out of 8."""
    data, rows, source = torch.randn(8, 4), torch.tensor([1, 5, 2]), torch.randn(3, 4)
    wide = rows[:, None].expand(3, 4)
    embedding = torch.nn.functional.embedding
    yield (
        "index_select",
        lambda: torch.index_select(data, 0, rows),
        lambda: ours.index_select(data, 0, rows),
    )
    yield "embedding", lambda: embedding(rows, data), lambda: ours.embedding(rows, data)
    yield "gather", lambda: torch.gather(data, 0, wide), lambda: ours.gather(data, 0, wide)
    yield (
        "index_add",
        lambda: torch.index_add(data, 0, rows, source),
        lambda: ours.index_add(data, 0, rows, source),
    )
    yield (
        "index_add_",
        lambda: data.index_add_(0, rows, source),
        lambda: ours.index_add_(data, 0, rows, source),
    )
    yield (
        "scatter_reduce amax",
        lambda: torch.scatter_reduce(data, 0, wide, source, "amax"),
        lambda: ours.scatter_reduce(data, 0, wide, source, "amax"),
    )


def large_calls() -> Iterator[Case]:
    """Tables of 51 MB and more, with random rows, some of them many times."""
    nodes, edges, width = 100_000, 500_000, 64
    generator = torch.Generator().manual_seed(1)
    table = torch.randn(nodes, width, generator=generator)
    rows = torch.randint(nodes, (edges,), generator=generator)
    messages = torch.randn(edges, width, generator=generator)
    wide = rows[:, None].expand_as(messages)
    every = torch.randint(nodes, (edges, 16), generator=generator)
    narrow, narrow_messages = (part[:, :16].contiguous() for part in (table, messages))
    half, half_messages = table.half(), messages.half()
    columns = torch.randint(width, (nodes, 32), generator=generator)
    embedding = torch.nn.functional.embedding

    def backward(function: Callable[..., torch.Tensor]) -> torch.Tensor:
        weight = table.detach().requires_grad_()
        (grad,) = torch.autograd.grad(function(rows, weight), weight, messages)
        return grad

    yield (
        "index_select",
        lambda: torch.index_select(table, 0, rows),
        lambda: ours.index_select(table, 0, rows),
    )
    yield "embedding", lambda: embedding(rows, table), lambda: ours.embedding(rows, table)
    yield (
        "embedding and its gradient",
        lambda: backward(embedding),
        lambda: backward(ours.embedding),
    )
    yield (
        "gather along the last axis",
        lambda: torch.gather(table, 1, columns),
        lambda: ours.gather(table, 1, columns),
    )
    yield (
        "index_add",
        lambda: torch.index_add(table, 0, rows, messages),
        lambda: ours.index_add(table, 0, rows, messages),
    )
    yield (
        "index_add float16",
        lambda: torch.index_add(half, 0, rows, half_messages),
        lambda: ours.index_add(half, 0, rows, half_messages),
    )
    for reduction in ("sum", "mean", "amax"):
        yield (
            f"scatter_reduce {reduction}, rows",
            lambda kind=reduction: torch.scatter_reduce(table, 0, wide, messages, kind),
            lambda kind=reduction: ours.scatter_reduce(table, 0, wide, messages, kind),
        )
    yield (
        "scatter_reduce sum, elements",
        lambda: torch.scatter_reduce(narrow, 0, every, narrow_messages, "sum"),
        lambda: ours.scatter_reduce(narrow, 0, every, narrow_messages, "sum"),
    )
    yield (
        "index_add_",
        lambda: table.index_add_(0, rows, messages),
        lambda: ours.index_add_(table, 0, rows, messages),
    )
    yield (
        "scatter_reduce_ amax, rows",
        lambda: table.scatter_reduce_(0, wide, messages, "amax"),
        lambda: ours.scatter_reduce_(table, 0, wide, messages, "amax"),
    )


def seconds(call: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def compare(title: str, cases: list[Case], rounds: int, times: int, unit: str) -> None:
    """One line per case; the first round only warms up."""
    scale = {"us": 1e6, "ms": 1e3}[unit]
    print(f"{title:34} {'torch':>9} {'windrow':>9} {'torch / windrow':>16}")
    for name, theirs, mine in cases:
        pairs = [(seconds(theirs, times), seconds(mine, times)) for _ in range(rounds + 1)][1:]
        ratio = statistics.median(their / our for their, our in pairs)
        their, our = (statistics.median(column) * scale for column in zip(*pairs, strict=True))
        print(f"{name:34} {their:6.2f} {unit} {our:6.2f} {unit} {ratio:16.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(f"torch {torch.__version__}, {options.threads} threads, {options.rounds} rounds")
    small = list(small_calls())
    compare("small, as usual", small, options.rounds, SMALL_CALLS, "us")
    with torch.inference_mode():
        compare("small, inference_mode", list(small_calls()), options.rounds, SMALL_CALLS, "us")
    compare("large", list(large_calls()), options.rounds, 1, "ms")


if __name__ == "__main__":
    main()
