"""Prepared models: many runs, from many threads, with the results of single runs."""

import copy
import gc
import inspect
import threading
import weakref

import numpy as np
import onnx
import pytest

import windrow

FLOAT, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64


def model_of(nodes, inputs, outputs, initializers=(), opset=18):
    make = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "g",
        [make(name, kind, None) for name, kind in inputs],
        [make(name, FLOAT, None) for name in outputs],
        list(initializers),
    )
    opsets = [onnx.helper.make_opsetid("", opset)]
    return windrow.load(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10))


def lookup_model():
    node = onnx.helper.make_node
    return model_of(
        [
            node("Gather", ["table", "ids"], ["rows"]),
            node("ScatterND", ["rows", "at", "row"], ["changed"]),
            node("Gather", ["changed", "last"], ["y"]),
        ],
        [("table", FLOAT), ("ids", INT64), ("row", FLOAT)],
        ["y", "changed"],
        [
            onnx.numpy_helper.from_array(np.array([[1]]), "at"),
            onnx.numpy_helper.from_array(np.array([-1, 1]), "last"),
        ],
    )


@pytest.fixture
def model():
    return lookup_model()


def inputs(rows, seed=0):
    generator = np.random.default_rng(seed)
    return {
        "table": generator.normal(size=(rows, 4)).astype(np.float32),
        "ids": generator.integers(-rows, rows, size=3),
        "row": np.full((1, 4), seed, np.float32),
    }


def expected(given):
    changed = given["table"][given["ids"]]
    changed[1] = given["row"]
    return {"y": changed[[-1, 1]], "changed": changed}


def test_runs_with_any_shapes_in_any_order(model):
    prepared = model.prepare()
    for seed, rows in enumerate([5, 5, 9, 5, 100_000, 9, 5, 100_000]):
        given = inputs(rows, seed)
        outputs = prepared.run(given)
        assert list(outputs) == ["y", "changed"]
        for name, array in expected(given).items():
            np.testing.assert_array_equal(outputs[name], array)


def test_results_belong_to_the_caller(model):
    prepared = model.prepare()
    given = [inputs(5, seed) for seed in range(4)]
    outputs = [prepared.run(each) for each in given]
    for each, output in zip(given, outputs):
        np.testing.assert_array_equal(output["y"], expected(each)["y"])
        assert output["y"].flags.writeable


def test_threads_share_one(model):
    prepared = model.prepare()
    failures = []

    def work(seed):
        given = inputs(5 + seed % 3, seed)
        right = expected(given)["y"]
        for _ in range(300):
            if not np.array_equal(prepared.run(given, threads=1)["y"], right):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("was_run", [False, True])
def test_errors_are_those_of_a_single_run(model, was_run):
    prepared = model.prepare()
    if was_run:
        prepared.run(inputs(5))
    bad = {**inputs(5), "ids": np.array([0, 5, 1])}
    for run in (prepared.run, model.run, prepared.run):
        with pytest.raises(windrow.IndexOutOfRange, match=r"node 'Gather_0'.*indices\[1\] is 5"):
            run(bad)
    with pytest.raises(windrow.ArgumentError, match="missing input 'row'"):
        prepared.run({"table": bad["table"], "ids": bad["ids"]})
    with pytest.raises(windrow.DTypeError):
        prepared.run({**inputs(5), "ids": np.zeros(3, np.float32)})
    np.testing.assert_array_equal(prepared.run(inputs(5))["y"], expected(inputs(5))["y"])


def test_options_hold_for_all_runs(model):
    prepared = model.prepare(out_of_range="clamp")
    given = {**inputs(5), "ids": np.array([7, 0, 7])}
    clamped = {**given, "ids": np.array([4, 0, 4])}
    for _ in range(2):
        np.testing.assert_array_equal(prepared.run(given)["y"], expected(clamped)["y"])
    with pytest.raises(windrow.IndexOutOfRange):
        model.run(given)
    np.testing.assert_array_equal(model.run(given, out_of_range="clamp")["y"], expected(clamped)["y"])
    with pytest.raises(windrow.Unsupported, match="no such"):
        model.prepare(kernels="no such").run(given)


