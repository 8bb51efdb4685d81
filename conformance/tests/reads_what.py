"""Calls a runtime on a large input of which it needs three rows; prints by how much its memory grew, in MiB.

Called with a runtime's name. The input is memory that nobody has touched, so that it takes room only where it is copied.
"""

import dataclasses
import mmap
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from windrow_conformance import registry
from windrow_conformance.record import Record
from windrow_conformance.tensor import Tensor

MIB = 1 << 20
ROWS, COLUMNS = 64 * 1024, 1024
SMALL = Record(
    path="onnx/gather/rows",
    dialect="onnx",
    op="Gather",
    version=13,
    attrs={"axis": 0},
    inputs=(
        Tensor("float32", np.zeros((8, COLUMNS), np.float32)),
        Tensor("int32", np.array([1, 0, 7], np.int32)),
    ),
    output=Tensor("float32", np.zeros((3, COLUMNS), np.float32)),
    rule="ONNX-V1",
    tier="specification",
)


def most_memory():
    [line] = [line for line in open("/proc/self/status", encoding="ascii") if line.startswith("VmHWM")]
    return int(line.split()[1]) // 1024


def main(name):
    runtime = registry.find(name)
    runtime.preload()
    record = SMALL
    if "onnx" not in runtime.dialects:
        axis = Tensor("int64", np.zeros((), np.int64))
        record = dataclasses.replace(SMALL, dialect="openvino", version=8, attrs={}, inputs=(*SMALL.inputs, axis))
    runtime.prepare(record)(record.inputs)
    room = np.frombuffer(mmap.mmap(-1, ROWS * COLUMNS * 4), np.float32).reshape(ROWS, COLUMNS)
    large = dataclasses.replace(record, inputs=(Tensor("float32", room), *record.inputs[1:]))
    call = runtime.prepare(large)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write("5")
    before = most_memory()
    call(large.inputs)
    print(most_memory() - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
