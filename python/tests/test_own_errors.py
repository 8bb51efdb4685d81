"""Every error is a windrow.Error, and also what Python and NumPy raise for its kind."""

import pickle

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper
from small_table import TABLE

_testcapi = pytest.importorskip("_testcapi")


@pytest.mark.parametrize("axis", [2, -3, 2**62, 2**70, -2**70])
def test_an_axis_that_is_not_there(axis):
    for call in (lambda: windrow.take(TABLE, [0], axis), lambda: windrow.index_add(TABLE, [0], TABLE[:1], axis),
                 lambda: windrow.onnx.gather_elements(TABLE, [[0]], axis=axis)):
        with pytest.raises(windrow.AxisError, match="axis is") as caught:
            call()
        for kind in (windrow.ArgumentError, np.exceptions.AxisError, ValueError, IndexError):
            assert isinstance(caught.value, kind)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (windrow.AxisError, str(caught.value))


@pytest.mark.parametrize("axis", ["0", 1.0, (0, 1), True, b"0"])
def test_an_axis_of_another_type(axis):
    with pytest.raises(TypeError, match="axis.*must be an integer") as caught:
        windrow.take(TABLE, [0], axis)
    assert isinstance(caught.value, windrow.ArgumentTypeError)
    assert isinstance(caught.value, windrow.ArgumentError)


@pytest.mark.parametrize("index", [2**63, 2**63 + 5, 2**64 - 1])
def test_unsigned_indices_beyond_63_bits(index):
    with pytest.raises(windrow.IndexOutOfRange, match=f"indices\\[1\\] is {index},") as caught:
        windrow.take(TABLE, np.array([0, index], np.uint64), 0)
    assert caught.value.value == index
    for threads in (1, 3):
        for kernels in windrow.kernel_sets():
            taken = windrow.take(TABLE[:3], np.full(500, index, np.uint64), 0, mode="wrap", threads=threads,
                                 kernels=kernels if windrow.kernel_sets()[kernels] else None)
            assert np.array_equal(taken, TABLE[np.full(500, index % 3)])


MESSAGES = {
    "an integer beyond 64 bits": (lambda: windrow.take(TABLE, [0, 2**70]), windrow.DTypeError,
                                  f"indices has the integer {2**70}, beyond 64 bits"),
    "None among integers": (lambda: windrow.take(TABLE, [0, None]), windrow.DTypeError, "indices has a null of 2 elements"),
    "a set": (lambda: windrow.take(TABLE, {1, 2}), windrow.DTypeError, r"set, which has no order.*sorted\(indices\)"),
    "a slice": (lambda: windrow.take(TABLE, slice(2)), windrow.DTypeError, "slice.*numpy.arange"),
    "a generator": (lambda: windrow.take(TABLE, (i for i in [1])), windrow.DTypeError, r"list\(indices\)"),
    "a class": (lambda: windrow.take(range, [0]), windrow.DTypeError, "a is not an array, list or number but a type"),
    "mode no Unicode": (lambda: windrow.take(TABLE, [0], mode="\ud800"), windrow.ArgumentError, "mode.*not valid Unicode"),
    "a NUL in kernels": (lambda: windrow.take(TABLE, [0], kernels="avx2\0x"), windrow.Unsupported,
                         r"'avx2\\0x', must be one of"),
    "an escape in kernels": (lambda: windrow.take(TABLE, [0], kernels="\x1b[31m"), windrow.Unsupported, r"'\\x1b\[31m'"),
    "a NUL in a path": (lambda: windrow.load("model\0.onnx"), windrow.ArgumentError, "path has a NUL"),
    "a path that is not Unicode": (lambda: windrow.load("\udc80.onnx"), windrow.FileError, "cannot open"),
    "a path of other surrogates": (lambda: windrow.load("\ud800.onnx"), windrow.ArgumentError, "path.*not valid Unicode"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name):
    call, error, words = MESSAGES[name]
    with pytest.raises(error, match=words) as caught:
        call()
    assert str(caught.value).isprintable()


def test_traced_arrays_of_jax():
    jax = pytest.importorskip("jax")
    for call in (lambda x: windrow.take(x, [0]), lambda x: windrow.take(TABLE, x), lambda x: windrow.take([x], [0])):
        with pytest.raises(windrow.ArgumentError, match="(?i)jax|trace"):
            jax.jit(call)(jax.numpy.zeros(3, "int32"))
    with pytest.raises(windrow.ArgumentError, match="a is traced.*windrow.jax"):
        jax.grad(lambda x: windrow.take(x, 0))(jax.numpy.zeros(3))


@pytest.mark.parametrize(("part", "package"), [
    ("jax", "jax"), ("torch", "torch"), ("onnxruntime", "onnxruntime"), ("onnx_backend", "onnx"),
    ("openvino_plugin", "openvino")])
def test_missing_packages(part, package):
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules[{package!r}] = None; import windrow.{part}"],
        capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"pip install {package}" in done.stderr.strip().splitlines()[-1]


def model_with_names(tmp_path, name):
    """A model whose value names are these bytes: protobuf's own classes refuse them."""
    placeholder = "p" * len(name)
    graph = helper.make_graph(
        [helper.make_node("Gather", [placeholder, "ids"], ["rows"], placeholder)], placeholder,
        [helper.make_tensor_value_info(placeholder, TensorProto.FLOAT, [placeholder, 3]),
         helper.make_tensor_value_info("ids", TensorProto.INT64, [None])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, 3])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString().replace(placeholder.encode(), name))
    return windrow.load(path)


