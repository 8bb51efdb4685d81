"""The wheel has the corpus and all of the program inside, and needs NumPy alone."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).resolve().parents[1]
MOST_BYTES = 2_000_000
# Fails for whatever is not the standard library, NumPy or the package itself.
ALONE = """
import importlib, pkgutil, sys
import numpy
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
import windrow_conformance
for module in pkgutil.walk_packages(windrow_conformance.__path__, "windrow_conformance."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
names = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(names - sys.stdlib_module_names - {"numpy", "windrow_conformance"}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="requirements-dev.txt has it")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CONFORMANCE, check=True, capture_output=True)
    [file] = folder.glob("windrow_conformance-*-py3-none-any.whl")
    return file


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def test_contents(wheel: Path) -> None:
    print(f"\n{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    assert wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    index = json.loads((CONFORMANCE.parent / "cases" / "index.json").read_text(encoding="utf-8"))
    package = "windrow_conformance"
    assert {f"{package}/cases/{row['path']}" for row in index["files"]} <= set(names)
    assert {f"{package}/cases/LICENSE", f"{package}/processes/_worker.py", f"{package}/py.typed"} <= set(names)
    assert {f"{package}/reports/html/page.css", f"{package}/reports/html/page.js"} <= set(names)
    assert not [name for name in names if "authoring" in name or "/test" in name or "cache__" in name or "/." in name]


def test_it_needs_numpy_alone(unpacked: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", ALONE, str(unpacked)], check=True, capture_output=True, text=True, env={}
    )
    assert done.stdout.strip() == "[]"


def test_its_own_corpus_is_run(unpacked: Path) -> None:
    words = ["-m", "windrow_conformance", "numpy", "--sample", "50", "--jobs", "1", "--format", "json"]
    command = [sys.executable, "-P", *words, "--dialect", "array", "--tier", "specification"]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, env={"PYTHONPATH": str(unpacked)})
    assert done.returncode in (0, 1), done.stderr
    [runtime] = json.loads(done.stdout)["runtimes"]
    assert runtime["tiers"]["specification"]["passed"] > 0
