#!/usr/bin/env python3
"""OpenVINO alone and with the plug-in: the cost of a tiny call and of a node, and large calls.

    PYTHONPATH=build/release/python .venv/bin/python bench/openvino_plugin.py [--rounds N]

Both run once per round, in turn; shown are the minima over the rounds, and host / plug-in.
"""

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np
import openvino
from openvino import opset8, opset12, opset15

from windrow import openvino_plugin

CORE = openvino.Core()
CORE.add_extension(openvino_plugin.extension())
TINY_CALLS = 2000
CHAIN = 200

Request = Callable[[], object]
Node = openvino.Node
Build = Callable[..., Node]


def prepare(build: Build, inputs: Sequence[np.ndarray], replaced: bool) -> Request:
    """One inference of the model that `build` makes, with its inputs bound."""
    parameters = [opset15.parameter(value.shape, value.dtype) for value in inputs]
    model = openvino.Model([build(*parameters)], parameters)
    if replaced:
        assert openvino_plugin.replace(model) > 0
    compiled = CORE.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})
    request = compiled.create_infer_request()
    for number, value in enumerate(inputs):
        request.set_input_tensor(number, openvino.Tensor(value, shared_memory=True))
    return request.infer


def gather(data: Node, indices: Node) -> Node:
    return opset8.gather(data, indices, np.int64(0))


def gather_chain(data: Node, indices: Node) -> Node:
    for _ in range(CHAIN):
        data = gather(data, indices)
    return data


def scatter_sum(data: Node, indices: Node, updates: Node) -> Node:
    return opset12.scatter_elements_update(data, indices, updates, np.int64(0), "sum", True)


def scatter_nd_sum(data: Node, indices: Node, updates: Node) -> Node:
    return opset15.scatter_nd_update(data, indices, updates, "sum")


def cases() -> dict[str, tuple[Build, list[np.ndarray], int, int]]:
    """Name -> model, inputs, inferences per round, nodes."""
    random = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return random.standard_normal(shape, dtype=np.float32)

    def indices(most: int, *shape: int) -> np.ndarray:
        return random.integers(0, most, shape, dtype=np.int32)

    rows = np.repeat(indices(100_000, 200_000, 1), 64, axis=1)
    return {
        "tiny gather, one node": (gather, [floats(8, 4), indices(8, 3)], TINY_CALLS, 1),
        f"tiny gather, {CHAIN} nodes": (gather_chain, [floats(8, 4), indices(8, 8)], 20, CHAIN),
        "Gather [500000, 64], 131072 rows": (
            gather,
            [floats(500_000, 64), indices(500_000, 131_072)],
            1,
            1,
        ),
        "GatherElements [200000, 64]": (
            lambda d, i: openvino.opset6.gather_elements(d, i, 0),
            [floats(200_000, 64), np.repeat(indices(200_000, 200_000, 1), 64, axis=1)],
            1,
            1,
        ),
        "ScatterElementsUpdate sum, 200000 x 64 into [100000, 64]": (
            scatter_sum,
            [floats(100_000, 64), rows, floats(200_000, 64)],
            1,
            1,
        ),
        "ScatterNDUpdate sum, 200000 rows of 64 into 100000": (
            scatter_nd_sum,
            [floats(100_000, 64), rows[:, :1].copy(), floats(200_000, 64)],
            1,
            1,
        ),
    }


def seconds(run: Request, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print(f"microseconds per node, least of {rounds} rounds; host, plug-in, host / plug-in")
    for name, (build, inputs, calls, nodes) in cases().items():
        contestants = [prepare(build, inputs, replaced) for replaced in (False, True)]
        times = [[seconds(run, calls) / nodes * 1e6 for run in contestants] for _ in range(rounds)]
        host, ours = np.min(times, axis=0)
        print(f"{name:58} {host:10.2f} {ours:10.2f} {host / ours:6.2f}", flush=True)


if __name__ == "__main__":
    main()
