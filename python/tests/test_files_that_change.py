"""Files that are truncated while the package works on them, or afterwards."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper, numpy_helper

ROWS = 40_000


def write_model(folder, external):
    """rows = Gather(table, ids) of 10 MB, the table an initializer."""
    table = np.arange(ROWS * 64, dtype=np.float32).reshape(ROWS, 64)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "ids"], ["rows"])],
        "g",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 64])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "m.onnx", save_as_external_data=external, location="w")


def mapped_files():
    lines = Path("/proc/self/maps").read_text().splitlines()
    return {line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6}


@pytest.fixture(params=[False, True], ids=["inside", "external"])
def folder(request, tmp_path):
    write_model(tmp_path, request.param)
    return tmp_path


def test_a_model_outlives_the_names_of_its_files(folder):
    model = windrow.load(folder / "m.onnx")
    assert not [path for path in mapped_files() if path.startswith(str(folder))]
    for path in folder.iterdir():
        path.unlink()
    rows = model.run({"ids": [ROWS - 1]})["rows"]
    assert rows[0, -1] == ROWS * 64 - 1


@pytest.mark.parametrize("change", ["cut", "overwritten"])
def test_constants_of_a_file_that_has_changed_are_an_error(folder, change):
    model = windrow.load(folder / "m.onnx")
    for path in folder.iterdir():
        with path.open("r+b") as file:
            file.truncate(0) if change == "cut" else file.write(b"x")
    with pytest.raises(windrow.FormatError, match="constant 'table'.*the file was"):
        model.run({"ids": [ROWS - 1]})


def test_constants_that_were_read_stay(folder):
    model = windrow.load(folder / "m.onnx")
    before = model.run({"ids": [0, ROWS - 1]})["rows"]
    for path in folder.iterdir():
        path.write_bytes(b"")
    assert np.array_equal(model.run({"ids": [0, ROWS - 1]})["rows"], before)


CUT = """
import sys, threading
import windrow

model, victim = sys.argv[1:]
content = open(victim, "rb").read()
done = threading.Event()

def cut_and_restore():
    while not done.is_set():
        with open(victim, "r+b") as file:
            file.truncate(len(content) // 2)
            file.truncate(0)
            file.write(content)

thread = threading.Thread(target=cut_and_restore)
thread.start()
read = refused = 0
try:
    for _ in range(60):
        try:
            windrow.load(model).run({"ids": [0, 39_999]})
            read += 1
        except windrow.Error:
            refused += 1
finally:
    done.set()
    thread.join()
print(read, refused)
"""


def test_a_file_that_is_cut_while_it_is_read_ends_no_process(tmp_path):
    for external, victim in ((False, "m.onnx"), (True, "w")):
        folder = tmp_path / victim
        folder.mkdir()
        write_model(folder, external)
        command = [sys.executable, "-c", CUT, str(folder / "m.onnx"), str(folder / victim)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, (done.returncode, done.stderr)
        read, refused = map(int, done.stdout.split())
        assert read + refused == 60
        assert refused > 0
