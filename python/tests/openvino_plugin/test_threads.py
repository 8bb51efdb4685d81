"""How many threads the nodes take, in processes of their own: the pool is made once."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
import numpy as np
import openvino
from openvino import opset12
from windrow import openvino_plugin

data, updates = np.zeros((1000, 64), np.float32), np.ones((100_000, 64), np.float32)
indices = np.repeat(np.arange(100_000, dtype=np.int32) % 1000, 64).reshape(updates.shape)
inputs = [data, indices, updates]
parameters = [openvino.opset8.parameter(value.shape, value.dtype) for value in inputs]
node = opset12.scatter_elements_update(*parameters, np.int64(0), "sum", True)
model = openvino.Model([node], parameters)
openvino_plugin.replace(model)
compiled = openvino.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 2, "ENABLE_CPU_PINNING": False})
before = len(os.listdir("/proc/self/task"))
(result,) = compiled(inputs).values()
assert (result == 100).all()
print(len(os.listdir("/proc/self/task")) - before)
"""


def threads_started(count):
    environment = {**os.environ, "WINDROW_OPENVINO_THREADS": str(count)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return int(done.stdout)


# OpenVINO's own pinning leaves one core to a thread that runs nodes, and so one thread to the nodes.
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a pool has at most the allowed cores")
def test_the_environment_says_how_many():
    alone = threads_started(1)
    assert threads_started(4) > alone
