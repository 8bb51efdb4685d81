#!/usr/bin/env python3
"""windrow.jax beside jax.numpy: what a tiny call costs, and what large ones gain.

    PYTHONPATH=build/release/python .venv/bin/python bench/jax_plugin.py [--rounds N] [--quick]

Both run compiled by jax.jit and take turns within every round. Shown are the shortest times, their
ratio jax.numpy / windrow.jax (above 1, Windrow is faster), and the median of the rounds' ratios.
Results are compared first.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import windrow.jax as wj


@dataclass
class Case:
    name: str
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    arrays: tuple[Any, ...]
    calls: int = 1  # of one measurement
    donated: bool = False  # the first array is a fresh one for every call, and may be overwritten


def cases(quick: bool) -> list[Case]:
    rng = np.random.default_rng(1)
    scale = 10 if quick else 1
    floats = lambda *shape: jnp.asarray(rng.standard_normal(shape, dtype=np.float32))  # noqa: E731
    rows_of = lambda extent, n: jnp.asarray(rng.integers(0, extent, n))  # noqa: E731
    small, large = floats(8, 4), floats(1_000_000 // scale, 128)
    three, many = rows_of(8, 3), rows_of(len(large), 131_072 // scale)
    nodes, edges = floats(10_000, 64), rows_of(10_000, 500_000 // scale)
    messages = floats(len(edges), 64)
    columns = jnp.broadcast_to(edges[:, None], messages.shape) + 0

    def embedding(take: Callable[..., Any]) -> Callable[..., Any]:
        return jax.grad(lambda table, ids: (take(table, ids, 0) ** 2).sum())

    def add(data: Any, rows: Any, updates: Any) -> Any:
        return data.at[rows].add(updates)

    def add_elements(data: Any, indices: Any, updates: Any) -> Any:
        return data.at[indices, jnp.arange(data.shape[1])].add(updates)

    def take(data: Any, rows: Any) -> Any:
        return jnp.take(data, rows, 0)

    def our_take(data: Any, rows: Any) -> Any:
        return wj.take(data, rows, 0)

    def our_elements(data: Any, indices: Any, updates: Any) -> Any:
        return wj.scatter(data, indices, updates, 0, "sum")

    return [
        Case("take, 3 rows of 8x4", take, our_take, (small, three), 1000),
        Case("index_add, 3 rows of 8x4", add, wj.index_add, (small, three, small[:3]), 1000),
        Case("take, 128-float rows", take, our_take, (large, many)),
        Case("index_add, 64-float rows", add, wj.index_add, (nodes, edges, messages)),
        Case("the same, data donated", add, wj.index_add, (nodes, edges, messages), donated=True),
        Case("scatter sum, elements", add_elements, our_elements, (nodes, columns, messages)),
        Case(
            "gradient of take",
            embedding(jnp.take),
            embedding(wj.take),
            (floats(100_000 // scale, 128), rows_of(100_000 // scale, 131_072 // scale)),
        ),
    ]


def seconds(function: Callable[..., Any], case: Case) -> float:
    arrays = case.arrays
    if case.donated:
        arrays = (jax.block_until_ready(arrays[0] + 0), *arrays[1:])
    start = time.perf_counter()
    for _ in range(case.calls):
        result = function(*arrays)
    jax.block_until_ready(result)
    return (time.perf_counter() - start) / case.calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes")
    options = parser.parse_args()
    print(f"jax {jax.__version__}, {options.rounds} rounds")
    print(f"{'':26} {'jax.numpy':>12} {'windrow.jax':>12} {'ratio':>6} {'median':>7}")
    for case in cases(options.quick):
        donate = (0,) if case.donated else ()
        both = [jax.jit(function, donate_argnums=donate) for function in (case.theirs, case.ours)]
        fresh = lambda: (case.arrays[0] + 0, *case.arrays[1:])  # noqa: B023, E731
        np.testing.assert_allclose(both[0](*fresh()), both[1](*fresh()), rtol=1e-3, atol=1e-3)
        times = [[seconds(function, case) for function in both] for _ in range(options.rounds)]
        theirs, ours = (min(column) for column in zip(*times, strict=True))
        median = statistics.median(a / b for a, b in times)
        unit, name = (1e6, "us") if theirs < 1e-3 else (1e3, "ms")
        print(
            f"{case.name:26} {theirs * unit:9.2f} {name} {ours * unit:9.2f} {name} "
            f"{theirs / ours:6.2f} {median:7.2f}"
        )


if __name__ == "__main__":
    main()
