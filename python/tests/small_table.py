"""The arrays of the bad calls, and the checks that each of them must pass."""

import numpy as np
import pytest
import windrow

TABLE = np.arange(12, dtype="f4").reshape(4, 3)
ROWS = np.array([2, 0, 3])


def gather(*inputs, **options):
    return windrow.onnx.gather(*inputs, **options)


def scatter(*inputs, **options):
    return windrow.onnx.scatter_nd(*inputs, **options)


def check(call, exception, words):
    with pytest.raises(windrow.Error) as caught:
        call()
    assert type(caught.value) is exception, caught.value
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, str(caught.value)
