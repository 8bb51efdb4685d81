"""The distribution is windrow-ops, the package windrow; PyPI's distribution windrow is another project's."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import windrow

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = "|".join(PROJECT["optional-dependencies"])
# `pip install ... windrow`, also in quotes and with extras or a version; files of wheels and windrow-... are others.
INSTALLS_STRANGER = re.compile(rf"pip3? install\b[^&;|]*(?<![\w./-])windrow(?![\w/-]|\.\w)|(?<![\w./-])windrow\[({EXTRAS})\]")


def lines_of_texts():
    """(file, line) of every tracked text except this file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        file = ROOT / name
        if file == Path(__file__).resolve() or not file.is_file():
            continue
        content = file.read_bytes()
        if b"windrow" in content and b"\0" not in content:
            yield from ((name, line) for line in content.decode(errors="replace").splitlines() if "windrow" in line)


def test_no_text_installs_the_other_project():
    assert [(name, line) for name, line in lines_of_texts() if INSTALLS_STRANGER.search(line)] == []


@pytest.mark.parametrize("line", ["pip install windrow", "`pip install -U windrow`", "pip install 'windrow[onnx]'",
                                  "pip install numpy windrow==0.1", "Try pip install windrow.", "the extra `windrow[torch]`"])
def test_a_line_that_installs_it_is_found(line):
    assert INSTALLS_STRANGER.search(line)


@pytest.mark.parametrize("line", ["pip install windrow-ops", "pip install dist/windrow_ops-*.whl && windrow playground", "windrow[0]",
                                  "pip install 'windrow-ops[onnx]' windrow-conformance"])
def test_other_lines_are_not(line):
    assert not INSTALLS_STRANGER.search(line)


def test_the_package_knows_its_distribution():
    assert windrow.__distribution__ == PROJECT["name"] == "windrow-ops"


@pytest.mark.parametrize("example", ["evidence.py", "onnxruntime_models.py"])
def test_an_example_names_the_file_of_the_other_project(tmp_path, example):
    file = tmp_path / "windrow" / "__init__.py"
    file.parent.mkdir()
    file.write_text('raise SystemExit("the stranger runs")\n')
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, ROOT / "examples" / example], env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: {file} is another project's package windrow; install windrow-ops in its place: pip install "
    )
