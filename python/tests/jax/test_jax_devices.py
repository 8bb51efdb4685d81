"""Arrays on several devices, in a process of their own: their number belongs to the process."""

import subprocess
import sys

CODE = """
import jax
jax.config.update("jax_num_cpu_devices", 2)
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import windrow
import windrow.jax as wj

mesh = jax.make_mesh((2,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
table = np.arange(24, dtype=np.float32).reshape(8, 3)
rows = np.array([7, 0, 3, -1], np.int32)
expected = [1, 0, 0, 1, 0, 0, 0, 2]
for table_spec in (P("d", None), P(None, None)):
    for rows_spec in (P("d"), P(None)):
        tables = jax.device_put(table, NamedSharding(mesh, table_spec))
        ids = jax.device_put(rows, NamedSharding(mesh, rows_spec))
        np.testing.assert_array_equal(wj.take(tables, ids, 0), table[rows])
        gradient = jax.jit(jax.grad(lambda t: wj.take(t, ids, 0).sum()))(tables)
        assert gradient[:, 0].tolist() == expected


def mapped(check):
    return jax.shard_map(
        lambda t, i: wj.take(t, i, 0),
        mesh=mesh,
        in_specs=(P(), P("d")),
        out_specs=P("d"),
        check_vma=check,
    )


rows = jax.device_put(rows, NamedSharding(mesh, P("d")))
table = jax.device_put(table, NamedSharding(mesh, P()))
np.testing.assert_array_equal(mapped(False)(table, rows), np.asarray(table)[np.asarray(rows)])
gradient = jax.grad(lambda t: mapped(False)(t, rows).sum())(table)
assert gradient[:, 0].tolist() == expected, gradient[:, 0]
try:
    mapped(True)(table, rows)
except windrow.Unsupported as error:
    print(error)
"""


def test_two_devices():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "check_vma=False" in done.stdout
