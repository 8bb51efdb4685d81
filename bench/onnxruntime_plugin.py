"""ONNX Runtime with the plug-in and without, in one process and in turn: python bench/onnxruntime_plugin.py

The model of ONNX Runtime's issue 28584 (a sum of rows into a table), sums of a graph network, a large gather, and what
a node costs whose tensors are tiny. Times are the least of all rounds; results are compared.
"""

import argparse
import statistics
import time

import numpy as np
import onnxruntime
import windrow.onnxruntime
from onnx import TensorProto, helper, numpy_helper

CHAIN = 200


def declare(name, array):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def make_model(nodes, inputs, constants=()):
    """`nodes` end in `out`; `inputs`: arrays by name; `constants`: arrays by name inside the model."""
    graph = helper.make_graph(nodes, "bench", [declare(*pair) for pair in inputs.items()],
                              [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
                              initializer=[numpy_helper.from_array(array, name) for name, array in constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def make_sessions(model, threads):
    """ONNX Runtime alone, and with the plug-in."""
    sessions = []
    for plugged in (False, True):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3  # no warnings
        # Threads that wait for work in one session would take the cores from the other.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if plugged:
            windrow.onnxruntime.session_options(options)
        sessions.append(onnxruntime.InferenceSession(model.SerializeToString(), options,
                                                     providers=None if plugged else ["CPUExecutionProvider"]))
    return sessions


def bind(session, arrays):
    """A run without copies of inputs; its result stays in ONNX Runtime's memory."""
    binding = session.io_binding()
    for name, array in arrays.items():
        binding.bind_cpu_input(name, array)
    binding.bind_output("out")
    return lambda: session.run_with_iobinding(binding), binding


def in_turn(runs, rounds, repeats=1):
    """Seconds of one call of each run, a list per run with a number per round."""
    times = [[] for _ in runs]
    for _ in range(rounds):
        for run, found in zip(runs, times, strict=True):
            start = time.perf_counter()
            for _ in range(repeats):
                run()
            found.append((time.perf_counter() - start) / repeats)
    return times


def compare(title, model, arrays, threads, rounds):
    bound = [bind(session, arrays) for session in make_sessions(model, threads)]
    for run, _ in bound:
        run()
    host, ours = in_turn([run for run, _ in bound], rounds)
    results = [binding.copy_outputs_to_cpu()[0] for _, binding in bound]
    same = results[0].tobytes() == results[1].tobytes()
    medians = statistics.median(host) / statistics.median(ours)
    print(f"{title}, {threads} threads: ONNX Runtime {min(host) * 1e3:.2f} ms, with Windrow {min(ours) * 1e3:.2f} ms: "
          f"{min(host) / min(ours):.2f} times as fast (by medians {medians:.2f}); "
          f"{'same bits' if same else 'DIFFERENT bits'}")


def issue_28584(threads, rounds):
    rng = np.random.default_rng(1)
    rows, edges, features = 556_416, 481_385, 80
    arrays = {
        "data": np.zeros((rows, features), np.float32),
        "indices": np.repeat(rng.integers(0, rows, (edges, 1)), features, axis=1),
        "updates": rng.standard_normal((edges, features), np.float32),
    }
    node = helper.make_node("ScatterElements", list(arrays), ["out"], axis=0, reduction="add")
    compare("issue 28584: ScatterElements add", make_model([node], arrays), arrays, threads, rounds)


def graph_sums(threads, rounds):
    rng = np.random.default_rng(2)
    arrays = {
        "data": np.zeros((1000, 64), np.float32),
        "indices": rng.integers(0, 1000, (100_000, 1)),
        "updates": rng.standard_normal((100_000, 64), np.float32),
    }
    node = helper.make_node("ScatterND", list(arrays), ["out"], reduction="add")
    compare("graph sums: ScatterND add", make_model([node], arrays), arrays, threads, rounds)


def large_gather(threads, rounds):
    rng = np.random.default_rng(3)
    rows = 1_000_000
    arrays = {"data": rng.standard_normal((rows, 64), np.float32), "indices": rng.integers(0, rows, 200_000)}
    node = helper.make_node("Gather", list(arrays), ["out"])
    compare("Gather of rows", make_model([node], arrays), arrays, threads, rounds)


def chain_of(name, length):
    """A model of `length` nodes one behind the other, and its inputs."""
    nodes = []
    for number in range(length):
        ends = [f"x{number}" if number else "data", "indices"], [f"x{number + 1}" if number + 1 < length else "out"]
        if name == "Gather":
            nodes.append(helper.make_node(name, *ends))
        else:
            nodes.append(helper.make_node(name, [*ends[0], "updates"], ends[1]))
    arrays = {"data": np.ones((8, 4), np.float32)}
    if name == "Gather":
        arrays["indices"] = np.arange(8)
    else:
        arrays |= {"indices": np.array([[1], [3], [5]]), "updates": np.ones((3, 4), np.float32)}
    return make_model(nodes, arrays), arrays


def tiny_nodes(name, rounds):
    """The cost of a node: what a chain of 200 takes more than one of 1."""
    runs = []
    for length in (1, CHAIN + 1):
        model, arrays = chain_of(name, length)
        runs += [bind(session, arrays)[0] for session in make_sessions(model, 1)]
    for run in runs:
        run()
    least = [min(times) for times in in_turn(runs, rounds, 20)]
    host, ours = (1e6 * (least[2 + which] - least[which]) / CHAIN for which in (0, 1))
    print(f"tiny {name} [8, 4]: one call {least[0] * 1e6:.2f} us without, {least[1] * 1e6:.2f} us with the plug-in; "
          f"per node of a chain of {CHAIN}: {host:.3f} and {ours:.3f} us, {ours - host:+.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=("large", "tiny"))
    options = parser.parse_args()
    if not windrow.onnxruntime.available():
        print("this build has no plug-in for ONNX Runtime")
        return
    print(f"onnxruntime {onnxruntime.__version__}, windrow {windrow.__version__}")
    if options.only != "large":
        for name in ("Gather", "ScatterND"):
            tiny_nodes(name, 100)
    if options.only != "tiny":
        for case in (issue_28584, graph_sums, large_gather):
            case(options.threads, options.rounds)


if __name__ == "__main__":
    main()
