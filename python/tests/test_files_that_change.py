"""Files that somebody cuts while the package works on them, or afterwards."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
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


def test_a_model_outlives_its_files(tmp_path):
    for external in (False, True):
        folder = tmp_path / str(external)
        folder.mkdir()
        write_model(folder, external)
        model = windrow.load(folder / "m.onnx")
        assert not [path for path in mapped_files() if path.startswith(str(tmp_path))]
        for path in folder.iterdir():
            with path.open("r+b") as file:
                file.truncate(0)
        rows = model.run({"ids": [ROWS - 1]})["rows"]
        assert rows[0, -1] == ROWS * 64 - 1


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
