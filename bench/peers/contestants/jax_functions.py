"""JAX: jitted functions of arrays on the device; the result is a new array, as JAX has no out=."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

from peers.cases import TUPLES, Case, bases  # noqa: E402
from peers.contestants import Inputs, NotOffered, Spelling  # noqa: E402

jax.config.update("jax_enable_x64", True)  # else int64 indices and data become int32
jax.config.update("jax_cpu_enable_async_dispatch", False)  # runs in the calling thread

PROMISE = "promise_in_bounds"


def versions() -> dict[str, str]:
    return {"jax": jax.__version__}


def _where(case: Case, indices: jax.Array) -> tuple[jax.Array | slice, ...]:
    """As peers.check.where(), in traced arrays."""
    if case.operator in TUPLES:
        batch = jnp.ogrid[tuple(map(slice, indices.shape[: case.batch_dims]))]
        ranks = indices.ndim - 1 - case.batch_dims
        heads = tuple(grid.reshape(grid.shape + (1,) * ranks) for grid in batch)
        return heads + tuple(jnp.moveaxis(indices, -1, 0))
    if case.operator == "ScatterElements":
        grid = list(jnp.ogrid[tuple(map(slice, indices.shape))])
        grid[case.axis] = indices
        return tuple(grid)
    return (slice(None),) * case.axis + (indices,)


def _linear(case: Case, indices: jax.Array) -> jax.Array:
    depth = case.batch_dims + indices.shape[-1]
    parts = _where(case, indices)
    linear = parts[0]
    for part, extent in zip(parts[1:], case.data[1:depth]):
        linear = linear * extent + part
    return linear


def _gathers(case: Case) -> Iterator[tuple[str, Callable[..., jax.Array]]]:
    if case.operator in ("Gather", "Take"):
        yield f"at[].get, {PROMISE}", lambda d, i: d.at[_where(case, i)].get(mode=PROMISE)
        yield "take, clip", lambda d, i: jnp.take(d, i, axis=case.axis, mode="clip")
    elif case.operator == "GatherElements":
        for mode in (PROMISE, "clip"):
            yield (f"take_along_axis, {mode}",
                   lambda d, i, m=mode: jnp.take_along_axis(d, i, axis=case.axis, mode=m))
    else:
        depth = case.batch_dims + case.indices[-1]
        yield f"at[tuple].get, {PROMISE}", lambda d, i: d.at[_where(case, i)].get(mode=PROMISE)
        yield (f"at[linear].get, {PROMISE}",
               lambda d, i: d.reshape(-1, *d.shape[depth:])
               .at[_linear(case, i)].get(mode=PROMISE))


def _scatters(case: Case) -> Iterator[tuple[str, Callable[..., jax.Array]]]:
    promises = {"unique_indices": case.draw == "distinct",
                "indices_are_sorted": case.draw == "sorted"}

    def scatter(data: jax.Array, cells: object, updates: jax.Array) -> jax.Array:
        at = data.at[cells]
        write = at.add if case.reduction == "add" else at.set
        return write(updates, mode=PROMISE, **promises)

    verb = "add" if case.reduction == "add" else "set"
    yield f"at[].{verb}, {PROMISE}", lambda d, i, u: scatter(d, _where(case, i), u)
    if case.operator == "ScatterND" and case.indices[-1] > 1:
        depth = case.indices[-1]
        yield (f"at[linear].{verb}, {PROMISE}",
               lambda d, i, u: scatter(d.reshape(-1, *d.shape[depth:]), _linear(case, i),
                                       u).reshape(d.shape))


def spellings(case: Case, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    """XLA takes as many threads as the process may use cores. It sees how operands are laid out."""
    del threads
    if case.mode == "given":
        raise NotOffered("JAX has no out=")
    arrays = [jax.device_put(base) for base in bases(case, inputs).values()]
    names = list(inputs)

    def of_bases(function: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
        return jax.jit(lambda *memory: function(
            *(case.view(name, base) for name, base in zip(names, memory))))

    for label, function in (_scatters if case.is_scatter else _gathers)(case):
        # Called as it is and not compiled ahead: that has the shorter way from Python.
        jitted = of_bases(function)
        yield Spelling(f"jit {label}", lambda run=jitted: run(*arrays).block_until_ready())
