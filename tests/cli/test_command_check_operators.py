"""windrow check: the rules of the operators themselves, and the opset that a model needs."""

import json
import pathlib
import runpy

import cli_models as models
import jsonschema_rs
import pytest
from onnx import helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/formats/lowest_opset.schema.json").read_text())
TEXTS = {row["label"]: row["rule"] for row in json.loads((ROOT / "cases/rules.json").read_text())}


def scatter_add(path, opset, *more, reduction="add", **kwargs):
    """A ScatterElements with a reduction, which opset 16 brought, and more nodes."""
    nodes = [helper.make_node("ScatterElements", ["data", "where", "u"], ["y"], name="write", reduction=reduction), *more]
    inputs = [models.value("data", "float32", [4, 3]), models.value("where", "int64", [2, 3]),
              models.value("u", "float32", [2, 3])]
    return models.save(path, nodes, inputs, [models.value("y", "float32", [4, 3])], opset, **kwargs)


def gather(path, outputs=("y",), domain="", op="Gather", **kwargs):
    node = helper.make_node(op, ["data", "where"], list(outputs), name="pick", domain=domain)
    inputs = [models.value("data", "float32", [4, 3]), models.value("where", "int64", [2, 1])]
    return models.save(path, [node], inputs, [models.value("data" if not outputs else outputs[0], "float32", None)], **kwargs)


def test_the_lowest_opset_as_a_table(windrow, tmp_path):
    scatter_add(tmp_path / "m.onnx", 18, helper.make_node("GatherElements", ["data", "where"], ["z"], name="pick"))
    outcome = windrow("check", "m.onnx", "--lowest-opset")
    assert (outcome.code, outcome.err) == (0, "")
    heading, write, pick, empty, needs = outcome.out.splitlines()
    assert heading.split() == ["NODE", "OPERATOR", "DECLARED", "LOWEST", "WHY"]
    assert write.split()[:4] == ["write", "onnx.ScatterElements", "18", "16"]
    assert write.endswith("(ONNX-ScatterElements-A2)")
    assert pick.split() == ["pick", "onnx.GatherElements", "18", "11", "came", "with", "opset", "11"]
    assert empty == ""
    assert needs == "m.onnx: needs opset 16 (for write) and declares 18"


@pytest.mark.parametrize(("declared", "code"), [(13, 1), (15, 1), (16, 0), (18, 0)])
def test_a_model_that_declares_too_little_fails(windrow, tmp_path, declared, code):
    scatter_add(tmp_path / "m.onnx", declared)
    outcome = windrow("check", "m.onnx", "--lowest-opset")
    assert outcome.code == code
    assert outcome.out.splitlines()[-1] == f"m.onnx: needs opset 16 (for write) and declares {declared}"
    document = windrow("check", "m.onnx", "--lowest-opset", "--json")
    assert document.code == code
    jsonschema_rs.validate(SCHEMA, document.json())
    assert document.json()["is_enough"] is (code == 0)
    assert document.json()["domains"] == [{"domain": "", "declared": declared, "lowest": 16, "node": "main/write"}]
    assert windrow("check", "m.onnx", "--lowest-opset", "--format", "json").json() == document.json()


def test_a_node_that_no_opset_allows(windrow, tmp_path):
    scatter_add(tmp_path / "m.onnx", 18, reduction="mean")
    outcome = windrow("check", "m.onnx", "--lowest-opset")
    assert outcome.code == 1
    assert "not allowed in any opset: " in outcome.out
    assert "(ONNX-ScatterElements-A3)" in outcome.out
    assert outcome.out.endswith("m.onnx: no opset allows write; it declares 18\n")


def test_models_without_opsets_or_gathers(windrow, tmp_path):
    gather(tmp_path / "m.onnx", opsets={"odd": 1})
    outcome = windrow("check", "m.onnx", "--lowest-opset")
    assert outcome.code == 1
    assert outcome.out.endswith("m.onnx: needs opset 1 (for pick) and declares none of the domain\n")
    gather(tmp_path / "f.onnx", domain="odd", opsets={"odd": 1})
    outcome = windrow("check", "f.onnx", "--lowest-opset")
    assert (outcome.code, outcome.out) == (0, "f.onnx: has no gather or scatter node, and needs no opset for them\n")


