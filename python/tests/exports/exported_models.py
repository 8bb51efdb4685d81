"""Models of the structure of real exports, with random weights: each is written by a public exporter from Python code.

spox writes the four networks, skl2onnx a fitted estimator. All seeds are fixed; every model is smaller than a megabyte.
"""

import functools
from dataclasses import dataclass

import numpy as np
import onnx
import spox.opset.ai.onnx.v18 as op
from spox import Tensor, argument, build
from spox._future import initializer

SEED = 7


@dataclass(frozen=True)
class Export:
    """A model, inputs for one run, and the number of gathers and scatters in its main graph and in bodies."""

    model: onnx.ModelProto
    inputs: dict[str, np.ndarray]
    main: int
    inside: int


def weights(random, *shape):
    return initializer((random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32))


def tensors(**shapes):
    """Inputs of a model by their names: (element type, shape)."""
    return {name: argument(Tensor(dtype, shape)) for name, (dtype, shape) in shapes.items()}


def numbers(*values):
    return op.const(np.array(values, np.int64))


def extent(value, axis):
    """An extent of a value, of rank 1."""
    return op.shape(value, start=axis, end=axis + 1)


def count_up_to(scalar):
    return op.range(op.const(np.int64(0)), scalar, op.const(np.int64(1)))


def attend(asked, keys, values, seen):
    """Softmax attention. seen: which keys are visible."""
    scores = op.matmul(asked, op.transpose(keys, perm=[0, 2, 1]))
    return op.matmul(op.softmax(op.where(seen, scores, op.const(np.float32(-1e9)))), values)


def decoder():
    """Greedy decoding with a cache of keys and values, which a Loop carries."""
    random = np.random.default_rng(SEED)
    cache = (np.float32, ("batch", "length", 32))
    inputs = tensors(prompt=(np.int64, ("batch",)), steps=(np.int64, ()), keys=cache, values=cache)
    table, query, key, value = (weights(random, rows, 32) for rows in (200, 32, 32, 32))
    up, down, head = weights(random, 32, 64), weights(random, 64, 32), weights(random, 32, 200)
    rows = op.unsqueeze(count_up_to(op.squeeze(op.shape(inputs["prompt"]))), numbers(1))
    positions = count_up_to(op.squeeze(extent(inputs["keys"], 1)))
    size = op.shape(inputs["keys"], start=0, end=2)

    def step(i, _, token, keys, values, tokens, chances):
        hidden = op.gather(table, token)
        places = op.concat([rows, op.expand(i, op.shape(rows))], axis=1)
        keys = op.scatter_nd(keys, places, op.matmul(hidden, key))
        values = op.scatter_nd(values, places, op.matmul(hidden, value))
        asked = op.unsqueeze(op.matmul(hidden, query), numbers(1))
        seen = op.less_or_equal(positions, i)
        hidden = op.add(hidden, op.squeeze(attend(asked, keys, values, seen), numbers(1)))
        hidden = op.add(hidden, op.matmul(op.relu(op.matmul(hidden, up)), down))
        logits = op.matmul(hidden, head)
        token = op.arg_max(logits, axis=-1, keepdims=0)
        chosen = op.unsqueeze(token, numbers(1))
        column = op.expand(i, op.shape(chosen))
        tokens = op.scatter_elements(tokens, column, chosen, axis=1)
        chance = op.gather_elements(logits, chosen, axis=1)
        chances = op.scatter_elements(chances, column, chance, axis=1)
        return op.const(True), token, keys, values, tokens, chances

    empty = [op.expand(op.const(np.array(0, dtype)), size) for dtype in (np.int64, np.float32)]
    carried = [inputs["prompt"], inputs["keys"], inputs["values"], *empty]
    _, keys, values, tokens, chances = op.loop(inputs["steps"], v_initial=carried, body=step)
    model = build(inputs, {"tokens": tokens, "chances": chances, "last_keys": keys, "last_values": values})
    zeros = np.zeros((3, 12, 32), np.float32)
    given = {"prompt": np.array([5, 99, 0]), "steps": np.array(10), "keys": zeros, "values": zeros}
    return Export(model, given, main=0, inside=6)


def detector(threshold=0.6):
    """A head with non-maximum suppression, and an If on whether it found anything."""
    random = np.random.default_rng(SEED)
    inputs = tensors(features=(np.float32, (1, 80, 24)), threshold=(np.float32, (1,)))
    low = random.uniform(0, 50, (80, 2))
    anchors = np.concatenate([low, low + random.uniform(5, 20, (80, 2))], axis=1)[None].astype(np.float32)
    features = inputs["features"]
    corners = op.add(initializer(anchors), op.matmul(features, weights(random, 24, 4)))
    scores = op.transpose(op.sigmoid(op.matmul(features, weights(random, 24, 5))), perm=[0, 2, 1])
    limits = numbers(20), op.const(np.array([0.5], np.float32)), inputs["threshold"]
    found = op.non_max_suppression(corners, scores, *limits)
    count = extent(found, 0)

    def best_of_them():
        best, order = op.top_k(op.gather_nd(scores, found), op.min([count, numbers(10)]))
        kept = op.gather(found, order)
        boxes = op.gather_nd(corners, op.gather(kept, numbers(0, 2), axis=1))
        return boxes, best, op.squeeze(op.gather(kept, numbers(1), axis=1), numbers(1))

    def nothing():
        zero = op.const(np.float32(0))  # OpenVINO reads a constant without elements as a scalar
        return op.expand(zero, numbers(0, 4)), op.expand(zero, numbers(0)), op.expand(op.const(np.int64(0)), numbers(0))

    some = op.greater(op.squeeze(count), op.const(np.int64(0)))
    boxes, best, labels = op.if_(some, then_branch=best_of_them, else_branch=nothing)
    given = {"features": random.standard_normal((1, 80, 24)).astype(np.float32),
             "threshold": np.array([threshold], np.float32)}
    return Export(build(inputs, {"boxes": boxes, "best": best, "labels": labels}), given, main=0, inside=5)


