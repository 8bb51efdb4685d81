"""The official back-end suite, and the back end's own functions."""

import collections
import unittest

import numpy as np
import onnx
import pytest
from onnx.backend.test import BackendTest

import windrow
from windrow import onnx_backend

REFUSED = set()  # the graphs of models that the back end is not made for


class RecordingBackend(onnx_backend.WindrowBackend):
    """The back end; BackendTest shows a refused node test as a passed one, so it keeps a list."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        try:
            return super().prepare(model, device, **kwargs)
        except windrow.Unsupported:
            REFUSED.add(model.graph.name)
            raise


# Windrow's operators, as the node tests of onnx name them.
OURS = ("gather", "scatter", "onehot", "tensorscatter", "ai_onnx_ml_array_feature_extractor")


@pytest.fixture(scope="module")
def results():
    """Test name -> "passed", "incompatible", or the failure's text."""
    found = {}
    # Models of the real kind are downloaded.
    suite = BackendTest(RecordingBackend, __name__)
    for case_name, case in suite.test_cases.items():
        names = unittest.defaultTestLoader.getTestCaseNames(case)
        if "RealModel" in case_name:
            continue
        outcome = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(outcome)
        failed = {test.id(): text for test, text in outcome.failures + outcome.errors}
        skipped = {test.id() for test, _ in outcome.skipped}
        for name in names:
            if name.endswith("_cuda"):
                continue
            test = case(name).id()
            refused = test in skipped or name.removesuffix("_cpu") in REFUSED
            found[name] = failed.get(test, "incompatible" if refused else "passed")
    return found


def test_nothing_fails(results):
    kinds = collections.Counter(results.values())
    assert set(kinds) == {"passed", "incompatible"}, kinds
    print(f"\nONNX's back-end suite: {kinds['passed']} passed, {kinds['incompatible']} incompatible")
    assert kinds["incompatible"] > 1500


def test_every_test_of_our_operators_passes(results):
    ours = {
        name: result
        for name, result in results.items()
        if name.removeprefix("test_").startswith(OURS)
    }
    assert len(ours) >= 36
    assert set(ours.values()) == {"passed"}, ours


def test_models_of_other_operators_are_incompatible(results):
    assert results["test_add_cpu"] == "incompatible"
    assert results["test_identity_cpu"] == "passed"


def gather_node():
    return onnx.helper.make_node("Gather", ["data", "indices"], ["y"], axis=1)


def gather_model():
    make = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [gather_node()],
        "g",
        [make("data", onnx.TensorProto.FLOAT, [2, 3]), make("indices", onnx.TensorProto.INT64, [None])],
        [make("y", onnx.TensorProto.FLOAT, [2, None])],
    )
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])


DATA = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_run_model_takes_inputs_by_position_and_by_name():
    by_position = onnx_backend.run_model(gather_model(), [DATA, np.array([2, 0])])
    by_name = onnx_backend.run_model(gather_model(), {"indices": [2, 0], "data": DATA})
    np.testing.assert_array_equal(by_position.y, DATA[:, [2, 0]])
    np.testing.assert_array_equal(by_name[0], DATA[:, [2, 0]])


def test_run_node_runs_one_operator():
    (result,) = onnx_backend.run_node(gather_node(), [DATA, np.array([-1])])
    np.testing.assert_array_equal(result, DATA[:, [-1]])
    scatter = onnx.helper.make_node("Scatter", ["d", "i", "u"], ["y"])
    with pytest.warns(windrow.OperatorWarning, match="deprecated"):
        (result,) = onnx_backend.run_node(
            scatter, [DATA, np.array([[1]]), np.array([[9]], np.float32)], opset_version=11
        )
    assert result[1, 0] == 9


def test_devices():
    assert onnx_backend.supports_device("CPU")
    assert onnx_backend.supports_device("CPU:0")
    assert not onnx_backend.supports_device("CUDA")
    with pytest.raises(windrow.Unsupported, match="CUDA"):
        onnx_backend.prepare(gather_model(), "CUDA")


def test_wrong_inputs():
    ready = onnx_backend.prepare(gather_model())
    with pytest.raises(windrow.ArgumentError, match="3 inputs given, the model takes 2"):
        ready.run([DATA, DATA, DATA])
    with pytest.raises(windrow.IndexOutOfRange, match=r"indices\[0\] is 3"):
        ready.run([DATA, np.array([3])])


def test_an_incompatible_model_is_refused_with_its_operators():
    model = gather_model()
    model.graph.node.append(onnx.helper.make_node("Relu", ["y"], ["z"]))
    assert not onnx_backend.is_compatible(model)
    with pytest.raises(windrow.Unsupported, match="Relu"):
        onnx_backend.prepare(model)
