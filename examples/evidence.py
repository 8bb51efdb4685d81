"""Shows what installed runtimes do to sums and to memory on this machine, and what Windrow does in the same calls.

    python examples/evidence.py [--runs N] [--threads N]

Needs windrow and, of onnx, onnxruntime, openvino, jax and torch, what is to be shown. Three of the four depend on
release, machine and chance; where one does not show, the last line of its part says so. Exit code 1: Windrow is wrong.
"""

import argparse
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from own_windrow import refuse_stranger

refuse_stranger()

import windrow  # noqa: E402

ONES = 4_000_000
NAN = float("nan")


@dataclass
class Part:
    """The result of one part: who did what, in the order in which it is printed.

    `shown`: whether a runtime did here what the part is about. `right`: whether Windrow did what it promises.
    """

    lines: list[tuple[str, str]] = field(default_factory=list)
    shown: bool = False
    right: bool = False

    def add(self, package: str, text: str) -> None:
        version = importlib.import_module(package).__version__.split("-")[0]
        self.lines.append((f"{package} {version}", text))


def onnx_model(operator: str, arrays: dict[str, np.ndarray], opset: int = 18, **attributes) -> bytes:
    """A model of one node whose inputs have the names, types and shapes of `arrays`; its output is `y`."""
    from onnx import helper

    types = {name: helper.np_dtype_to_tensor_dtype(array.dtype) for name, array in arrays.items()}
    inputs = [helper.make_tensor_value_info(name, types[name], array.shape) for name, array in arrays.items()]
    output = helper.make_tensor_value_info("y", types["data"], None)
    node = helper.make_node(operator, list(arrays), ["y"], **attributes)
    graph = helper.make_graph([node], "evidence", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10).SerializeToString()


def onnxruntime_session(model: bytes, threads: int):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def openvino_model(model: bytes):
    import openvino

    core = openvino.Core()
    return core.compile_model(core.read_model(model), "CPU")


def sums_race(runs: int, threads: int) -> Part:
    """ONNX's ScatterND adds 4,000,000 ones to one cell"""
    arrays = {"data": np.zeros(1, np.float32), "indices": np.zeros((ONES, 1), np.int64),
              "updates": np.ones(ONES, np.float32)}
    session = onnxruntime_session(onnx_model("ScatterND", arrays, reduction="add"), threads)
    theirs = [float(session.run(None, arrays)[0][0]) for _ in range(runs)]
    ours = [float(windrow.onnx.scatter_nd(*arrays.values(), reduction="add", threads=threads)[0]) for _ in range(runs)]
    part = Part(shown=theirs.count(ONES) < runs, right=ours.count(ONES) == runs)
    for package, sums in (("onnxruntime", theirs), ("windrow", ours)):
        lowest = "" if sums.count(ONES) == runs else f"; the lowest sum is {min(sums):,.0f}"
        part.add(package, f"right in {sums.count(ONES)} of {runs} runs{lowest}")
    return part


def foreign_memory(runs: int, threads: int) -> Part:
    """ONNX's GatherND takes elements 16 to 36 of a tensor of 16, for which ONNX wants an error"""
    memory = np.frombuffer(b"sixteen numbers.and what lies behind.", np.uint8).astype(np.int32)
    arrays = {"data": memory[:16], "indices": np.arange(16, memory.size).reshape(-1, 1)}
    part = Part()
    try:
        result = openvino_model(onnx_model("GatherND", arrays))(list(arrays.values()))[0]
        part.shown = bool(np.array_equal(result, memory[16:]))
        part.add("openvino", repr("".join(chr(value % 0x110000) for value in result)) if part.shown else "other values")
    except RuntimeError as error:
        part.add("openvino", f"an error: {str(error).splitlines()[-1]}")
    try:
        part.add("windrow", str(windrow.onnx.gather_nd(*arrays.values())))
    except windrow.IndexOutOfRange as error:
        part.right = error.value == 16
        part.add("windrow", f"an error: {error}")
    return part


