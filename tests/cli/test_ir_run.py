"""windrow run and inspect on OpenVINO IR."""

import ir_models as models
import numpy as np
import openvino as ov
import pytest
from openvino import opset1, opset3, opset8


@pytest.fixture
def lookup(tmp_path):
    """picked = Gather(table, ids, axis 0); table is a float16 constant that is converted."""
    ids = models.parameter("ids", np.zeros(2, np.int64), [ov.Dimension(1, 10)])
    table = opset8.constant(np.arange(64, dtype=np.float32).reshape(32, 2), name="table")
    node = opset8.gather(table, ids, opset8.constant(np.int64(0)), name="pick")
    node.output(0).set_names({"picked"})
    np.save(tmp_path / "ids.npy", np.array([3, -1, 99]))
    return models.save(tmp_path / "m.xml", [node], [ids])


def test_prints_and_writes(windrow, lookup, tmp_path):
    outcome = windrow("run", "m.xml", "--input", "ids=ids.npy", "--out", "o")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("picked  float32[3, 2]  [[6, 7], [62, 63], [0, 0]]\n")
    np.testing.assert_array_equal(np.load(tmp_path / "o/picked.npy")[0], [6, 7])


def test_a_policy_may_refuse_what_openvino_fills(windrow, lookup):
    error = windrow("run", "m.xml", "--input", "ids.npy", "--out-of-range", "error").only_error()
    assert "node 'pick'" in error
    assert "indices[2] is 99" in error
    assert "OPENVINO-Gather-C4" in error


def test_dimensions_are_checked_against_their_interval(windrow, lookup, tmp_path):
    np.save(tmp_path / "ids.npy", np.zeros(11, np.int64))
    for flags in ((), ("--random", 1)):
        error = windrow("run", "m.xml", "--input", "ids=ids.npy", *flags).only_error()
        assert "int64[1..10]: dimension 0 is 11: it must be at most 10" in error
    np.save(tmp_path / "ids.npy", np.zeros(0, np.int64))
    error = windrow("run", "m.xml", "--input", "ids.npy").only_error()
    assert "must be at least 1" in error


def test_random_needs_the_dimensions(windrow, lookup):
    error = windrow("run", "m.xml", "--random", 1).only_error()
    assert "--dim ids.0=NUMBER" in error
    outcome = windrow("run", "m.xml", "--random", 1, "--dim", "ids.0=5", "--out-of-range", "error")
    assert outcome.code == 0, outcome.err
    assert "float32[5, 2]" in outcome.out
    error = windrow("run", "m.xml", "--random", 1, "--dim", "ids.0=11").only_error()
    assert "11 is not in 1..10" in error
    error = windrow("run", "m.xml", "--random", 1, "--dim", "ids.1=1").only_error()
    assert "there are ids.0" in error


def test_names_of_the_layer_and_of_its_port(windrow, tmp_path):
    x = models.parameter("layer", models.DATA)
    x.output(0).set_names({"a", "b=c"})
    node = opset8.gather(x, opset8.constant(np.array([0])), opset8.constant(np.int64(2)), name="n")
    node.output(0).set_names({"y", "z"})
    models.save(tmp_path / "m.xml", [node], [x])
    np.save(tmp_path / "x.npy", models.DATA)
    expected = windrow("run", "m.xml", "--input", "a=x.npy")
    assert expected.code == 0, expected.err
    for name in ("b=c", "layer"):
        assert windrow("run", "m.xml", "--input", f"{name}=x.npy").out == expected.out
    error = windrow("run", "m.xml", "--input", "a=x.npy", "--input", "layer=x.npy").only_error()
    assert "given twice" in error
    for node_name in ("n", "y", "z"):
        outcome = windrow("run", "m.xml", "--node", node_name, "--input", "layer=x.npy")
        assert outcome.out == expected.out


def test_node_takes_converted_constants_along(windrow, lookup):
    outcome = windrow("run", "m.xml", "--node", "pick", "--input", "ids.npy")
    assert outcome.code == 0, outcome.err
    assert "[[6, 7], [62, 63], [0, 0]]" in outcome.out


