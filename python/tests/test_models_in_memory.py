"""windrow.load() of models in memory: bytes and onnx.ModelProto."""

import gc

import numpy as np
import onnx
import pytest
import windrow
from onnx import TensorProto, helper, numpy_helper

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)
IDS = np.array([3, 0])


def lookup():
    """rows = Gather(table, ids), the table an initializer."""
    return helper.make_model(
        helper.make_graph(
            [helper.make_node("Gather", ["table", "ids"], ["rows"], name="pick")],
            "g",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
            [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 3])],
            [numpy_helper.from_array(TABLE, "table")],
        ),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )


class Serializer:
    """Serializes itself as a model does, without being of onnx."""

    def SerializeToString(self):
        return lookup().SerializeToString()


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, onnx.ModelProto.FromString, lambda _: Serializer()]
)
def test_bytes_and_protos_are_models(kind):
    given = kind(lookup().SerializeToString())
    model = windrow.load(given)
    if isinstance(given, bytearray):
        given[:] = bytes(len(given))
    del given
    gc.collect()
    assert model.run({"ids": IDS})["rows"].tolist() == TABLE[IDS].tolist()
    assert [node.name for node in model.nodes] == ["pick"]


def test_external_data_stands_in_the_folder(tmp_path):
    onnx.save(lookup(), tmp_path / "m.onnx", save_as_external_data=True, location="w", size_threshold=0)
    proto = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    for folder in (tmp_path, str(tmp_path)):
        model = windrow.load(proto, folder=folder)
        assert model.run({"ids": IDS})["rows"].tolist() == TABLE[IDS].tolist()
    with pytest.raises(windrow.ArgumentError, match="tensor 'table'.* without the folder"):
        windrow.load(proto)
    with pytest.raises(windrow.FileError, match="tensor 'table': cannot open '.*other'"):
        windrow.load(proto.SerializeToString(), folder=tmp_path / "other")


def test_an_empty_folder_is_this_one(tmp_path, monkeypatch):
    onnx.save(lookup(), tmp_path / "m.onnx", save_as_external_data=True, location="w", size_threshold=0)
    monkeypatch.chdir(tmp_path)
    assert windrow.load((tmp_path / "m.onnx").read_bytes(), folder="").outputs[0].name == "rows"


def test_a_file_has_its_own_folder(tmp_path):
    onnx.save(lookup(), tmp_path / "m.onnx")
    with pytest.raises(windrow.ArgumentError, match="folder"):
        windrow.load(tmp_path / "m.onnx", folder=tmp_path)


def test_bytes_that_are_no_model():
    for wrong, text in [
        (b"", "empty"),
        (b"hello, this is text", "not a valid protobuf message"),
        (lookup().SerializeToString()[:-20], "protobuf|cut"),
        (b'<?xml version="1.0"?><net/>', "OpenVINO IR is read from its .xml and .bin files"),
        (numpy_helper.from_array(TABLE).SerializeToString(), "graph|protobuf"),
    ]:
        with pytest.raises(windrow.FormatError, match=text):
            windrow.load(wrong)


@pytest.mark.parametrize(
    "wrong, name",
    [
        (lookup().graph, "onnx.GraphProto"),
        (numpy_helper.from_array(TABLE), "onnx.TensorProto"),
        (None, "NoneType"),
        (3, "int"),
        (TABLE, "ndarray"),
        (["m.onnx"], "list"),
    ],
)
def test_other_objects_are_refused_by_their_type(wrong, name):
    with pytest.raises(TypeError, match=f"takes a path, bytes or an onnx.ModelProto, not {name}"):
        windrow.load(wrong)
