"""The formats of windrow check that other programs read."""

import json
import pathlib
import xml.etree.ElementTree as ElementTree

import cli_models as models
import jsonschema_rs
import pytest
from onnx import helper
from test_command_check import lookups, scatter_none
from test_command_inspect_page import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/formats/check.schema.json").read_text())
HOSTILE = 'a<b>&"\x1b[31m\n,x:%\uffff\u2028]]>'

# What is used of SARIF 2.1.0 (OASIS): the names of members and their values.
_MESSAGE = {"type": "object", "required": ["text"], "additionalProperties": False,
            "properties": {"text": {"type": "string"}}}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_ARTIFACT = {"type": "object", "additionalProperties": False,
             "properties": {"uri": {"type": "string", "pattern": "^[-A-Za-z0-9._~/%]+$|^file:///[-A-Za-z0-9._~/%]*$"},
                            "index": {"const": 0}}}


def _object(required, **properties):
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


_BAG = {"type": "object"}
SARIF = _object(
    ["version", "runs"],
    **{"$schema": {"type": "string"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "minItems": 1, "items": _object(
        ["tool", "results"],
        tool=_object(["driver"], driver=_object(
            ["name"], name={"type": "string"}, version={"type": "string"},
            rules={"type": "array", "uniqueItems": True, "items": _object(
                ["id"], id={"type": "string"}, shortDescription=_MESSAGE, help=_MESSAGE,
                defaultConfiguration=_object([], level=_LEVEL), properties=_BAG)})),
        invocations={"type": "array", "items": _object(
            ["executionSuccessful"], executionSuccessful={"const": True},
            toolExecutionNotifications={"type": "array", "items": _object(["message"], message=_MESSAGE, level=_LEVEL)})},
        artifacts={"type": "array", "items": _object(
            [], location=_ARTIFACT, roles={"type": "array", "items": {"const": "analysisTarget"}})},
        results={"type": "array", "items": _object(
            ["message"], ruleId={"type": "string"}, ruleIndex={"type": "integer", "minimum": 0},
            kind={"enum": ["pass", "fail"]}, level=_LEVEL, message=_MESSAGE, properties=_BAG,
            partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
            locations={"type": "array", "items": _object(
                [], physicalLocation=_object(["artifactLocation"], artifactLocation=_ARTIFACT),
                logicalLocations={"type": "array", "uniqueItems": True, "items": _object(
                    [], name={"type": "string"}, fullyQualifiedName={"type": "string"}, kind={"type": "string"})})})},
        properties=_BAG)},
)


def two_inputs(path):
    """A gather and a scatter whose indices are inputs: contracts and findings."""
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="lookup"),
        helper.make_node("ScatterND", ["table", "where", "rows"], ["y"], name="write", reduction="add"),
    ]
    inputs = [models.value("table", "float32", ["n", 3]), models.value("ids", "int64", ["m"]),
              models.value("where", "int64", ["m", 1])]
    return models.save(path, nodes, inputs, [models.value("y", "float32", None)], 18)


def hostile(path):
    """Names that mean something in formats, and one that is not UTF-8."""
    lookups(path, [HOSTILE, "y" * 8, "x" * 1000])
    path.write_bytes(path.read_bytes().replace(b"y" * 8, b"\xff\xed\xa0\x80\xc3(ab"))


MODELS = {
    "constant": lambda path: lookups(path),
    "good": lambda path: lookups(path, rows=9),
    "hostile": hostile,
    "inputs": two_inputs,
    "none": lambda path: models.save(path, [helper.make_node("Relu", ["x"], ["y"])], [models.value("x", "float32", [1])],
                                     [models.value("y", "float32", [1])]),
}


@pytest.fixture(params=MODELS)
def model(request, tmp_path):
    MODELS[request.param](tmp_path / "m.onnx")
    return "m.onnx"


@pytest.mark.parametrize("flags", [[], ["--all"]])
def test_json_follows_its_schema_and_is_alone(windrow, model, flags):
    outcome = windrow("check", model, "--format", "json", *flags)
    assert outcome.err == ""
    jsonschema_rs.validate(SCHEMA, outcome.json())
    assert outcome.out == windrow("check", model, "--json", *flags).out
    assert not {"\x1b", "\u2028"} & set(outcome.out)


def test_the_schema_is_one():
    assert jsonschema_rs.meta.is_valid(SCHEMA)


