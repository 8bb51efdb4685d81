"""Results in memory that the caller gives."""

import numpy as np
import onnxruntime
import pytest
from ort_sessions import node_model, plugged


def bound(session, arrays, out):
    """A binding of the inputs i0, i1, ... and the output to OrtValues."""
    binding = session.io_binding()
    for number, given in enumerate(arrays):
        binding.bind_ortvalue_input(f"i{number}", given)
    binding.bind_ortvalue_output("out", out)
    return binding


def values(*arrays):
    return [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in arrays]


def test_a_cache_is_written_in_place():
    cache, update = np.zeros((2, 4, 3), np.float32), np.ones((2, 1, 3), np.float32)
    session = plugged(node_model("TensorScatter", 24, {}, [cache, update, np.array([0, 0])]))
    held = values(cache)[0]
    for at in ([0, 3], [2, 1]):
        session.run_with_iobinding(bound(session, [held, *values(update, np.array(at))], held))
    assert held.numpy()[:, :, 0].tolist() == [[1, 0, 1, 0], [0, 1, 0, 1]]


def test_an_error_leaves_a_table_in_place_as_it_was():
    table, updates = np.arange(12, dtype=np.float32).reshape(4, 3), np.full((2, 3), -1, np.float32)
    session = plugged(node_model("ScatterND", 18, {"reduction": "add"}, [table, np.array([[0]]), updates]))
    held = values(table.copy())[0]
    with pytest.raises(RuntimeError, match=r"ScatterND.* is 9, out of range"):
        session.run_with_iobinding(bound(session, [held, *values(np.array([[0], [9]]), updates)], held))
    assert (held.numpy() == table).all()
    session.run_with_iobinding(bound(session, [held, *values(np.array([[0], [0]]), updates)], held))
    assert held.numpy()[0].tolist() == [-2, -1, 0] and (held.numpy()[1:] == table[1:]).all()