def test_other_operators_are_named_and_one_node_runs(windrow, tmp_path):
    x = models.parameter("x", models.DATA)
    node = opset8.gather(x, opset8.constant(np.array([0])), opset8.constant(np.int64(2)), name="g")
    models.save(tmp_path / "m.xml", [opset1.relu(node, name="act")], [x])
    np.save(tmp_path / "x.npy", models.DATA)
    error = windrow("run", "m.xml", "--input", "x.npy").only_error()
    assert "ReLU (version 1), node act (layer 4)" in error
    assert windrow("run", "m.xml", "--input", "x.npy", "--node", "g").code == 0
    assert windrow("inspect", "m.xml").out.endswith("not run here:\n  ReLU (version 1), node act (layer 4)\n")


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("opset17", "opset17 has no such operator"),
        ("opset0", "version 'opset0' is not an opset"),
        ("mine", "version 'mine' is not an opset"),
    ],
)
def test_opsets_without_the_operator(windrow, lookup, version, reason):
    change(lookup, 'type="Gather" version="opset8"', f'type="Gather" version="{version}"')
    error = windrow("run", "m.xml", "--input", "ids.npy").only_error()
    assert f"Gather ({reason}), node pick (layer 4)" in error


def test_types_are_found_whatever_their_case(windrow, lookup):
    change(lookup, 'type="Gather"', 'type="gATHER"')
    assert windrow("inspect", "m.xml", "--json").json()["nodes"][0]["operator"] == "openvino.Gather-8"


def test_bad_attributes(windrow, lookup):
    change(lookup, 'batch_dims="0"', 'batch_dims="one"')
    error = windrow("run", "m.xml", "--input", "ids.npy").only_error()
    assert "m.xml': layer 4 'pick': attribute 'batch_dims' is 'one', must be a whole number" in error


def test_attributes_of_other_versions_are_left_out(windrow, lookup):
    change(lookup, 'version="opset8"', 'version="opset1"')
    assert windrow("run", "m.xml", "--input", "ids.npy").code == 0


