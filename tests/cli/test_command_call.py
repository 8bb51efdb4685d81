"""windrow call."""

import ml_dtypes
import numpy as np
import pytest


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "data.npy", np.arange(12, dtype=np.float32).reshape(2, 2, 3))
    np.save(tmp_path / "indices.npy", np.array([[1], [0]]))


def test_one_operator(windrow, files, tmp_path):
    outcome = windrow(
        "call", "onnx.GatherND", "data.npy", "indices.npy", "--attr", "batch_dims=1",
        "--version", "12", "-o", "out.npy",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert outcome.out == "output  float32[2, 3]  [[3, 4, 5], [6, 7, 8]]\nwrote out.npy\n"
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), [[3, 4, 5], [6, 7, 8]])


def test_json(windrow, files):
    document = windrow("call", "onnx.GatherND", "data.npy", "indices.npy", "--json").json()
    assert document["operator"] == "onnx.GatherND-13"
    assert document["output"]["shape"] == [2, 2, 3]
    assert document["output"]["dtype"] == "float32"
    assert document["warnings"] == []


def test_the_version_may_stand_in_the_name(windrow, files):
    document = windrow("call", "onnx.GatherND-11", "data.npy", "indices.npy", "--json").json()
    assert document["operator"] == "onnx.GatherND-11"


def test_reference_gives_the_same(windrow, files):
    fast = windrow("call", "onnx.GatherND", "data.npy", "indices.npy")
    slow = windrow("call", "onnx.GatherND", "data.npy", "indices.npy", "--reference")
    assert (slow.code, slow.out) == (0, fast.out)


def test_an_operator_of_the_ml_domain(windrow, tmp_path):
    np.save(tmp_path / "x.npy", np.array([[1, 2, 3], [4, 5, 6]], np.float32))
    np.save(tmp_path / "y.npy", np.array([2, 0]))
    outcome = windrow("call", "onnx.ArrayFeatureExtractor", "x.npy", "y.npy")
    assert outcome.code == 0, outcome.err
    assert outcome.out == "Z  float32[2, 2]  [[3, 1], [6, 4]]\n"


def test_a_left_out_optional_input(windrow, tmp_path):
    np.save(tmp_path / "cache.npy", np.zeros((1, 3, 1), np.float32))
    np.save(tmp_path / "update.npy", np.ones((1, 2, 1), np.float32))
    for files in (["cache.npy", "update.npy", "none"], ["cache.npy", "update.npy"]):
        outcome = windrow("call", "onnx.TensorScatter", *files, "--attr", "mode=circular")
        assert outcome.code == 0, outcome.err
        assert outcome.out.endswith("float32[1, 3, 1]  [[[1], [1], [0]]]\n")


def test_scatter_and_its_warning(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.zeros(3, np.int32))
    np.save(tmp_path / "i.npy", np.array([2]))
    np.save(tmp_path / "u.npy", np.array([9], np.int32))
    outcome = windrow("call", "onnx.Scatter", "d.npy", "i.npy", "u.npy")
    assert outcome.code == 0, outcome.err
    assert outcome.out == "output  int32[3]  [0, 0, 9]\n"
    assert outcome.err.startswith("warning: ")
    assert windrow("call", "onnx.Scatter", "d.npy", "i.npy", "u.npy", "--version", "9").err == ""


SMALL_TYPES = [
    "bfloat16",
    "float16",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
]


@pytest.mark.parametrize("name", SMALL_TYPES)
def test_every_value_of_a_small_type_is_shown(windrow, tmp_path, name):
    dtype = np.dtype(name if name == "float16" else getattr(ml_dtypes, name))
    if dtype.itemsize == 1:
        bits = np.arange(256, dtype=np.uint8)
    else:  # all exponents with some mantissas
        bits = (np.arange(0, 65536, 61) % 65536).astype(np.uint16)[:1000]
    values = bits.view(dtype).reshape(1, 1, -1)
    raw = values if name == "float16" else bits.view(f"V{dtype.itemsize}").reshape(values.shape)
    np.save(tmp_path / "cache.npy", np.concatenate([raw, raw], axis=1))
    np.save(tmp_path / "update.npy", raw)
    outcome = windrow(
        "call", "onnx.TensorScatter", "cache.npy", "update.npy", "--json",
        "--dtype", f"0={name}", "--dtype", f"update={name}",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    output = outcome.json()["output"]
    assert output["dtype"] == name
    got = np.array([float(v) for v in output["values"]])
    with np.errstate(invalid="ignore"):
        expected = np.tile(values.astype(np.float64).ravel(), 2)[: len(got)]
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected) & ~np.isnan(expected))


