"""ONNX's own node tests of the family, with every node left to the plug-in."""

import numpy as np
import pytest
from case_data import same_bits
from onnx import numpy_helper
from ort_sessions import plugged
from write_node_tests import load_cases

CASES = {case.name: case for case in load_cases()}
# Types for which NumPy needs another library: their values are compared by the records of cases/.
LEAST_CASES = 28


def to_array(given):
    return given if isinstance(given, np.ndarray) else numpy_helper.to_array(given)


@pytest.mark.parametrize("name", CASES)
def test_node(name):
    case = CASES[name]
    session = plugged(case.model)
    names = [value.name for value in session.get_inputs()]
    for inputs, outputs in case.data_sets:
        result = session.run(None, dict(zip(names, map(to_array, inputs), strict=True)))[0]
        assert same_bits(to_array(outputs[0]), result)


def test_they_are_all_there():
    assert len(CASES) >= LEAST_CASES
