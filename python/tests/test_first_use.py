"""Modules of the package that are loaded when they are first used, in a fresh interpreter."""

import subprocess
import sys

import pytest
import windrow

# A module, the package that it needs, and an expression that uses it after `import windrow` alone.
MODULES = [
    ("onnxruntime", "onnxruntime", "windrow.onnxruntime.available()"),
    ("jax", "jax", "windrow.jax.take([1.0, 2.0], [1]).tolist() == [2.0]"),
    ("trt", "", "windrow.trt.INetworkDefinition.__name__ == 'INetworkDefinition'"),
    ("runners", "", "callable(windrow.runners.runner)"),
    ("openvino_plugin", "openvino", "callable(windrow.openvino_plugin.extension)"),
]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(("name", "package", "expression"), MODULES)
def test_import_windrow_is_enough(name, package, expression):
    if package:
        pytest.importorskip(package)
    done = run(f"import sys, windrow; assert 'windrow.{name}' not in sys.modules; assert {expression}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("name", "package"), [row[:2] for row in MODULES if row[1]] + [("torch", "torch")])
def test_missing_package_is_named_with_the_line_that_installs_it(name, package):
    done = run(f"import sys, windrow; sys.modules[{package!r}] = None; windrow.{name}")
    assert done.returncode == 1
    assert f"ImportError: windrow.{name} needs " in done.stderr
    assert f"pip install {package}" in done.stderr


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="module 'windrow' has no attribute 'jaxx'"):
        windrow.jaxx  # noqa: B018
