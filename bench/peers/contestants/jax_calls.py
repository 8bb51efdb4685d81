"""Functions of jax.numpy, or Windrow's in their place, as a program compiled by JAX calls them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from peers.cases import DONATED, GRADIENT, Case
from peers.contestants import Inputs, NotOffered, Spelling
from peers.contestants.jax_functions import jax, jnp, versions  # noqa: F401


def _functions(case: Case, ours: bool) -> dict[str, Callable[..., Any]]:
    """By operator."""
    if ours:
        import windrow.jax

        return {
            "Take": lambda data, rows: windrow.jax.take(data, rows, 0),
            "IndexAdd": windrow.jax.index_add,
            "ScatterElements": lambda *operands: windrow.jax.scatter(*operands, 0, "sum"),
        }
    return {
        "Take": lambda data, rows: jnp.take(data, rows, 0),
        "IndexAdd": lambda data, rows, updates: data.at[rows].add(updates),
        "ScatterElements": lambda data, indices, updates:
            data.at[indices, jnp.arange(data.shape[1])].add(updates),
    }


def spellings(case: Case, inputs: Inputs, threads: int, ours: bool = False) -> Iterator[Spelling]:
    del threads
    functions = _functions(case, ours)
    if case.operator not in functions:
        raise NotOffered("no function of this meaning")
    function = functions[case.operator]
    data, *others = (jax.device_put(array) for array in inputs.values())
    if case.how == GRADIENT:
        value = function
        function = jax.grad(lambda table, rows: (value(table, rows) ** 2).sum() / 2)
    jitted = jax.jit(function, donate_argnums=(0,) if case.how == DONATED else ())
    if case.how != DONATED:
        yield Spelling("jit", lambda: jitted(data, *others).block_until_ready())
        return

    def seconds(calls: int) -> float:
        """The copy that a call takes as its own is not timed."""
        taken = 0.0
        for _ in range(calls):
            given = (data + 0).block_until_ready()
            start = time.perf_counter()
            jitted(given, *others).block_until_ready()
            taken += time.perf_counter() - start
        return taken

    yield Spelling("jit, data donated", lambda: jitted(data + 0, *others).block_until_ready(), timed=seconds)
