"""windrow check: what it finds, what it prints for people, and its flags.

One long file: each flag and output has a test of a few lines.
"""

import json
import os
import pathlib
import pty
import re
import struct
import subprocess

import cli_models as models
import numpy as np
import pytest
from cli_command import COMMAND
from onnx import helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADING = ["NODE", "OPERATOR", "RULE", "VERDICT", "WORST", "RUNTIMES"]


def lookups(path, names=("lookup",), rows=5, indices=(0, 7)):
    """A model of Gather nodes of these names, each with the same constant indices."""
    nodes = [helper.make_node("Gather", ["table", "ids"], [f"y{i}"], name=name) for i, name in enumerate(names)]
    constant = numpy_helper.from_array(np.array(indices), "ids")
    inputs = [models.value("table", "float32", [rows, 3])]
    outputs = [models.value("y0", "float32", None)]
    return models.save(path, nodes, inputs, outputs, initializers=[constant])


def on_terminal(folder, columns, *arguments, env=None):
    """What the command writes to a terminal of this width."""
    pid, terminal = pty.fork()
    if pid == 0:
        import fcntl
        import termios

        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.chdir(folder)
        variables = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **(env or {})}
        os.execve(COMMAND, ["windrow", *arguments], variables)
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(terminal)
    os.waitpid(pid, 0)
    return text.decode().replace("\r\n", "\n")


