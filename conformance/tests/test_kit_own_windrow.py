"""Another project's package `windrow` is named as what it is, and none of its code runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import windrow_conformance
from windrow_conformance.own_windrow import windrow_fault
from windrow_conformance.registry import find

ROOT = Path(__file__).resolve().parents[2]
IS_STRANGER = "is another project's package windrow; install windrow-ops in its place: pip install "
RUNTIMES = ("windrow", "windrow-reference", "windrow-in-onnxruntime", "windrow-in-openvino", "windrow-in-jax")
# The runtimes' faults and versions, by a kit that is found beside the given folder alone.
ASK = """
import sys
sys.path[:0] = sys.argv[1:3]
from windrow_conformance.registry import find
for name in sys.argv[3:]:
    print(find(name).fault(), find(name).versions())
assert "windrow" not in sys.modules
"""
HOSTS = ("onnxruntime", "openvino", "jax")


def write_stranger(folder: Path, text: str = 'raise SystemExit("the stranger runs")\n') -> Path:
    file = folder / "windrow" / "__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return file


def faults(folder: Path) -> list[str]:
    """A line per runtime, where the stranger's folder and stand-ins for the hosts come first."""
    for host in HOSTS:
        (folder / f"{host}.py").touch()
    kit = Path(windrow_conformance.__file__).parents[1]
    command = [sys.executable, "-P", "-c", ASK, str(folder), str(kit), *RUNTIMES]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_every_runtime_names_the_file_and_what_to_install(tmp_path: Path) -> None:
    file = write_stranger(tmp_path)
    for line in faults(tmp_path):
        assert line.startswith(f"{file} {IS_STRANGER}dist/windrow_ops-*.whl, ") and line.endswith(" {}")


def test_a_folder_without_a_module_is_a_stranger_too(tmp_path: Path) -> None:
    write_stranger(tmp_path).unlink()
    assert all(line.startswith(f"{tmp_path / 'windrow'} {IS_STRANGER}") for line in faults(tmp_path))


def test_a_stranger_that_mentions_this_project_is_one(tmp_path: Path) -> None:
    file = write_stranger(tmp_path, '"""Unlike windrow-ops."""\n__distribution__ = "windrow"\n')
    assert all(line.startswith(f"{file} {IS_STRANGER}") for line in faults(tmp_path))


def test_the_kit_s_command_says_it(tmp_path: Path) -> None:
    file = write_stranger(tmp_path)
    kit = Path(windrow_conformance.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(kit)])}
    command = [sys.executable, "-P", "-m", "windrow_conformance", "windrow", "--sample", "5"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 3 and f"{file} {IS_STRANGER}" in done.stderr + done.stdout


def test_this_project_s_package_is_no_stranger() -> None:
    windrow = pytest.importorskip("windrow")
    assert windrow_fault() == "" and find("windrow").fault() == ""
    assert find("windrow").versions() == {"windrow": windrow.__version__}


def test_the_sources_are_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "windrow", raising=False)
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    assert windrow_fault() == ""
