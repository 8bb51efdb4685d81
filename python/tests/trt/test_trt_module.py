"""The names of windrow.trt, and whether its stub tells the truth."""

import ast
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import windrow.trt as trt
from windrow.trt import _network

DATA_TYPES = "FLOAT HALF INT8 INT32 BOOL UINT8 FP8 BF16 INT64 INT4 FP4 E8M0".split()
ALIASES = "float32 float16 int8 int32 bool uint8 fp8 bfloat16 int64 int4 fp4 e8m0".split()
SIZES = [4, 2, 1, 4, 1, 1, 1, 2, 8, 0.5, 0.5, 1]


def test_data_types():
    assert [data_type.name for data_type in trt.DataType] == DATA_TYPES
    assert [int(data_type) for data_type in trt.DataType] == list(range(12))
    assert [getattr(trt, alias) for alias in ALIASES] == list(trt.DataType)
    assert [data_type.itemsize for data_type in trt.DataType] == SIZES
    assert str(trt.float32) == "DataType.FLOAT"


def test_modes_have_tensorrts_values():
    assert {mode.name: int(mode) for mode in trt.GatherMode} == {
        "DEFAULT": 0,
        "ELEMENT": 1,
        "ND": 2,
    }
    assert {mode.name: int(mode) for mode in trt.ScatterMode} == {"ELEMENT": 0, "ND": 1}
    assert {mode.name: int(mode) for mode in trt.KVCacheMode} == {"LINEAR": 0}
    assert {kind.name: int(kind) for kind in trt.LayerType} == {
        "CAST": 1,
        "GATHER": 16,
        "CONSTANT": 19,
        "SCATTER": 37,
        "ONE_HOT": 40,
        "KVCACHE_UPDATE": 54,
    }
    assert int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED) == 1


def test_nptype():
    for data_type in trt.DataType:
        name = _network.type_name(data_type)
        if name in np.sctypeDict and not hasattr(ml_dtypes, name):
            assert trt.nptype(data_type) is np.dtype(name).type
        else:
            with pytest.raises(
                TypeError, match=f"Could not resolve TensorRT datatype .*ml_dtypes.{name}"
            ):
                trt.nptype(data_type)
            assert hasattr(ml_dtypes, name)


def test_what_is_not_here_says_what_is():
    for name in (
        "Runtime",
        "ICudaEngine",
        "IExecutionContext",
        "OnnxParser",
        "get_plugin_registry",
    ):
        assert not hasattr(trt, name)
        with pytest.raises(AttributeError, match=f"no {name}: .*windrow.trt.testing.run"):
            getattr(trt, name)


def test_all_is_there_and_documented():
    for name in trt.__all__:
        assert hasattr(trt, name)
        assert getattr(trt, name).__doc__, name
    classes = {name for name in vars(_network) if name[0].isupper()}
    assert classes <= set(trt.__all__)


def members(body):
    """The names that statements of a stub declare."""
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets)
    return found


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_lists_what_the_extension_has():
    stub = Path(_network.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    module = ast.parse(stub)
    assert public(members(module.body)) == public(vars(_network))
    for node in module.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            real = getattr(_network, node.name)
            assert public(members(node.body)) == public(vars(real)), node.name