def test_opsets_are_onnxs(windrow, tmp_path):
    (tmp_path / "m.xml").write_text('<?xml version="1.0"?><net name="m" version="11"><layers/><edges/></net>')
    assert "only ONNX models have opsets" in windrow("check", "m.xml", "--lowest-opset").only_error()


@pytest.mark.parametrize("flags", [["--for", "openvino"], ["--fix", "o.onnx"], ["--list-rules"], ["--try"],
                                   ["--format", "sarif"], ["--html", "p.html"], ["--assume", "where=0..1"]])
def test_flags_that_say_nothing_about_it_are_refused(windrow, tmp_path, flags):
    scatter_add(tmp_path / "m.onnx", 18)
    windrow("check", "m.onnx", "--lowest-opset", *flags).only_error()


@pytest.mark.parametrize("outputs", [(), ("y", "z")])
def test_a_node_with_other_outputs_than_its_operator(windrow, tmp_path, outputs):
    gather(tmp_path / "m.onnx", outputs)
    outcome = windrow("check", "m.onnx")
    assert outcome.code == 1
    assert outcome.out.splitlines()[1].split()[:5] == ["pick", "onnx.Gather", "operator-outputs", "happens", "fails"]
    assert outcome.out.endswith("m.onnx: 1 finding on 1 of 1 gather and scatter node: 1 fails\n")


def test_a_gather_whose_domain_is_not_imported(windrow, tmp_path):
    gather(tmp_path / "m.onnx", opsets={"odd": 1})
    for flags in ([], ["--for", "onnxruntime:cpu"], ["--for", "tensorrt"]):
        outcome = windrow("check", "m.onnx", *flags)
        assert outcome.code == 1
        assert " opset-import " in outcome.out.splitlines()[1]
        assert "the model imports no opset of domain 'ai.onnx'" in outcome.out


@pytest.mark.parametrize("op", ["Gather", "GatherND"])
def test_an_operator_of_a_foreign_domain_has_no_version_of_ours(windrow, tmp_path, op):
    gather(tmp_path / "m.onnx", domain="mine", op=op, opsets={"": 13, "mine": 1})
    outcome = windrow("check", "m.onnx")
    assert outcome.code == 0
    assert "operator-version" not in outcome.out


def test_operators_rules_are_listed_and_explained(windrow):
    rules = {rule["label"]: rule for rule in windrow("check", "--list-rules", "--json").json()["rules"]}
    for label, text in TEXTS.items():
        if label[-1].isdigit():
            assert text.replace("`", "") in rules[label]["sentence"]
    shown = windrow("check", "--explain-rule", "ONNX-Gather-A1").out
    assert "must hold: axis in [-r, r-1]" in shown
    assert "refuses the node (versions 1 to 13)" in shown
    error = windrow("check", "--explain-rule", "ONNX-Gathr-A1").only_error()
    assert error.endswith("did you mean ONNX-Gather-A1?")


def test_sarif_and_the_page_explain_operators_rules(windrow, tmp_path):
    scatter_add(tmp_path / "m.onnx", 15)
    (run,) = windrow("check", "m.onnx", "--format", "sarif").json()["runs"]
    result = run["results"][0]
    assert result["ruleId"] == "ONNX-ScatterElements-A2"
    descriptor = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert descriptor["id"] == result["ruleId"]
    assert descriptor["shortDescription"]["text"].startswith("must hold: ")
    page = windrow("check", "m.onnx", "--format", "html").out
    assert "What runtimes do" in page
    assert "refuses the node (versions" in page.split("What runtimes do")[1]


def test_a_version_is_only_named_where_it_helps(windrow, tmp_path):
    scatter_add(tmp_path / "m.onnx", 15)
    assert "opset 16 allows it" in windrow("check", "m.onnx").out
    scatter_add(tmp_path / "m.onnx", 15, reduction="mean")
    assert "allows it" not in windrow("check", "m.onnx").out


def test_the_table_of_rules_is_that_of_the_corpus():
    table = runpy.run_path(str(ROOT / "scripts/write_rule_texts.py"))["table"]()
    assert (ROOT / "src/portability/rule_texts.inc").read_text() == table, "run scripts/write_rule_texts.py"