def test_what_cannot_run_cannot_be_prepared():
    node = onnx.helper.make_node("Relu", ["x"], ["y"])
    with pytest.raises(windrow.Unsupported, match="Relu"):
        model_of([node], [("x", FLOAT)], ["y"]).prepare()


def test_it_needs_the_model_no_more():
    model = lookup_model()
    prepared = model.prepare()
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None
    np.testing.assert_array_equal(prepared.run(inputs(5))["y"], expected(inputs(5))["y"])


def test_it_is_its_own_copy(model):
    prepared = model.prepare()
    assert copy.copy(prepared) is prepared
    assert copy.deepcopy(prepared) is prepared


def test_warnings_come_with_every_run():
    node = onnx.helper.make_node("Scatter", ["x", "i", "u"], ["y"])
    model = model_of([node], [("x", FLOAT), ("i", INT64), ("u", FLOAT)], ["y"], opset=11)
    prepared = model.prepare()
    given = {"x": np.zeros(3, np.float32), "i": [0], "u": [1.0]}
    for run in (prepared.run, prepared.run, model.run):
        with pytest.warns(windrow.OperatorWarning, match="deprecated") as warned:
            run(given)
        assert warned[0].filename == __file__


def scattering_model(constant_indices=None):
    node = onnx.helper.make_node("ScatterElements", ["data", "at", "updates"], ["y"], name="put")
    constants = [] if constant_indices is None else [onnx.numpy_helper.from_array(np.array(constant_indices), "at")]
    given = [("data", FLOAT), ("updates", FLOAT)] + ([("at", INT64)] if constant_indices is None else [])
    return model_of([node], given, ["y"], constants)


def test_duplicates_are_refused_as_call_refuses_them():
    model = scattering_model()
    data, updates = np.zeros(4, np.float32), np.array([1, 2, 3], np.float32)
    twice = {"data": data, "at": np.array([2, 0, 2]), "updates": updates}
    once = {**twice, "at": np.array([2, 0, 1])}
    with pytest.raises(windrow.DuplicateIndex) as of_call:
        windrow.call("onnx", "ScatterElements", data, twice["at"], updates, duplicates="error")
    prepared = model.prepare(duplicates="error")
    runs = [prepared.run, lambda given: model.run(given, duplicates="error")]
    runs.append(lambda given: model.run(given, duplicates="error", reference=True))
    for run in runs * 2:
        np.testing.assert_array_equal(run(once)["y"], [2, 3, 1, 0])
        with pytest.raises(windrow.DuplicateIndex, match="node 'put'") as of_model:
            run(twice)
        assert str(of_call.value) in str(of_model.value)
    np.testing.assert_array_equal(model.run(twice)["y"], [2, 0, 3, 0])
    np.testing.assert_array_equal(model.run(twice, duplicates="allow")["y"], [2, 0, 3, 0])
    with pytest.raises(windrow.ArgumentError, match="duplicates is 'no', must be one of: allow, error"):
        model.prepare(duplicates="no")


def test_constant_duplicates_are_refused_by_every_run():
    model = scattering_model([1, 1])
    given = {"data": np.zeros(3, np.float32), "updates": np.ones(2, np.float32)}
    prepared = model.prepare(duplicates="error")
    for _ in range(3):
        with pytest.raises(windrow.DuplicateIndex, match="node 'put'"):
            prepared.run(given)


def test_models_take_every_option_of_call():
    options = {"out_of_range", "negative", "padding_index", "strict", "duplicates", "kernels"}
    for function in (windrow.call, windrow.Model.run, windrow.Model.prepare, windrow.Model.inspect):
        assert options <= set(inspect.signature(function).parameters), function
