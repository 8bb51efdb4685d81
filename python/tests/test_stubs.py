"""The stubs, and the types of the package itself, as mypy sees them."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import windrow

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(windrow.__file__).parent


def mypy(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / "build" / "mypy"), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_operator_has_a_stub():
    for operator in windrow.ops():
        stub = (PACKAGE / f"{operator.dialect}.pyi").read_text()
        assert f"def {operator.function_name}(" in stub


def inputs_of(operator):
    """One element for every input that a call must have: they break no rule about types. Of ids and offsets the ids."""
    return [np.zeros(1, np.float32 if "float32" in row["dtypes"] else np.int64) for row in operator.newest["inputs"]
            if not row["optional"] or row["name"] == "segment_ids"]


def error_about(operator, reduction):
    """The error of a call, whose shapes may be wrong too: the rule about the reduction comes first."""
    required = {row["name"]: 1 for row in operator.attributes if row["required"]}
    try:
        windrow.call(operator.dialect, operator.name, *inputs_of(operator), reduction=reduction, **required)
    except windrow.Error as error:
        return str(error)
    return ""


REDUCING = [operator for operator in windrow.ops() if any(row["name"] == "reduction" for row in operator.attributes)]


@pytest.mark.parametrize("operator", REDUCING, ids=lambda operator: f"{operator.dialect}.{operator.name}")
def test_stubs_name_every_reduction(operator):
    [values] = [row["values"] for row in operator.attributes if row["name"] == "reduction"]
    said = set(re.findall(r"\w+", error_about(operator, "?").split("must be ")[1])) - {"one", "of", "or"}
    assert set(values) == said
    stub = (PACKAGE / f"{operator.dialect}.pyi").read_text().split(f"def {operator.function_name}(")[1]
    named = set(re.findall(r"\w+", re.search(r"reduction: Literal\[(.*?)\]", stub).group(1)))
    assert named == said | {"add", "sum"}
    for name in named:
        assert "reduction" not in error_about(operator, name)


def test_the_package_is_typed():
    done = mypy("--strict", "-p", "windrow", folder=PACKAGE.parent)
    assert done.returncode == 0, done.stdout


USE = '''
import numpy as np
import windrow

table = np.zeros((4, 3), np.float32)
rows: np.ndarray = windrow.onnx.gather(table, [1, 2], axis=0, out_of_range="zero")
same: list[int] = windrow.onnx.gather(table, [1, 2], out=[1])
plan: windrow.Plan = windrow.compile("onnx", "Gather", windrow.Spec("float32", (4, 3)), rows)
taken: np.ndarray = windrow.take(table, [0], 0)
added: np.ndarray = windrow.index_add(table, [0], table[:1])
into: list[int] = windrow.index_add(table, [0], table[:1], out=[1])
ran: np.ndarray = plan(table, rows)
ran_into: list[int] = plan(table, rows, out=[1])
windrow.onnx.scatter_nd(table, [[0]], table[:1], reduction="add")
windrow.onnx.scatter_nd(table, [[0]], table[:1], reduction="sum")
windrow.index_reduce(table, [0], table[:1], reduction="add")
'''
MISUSE = '''
import windrow

windrow.onnx.gather([1], [0], out_of_range="skip")
windrow.onnx.gather([1], [0], axes=0)
windrow.take([1], [0], mode="zero")
text: str = windrow.onnx.gather([1], [0])
windrow.onnx.scatter_nd([1], [[0]], [1], reduction="prod")
windrow.index_reduce([1], [0], [1], reduction="mul")
number: int = windrow.index_add([1], [0], [1])
nothing: int = windrow.put_along_axis([1], [0], [1])
'''


def test_users_see_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text(MISUSE)
    (tmp_path / "windrow").symlink_to(PACKAGE)
    done = mypy("use.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    done = mypy("misuse.py", folder=tmp_path)
    lines = {line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line}
    assert lines >= {"4", "5", "6", "7", "8", "9", "10", "11"}, done.stdout