def test_a_finding_has_its_row_and_below_it_what_where_and_how_to_fix_it(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    outcome = windrow("check", "m.onnx", "--for", "onnxruntime:cpu,openvino:cpu")
    assert outcome.code == 1
    assert outcome.err == ""
    heading, row, *rest = outcome.out.splitlines()
    assert heading.split() == HEADING
    cells = ["lookup", "onnx.Gather-13", "gather-index-range", "happens", "fails", "onnxruntime,", "openvino"]
    assert row.split() == cells
    assert [heading.index(word) for word in HEADING[:5]] == [row.index(cell) for cell in cells[:5]]
    assert heading.index("RUNTIMES") == row.index("onnxruntime,")
    assert rest[0] == "    indices[1] is 7, but axis 0 of data takes -5 to 4"
    assert "    fails: ends the run with an error (onnxruntime:cpu)" in rest
    assert any(line.startswith("    silent: gives zeros") for line in rest)
    assert any(line.startswith("    fix: ") for line in rest)
    assert rest[-3] == "windrow check --explain-rule gather-index-range explains the rule."
    assert rest[-1] == "m.onnx: 1 finding on 1 of 1 gather and scatter node: 1 fails"


def test_no_findings(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", rows=9)
    outcome = windrow("check", "m.onnx")
    assert (outcome.code, outcome.out) == (0, "m.onnx: no findings on 1 gather and scatter node\n")


def test_all_shows_what_is_impossible_and_does_not_fail(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", rows=9)
    outcome = windrow("check", "m.onnx", "--all", "--fail-on", "slow", "--select", "gather-index-range")
    assert outcome.code == 0
    assert outcome.out.splitlines()[1].split()[:4] == ["lookup", "onnx.Gather-13", "gather-index-range", "cannot"]
    assert outcome.out.endswith("m.onnx: no findings on 1 gather and scatter node; 1 proved impossible\n")
    assert "fix:" not in outcome.out


@pytest.mark.parametrize(
    ("fail_on", "code"), [("fails", 0), ("silent", 1), ("undefined", 1), ("slow", 1), ("never", 0)]
)
def test_fail_on(windrow, tmp_path, fail_on, code):
    lookups(tmp_path / "m.onnx")
    arguments = ["check", "m.onnx", "--for", "openvino:cpu", "--select", "gather-index-range"]
    assert windrow(*arguments, "--fail-on", fail_on).code == code


def test_columns_are_as_wide_as_their_cells(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", ["short", "a much longer name of a node"])
    lines = windrow("check", "m.onnx", "--for", "openvino:cpu", "--select", "gather-index-range").out.splitlines()
    rows = [line for line in lines if "onnx.Gather-13" in line or line.startswith("NODE")]
    assert [line.index("openvino") for line in rows[1:]] == [rows[0].index("RUNTIMES")] * 2
    node = helper.make_node("ScatterND", ["data", "where", "u"], ["y"], name="write")
    inputs = [models.value("data", "float32", [5]), models.value("u", "float32", [2])]
    twice = numpy_helper.from_array(np.array([[1], [1]]), "where")
    models.save(tmp_path / "s.onnx", [node], inputs, [models.value("y", "float32", [5])], initializers=[twice])
    flags = ["--for", "onnxruntime:cpu", "--select", "scatter-nd-duplicates"]
    heading, row = windrow("check", "s.onnx", *flags).out.splitlines()[:2]
    assert row.split()[4] == "undefined"
    assert heading.index("RUNTIMES") == row.index("onnxruntime")


def test_select_and_ignore(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    assert windrow("check", "m.onnx", "--ignore", "gather-index-range,type-").code == 0
    assert windrow("check", "m.onnx", "--select", "gather-index").code == 1
    assert windrow("check", "m.onnx", "--select", "scatter-,type-").code == 0
    assert "'nothing'" in windrow("check", "m.onnx", "--ignore", "nothing").only_error()


def test_many_findings_are_rows_and_the_first_of_each_rule_are_explained(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", [f"/layers.{i}/Gather" for i in range(500)])
    outcome = windrow("check", "m.onnx", "--select", "gather-index-range")
    lines = outcome.out.splitlines()
    rows = [line for line in lines if line.startswith("/layers.")]
    assert len(rows) == 500
    assert sum("but axis 0 of data takes" in line for line in lines) == 3
    assert "    fix: as for /layers.0/Gather" in lines
    assert lines[-4] == "The first findings of each rule are explained; --format json and html explain all."
    assert lines[-3] == "windrow check --explain-rule gather-index-range explains the rule."
    assert lines[-1] == "m.onnx: 500 findings on 500 of 500 gather and scatter nodes: 500 fails"
    document = windrow("check", "m.onnx", "--json").json()
    assert all(finding["what"] and finding["fix"] for finding in document["findings"])


def test_colours_only_on_a_terminal_that_wants_them(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    assert "\x1b" not in windrow("check", "m.onnx").out
    assert "\x1b[31mfails\x1b[0m" in on_terminal(tmp_path, 120, "check", "m.onnx")
    assert "\x1b" not in on_terminal(tmp_path, 120, "check", "m.onnx", env={"NO_COLOR": "1"})


@pytest.mark.parametrize("columns", [50, 80, 120, 200])
def test_lines_fit_the_terminal(tmp_path, columns):
    lookups(tmp_path / "m.onnx", [f"/model/layers.{i}/attention/Gather" for i in range(3)])
    text = on_terminal(tmp_path, columns, "check", "m.onnx", env={"NO_COLOR": "1"})
    lines = [line for line in text.splitlines() if not line.startswith("m.onnx: ")]
    assert max(map(len, lines)) <= columns
    assert ("NODE" in text) == (columns >= 120)


def test_names_from_files_are_not_obeyed(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", ["a\x1b[31m\nb", "\u202ec"])
    outcome = windrow("check", "m.onnx")
    assert outcome.code == 1
    assert "\x1b" not in outcome.out
    assert "\u202e" not in outcome.out
    assert "a\\x1b[31m\\nb" in outcome.out


def test_an_assumption_closes_what_an_input_leaves_open(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    arguments = ["check", "m.onnx", "--select", "gather-index-range", "--json"]
    open_ended = windrow(*arguments).json()
    assert len(open_ended["findings"]) + len(open_ended["contracts"]) == 1
    closed = windrow(*arguments, "--assume", "indices=0..4").json()
    assert closed["findings"] + closed["contracts"] == []


@pytest.mark.parametrize("text", ["ids", "ids=", "ids=1", "ids=1..", "ids=..2", "ids=a..b", "ids=3..1", "ids=0..9x",
                                  "ids=0..99999999999999999999"])
def test_bad_assumptions(windrow, tmp_path, text):
    lookups(tmp_path / "m.onnx")
    assert f"--assume {text}: expected INPUT=LOW..HIGH" in windrow("check", "m.onnx", "--assume", text).only_error()


def test_bad_usage(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    assert "MODEL is required" in windrow("check").only_error()
    assert "--fail-on" in windrow("check", "m.onnx", "--fail-on", "loud").only_error()
    assert "--format" in windrow("check", "m.onnx", "--format", "yaml").only_error()
    assert "cobol" in windrow("check", "m.onnx", "--for", "cobol@x").only_error()
    assert "--inputs or --try" in windrow("check", "m.onnx", "--host", "openvino").only_error()
    assert "--inputs or --try" in windrow("check", "m.onnx", "--runs", "3").only_error()
    assert "--tolerance requires --inputs" in windrow("check", "m.onnx", "--tolerance", "0.1").only_error()
    assert "--strict requires --inputs" in windrow("check", "m.onnx", "--strict").only_error()
    assert "--tolerance" in windrow("check", "m.onnx", "--inputs", "x.npz", "--tolerance", "-1").only_error()
    assert "without a model" in windrow("check", "m.onnx", "--list-rules").only_error()
    assert "text or json" in windrow("check", "--list-rules", "--format", "sarif").only_error()
    assert "there is no rule 'x'" in windrow("check", "--explain-rule", "x").only_error()
    twice = windrow("check", "m.onnx", "--assume", "ids=0..1", "--assume", "ids=0..2").only_error()
    assert "twice" in twice


def scatter_none(path, *more):
    """A ScatterND with the attribute reduction="none", and more nodes behind it."""
    nodes = [helper.make_node("ScatterND", ["data", "where", "u"], ["y"], name="write", reduction="none"), *more]
    inputs = [models.value("data", "float32", [5, 3]), models.value("where", "int64", [2, 1]),
              models.value("u", "float32", [2, 3])]
    return models.save(path, nodes, inputs, [models.value(nodes[-1].output[0], "float32", [5, 3])], 18)


def test_a_fix_is_written_once_runs_before_and_after_agree(windrow, tmp_path):
    scatter_none(tmp_path / "m.onnx")
    only = ["--for", "tensorrt@10.3", "--select", "scatter-nd-reduction-none"]
    outcome = windrow("check", "m.onnx", *only, "--fix", "out.onnx")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert any(line.startswith("fixed: write: ") and "(scatter-nd-reduction-none)" in line for line in lines)
    assert "verified in windrow: 16 runs gave the same bits before and after" in lines
    assert "wrote out.onnx" in lines
    assert windrow("check", "out.onnx", *only).out == "out.onnx: no findings on 1 gather and scatter node\n"
    document = windrow("check", "m.onnx", *only, "--fix", "out.onnx", "--json").json()
    assert document["fixes"]["out"] == "out.onnx"
    assert [change["rule"] for change in document["fixes"]["applied"]] == ["scatter-nd-reduction-none"]


def test_what_is_not_fixed_still_fails(windrow, tmp_path):
    lookups(tmp_path / "m.onnx", rows=5)
    outcome = windrow("check", "m.onnx", "--select", "gather-index-range", "--fix", "out.onnx")
    assert outcome.code == 1
    assert "left: lookup: " in outcome.out
    assert "nothing was changed, and no model is written" in outcome.out
    assert not (tmp_path / "out.onnx").exists()


def test_a_change_that_cannot_be_verified_here_is_not_written(windrow, tmp_path):
    scatter_none(tmp_path / "m.onnx", helper.make_node("Relu", ["y"], ["z"]))
    error = windrow("check", "m.onnx", "--for", "tensorrt@10.3", "--fix", "out.onnx").only_error()
    assert "python -m windrow check" in error
    assert not (tmp_path / "out.onnx").exists()


def test_what_only_a_newer_opset_fixes_is_left_to_the_python_command(windrow, tmp_path):
    node = helper.make_node("ScatterND", ["data", "where", "u"], ["y"], name="write", reduction="add")
    inputs = [models.value("data", "float32", [5, 3]), models.value("where", "int64", [2, 1]),
              models.value("u", "float32", [2, 3])]
    models.save(tmp_path / "m.onnx", [node], inputs, [models.value("y", "float32", [5, 3])], 13)
    outcome = windrow("check", "m.onnx", "--fix", "out.onnx")
    assert outcome.code == 1
    assert "python -m windrow check m.onnx --fix out.onnx" in outcome.out
    assert not (tmp_path / "out.onnx").exists()


def test_no_clip_is_made_for_an_axis_without_elements(windrow, tmp_path):
    node = helper.make_node("Gather", ["data", "where"], ["y"], name="look")
    inputs = [models.value("data", "float32", [0, 3]), models.value("where", "int64", [2])]
    models.save(tmp_path / "m.onnx", [node], inputs, [models.value("y", "float32", [2, 3])], 18)
    outcome = windrow("check", "m.onnx", "--assume", "where=0..0", "--fix", "out.onnx", "--unsafe-fixes")
    assert outcome.code == 1
    assert "no index is legal on an axis of extent 0" in outcome.out
    assert not (tmp_path / "out.onnx").exists()


def test_wrong_flags_of_fixes(windrow, tmp_path):
    scatter_none(tmp_path / "m.onnx")
    assert "--fix" in windrow("check", "m.onnx", "--unsafe-fixes").only_error()
    assert "without a model" in windrow("check", "--list-rules", "--fix", "out.onnx").only_error()
    only = ["--for", "tensorrt@10.3", "--select", "scatter-nd-reduction-none"]
    assert "out.xml" in windrow("check", "m.onnx", *only, "--fix", "out.xml").only_error()


def test_what_needs_hosts_names_the_command_that_has_them(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    for flags in (["--inputs", "a.npz"], ["--try"]):
        assert "python -m windrow check" in windrow("check", "m.onnx", *flags).only_error()


def test_bad_models(windrow, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"\xff" * 50)
    assert "m.onnx" in windrow("check", "m.onnx").only_error()
    for form in (["--json"], ["--format", "json"], ["--format=json"]):
        outcome = windrow("check", "none.onnx", *form)
        assert outcome.code == 2
        assert "none.onnx" in outcome.json()["error"]["message"]
    outcome = windrow("check", "none.onnx", "--format", "sarif")
    assert (outcome.code, outcome.out) == (2, "")


def test_rules_are_listed(windrow):
    lines = windrow("check", "--list-rules").out.splitlines()
    assert lines[0].split() == ["RULE", "WORST", "RUNTIMES", "CONDITION"]
    rules = windrow("check", "--list-rules", "--format", "json").json()["rules"]
    assert [line.split()[0] for line in lines[1:]] == [rule["label"] for rule in rules]
    assert len(rules) >= 25


def test_a_rule_is_explained(windrow):
    rules = windrow("check", "--list-rules", "--json").json()["rules"]
    for rule in rules:
        outcome = windrow("check", "--explain-rule", rule["label"])
        assert outcome.code == 0
        assert rule["sentence"] in outcome.out
        assert rule["fix"] in outcome.out
        for effect in rule["effects"]:
            line = next(line for line in outcome.out.splitlines()
                        if line.startswith(f"{effect['runtime']}:{effect['device']} ") and effect["effect"] in line)
            assert effect["seen"] in line
            assert f"  {'ran' if effect['ran'] else 'read'} " in line
        if rule["example"]:
            shown = outcome.out.split("a node that shows it: ")[1]
            assert json.loads(shown) == json.loads(rule["example"])
        assert windrow("check", "--explain-rule", rule["label"], "--json").json() == rule


def test_a_page_beside_the_text(windrow, tmp_path):
    lookups(tmp_path / "m.onnx")
    outcome = windrow("check", "m.onnx", "--html", "page.html")
    assert outcome.code == 1
    assert outcome.out.endswith("\nwrote page.html\n")
    page = (tmp_path / "page.html").read_text()
    assert page == windrow("check", "m.onnx", "--format", "html").out
    assert "wrote" not in windrow("check", "m.onnx", "--html", "page.html", "--format", "sarif").out
    refused = windrow("check", "m.onnx", "--html", "none/page.html")
    assert refused.code == 2
    assert refused.out == ""


def test_a_reader_that_goes_away_ends_the_output(tmp_path):
    lookups(tmp_path / "m.onnx", [f"n{i}" for i in range(500)])
    done = subprocess.run(f"{COMMAND} check m.onnx | head -1", shell=True, cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.split() == [word.encode() for word in HEADING]
    assert done.stderr == b""


@pytest.mark.parametrize("page", ["README.md", "docs/guide/checking_models.md"])
def test_pages_show_a_true_output(windrow, tmp_path, page):
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="lookup"),
        helper.make_node("ScatterND", ["cache", "slots", "rows"], ["y"], name="write", reduction="none"),
    ]
    inputs = [models.value("table", "float32", [30522, 8]), models.value("ids", "int64", [3]),
              models.value("cache", "float32", [4, 8])]
    slots = numpy_helper.from_array(np.array([[3], [0], [3]]), "slots")
    models.save(tmp_path / "model.onnx", nodes, inputs, [models.value("y", "float32", [4, 8])], 18, [slots])
    shown = re.search(r"^\$ windrow (check model\.onnx .*)\n((?:.*\n)*?)```", (ROOT / page).read_text(), re.MULTILINE)
    assert windrow(*shown[1].split()).out == shown[2]
