"""The recipes of cases/deterministic.json through windrow.call(): the bytes that they name, on one thread and on four."""

import hashlib

import numpy as np
import pytest
import windrow
from case_data import ROOT, read

from cases.authoring import fills

RECIPES = read(ROOT / "cases" / "deterministic.json")


def digest(recipe, inputs, threads):
    result = windrow.call(
    recipe["dialect"],
    recipe["op"],
    *inputs,
    version=recipe["version"],
    threads=threads,
     **recipe["attrs"])
    assert [result.dtype.name, list(result.shape)] == [recipe["outputs"][0]["dtype"], recipe["outputs"][0]["shape"]]
    return hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()


@pytest.mark.parametrize("dialect", ["onnx", "openvino", "tensorrt", "array"])
def test_recipes(dialect):
    own = [recipe for recipe in RECIPES if recipe["dialect"] == dialect]
    assert len(own) > 20
    for recipe in own:
        inputs = [fills.elements(tensor) for tensor in recipe["inputs"]]
        for threads in (1, 4):
            assert digest(recipe, inputs, threads) == recipe["outputs"][0]["sha256"], (recipe["name"], threads)
