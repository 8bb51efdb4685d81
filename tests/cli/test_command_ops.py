"""windrow ops."""

VERSIONS = {
    "ArrayFeatureExtractor": [1],
    "Gather": [1, 11, 13],
    "GatherElements": [11, 13],
    "GatherND": [11, 12, 13],
    "Scatter": [9, 11],
    "ScatterElements": [11, 13, 16, 18],
    "ScatterND": [11, 13, 16, 18],
    "TensorScatter": [24],
}


def test_every_operator_and_version_has_a_line(windrow):
    outcome = windrow("ops")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    listed = [line.split()[0] for line in lines[1:]]
    expected = [f"onnx.{name}-{v}" for name, versions in VERSIONS.items() for v in versions]
    assert sorted(listed) == sorted(expected)
    gather_13 = next(line for line in lines if line.startswith("onnx.Gather-13"))
    assert "axis=0" in gather_13
    assert "bfloat16" in gather_13
    gather_11 = next(line for line in lines if line.startswith("onnx.Gather-11"))
    assert " 11-12 " in gather_11
    assert "bfloat16" not in gather_11


def test_one_operator_in_detail(windrow):
    outcome = windrow("ops", "GatherND")
    assert outcome.code == 0
    assert windrow("ops", "onnx.GatherND").out == outcome.out
    for version in VERSIONS["GatherND"]:
        assert f"onnx.GatherND-{version}" in outcome.out
    assert "Scatter" not in outcome.out
    assert "indices" in outcome.out
    assert "batch_dims=0" in outcome.out


def test_deprecated_is_said(windrow):
    assert "deprecated" in windrow("ops", "Scatter").out


def test_json(windrow):
    rows = windrow("ops", "--json").json()["operators"]
    got = {}
    for row in rows:
        got.setdefault(row["name"], []).append(row["since"])
    assert got == VERSIONS
    row = next(r for r in rows if r["name"] == "Gather" and r["since"] == 13)
    assert row["until"] is None
    assert row["attributes"] == {"axis": 0}
    assert set(row["inputs"][1]["dtypes"]) == {"int32", "int64"}


def test_unknown_operator_names_the_nearest(windrow):
    error = windrow("ops", "GaterND").only_error()
    assert "GatherND" in error
