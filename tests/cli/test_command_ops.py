"""windrow ops."""

import re
from pathlib import Path

ROWS = Path(__file__).resolve().parents[2] / "src" / "operators" / "operators.inc"


def listed_versions():
    """The versions of every operator as the table has them, in its order."""
    versions = {}
    for row in re.findall(r'^WINDROW_OPERATOR_VERSION\((\w+), "[^"]*", (\w+), (\d+),', ROWS.read_text(), re.MULTILINE):
        versions.setdefault(f"{row[0]}.{row[1]}", []).append(int(row[2]))
    return versions


VERSIONS = listed_versions()


def test_every_operator_and_version_has_a_line(windrow):
    outcome = windrow("ops")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    listed = [line.split()[0] for line in lines[1:]]
    expected = [f"{name}-{v}" for name, versions in VERSIONS.items() for v in versions]
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
    dialects = [windrow("ops", f"{dialect}.GatherND").out for dialect in ("onnx", "openvino")]
    assert outcome.out == "\n".join(dialects)
    for name in ("onnx.GatherND", "openvino.GatherND"):
        for version in VERSIONS[name]:
            assert f"{name}-{version}" in outcome.out
    assert "Scatter" not in outcome.out
    assert "indices" in outcome.out
    assert "batch_dims=0" in outcome.out


def test_deprecated_is_said(windrow):
    assert "deprecated" in windrow("ops", "Scatter").out


def test_json(windrow):
    rows = windrow("ops", "--json").json()["operators"]
    got = {}
    for row in rows:
        got.setdefault(f"{row['dialect']}.{row['name']}", []).append(row["since"])
    assert got == VERSIONS
    row = next(r for r in rows if r["name"] == "Gather" and r["since"] == 13)
    assert row["until"] is None
    assert row["attributes"] == {"axis": 0}
    assert set(row["inputs"][1]["dtypes"]) == {"int32", "int64"}


def test_unknown_operator_names_the_nearest(windrow):
    error = windrow("ops", "GaterND").only_error()
    assert "GatherND" in error


def test_openvino_versions_and_attributes(windrow):
    outcome = windrow("ops", "ScatterElementsUpdate")
    assert outcome.code == 0
    assert "openvino.ScatterElementsUpdate-12  openvino version 12" in outcome.out
    assert "attributes: reduction=none use_init_val=true" in outcome.out
    rows = windrow("ops", "openvino.GatherElements", "--json").json()["operators"]
    assert [(r["domain"], r["since"], r["attributes"]) for r in rows] == [(None, 6, {"axis": None})]
    assert "attributes: axis\n" in windrow("ops", "openvino.GatherElements").out
    assert "there is no such operator" in windrow("ops", "openvino.TensorScatter").only_error()