@pytest.mark.parametrize("name", ["int4", "uint4", "float4_e2m1fn"])
def test_every_value_of_a_four_bit_type_is_shown(windrow, tmp_path, name):
    import onnx
    from onnx import TensorProto

    data_type = {
        "int4": TensorProto.INT4,
        "uint4": TensorProto.UINT4,
        "float4_e2m1fn": TensorProto.FLOAT4E2M1,
    }[name]
    tensor = TensorProto(data_type=data_type, dims=[1, 1, 16])
    tensor.raw_data = bytes((2 * i) | (2 * i + 1) << 4 for i in range(8))
    (tmp_path / "cache.pb").write_bytes(tensor.SerializeToString())
    outcome = windrow("call", "onnx.TensorScatter", "cache.pb", "cache.pb", "--json")
    assert outcome.code == 0, outcome.err
    expected = onnx.numpy_helper.to_array(tensor).astype(np.float64).ravel()
    assert outcome.json()["output"]["dtype"] == name
    np.testing.assert_array_equal(np.array(outcome.json()["output"]["values"], float), expected)


@pytest.mark.parametrize(
    "array, shown",
    [
        (np.array([True, False]), "bool[2]  [true, false]"),
        (np.array([1 + 2j, complex(0, -0.5)], np.complex64), "complex64[2]  [1+2j, 0-0.5j]"),
        (np.array([1e300, complex(np.nan, np.inf)]), "complex128[2]  [1e+300+0j, nan+infj]"),
        (np.array([0.1, 1 / 3]), "float64[2]  [0.1, 0.3333333333333333]"),
        (np.array([2**64 - 1, 0], np.uint64), "uint64[2]  [18446744073709551615, 0]"),
        (np.array([-128, 127], np.int8), "int8[2]  [-128, 127]"),
        (np.array(["a", "längeres"]), 'string[2]  ["a", "längeres"]'),
    ],
)
def test_values_as_text(windrow, tmp_path, array, shown):
    np.save(tmp_path / "d.npy", array)
    np.save(tmp_path / "i.npy", np.array([0, 1]))
    outcome = windrow("call", "onnx.Gather", "d.npy", "i.npy")
    assert (outcome.code, outcome.out) == (0, f"output  {shown}\n"), outcome.err


def test_long_strings_are_cut_between_characters(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.array(["ä" * 30 + "z"]))
    np.save(tmp_path / "i.npy", np.array([0]))
    out = windrow("call", "onnx.Gather", "d.npy", "i.npy").out
    assert out == 'output  string[1]  ["' + "ä" * 20 + '"...]\n'


def test_scalar_and_empty_results(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.array([1.5, 2.5]))
    np.save(tmp_path / "one.npy", np.array(1))
    np.save(tmp_path / "none.npy", np.zeros((0, 2), np.int64))
    assert windrow("call", "onnx.Gather", "d.npy", "one.npy").out == "output  float64[]  2.5\n"
    outcome = windrow("call", "onnx.Gather", "d.npy", "none.npy")
    assert outcome.out == "output  float64[0, 2]  (no elements)\n"


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["onnx.GaterND", "data.npy", "indices.npy"], ["GaterND", "GatherND"]),
        (["GatherND", "data.npy", "indices.npy"], ["onnx.GatherND"]),
        (["onyx.GatherND", "data.npy", "indices.npy"], ["onyx"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--version", "3"], ["GatherND", "3"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--attr", "axis=1"], ["axis", "batch_dims"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--attr", "batch_dims=x"], ["batch_dims"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--attr", "batch_dims"], ["NAME=VALUE"]),
        (
            [
                "onnx.GatherND",
                "data.npy",
                "indices.npy",
                "--attr",
                "batch_dims=1",
                "--attr",
                "batch_dims=1",
            ],
            ["twice"],
        ),
        (
            [
                "onnx.GatherND",
                "data.npy",
                "indices.npy",
                "--version",
                "11",
                "--attr",
                "batch_dims=1",
            ],
            ["GatherND-11", "batch_dims"],
        ),
        (["onnx.GatherND", "data.npy", "indices.npy", "data.npy"], ["2 inputs", "3 files"]),
        (["onnx.GatherND", "data.npy"], ["indices"]),
        (["onnx.GatherND", "data.npy", "none"], ["indices"]),
        (["onnx.GatherND", "data.npy", "data.npy"], ["float32"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--dtype", "0=float12"], ["float12"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--dtype", "5=float16"], ["'5'"]),
        (["onnx.GatherND", "data.npy", "indices.npy", "--dtype", "float16"], ["POS=TYPE"]),
        (["onnx.Gather", "data.npy", "indices.npy", "--attr", "axis=3"], ["axis", "3", "rank 3"]),
        (["onnx.Gather", "data.npy", "absent.npy"], ["absent.npy"]),
        (["onnx.Gather", "data.npy", "indices.npy", "-o", "no/such/out.npy"], ["no/such/out.npy"]),
        (["onnx.Gather", "data.npy", "indices.npy", "-o", "out.txt"], ["out.txt"]),
    ],
)
def test_bad_calls(windrow, files, arguments, parts):
    error = windrow("call", *arguments).only_error()
    for part in parts:
        assert part in error


