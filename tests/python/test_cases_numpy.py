"""A second opinion on the expected outputs of the cases: the operators in terms of NumPy's indexing."""

import numpy as np
import numpy_models
import numpy_options
import pytest
from case_data import FILES, file_name, read, same_bits, same_values, to_numpy


def numpy_has_no_meaning(record):
    """NumPy's multiplication of complex numbers may contract the four products."""
    return record["attrs"].get("reduction") in ("mul", "prod") and record["inputs"][0]["dtype"].startswith("complex")


def compute(record, inputs):
    key, options = (record["dialect"], record["op"]), record.get("options", {})
    if numpy_options.OPTIONS & options.keys():
        return numpy_options.compute(key, record["version"], inputs, record["attrs"], options)
    return numpy_models.compute(*key, record["version"], inputs, record["attrs"], options.get("out_of_range"))


@pytest.mark.parametrize("path", FILES, ids=file_name)
def test_expected_outputs(path):
    checked = 0
    for record in read(path):
        if "outputs" not in record or numpy_has_no_meaning(record):
            continue
        inputs = [None if tensor is None else to_numpy(tensor) for tensor in record["inputs"]]
        result = compute(record, inputs)
        expected = to_numpy(record["outputs"][0])
        # Which of two equal zeros is the larger one, NumPy decides differently for different types.
        same = same_values if record["attrs"].get("reduction") in ("max", "min") else same_bits
        assert same(expected, np.asarray(result, dtype=expected.dtype)), (record["name"], expected, result)
        checked += 1
    assert checked > 15
