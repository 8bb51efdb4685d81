"""Windrow inside ONNX Runtime. None of these tests can run in a build without the plug-in."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "official"))
pytest.importorskip("onnxruntime")

import windrow.onnxruntime  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def plugin():
    if not windrow.onnxruntime.available():
        pytest.skip("this build has no plug-in for ONNX Runtime, or onnxruntime is too old")
    return windrow.onnxruntime.register()