@pytest.mark.parametrize("name", [b"\xff\xfe name", b"bell\x07 \x1b[31m", b"a\0b name", b"line\nbreak"])
def test_names_that_are_no_text(tmp_path, name):
    model = model_with_names(tmp_path, name)
    key = name.decode("utf-8", "surrogateescape")
    assert [value.name for value in model.inputs] == [key, "ids"]
    for text in (repr(model), repr(model.inspect()), str(model.inputs[0])):
        assert all(line.isprintable() for line in text.splitlines())
        text.encode()
    assert model.nodes[0].name == key
    model.infer()
    model.unsupported()
    model._repr_html_()
    assert np.array_equal(model.run({key: TABLE, "ids": [2]})["rows"], TABLE[[2]])
    with pytest.raises(windrow.Error) as caught:
        model.run({"ids": [2]})
    str(caught.value).encode()
    with pytest.raises(windrow.IndexOutOfRange) as caught:
        model.run({key: TABLE, "ids": [99]})
    str(caught.value).encode()
    with pytest.raises(windrow.ArgumentError, match="must be a str"):
        model.run({7: TABLE})


def test_strings_that_are_no_text():
    graph = helper.make_graph(
        [helper.make_node("Gather", ["words", "ids"], ["out"])], "g",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [None])],
        [helper.make_tensor_value_info("out", TensorProto.STRING, [None])],
        [helper.make_tensor("words", TensorProto.STRING, [2], [b"\xff\x80", b"a"])])
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
        out = windrow.load(path).run({"ids": [0, 1, 0]})["out"]
    assert [word.encode("utf-8", "surrogateescape") for word in out] == [b"\xff\x80", b"a", b"\xff\x80"]
    assert windrow.take(out, [1, 0]).tolist() == ["a", out[0]]


SMALL = np.zeros((4, 3), np.float32)
UNDER_PRESSURE = {
    "array": lambda: windrow.take(SMALL, np.array([1]), 0),
    "lists": lambda: windrow.onnx.gather([[1.0, 2.0]], [0], out_of_range="clamp"),
    "text": lambda: windrow.onnx.gather(["a", "b"], [1]),
    "an error": lambda: windrow.take(SMALL, [9], 0),
    "compile": lambda: windrow.compile("onnx", "Gather", SMALL, np.array([0]))(SMALL, np.array([0])),
    "a dtype error": lambda: windrow.take(SMALL, [0.5], 0),
}


@pytest.mark.parametrize("name", UNDER_PRESSURE)
def test_python_without_memory(name):
    """Each allocation of Python's fails in turn: an OutOfMemory, or what the call does anyhow."""
    call = UNDER_PRESSURE[name]
    kinds = set()
    held = [kind() for _ in range(1000) for kind in (list, dict)]  # more than Python keeps for the next ones, without an allocation
    for start in range(300):
        error = None
        _testcapi.set_nomemory(start, start + 1)
        try:
            call()
        except BaseException as caught:
            error = caught
        finally:
            _testcapi.remove_mem_hooks()
        kinds.add(type(error))
        if error is not None:
            assert isinstance(error, (windrow.Error, MemoryError)), repr(error)
    assert held and windrow.OutOfMemory in kinds and windrow.InternalError not in kinds
