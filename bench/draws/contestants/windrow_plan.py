"""This library: a compiled plan, called from Python."""

from __future__ import annotations

from collections.abc import Iterator

from draws.cases import DrawnCase
from draws.contestants import output_of
from peers.contestants import Inputs, Spelling
from peers.contestants.windrow_plan import compile_plan, versions  # noqa: F401


def describe(case: DrawnCase, inputs: Inputs, threads: int) -> str:
    return compile_plan(case, inputs, threads).describe()


def spellings(case: DrawnCase, inputs: Inputs, threads: int) -> Iterator[Spelling]:
    plan = compile_plan(case, inputs, threads)
    if case.mode == "fresh":
        operands = tuple(inputs.values())
        yield Spelling(f"plan(), {plan.kernels}", lambda: plan(*operands))
        return
    out, reset = output_of(case, inputs)
    label = f"plan(out=), {plan.kernels}"
    # Without a star call: in small calls the unpacking of a tuple shows.
    if case.is_scatter:
        data, indices, updates = inputs.values()
        yield Spelling(label, lambda: plan(data, indices, updates, out=out), out, reset=reset)
    else:
        data, indices = inputs.values()
        yield Spelling(label, lambda: plan(data, indices, out=out), out, reset=reset)