def max_of_nan(runs: int, threads: int) -> Part:
    """ONNX's ScatterElements, max: [nan, 1, 2, 3] takes 5 into cell 0, nan into 1, nan into 2, 2 into 1"""
    arrays = {"data": np.array([NAN, 1, 2, 3], np.float32), "indices": np.array([0, 1, 2, 1]),
              "updates": np.array([5, NAN, NAN, 2], np.float32)}
    model = onnx_model("ScatterElements", arrays, reduction="max")
    results = {
        "onnxruntime": onnxruntime_session(model, threads).run(None, arrays)[0],
        "openvino": openvino_model(model)(list(arrays.values()))[0],
        "windrow": windrow.onnx.scatter_elements(*arrays.values(), reduction="max"),
    }
    part = Part(shown=len({str(result) for result in results.values()}) == len(results))
    part.right = bool(np.array_equal(results["windrow"], [NAN, NAN, NAN, 3], equal_nan=True))
    for package, result in results.items():
        part.add(package, str(result.tolist()))
    return part


def sums_vary(runs: int, threads: int) -> Part:
    """torch's index_put_(accumulate=True) and windrow.index_add sum a million numbers into 50 cells"""
    import torch

    rng = np.random.default_rng(0)
    cells, values = rng.integers(0, 50, 1_000_000), rng.standard_normal(1_000_000).astype(np.float32)
    torch.set_num_threads(threads)
    place, given = (torch.from_numpy(cells),), torch.from_numpy(values)
    theirs = {torch.zeros(50).index_put_(place, given, accumulate=True).numpy().tobytes() for _ in range(runs)}
    ours = {windrow.index_add(np.zeros(50, np.float32), cells, values, threads=threads).tobytes() for _ in range(runs)}
    part = Part(shown=len(theirs) > 1, right=len(ours) == 1)
    for package, results in (("torch", theirs), ("windrow", ours)):
        part.add(package, f"{len(results)} different result{'s' * (len(results) > 1)} in {runs} runs")
    return part


@dataclass(frozen=True)
class Claim:
    """A part of docs/guide/evidence.md: the packages that it needs, what shows it, and the test that holds it."""

    title: str
    packages: tuple[str, ...]
    show: Callable[[int, int], Part]
    test: str


CLAIMS = (
    Claim("Sums race", ("onnx", "onnxruntime"), sums_race,
          "python/tests/onnxruntime_plugin/test_ort_plugin_sums.py"),
    Claim("Foreign memory", ("onnx", "openvino"), foreign_memory,
          "python/tests/openvino_plugin/test_foreign_memory.py"),
    Claim("One max, three answers", ("onnx", "onnxruntime", "openvino"), max_of_nan,
          "python/tests/inside_hosts/test_inside_hosts.py"),
    Claim("Sums vary", ("torch",), sums_vary, "python/tests/torch_plugin/test_torch_threads.py"),
)


def missing(packages: tuple[str, ...]) -> list[str]:
    return [name for name in packages if importlib.util.find_spec(name) is None]


def verdict(part: Part) -> str:
    if not part.right:
        return "Windrow is wrong here: please report it"
    return "shown" if part.shown else "does not show here: with this release, on this machine, in these runs"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="of each call that depends on chance (default: 10)")
    parser.add_argument("--threads", type=int, default=2, help="default: 2; sums race from 2 on")
    options = parser.parse_args(arguments)
    is_right = True
    for claim in CLAIMS:
        print(f"{claim.title}\n  {claim.show.__doc__}:")
        absent = missing(claim.packages)
        if absent:
            print(f"  not tried: pip install {' '.join(absent)}\n")
            continue
        part = claim.show(options.runs, options.threads)
        for who, text in part.lines:
            print(f"  {who:21} {text}")
        print(f"  {verdict(part)}; the test: {claim.test}\n")
        is_right = is_right and part.right
    return 0 if is_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
