"""One session in several threads, several sessions, many shapes, results in the memory of inputs."""

import threading

import numpy as np
import pytest
from onnx import helper, numpy_helper
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
from ort_sessions import feeds, make_model, node_model, plain, plugged, value

THREADS, RUNS = 6, 150


def in_threads(work):
    """Runs work(number) in threads at the same time; raises what one of them raised."""
    faults, start = [], threading.Barrier(THREADS)

    def run(number):
        try:
            start.wait()
            work(number)
        except Exception as fault:  # noqa: BLE001: for the test's own thread
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def gather_calls(number):
    """Calls of changing shapes, and their results."""
    rng = np.random.default_rng(number)
    for _ in range(RUNS):
        data = rng.integers(0, 1 << 30, (int(rng.integers(1, 40)), int(rng.integers(1, 9))))
        indices = rng.integers(-len(data), len(data), int(rng.integers(0, 30)))
        yield data, indices, data[indices]


@pytest.mark.parametrize("pool", [1, 2])
def test_one_session_in_several_threads(pool):
    session = plugged(node_model("Gather", 13, {}, [np.zeros((1, 1), np.int64), np.array([0])]), pool)

    def work(number):
        for data, indices, expected in gather_calls(number):
            if number == 0:  # errors in between do not affect other calls
                with pytest.raises(InvalidArgument, match="out of range"):
                    session.run(None, feeds([data, np.array([len(data)])]))
            assert (session.run(None, feeds([data, indices]))[0] == expected).all()

    in_threads(work)


def test_several_sessions():
    def work(number):
        session = plugged(node_model("Gather", 13, {}, [np.zeros((1, 1), np.int64), np.array([0])]), 2)
        for data, indices, expected in gather_calls(number):
            assert (session.run(None, feeds([data, indices]))[0] == expected).all()

    in_threads(work)


def test_large_sums_in_several_threads_of_one_session():
    rng = np.random.default_rng(5)
    data = rng.standard_normal((500, 64), np.float32)
    indices = rng.integers(0, 500, (20_000, 1))
    updates = rng.standard_normal((20_000, 64), np.float32)
    arrays = [data, indices, updates]
    session = plugged(node_model("ScatterND", 18, {"reduction": "add"}, arrays), 2)
    expected = data.copy()
    np.add.at(expected, indices[:, 0], updates)

    def work(number):
        del number
        for _ in range(5):
            assert session.run(None, feeds(arrays))[0].tobytes() == expected.tobytes()

    in_threads(work)


def test_more_shapes_than_a_node_keeps_plans_for():
    session = plugged(node_model("Gather", 13, {}, [np.zeros((1,), np.int64), np.array([0])]))
    for _ in range(3):
        for extent in range(1, 60):
            data = np.arange(extent)
            assert session.run(None, feeds([data, np.array([-1])]))[0].tolist() == [extent - 1]


def chain(length, indices):
    """The data doubled, then scatters one behind the other, then a sum with zero."""
    nodes = [helper.make_node("Add", ["data", "data"], ["x0"])]
    nodes += [
        helper.make_node("ScatterND", [f"x{number}", "indices", "updates"], [f"x{number + 1}"], reduction="add")
        for number in range(length)
    ]
    nodes.append(helper.make_node("Add", [f"x{length}", "zero"], ["out"]))
    data, updates = np.ones((64, 16), np.float32), np.ones((len(indices), 16), np.float32)
    return make_model(nodes, [value("data", data, data.shape), value("indices", indices, indices.shape),
                              value("updates", updates, updates.shape)],
                      [value("out", data, data.shape)], 18, [numpy_helper.from_array(np.zeros(1, np.float32), "zero")])


def test_scatters_in_place_along_a_chain():
    indices = np.array([[3], [3], [-1]])
    arrays = {"data": np.ones((64, 16), np.float32), "indices": indices, "updates": np.ones((3, 16), np.float32)}
    model = chain(20, indices)
    expected = plain(model).run(None, arrays)[0]
    session = plugged(model, others=True)
    for _ in range(2):
        assert (session.run(None, arrays)[0] == expected).all()
    assert expected[3, 0] == 42 and expected[63, 0] == 22 and (arrays["data"] == 1).all()


def test_an_input_used_again_is_no_output():
    nodes = [
        helper.make_node("Add", ["data", "data"], ["x"]),
        helper.make_node("ScatterND", ["x", "indices", "updates"], ["y"]),
        helper.make_node("Sub", ["y", "x"], ["out"]),
    ]
    data, indices, updates = np.ones((4, 2), np.float32), np.array([[1]]), np.full((1, 2), 5, np.float32)
    arrays = {"data": data, "indices": indices, "updates": updates}
    model = make_model(nodes, [value(name, array) for name, array in arrays.items()], [value("out", data)], 18)
    assert plugged(model, others=True).run(None, arrays)[0].tolist() == [[0, 0], [3, 3], [0, 0], [0, 0]]