def test_json_of_fixes_follows_the_schema(windrow, tmp_path):
    scatter_none(tmp_path / "m.onnx")
    document = windrow("check", "m.onnx", "--for", "tensorrt@10.3", "--select", "scatter-nd-reduction", "--fix", "out.onnx", "--json").json()
    jsonschema_rs.validate(SCHEMA, document)
    assert document["fixes"]["applied"]


@pytest.mark.parametrize("flags", [[], ["--all"]])
def test_sarif(windrow, model, flags):
    document = windrow("check", model, "--format", "sarif", *flags).json()
    jsonschema_rs.validate(SARIF, document)
    (run,) = document["runs"]
    found = windrow("check", model, "--json", *flags).json()
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(found["findings"])
    for result, finding in zip(run["results"], found["findings"]):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        assert (result["kind"] == "pass") == (result["level"] == "none") == (finding["verdict"] == "cannot")
        assert result["message"]["text"].startswith(finding["message"])
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == "m.onnx"
        assert location["logicalLocations"][0]["fullyQualifiedName"] == finding["node"]
        assert result["properties"]["effects"] == finding["effects"]
    assert run["properties"]["contracts"] == found["contracts"]
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes == found["notes"]


def test_sarif_names_files_as_references(windrow, tmp_path):
    folder = tmp_path / "a b:ü%"
    folder.mkdir()
    lookups(folder / "m.onnx")

    def uri(path):
        run = windrow("check", path, "--format", "sarif").json()["runs"][0]
        return run["artifacts"][0]["location"]["uri"]

    assert uri("a b:ü%/m.onnx") == "a%20b%3A%C3%BC%25/m.onnx"
    assert uri(folder / "m.onnx") == (folder / "m.onnx").as_uri().replace(":%C3", "%3A%C3")


def test_github(windrow, model):
    outcome = windrow("check", model, "--format", "github")
    found = windrow("check", model, "--json").json()
    lines = outcome.out.splitlines()
    assert len(lines) == len(found["findings"]) + len(found["contracts"]) + len(found["notes"])
    levels = {"fails": "error", "silent": "error", "undefined": "warning", "slow": "notice"}
    for line, finding in zip(lines, found["findings"]):
        command, _, message = line.partition("::")[2].partition("::")
        assert command.startswith(f"{levels[finding['severity']]} file=m.onnx,title={finding['rule']} at ")
        title = command.split("title=")[1]
        assert not set(":,") & set(title)
        assert message.split("%0A")[0].replace("%25", "%") == finding["message"]
        assert message.split("%0A")[-1].replace("%25", "%") == f"fix: {finding['fix']}"


def test_junit(windrow, model):
    def suites(*flags):
        outcome = windrow("check", model, "--format", "junit", *flags)
        return ElementTree.fromstring(outcome.out), outcome.code

    root, code = suites()
    found = windrow("check", model, "--json").json()["findings"]
    failed = [finding for finding in found if finding["severity"] != "slow"]
    assert (int(root.get("failures")) > 0) == (code == 1)
    assert int(root.get("tests")) == len(root.findall("*/testcase")) == max(1, len(found))
    assert int(root.get("failures")) == len(root.findall("*/testcase/failure")) == len(failed)
    for suite in root.findall("testsuite"):
        assert {case.get("classname") for case in suite.findall("testcase")} == {suite.get("name")}
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    never, code = suites("--fail-on", "never")
    assert (never.get("failures"), code) == ("0", 0)
    assert never.get("tests") == root.get("tests")


def test_the_page(windrow, model, tmp_path):
    (tmp_path / "page.html").write_text(windrow("check", model, "--format", "html").out, encoding="utf-8")
    page = Page(tmp_path / "page.html")
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")}
    found = windrow("check", model, "--json").json()
    for finding in found["findings"]:
        if len(finding["fix"]) < 400:
            assert finding["fix"] in page.text
        assert any(row[2] == finding["rule"] for row in page.rows if len(row) == 6)
    for contract in found["contracts"]:
        assert contract["sentence"] in page.text


def test_model_explorer(windrow, model):
    document = windrow("check", model, "--format", "model-explorer").json()
    assert list(document) == ["results"]
    found = windrow("check", model, "--json").json()["findings"]
    assert set(document["results"]) == {finding["node"].removeprefix("main/") for finding in found}
    for node, data in document["results"].items():
        assert set(data) == {"value", "bgColor", "textColor"}
        worst, _, rules = data["value"].partition(": ")
        of_node = [finding for finding in found if finding["node"] == f"main/{node}"]
        assert set(rules.split(", ")) == {finding["rule"] for finding in of_node}
        assert worst in {finding["severity"] for finding in of_node}