def graph_network():
    """Message passing in a batch of graphs: gathers along edges, sums and maxima by target."""
    random = np.random.default_rng(SEED)
    inputs = tensors(nodes=(np.float32, ("nodes", 16)), edges=(np.int64, (2, "edges")), graphs=(np.int64, ("nodes",)),
                     count=(np.int64, (1,)))
    hidden = inputs["nodes"]
    sources, targets = (op.gather(inputs["edges"], op.const(np.int64(row)), axis=0) for row in (0, 1))
    rows = op.unsqueeze(targets, numbers(1))
    zero = op.const(np.float32(0))
    ones = op.expand(op.const(np.float32(1)), op.shape(targets))
    degrees = op.scatter_nd(op.expand(zero, extent(hidden, 0)), rows, ones, reduction="add")
    degrees = op.unsqueeze(op.max([degrees, op.const(np.float32(1))]), numbers(1))
    for _ in range(2):
        messages = op.matmul(op.gather(hidden, sources), weights(random, 16, 16))
        nothing = op.expand(zero, op.shape(hidden))
        sums = op.scatter_elements(nothing, op.expand(rows, op.shape(messages)), messages, reduction="add")
        hidden = op.relu(op.add(op.matmul(hidden, weights(random, 16, 16)), op.div(sums, degrees)))
    pooled = op.expand(zero, op.concat([inputs["count"], numbers(16)], axis=0))
    pooled = op.scatter_nd(pooled, op.unsqueeze(inputs["graphs"], numbers(1)), hidden, reduction="max")
    model = build(inputs, {"answers": op.matmul(pooled, weights(random, 16, 8)), "hidden": hidden})
    given = {"nodes": random.standard_normal((60, 16)).astype(np.float32), "edges": random.integers(0, 60, (2, 300)),
             "graphs": np.sort(random.integers(0, 6, 60)), "count": np.array([6])}
    return Export(model, given, main=8, inside=0)


def encoder():
    """Embeddings of words, places and segments, attention and three ways of pooling; sums of bags of categories."""
    random = np.random.default_rng(SEED)
    text = (np.int64, ("batch", "length"))
    inputs = tensors(ids=text, kinds=text, mask=(np.bool_, ("batch", "length")), bag=(np.int64, ("picks",)),
                     bag_rows=(np.int64, ("picks",)))
    words, places, segments, categories = (weights(random, rows, 32) for rows in (500, 64, 2, 100))
    positions = count_up_to(op.squeeze(extent(inputs["ids"], 1)))
    hidden = op.add(op.gather(words, inputs["ids"]), op.gather(places, positions))
    hidden = op.add(hidden, op.gather(segments, inputs["kinds"]))
    hidden, _, _ = op.layer_normalization(hidden, weights(random, 32), weights(random, 32))
    asked, keys, values = (op.matmul(hidden, weights(random, 32, 32)) for _ in range(3))
    hidden = op.add(hidden, attend(asked, keys, values, op.unsqueeze(inputs["mask"], numbers(1))))
    kept = op.unsqueeze(op.cast(inputs["mask"], to=np.float32), numbers(2))
    sums = op.reduce_sum(op.mul(hidden, kept), numbers(1), keepdims=0)
    mean = op.div(sums, op.reduce_sum(kept, numbers(1), keepdims=0))
    first = op.gather(hidden, op.const(np.int64(0)), axis=1)
    lengths = op.reduce_sum(op.cast(inputs["mask"], to=np.int64), numbers(1))
    last = op.gather_nd(hidden, op.sub(lengths, numbers(1)), batch_dims=1)
    bags = op.scatter_nd(op.expand(op.const(np.float32(0)), op.shape(first)), op.unsqueeze(inputs["bag_rows"], numbers(1)),
                         op.gather(categories, inputs["bag"]), reduction="add")
    likeness = op.matmul(bags, op.transpose(mean))
    model = build(inputs, {"mean": mean, "first": first, "last": last, "likeness": likeness})
    given = {"ids": random.integers(0, 500, (4, 9)), "kinds": random.integers(0, 2, (4, 9)),
             "mask": np.arange(9) < np.array([[9], [4], [1], [7]]), "bag": random.integers(0, 100, 15),
             "bag_rows": random.integers(0, 4, 15)}
    return Export(model, given, main=7, inside=0)


@functools.cache  # The exporter numbers its names through a process, so a second export would have others.
def nearest_neighbours():
    """skl2onnx's export of a nearest-neighbour classifier: distances in a Scan, votes by gathers."""
    from skl2onnx import to_onnx
    from sklearn.neighbors import KNeighborsClassifier

    random = np.random.default_rng(SEED)
    points = random.standard_normal((150, 6)).astype(np.float32)
    estimator = KNeighborsClassifier(n_neighbors=4).fit(points, random.integers(0, 5, 150))
    model = to_onnx(estimator, points[:1], target_opset={"": 18, "ai.onnx.ml": 3}, options={"zipmap": False})
    # The exporter writes them in the order of a set.
    imports = sorted(((each.domain, each.version) for each in model.opset_import))
    del model.opset_import[:]
    model.opset_import.extend(onnx.helper.make_opsetid(*each) for each in imports)
    return Export(model, {"X": random.standard_normal((10, 6)).astype(np.float32)}, main=2, inside=0)


EXPORTS = {export.__name__: export for export in (decoder, detector, graph_network, encoder, nearest_neighbours)}