def test_an_index_out_of_range(windrow, files, tmp_path):
    np.save(tmp_path / "indices.npy", np.array([[0, 1], [2, 0]]))
    error = windrow("call", "onnx.GatherND", "data.npy", "indices.npy", "-o", "o.npy").only_error()
    for part in ["onnx.GatherND-13", "indices[1, 0] is 2", "axis 0", "extent 2", "1 of 4"]:
        assert part in error
    assert not (tmp_path / "o.npy").exists()


def test_negative_indices(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.array([10, 20, 30]))
    np.save(tmp_path / "i.npy", np.array([1, -1]))
    call = ["call", "onnx.Gather", "d.npy", "i.npy", "--out-of-range", "zero"]
    assert windrow(*call).out == "output  int64[2]  [20, 30]\n"
    assert windrow(*call, "--negative", "from_end").out == "output  int64[2]  [20, 30]\n"
    assert windrow(*call, "--negative", "out_of_range").out == "output  int64[2]  [20, 0]\n"
    error = windrow(*call, "--negative", "error").only_error()
    for part in ["CALL-O3", "indices[1] is -1, negative", "negative=error", "1 of 2 indices is refused"]:
        assert part in error
    assert "from_end" in windrow(*call, "--negative", "wrap").only_error()


def test_padding(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.array([10, 20, 30]))
    np.save(tmp_path / "i.npy", np.array([1, -1]))
    call = ["call", "onnx.Gather", "d.npy", "i.npy"]
    assert windrow(*call, "--padding-index", "-1").out == "output  int64[2]  [20, 0]\n"
    assert windrow(*call, "--padding-index", "1").out == "output  int64[2]  [0, 30]\n"
    assert "--padding-index" in windrow(*call, "--padding-index", "none").only_error()


def test_reduction_attribute_is_text(windrow, tmp_path):
    np.save(tmp_path / "d.npy", np.zeros(2, np.int64))
    np.save(tmp_path / "i.npy", np.array([1, 1]))
    np.save(tmp_path / "u.npy", np.array([2, 3]))
    arguments = ["call", "onnx.ScatterElements", "d.npy", "i.npy", "u.npy"]
    assert windrow(*arguments, "--attr", "reduction=add").out == "output  int64[2]  [0, 5]\n"
    assert "total" in windrow(*arguments, "--attr", "reduction=total").only_error()


@pytest.mark.parametrize("call", [["call", "onnx.Gather", "d.npy", "i.npy"],
                                  ["explain", "onnx.Gather", "--data", "d.npy", "--indices", "i.npy"]])
def test_a_type_that_the_file_does_not_have_is_refused(windrow, tmp_path, call):
    np.save(tmp_path / "d.npy", np.zeros(4, np.float32))
    np.save(tmp_path / "i.npy", np.array([1, 2]))
    assert windrow(*call, "--dtype", "indices=int64").code == 0
    error = windrow(*call, "--dtype", "indices=int32").only_error()
    assert error.startswith("--dtype indices=int32: the file's elements are int64, and --dtype converts nothing")


@pytest.mark.parametrize("reduction", ["add", "sum"])
@pytest.mark.parametrize("operator", ["onnx.ScatterND", "openvino.ScatterNDUpdate"])
def test_add_and_sum_are_one_reduction(windrow, tmp_path, operator, reduction):
    np.save(tmp_path / "d.npy", np.arange(4, dtype=np.float32))
    np.save(tmp_path / "i.npy", np.array([[1]]))
    np.save(tmp_path / "u.npy", np.array([5], np.float32))
    outcome = windrow("call", operator, "d.npy", "i.npy", "u.npy", "--attr", f"reduction={reduction}")
    assert outcome.code == 0, outcome.err
    assert "[0, 6, 2, 3]" in outcome.out


def test_all_bad_indices(windrow, tmp_path):
    np.save(tmp_path / "data.npy", np.zeros((3, 2), np.float32))
    np.save(tmp_path / "ids.npy", np.array([[5, 0, -4], [2, 9, 1]]))
    first = windrow("call", "onnx.Gather", "data.npy", "ids.npy").err
    assert first.count("\n") == 1
    assert windrow("call", "onnx.Gather", "data.npy", "ids.npy", "--all-bad").err == first + (
        "  indices[0, 0] is 5\n  indices[0, 2] is -4\n  indices[1, 1] is 9\n"
    )
    assert windrow("call", "onnx.Gather", "data.npy", "ids.npy", "--all-bad=2").err == first + (
        "  indices[0, 0] is 5\n  indices[0, 2] is -4\n  2 of 3 are listed; --all-bad=3 lists all\n"
    )
    error = windrow("call", "onnx.Gather", "data.npy", "ids.npy", "--all-bad", "--json").json()["error"]
    assert error["index"]["listed"][2] == {"position": [1, 1], "value": 9}
    assert windrow("call", "onnx.Gather", "data.npy", "ids.npy", "--all-bad=0").code == 2
