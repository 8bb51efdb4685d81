"""Indices out of range: the host alone may read or write foreign memory, the plug-in never does.

Each call runs in a process of its own, since the host may end it.
"""

import pytest
from forked_code import run_code

PROGRAM = """
import sys
import numpy as np
import openvino
from openvino import opset8, opset12
from windrow import openvino_plugin

operator, with_plugin, index = sys.argv[1], sys.argv[2] == "plugin", int(sys.argv[3])
data = np.arange(1, 9, dtype=np.int32)
indices = np.full((2, 1) if operator == "GatherND" else 2, index, np.int32)
indices[0] = 0
inputs = [data, indices]
if operator == "ScatterElementsUpdate":
    inputs.append(np.zeros(2, np.int32))
parameters = [openvino.opset15.parameter(value.shape, value.dtype) for value in inputs]
node = {
    "Gather": lambda d, i: opset8.gather(d, i, np.int64(0)),
    "GatherND": opset8.gather_nd,
    "ScatterElementsUpdate": lambda d, i, u: opset12.scatter_elements_update(d, i, u, np.int64(0)),
}[operator](*parameters)
model = openvino.Model([node], parameters)
core = openvino.Core()
if with_plugin:
    core.add_extension(openvino_plugin.extension())
    assert openvino_plugin.replace(model) == 1
try:
    (result,) = core.compile_model(model, "CPU")(inputs).values()
    print("result", *result)
except RuntimeError as error:
    print("error", str(error).replace("\\n", " "))
"""
FAR = [8, 12, -9, 1_000_000, -1_000_000, 2**31 - 1, -(2**31)]


def run(operator, way, index):
    ending = run_code(PROGRAM, operator, way, index, host="openvino")
    return str(ending.failure) if ending.failure else ending.value.strip()


@pytest.mark.parametrize("index", FAR)
def test_a_gather_gives_zero(index):
    assert run("Gather", "plugin", index) == "result 1 0"


@pytest.mark.parametrize("index", FAR)
@pytest.mark.parametrize("operator", ["GatherND", "ScatterElementsUpdate"])
def test_the_others_say_which_index_is_outside(operator, index):
    said = run(operator, "plugin", index)
    assert said.startswith("error"), said
    assert f" is {index}, out of range for axis 0 of data with extent 8" in said


@pytest.mark.parametrize("operator", ["Gather", "GatherND", "ScatterElementsUpdate"])
def test_the_host_alone(operator):
    """Shows what the host does today. If none of it is wrong any more, the guide has to say so."""
    found = {index: run(operator, "alone", index) for index in FAR}
    print(f"\n{operator} without the plug-in: {found}")
    specified = "result 1 0" if operator == "Gather" else "error"
    assert not all(said.startswith(specified) for said in found.values())
