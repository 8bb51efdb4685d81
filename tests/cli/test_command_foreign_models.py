"""Files of other formats in place of a model, in every subcommand that reads one."""

import gzip

import pytest

DOORS = [["run"], ["check"], ["inspect"], ["explain"], ["check", "--lowest-opset"], ["explain", "--node", "pick"]]


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_every_door_names_the_format(windrow, tmp_path, door):
    (tmp_path / "m.ort").write_bytes(b"\x18\0\0\0ORTM" + bytes(40))
    (tmp_path / "m.onnx").write_bytes(gzip.compress(b"model"))
    subcommand, *flags = door
    error = windrow(subcommand, "m.ort", *flags).only_error()
    assert error == (
        "'m.ort': this is ONNX Runtime's own format (.ort); give the .onnx file that it was made from"
    )
    assert "compressed by gzip; unpack it first" in windrow(subcommand, "m.onnx", *flags).only_error()


def test_verify_names_the_format_of_a_case(windrow, tmp_path):
    data = tmp_path / "case" / "test_data_set_0"
    data.mkdir(parents=True)
    (data.parent / "model.onnx").write_bytes(b"GGUF\x03" + bytes(40))
    outcome = windrow("verify", "case")
    assert "this is a GGUF file" in outcome.out + outcome.err


def test_operators_are_operators_where_a_file_has_their_name(windrow, tmp_path):
    (tmp_path / "onnx.Gather").write_bytes(b"GGUF")
    assert windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[1]").code == 0
