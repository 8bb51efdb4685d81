"""ONNX's own node tests of the gather and scatter operators, run by the command."""

import os
import shutil
import subprocess
from pathlib import Path

import onnx
import pytest
from write_node_tests import write_all

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WINDROW_COMMAND", str(ROOT / "build" / "release" / "bin" / "windrow"))
DEBIAN_TESTS = Path("/usr/share/libonnx-testdata/data/node")
# What the newest package onnx has: 29 of ai.onnx and 1 of ai.onnx.ml. Later releases may add some.
GENERATED_COUNT = 30
DEBIAN_NAMES = """
    test_gather_0 test_gather_1 test_gather_2d_indices test_gather_elements_0 test_gather_elements_1
    test_gather_elements_negative_indices test_gather_negative_indices test_gathernd_example_float32
    test_gathernd_example_int32 test_gathernd_example_int32_batch_dim1 test_scatter_elements_with_axis
    test_scatter_elements_with_duplicate_indices test_scatter_elements_with_negative_indices
    test_scatter_elements_without_axis test_scatter_with_axis test_scatter_without_axis test_scatternd
    test_scatternd_add test_scatternd_multiply
    """.split()


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


WAYS = [[], ["--reference"], ["--kernels", "plain"], ["--kernels", "avx2"], ["--kernels", "avx512"]]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("node_tests")
    return folder, write_all(folder)


@pytest.fixture(scope="module")
def packaged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packaged_tests")
    for name in DEBIAN_NAMES:
        shutil.copytree(DEBIAN_TESTS / name, folder / name)
    return folder


def assert_all_pass(folder, names, way):
    result = run("verify", folder, *way)
    optional = way[:1] == ["--kernels"] and way[1] != "plain"
    if optional and "CALL-O2" in result.stdout + result.stderr:
        pytest.skip(f"this machine lacks the kernels {way[-1]}")
    assert result.returncode == 0, result.stdout + result.stderr
    passed = {line.split()[1].split("/")[0] for line in result.stdout.splitlines() if line.startswith("pass ")}
    assert passed == set(names), result.stdout
    assert f"{len(names)} passed, 0 failed, 0 skipped" in result.stdout


def test_the_generator_writes_all(generated):
    assert len(generated[1]) >= GENERATED_COUNT
    assert set(DEBIAN_NAMES) <= set(generated[1])


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way) or "default")
def test_generated_tests_pass(generated, way):
    assert_all_pass(*generated, way)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way) or "default")
def test_packaged_tests_pass(packaged, way):
    assert_all_pass(packaged, DEBIAN_NAMES, way)


def test_a_changed_output_fails(generated, tmp_path):
    folder, _ = generated
    shutil.copytree(folder / "test_gather_0", tmp_path / "test_gather_0")
    path = tmp_path / "test_gather_0" / "test_data_set_0" / "output_0.pb"
    tensor = onnx.TensorProto.FromString(path.read_bytes())
    values = onnx.numpy_helper.to_array(tensor).copy()
    values.flat[-1] += 1
    changed = onnx.numpy_helper.from_array(values, tensor.name)
    path.write_bytes(changed.SerializeToString())
    result = run("verify", tmp_path)
    assert result.returncode == 1, result.stdout
    assert "FAIL test_gather_0" in result.stdout
