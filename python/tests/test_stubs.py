"""The stubs, and the types of the package itself, as mypy sees them."""

import subprocess
import sys
from pathlib import Path

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
'''
MISUSE = '''
import windrow

windrow.onnx.gather([1], [0], out_of_range="skip")
windrow.onnx.gather([1], [0], axes=0)
windrow.take([1], [0], mode="zero")
text: str = windrow.onnx.gather([1], [0])
'''


def test_users_see_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text(MISUSE)
    (tmp_path / "windrow").symlink_to(PACKAGE)
    done = mypy("use.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    done = mypy("misuse.py", folder=tmp_path)
    lines = {line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line}
    assert lines >= {"4", "5", "6", "7"}, done.stdout
