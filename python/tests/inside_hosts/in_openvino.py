"""OpenVINO's CPU device: a call is a function that makes the node from its inputs, and these inputs."""

import json
import subprocess
import sys

import numpy as np
from difference import Chance, Difference, Raises

TITLE, HOST, GUIDE = "OpenVINO", "openvino 2026.4.1, the CPU device", "openvino_plugin.md"
NAN = float("nan")
MANY = 400_000


def f32(*values):
    return np.array(values, np.float32)


def i32(*values):
    return np.array(values, np.int32)


def _run(call, is_replaced):
    import openvino
    from openvino import opset8

    from windrow import openvino_plugin

    make, arrays = call
    parameters = [opset8.parameter(array.shape, array.dtype) for array in arrays]
    model = openvino.Model([make(openvino, *parameters)], parameters)
    if is_replaced:
        assert openvino_plugin.replace(model) == 1
    compiled = openvino.Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 2})
    return compiled(list(arrays))[0]


def alone(call):
    """Runs the call in a process of its own if the host may end the process or write outside of its tensors."""
    name = next((row.name for row in ROWS if row.call is call and row.name in UNSAFE), None)
    if name is None:
        return _run(call, False)
    done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the process ended with {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def here(call):
    return _run(call, True)


def _zero():
    return np.int64(0)


def _scatter_elements(reduction):
    return lambda ov, d, i, u: ov.opset12.scatter_elements_update(d, i, u, _zero(), reduction)


def _gather_7(ov, d, i):
    return ov.opset7.gather(d, i, _zero())


def _gather_8(ov, d, i):
    return ov.opset8.gather(d, i, _zero())


def _gather_nd(ov, d, i):
    return ov.opset8.gather_nd(d, i)


def _scatter_update(ov, d, i, u):
    return ov.opset3.scatter_update(d, i, u, _zero())


def _scatter_nd(reduction):
    return lambda ov, d, i, u: ov.opset15.scatter_nd_update(d, i, u, reduction)


ROWS = [
    Difference("nan-in-a-cell", "max, a cell of data is NaN", "stays NaN", "the same",
               (_scatter_elements("max"), [f32(NAN, 1), i32(0), f32(5)]), [NAN, 1], [NAN, 1]),
    Difference("nan-in-an-update", "max, an update is NaN", "is ignored", "is taken",
               (_scatter_elements("max"), [f32(0, 1), i32(1), f32(NAN)]), [0, 1], [0, NAN]),
    Difference("zeros-of-both-signs", "max meets zeros of both signs", "the cell stays", "the update is taken",
               (_scatter_elements("max"), [f32(0.0, -0.0), i32(0, 1), f32(-0.0, 0.0)]), [0.0, -0.0], [-0.0, 0.0]),
    Difference("integer-mean", "mean of integers", "rounds toward zero", "rounds toward minus infinity",
               (_scatter_elements("mean"), [i32(-3, 1), i32(0), i32(-2)]), [-2, 1], [-3, 1]),
    Difference("negative-index", "Gather-7, a negative index", "0", "counts from the end",
               (_gather_7, [f32(1, 2, 3), i32(-1, 1)]), [0, 2], [3, 2]),
    Difference("last-row", "ScatterUpdate, a row written twice", "any of the updates: they are copied in parallel",
               "the last one in row-major order",
               (_scatter_update, [f32(0), np.zeros(MANY, np.int32), np.arange(MANY, dtype=np.float32)]), Chance(),
               [MANY - 1]),
    Difference("last-update", "ScatterNDUpdate without a reduction, a cell written twice",
               "any of the updates: they are copied in parallel", "the last one in row-major order",
               (_scatter_nd("none"), [f32(0), np.zeros((MANY, 1), np.int32), np.arange(MANY, dtype=np.float32)]),
               Chance(), [MANY - 1]),
    Difference("short-vectors", "Gather of a vector of at most 64 integers, an index out of range",
               "what stands beside data, or a crash", "0, as Gather-8 says",
               (_gather_8, [i32(*range(1, 9)), i32(0, 12)]), Chance(), [1, 0]),
    Difference("gather-nd-out-of-range", "GatherND, an index out of range", "what stands beside data, or a crash",
               "an error",
               (_gather_nd, [i32(*range(1, 9)), i32([0], [12])]), Chance(),
               Raises("is 12, out of range for axis 0 of data with extent 8")),
    Difference("scatter-below", "ScatterElementsUpdate, an index below -s", "writes outside of data", "an error",
               (_scatter_elements("none"), [f32(*range(8)), i32(-9), f32(5)]), Chance(),
               Raises("is -9, out of range for axis 0 of data with extent 8")),
    Difference("no-elements", "Gather of rows without elements", "divides by zero, which ends the process",
               "the empty result", (_gather_8, [np.zeros((3, 0), np.float32), i32(0, 1)]),
               Raises("the process ended with -8"), np.zeros((2, 0)).tolist()),
    Difference("scalar-indices", "ScatterUpdate, indices of rank 0", "refuses the model", "computed",
               (_scatter_update, [f32([1, 2], [3, 4]), np.array(1, np.int32), f32(5, 6)]),
               Raises("."), [[1, 2], [5, 6]]),
    Difference("empty-tuples", "ScatterNDUpdate, tuples of length 0", "the result is data",
               "every update is of the whole tensor",
               (_scatter_nd("none"), [f32(1, 2), np.zeros((1, 0), np.int32), f32([5, 6])]), [1, 2], [5, 6]),
]
# Rows for which the host alone may end the process, or write outside of its tensors.
UNSAFE = {"short-vectors", "gather-nd-out-of-range", "scatter-below", "no-elements"}
NOTES = """\
The host converts types before any operator sees them: [what an operator gets](openvino_plugin.md#what-it-takes-over). With
`INFERENCE_NUM_THREADS` 1 the host [loses errors](openvino_plugin.md#errors), its own and Windrow's. These rows cover valid models
and wrong indices; [where Windrow and OpenVINO differ](../operators/openvino_differences.md) is the whole list, found by random
calls, for the CPU device and for `evaluate`."""

if __name__ == "__main__":
    print(json.dumps(np.asarray(_run(next(row.call for row in ROWS if row.name == sys.argv[1]), False)).tolist()))