def test_bad_files(windrow, lookup, tmp_path):
    text = lookup.read_text(encoding="utf-8")
    (tmp_path / "cut.xml").write_text(text[: len(text) // 2], encoding="utf-8")
    assert "'cut.xml': not a valid XML document" in windrow("run", "cut.xml").only_error()
    (tmp_path / "empty.xml").write_text("")
    assert "empty" in windrow("inspect", "empty.xml").only_error()
    (tmp_path / "alone.xml").write_text(text, encoding="utf-8")
    error = windrow("run", "alone.xml").only_error()
    assert "layer 1 'table_compressed': f16[32, 2]: cannot open 'alone.bin'" in error
    bin_file = tmp_path / "m.bin"
    bin_file.write_bytes(bin_file.read_bytes()[:100])
    assert "which has 100" in windrow("run", "m.xml").only_error()
    assert "No such file" in windrow("run", "absent.xml").only_error()


def test_an_axis_that_comes_with_the_run(windrow, tmp_path):
    models.single(tmp_path / "m.xml", "Gather-1")
    for i, array in enumerate(models.ROWS["Gather-1"].inputs):
        np.save(tmp_path / f"x{i}.npy", array)
    flags = [f for i in range(2) for f in ("--input", f"x{i}=x{i}.npy")]
    for axis in (0, 1, -1):
        np.save(tmp_path / "x2.npy", np.array(axis))
        outcome = windrow("run", "m.xml", *flags, "--input", "x2=x2.npy", "--out", "o")
        assert outcome.code == 0, outcome.err
        indices = models.ROWS["Gather-1"].inputs[1] % models.DATA.shape[axis]
        got = np.load(tmp_path / "o/y.npy")
        if axis != 0:  # there an index is out of range
            np.testing.assert_array_equal(got, np.take(models.DATA, indices, axis))
    np.save(tmp_path / "x2.npy", np.array(3))
    error = windrow("run", "m.xml", *flags, "--input", "x2=x2.npy").only_error()
    assert "OPENVINO-Gather-A1" in error
    report = windrow("inspect", "m.xml", "--json").json()["nodes"][0]
    assert report["axis"] == {"text": "? of 3", "axes": None, "rank": 3, "batch_dims": 0}
    assert (report["plan"], report["no_plan"]) == (None, "the value of input 'x2' is not known")


def test_inspect_shows_axis_policy_and_plan(windrow, lookup):
    report = windrow("inspect", "m.xml", "--json", "--dim", "ids.0=4").json()
    assert report["dialect"] == "openvino"
    [node] = report["nodes"]
    assert node["operator"] == "openvino.Gather-8"
    assert node["axis"] == {"text": "axis 0 of 2", "axes": [0], "rank": 2, "batch_dims": 0}
    assert node["out_of_range"] == "zero"
    assert node["plan"]["index_axes"][0]["out_of_range"] == "zero"
    assert node["outputs"][0]["shape"] == [4, 2]
    change(lookup, 'version="opset8"', 'version="opset7"')
    for flags, policy in (((), "zero"), (("--strict",), "error"), (("--out-of-range", "clamp"), "clamp")):
        [node] = windrow("inspect", "m.xml", "--json", "--dim", "ids.0=4", *flags).json()["nodes"]
        assert node["out_of_range"] == policy
        assert node["plan"]["index_axes"][0]["out_of_range"] == policy


@pytest.mark.parametrize("version", models.ROWS)
def test_random_inputs_are_legal(windrow, tmp_path, version):
    kind = version.split("-")[0]
    if kind in ("ScatterUpdate", "ScatterElementsUpdate"):
        models.single(tmp_path / "m.xml", version, (3,))
    elif version in ("Gather-7", "Gather-8"):
        models.single(tmp_path / "m.xml", version, (2,))
    elif kind == "OneHot":
        models.single(tmp_path / "m.xml", version, (1,))
    elif kind == "SegmentMax":
        models.single(tmp_path / "m.xml", version, (2,))
    elif kind == "SliceScatter":
        models.single(tmp_path / "m.xml", version, (2, 3, 4, 5))
    else:
        models.single(tmp_path / "m.xml", version)
    for seed in range(5):
        outcome = windrow("run", "m.xml", "--random", seed, "--out-of-range", "error")
        assert outcome.code == 0, outcome.err


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u16", "u32", "u64"])
def test_random_indices_of_every_type(windrow, tmp_path, dtype):
    x = models.parameter("x", np.zeros((300, 9), np.float32))
    ids = opset8.parameter([7], getattr(ov.Type, dtype), name="ids")
    node = opset8.gather(x, ids, opset8.constant(np.int64(-1)))
    models.save(tmp_path / "m.xml", [node], [x, ids])
    for seed in range(5):
        outcome = windrow("run", "m.xml", "--random", seed, "--out-of-range", "error")
        assert outcome.code == 0, outcome.err


def test_random_indices_fit_a_given_axis(windrow, tmp_path):
    x = models.parameter("x", np.zeros((2, 50), np.float32))
    ids = models.parameter("ids", np.zeros(40, np.int64))
    axis = models.parameter("axis", np.zeros(1, np.int64))
    updates = models.parameter("updates", np.zeros((2, 40), np.float32))
    models.save(tmp_path / "m.xml", [opset3.scatter_update(x, ids, updates, axis)], [x, ids, updates, axis])
    np.save(tmp_path / "axis.npy", np.array([-1]))
    np.save(tmp_path / "x.npy", np.zeros((2, 50), np.float32))
    flags = ["--input", "axis=axis.npy", "--input", "x=x.npy"]
    outcome = windrow("run", "m.xml", "--random", 2, *flags, "--json", "--out", "o")
    assert outcome.code == 0, outcome.err
    [file] = [o["file"] for o in outcome.json()["outputs"]]
    assert np.count_nonzero(np.load(tmp_path / file)[0]) > 10  # not only the first two places
