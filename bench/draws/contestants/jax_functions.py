"""JAX: jitted functions of arrays on the device, which return new arrays: it has no other outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from draws.cases import DrawnCase
from draws.inputs import bases
from peers.contestants import Inputs, NotOffered, Spelling
from peers.contestants.jax_functions import gathers, jax, scatters, versions  # noqa: F401


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    """XLA takes as many threads as the process may use cores. It sees how operands are laid out."""
    del threads
    if case.mode == "given":
        raise NotOffered("JAX has no out=")
    arrays = [jax.device_put(base) for base in bases(case, inputs).values()]
    names = list(inputs)

    def of_bases(function: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
        return jax.jit(lambda *memory: function(
            *(case.view(name, base) for name, base in zip(names, memory))))

    for label, function in (scatters if case.is_scatter else gathers)(case):
        jitted = of_bases(function)
        yield Spelling(f"jit {label}", lambda run=jitted: run(*arrays).block_until_ready())
