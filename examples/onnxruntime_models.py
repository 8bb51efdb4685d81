"""Two models with random weights in ONNX Runtime, with Windrow's plug-in and without: results and times side by side.

    python examples/onnxruntime_models.py [--folder FOLDER] [--threads N] [--small]

A transformer that decodes with a KV cache (embedding and positions by Gather, caches by TensorScatter), and a layer of
a graph network (Gather of the senders' features, ScatterND add at the receivers). FOLDER gets the .onnx files.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_windrow import refuse_stranger

refuse_stranger()

import windrow.onnxruntime  # noqa: E402

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    """Nodes and weights of a model under construction."""

    def __init__(self) -> None:
        self.nodes, self.weights, self.rng = [], [], np.random.default_rng(7)

    def add(self, operator: str, *inputs: str, out: str = "", **attributes) -> str:
        name = out or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def weight(self, *shape: int) -> str:
        values = self.rng.standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[0]))
        return self.constant(values)

    def constant(self, values: np.ndarray) -> str:
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def model(self, name: str, inputs: dict, outputs: dict) -> ModelProto:
        declared = [[helper.make_tensor_value_info(key, *value) for key, value in side.items()]
                    for side in (inputs, outputs)]
        graph = helper.make_graph(self.nodes, name, *declared, initializer=self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11)


def transformer(batch: int, length: int, width: int, layers: int, words: int) -> ModelProto:
    """One step of decoding: tokens and positions [batch, 1], a mask [batch, 1, length], a cache of keys and one of
    values [batch, length, width] per layer; scores of the next word and the caches come out."""
    graph = Graph()
    inputs = {"tokens": (INT64, [batch, 1]), "positions": (INT64, [batch, 1]), "write_at": (INT64, [batch]),
              "mask": (FLOAT, [batch, 1, length])}
    outputs = {"scores": (FLOAT, [batch, 1, words])}
    x = graph.add("Add", graph.add("Gather", graph.weight(words, width), "tokens"),
                  graph.add("Gather", graph.weight(length, width), "positions"))
    scale = graph.constant(np.array(width**-0.5, np.float32))
    for layer in range(layers):
        caches = []
        for kind in ("keys", "values"):
            inputs[f"{kind}_{layer}"] = outputs[f"new_{kind}_{layer}"] = (FLOAT, [batch, length, width])
            update = graph.add("MatMul", x, graph.weight(width, width))
            caches.append(graph.add("TensorScatter", f"{kind}_{layer}", update, "write_at", out=f"new_{kind}_{layer}"))
        query = graph.add("Mul", graph.add("MatMul", x, graph.weight(width, width)), scale)
        seen = graph.add("MatMul", query, graph.add("Transpose", caches[0], perm=[0, 2, 1]))
        share = graph.add("Softmax", graph.add("Add", seen, "mask"))
        read = graph.add("MatMul", graph.add("MatMul", share, caches[1]), graph.weight(width, width))
        x = graph.add("Add", x, read)
        hidden = graph.add("Relu", graph.add("MatMul", x, graph.weight(width, 4 * width)))
        x = graph.add("Add", x, graph.add("MatMul", hidden, graph.weight(4 * width, width)))
    graph.add("MatMul", x, graph.weight(width, words), out="scores")
    return graph.model("transformer", inputs, outputs)


def graph_layer(nodes: int, edges: int, features: int) -> ModelProto:
    """Features of nodes [nodes, features], senders [edges], receivers [edges, 1]: messages are summed where they go."""
    graph = Graph()
    inputs = {"features": (FLOAT, [nodes, features]), "senders": (INT64, [edges]), "receivers": (INT64, [edges, 1])}
    messages = graph.add("Relu", graph.add("Gather", graph.add("MatMul", "features", graph.weight(features, features)),
                                           "senders"))
    start = graph.add("MatMul", "features", graph.weight(features, features))
    graph.add("ScatterND", start, "receivers", messages, out="new_features", reduction="add")
    return graph.model("graph_layer", inputs, {"new_features": (FLOAT, [nodes, features])})


def make_session(model: ModelProto, threads: int, plugged: bool) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3  # no warnings
    # Threads that wait for work in one session would take the cores from the other.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if plugged:
        options = windrow.onnxruntime.session_options(options)  # the one line
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                        providers=None if plugged else ["CPUExecutionProvider"])


def decode(session: onnxruntime.InferenceSession, steps: int) -> tuple[np.ndarray, float]:
    """All scores of a greedy decoding, and the seconds of a step."""
    given = {value.name: value for value in session.get_inputs()}
    batch, _, length = given["mask"].shape
    caches = {name: np.zeros(value.shape, np.float32) for name, value in given.items() if name[:4] in ("keys", "valu")}
    tokens, mask, scores, seconds = np.arange(batch)[:, None], np.full((batch, 1, length), -1e9, np.float32), [], []
    for step in range(steps):
        mask[:, :, step] = 0
        at = np.full(batch, step)
        feeds = {"tokens": tokens, "positions": at[:, None], "write_at": at, "mask": mask, **caches}
        start = time.perf_counter()
        results = session.run(None, feeds)
        seconds.append(time.perf_counter() - start)
        scores.append(results[0])
        tokens = results[0].argmax(axis=-1)
        caches = dict(zip(caches, results[1:], strict=True))
    return np.stack(scores), float(np.median(seconds))


def pass_messages(session: onnxruntime.InferenceSession, runs: int) -> tuple[np.ndarray, float]:
    """The results of all runs on the same graph, and the seconds of one."""
    rng = np.random.default_rng(3)
    shapes = {value.name: value.shape for value in session.get_inputs()}
    feeds = {"features": rng.standard_normal(shapes["features"], np.float32)}
    feeds |= {name: rng.integers(0, shapes["features"][0], shapes[name]) for name in ("senders", "receivers")}
    results, seconds = [], []
    for _ in range(runs):
        start = time.perf_counter()
        results.append(session.run(None, feeds)[0])
        seconds.append(time.perf_counter() - start)
    return np.stack(results), float(np.median(seconds))


def compare(name: str, model: ModelProto, threads: int, work, times: int) -> None:
    host, plugged = (work(make_session(model, threads, which), times) for which in (False, True))
    print(f"{name}, {threads} threads: ONNX Runtime {host[1] * 1e3:.3f} ms, with Windrow {plugged[1] * 1e3:.3f} ms")
    if host[0].tobytes() == plugged[0].tobytes():
        print("  same bits")
        return
    for label, results in (("ONNX Runtime", host[0]), ("with Windrow", plugged[0])):
        print(f"  {label}: {len({result.tobytes() for result in results})} different results in {times} runs")
    print(f"  largest difference {np.abs(host[0] - plugged[0]).max():.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the models are written to")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="models of a few kilobytes")
    options = parser.parse_args()
    sizes = ((2, 16, 32, 1, 50), (20, 400, 8)) if options.small else ((4, 512, 256, 4, 8000), (1000, 100_000, 64))
    models = {"transformer": transformer(*sizes[0]), "graph layer": graph_layer(*sizes[1])}
    for name, model in models.items():
        if options.folder:
            options.folder.mkdir(parents=True, exist_ok=True)
            (options.folder / f"{name.replace(' ', '_')}.onnx").write_bytes(model.SerializeToString())
    compare("transformer, a step", models["transformer"], options.threads, decode, 16 if options.small else 64)
    compare("graph layer", models["graph layer"], options.threads, pass_messages, 20)


if __name__ == "__main__":
    main()
