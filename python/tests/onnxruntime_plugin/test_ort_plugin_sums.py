"""Calls that ONNX Runtime alone computes wrongly or refuses: sums with duplicates on threads, float16."""

import numpy as np
import pytest
from ort_sessions import feeds, node_model, plain, plugged, run_node

NODES, EDGES, FEATURES, RUNS = 1000, 100_000, 64, 100


@pytest.fixture(scope="module")
def graph():
    """Data, receivers and messages of a graph network's layer, with the sum as it is defined."""
    rng = np.random.default_rng(8)
    data = rng.standard_normal((NODES, FEATURES), np.float32)
    receivers = rng.integers(0, NODES, (EDGES, 1))
    messages = rng.standard_normal((EDGES, FEATURES), np.float32)
    expected = data.copy()
    np.add.at(expected, receivers[:, 0], messages)  # in row-major order, rounded after every step
    return [data, receivers, messages], expected


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_sums_with_duplicates_are_right_in_every_run(graph, threads):
    arrays, expected = graph
    session = plugged(node_model("ScatterND", 18, {"reduction": "add"}, arrays), threads)
    equal = sum(session.run(None, feeds(arrays))[0].tobytes() == expected.tobytes() for _ in range(RUNS))
    assert equal == RUNS


def test_how_often_onnx_runtime_alone_differs(graph, capsys, record_property):
    arrays, expected = graph
    session = plain(node_model("ScatterND", 18, {"reduction": "add"}, arrays), 2)
    results = [session.run(None, feeds(arrays))[0] for _ in range(RUNS)]
    wrong = sum(not np.allclose(result, expected, 1e-3, 1e-3) for result in results)
    different = len({result.tobytes() for result in results})
    record_property("wrong", wrong)
    with capsys.disabled():
        print(f"\nONNX Runtime alone on two threads: {wrong} of {RUNS} sums are wrong; {different} different results")


@pytest.mark.parametrize("reduction", ["add", "mul", "min", "max"])
def test_float16_reductions_work(reduction):
    data = np.array([[1, 2, 3]], np.float16)
    indices, updates = np.array([[0, 0, 2]]), np.array([[4, 0.5, 2]], np.float16)
    result = run_node("ScatterElements", 18, {"axis": 1, "reduction": reduction}, [data, indices, updates])
    expected = {"add": [5.5, 2, 5], "mul": [2, 2, 6], "min": [0.5, 2, 2], "max": [4, 2, 3]}[reduction]
    assert result.dtype == np.float16 and result.tolist() == [expected]


def test_onnx_runtime_alone_refuses_float16():
    """If this fails, a sentence of the guide's page is no longer true."""
    data = np.ones((1, 3), np.float16)
    model = node_model("ScatterElements", 18, {"axis": 1, "reduction": "add"}, [data, np.zeros((1, 3), np.int64), data])
    with pytest.raises(Exception, match="float16|MLFloat16"):
        plain(model).run(None, feeds([data, np.zeros((1, 3), np.int64), data]))
