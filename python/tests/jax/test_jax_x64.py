"""Types of 64 bits, in a process of their own: jax_enable_x64 belongs to the process."""

import os
import subprocess
import sys

CODE = """
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
from jax.test_util import check_grads
from jax_calls import GATHERS, SCATTERS, WIDE_TYPES, fold

import windrow.jax as wj

rng = np.random.default_rng(1)
checked = 0
for dtype in ["float32", *WIDE_TYPES]:
    for index_type in (np.int32, np.int64):
        for call in GATHERS.values():
            data, indices = call.arrays(rng, dtype, index_type)
            result = call(data, indices)
            assert result.dtype == dtype
            np.testing.assert_array_equal(result, call.expected(data, indices))
            checked += 1
        for call in SCATTERS.values():
            data, indices, updates = call.arrays(rng, dtype, index_type)
            for reduction in ("sum", "prod", "min", "max"):
                if dtype == "complex128" and reduction in ("min", "max"):
                    continue
                result = call(data, indices, updates, reduction)
                assert result.dtype == dtype
                expected = fold(data, call.cells(indices), updates, reduction)
                np.testing.assert_array_equal(result, expected)
                checked += 1
for call in SCATTERS.values():
    data, indices, updates = call.arrays(rng, "float64", np.int64)
    data, updates = data + rng.random(data.shape) / 2, updates + rng.random(updates.shape) / 2
    for reduction in call.reductions:
        check_grads(jax.jit(lambda d, u: call(d, indices, u, reduction)), (data, updates), order=1)
        checked += 1
try:
    jax.block_until_ready(wj.take(jnp.arange(3), np.array([2**40]), 0))
except jax.errors.JaxRuntimeError as error:
    assert "indices[0] is 1099511627776" in str(error)
    checked += 1
values = wj.take(np.array([2**60 + 1, 2**62 + 3]), np.array([1]), 0)
assert values.tolist() == [2**62 + 3]
print(checked)
"""


def test_64_bits():
    folder = os.path.dirname(__file__)
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300


def test_jax_is_not_imported_with_the_package():
    code = "import sys, windrow; print('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
