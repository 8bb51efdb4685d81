"""Names from files and arguments reach the terminal as text: one line each, nothing that it obeys."""

import json
import os
import subprocess
import unicodedata

import cli_models as models
import numpy as np
import pytest
from cli_command import COMMAND
from onnx import helper, numpy_helper

# What a terminal obeys, a line break, a turn of direction, a control character above ASCII.
EVIL = "a\x1b[2J\x1b]0;title\x07\nwindrow: fine\r\u202eb\u009b31m\x7f"
SHOWN = r"a\x1b[2J\x1b]0;title\x07\nwindrow: fine\r\u202eb\u009b31m\x7f"


def call(folder, *arguments):
    """Output and errors as bytes; checks that no line of either holds a control character."""
    done = subprocess.run(
        [COMMAND, *arguments], cwd=folder, capture_output=True, timeout=120, check=False
    )
    for stream in (done.stdout, done.stderr):
        text = stream.decode("utf-8")  # fails on what is not UTF-8
        for line in text.removesuffix("\n").split("\n"):
            assert line.isprintable(), line
            assert not set(line) & set("\u2028\u2029\u202e\u2066")
    return done


def one_error(done):
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode()


def model(path, data=EVIL, indices="indices", node=EVIL, op_type="Gather", domain=""):
    made = helper.make_node(op_type, [data, indices], [EVIL + "out"], name=node, domain=domain)
    inputs = [models.value(data, "float32", [5, EVIL]), models.value(indices, "int64", [2])]
    outputs = [models.value(EVIL + "out", "float32", None)]
    models.save(path, [made], inputs, outputs, opsets={"": 13, **({domain: 1} if domain else {})})


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_inspect(tmp_path, mode):
    model(tmp_path / "m.onnx")
    done = call(tmp_path, "inspect", "m.onnx", *mode)
    assert done.returncode == 0, done.stderr
    if not mode:
        assert SHOWN in done.stdout.decode()
    else:
        document = json.loads(done.stdout)
        assert document["nodes"][0]["node"] == EVIL
        assert document["inputs"][0]["name"] == EVIL


def columns_of(text):
    """The columns that a terminal gives to a text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_columns_stand_below_each_other_whatever_the_names_are(tmp_path, language):
    names = ["plain", "表の検索", "e\u0301tape", "查找😀"]
    nodes = [helper.make_node("Gather", ["data", "ids"], [f"out{i}"], name=name) for i, name in enumerate(names)]
    inputs = [models.value("data", "float32", [5]), models.value("ids", "int64", [2])]
    models.save(tmp_path / "m.onnx", nodes, inputs, [models.value("out0", "float32", None)], opsets={"": 13})
    done = subprocess.run(
        [COMMAND, "inspect", "m.onnx"], cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"LC_ALL": language}, check=True
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(tuple(names))]
    assert len(lines) == len(names), done.stdout
    assert len({columns_of(line[: line.index("onnx.Gather")]) for line in lines}) == 1, done.stdout


def test_inspect_of_an_unknown_operator(tmp_path):
    model(tmp_path / "m.onnx", op_type="Odd\x1b[31m\n", domain="dom\x1b\nain")
    done = call(tmp_path, "inspect", "m.onnx")
    assert r"Odd\x1b[31m\n" in done.stdout.decode()


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_run(tmp_path, mode):
    model(tmp_path / "m.onnx")
    done = call(
        tmp_path, "run", "m.onnx", "--random", "1", "--dim", EVIL + "=3", "--out", "o\x1b[1m\nut", *mode
    )
    assert done.returncode == 0, done.stderr
    if not mode:
        assert SHOWN + "out" in done.stdout.decode()
        assert r"wrote o\x1b[1m\nut/" in done.stdout.decode()


def test_run_without_the_symbol(tmp_path):
    model(tmp_path / "m.onnx")
    assert SHOWN in one_error(call(tmp_path, "run", "m.onnx", "--random", "1"))


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_run_with_an_index_out_of_range(tmp_path, mode):
    model(tmp_path / "m.onnx")
    np.save(tmp_path / "i.npy", np.array([9, 0]))
    given = ["--input", "indices=i.npy", "--random", "1", "--dim", EVIL + "=3"]
    assert SHOWN in one_error(call(tmp_path, "run", "m.onnx", *given, *mode))


def test_names_with_zeros_and_of_other_bytes(tmp_path):
    model(tmp_path / "m.onnx", data="da\0ta!", node="pi\0ck!")
    whole = (tmp_path / "m.onnx").read_bytes().replace(b"da\0ta!", b"d\xff\0ta\xc3")
    (tmp_path / "m.onnx").write_bytes(whole.replace(b"pi\0ck!", b"pi\0\xed\xa0\x80"))
    done = call(tmp_path, "inspect", "m.onnx")
    assert rb"d\xff\0ta\xc3" in done.stdout
    assert rb"pi\0\xed\xa0\x80" in done.stdout
    call(tmp_path, "inspect", "m.onnx", "--json")
    assert rb"d\xff\0ta\xc3" in call(tmp_path, "run", "m.onnx").stderr


def test_verify_prints_the_names_of_folders_and_outputs(tmp_path):
    folder = tmp_path / "case\x1b[31m\n"
    data = np.zeros((5, 3), np.float32)
    inputs = [("data", data), ("indices", np.array([4, 0]))]
    models.write_case(folder, models.gather, inputs, [("y", data[:2] + 1)])
    done = call(tmp_path, "verify", ".")
    assert done.returncode == 1
    assert rb"case\x1b[31m\n" in done.stdout


def test_warnings(tmp_path):
    node = helper.make_node("Scatter", ["data", "indices", "updates"], ["y"], name=EVIL)
    inputs = [models.value("data", "float32", [5]), models.value("indices", "int64", [3])]
    inputs.append(models.value("updates", "float32", [3]))
    models.save(tmp_path / "m.onnx", [node], inputs, [models.value("y", "float32", [5])], 11)
    for subcommand in (["inspect"], ["run", "--random", "1"]):
        done = call(tmp_path, subcommand[0], "m.onnx", *subcommand[1:])
        assert done.returncode == 0, done.stderr
        assert done.stderr.count(b"\n") == 1
        assert done.stderr.startswith(b"warning:")
        assert SHOWN in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["run", EVIL],
        ["run", "m.onnx", EVIL],
        ["run", "m.onnx", "--format", EVIL],
        ["run", "m.onnx", "--input", EVIL + "=x"],
        ["run", "m.onnx", "--node", EVIL],
        ["run", "m.onnx", "--random", "1", "--dim", EVIL + "=x"],
        ["run", "m.onnx", "--threads", EVIL],
        ["call", EVIL, "x.npy"],
        ["call", "onnx." + EVIL, "x.npy"],
        ["call", "onnx.Gather", EVIL, EVIL],
        ["call", "onnx.Gather", "i.npy", "--attr", EVIL],
        ["call", "onnx.Gather", "i.npy", "--attr", EVIL + "=1"],
        ["call", "onnx.Gather", "i.npy", "--dtype", EVIL + "=int8"],
        ["call", "onnx.Gather", "i.npy", "--dtype", "0=" + EVIL],
        ["inspect", EVIL],
        ["verify", EVIL],
        ["ops", EVIL],
        ["ops", "x." + EVIL],
        ["ops", "--kernels" + EVIL],
        ["inspect", "m.onnx", "--kernels", EVIL],
        ["call", "onnx.Gather", "i.npy", "i.npy", "--kernels", "plain," + EVIL],
        ["inspect", "m.onnx", "--out-of-range", EVIL],
    ],
    ids=lambda arguments: " ".join(arguments).replace(EVIL, "EVIL"),
)
@pytest.mark.parametrize("mode", [[], ["--json"]], ids=["text", "json"])
def test_arguments_in_errors(tmp_path, arguments, mode):
    models.gather(tmp_path / "m.onnx")
    np.save(tmp_path / "i.npy", np.array([1, 0]))
    assert "\\x1b" in one_error(call(tmp_path, *arguments, *mode))


def test_an_argument_that_is_not_utf8(tmp_path):
    assert rb"no such folder" in call(tmp_path, "verify", os.fsdecode(b"a\xff\n")).stderr
    assert rb"'a\xff\n'" in call(tmp_path, "inspect", os.fsdecode(b"a\xff\n")).stderr


def test_string_elements(tmp_path):
    texts = numpy_helper.from_array(np.array([EVIL, "b"], dtype=object), "t")
    (tmp_path / "t.pb").write_bytes(texts.SerializeToString())
    np.save(tmp_path / "i.npy", np.array([0]))
    for mode in ([], ["--json"]):
        done = call(tmp_path, "call", "onnx.Gather", "t.pb", "i.npy", *mode)
        assert done.returncode == 0, done.stderr


def test_openvino_ir(tmp_path):
    (tmp_path / "m.xml").write_text('<net version="11"><layers><layer id="0" name="a&#10;b" type="O&#9;dd"/>')
    one_error(call(tmp_path, "inspect", "m.xml"))
    (tmp_path / "m.xml").write_text(
        '<net version="11"><layers><layer id="0" name="a&#10;b\x7f" type="O&#9;dd" version="opset1"/>'
        "</layers><edges/></net>"
    )
    call(tmp_path, "inspect", "m.xml")


def test_colours_are_the_consoles_own(tmp_path):
    """On a terminal headings are painted; the names beside them are still escaped."""
    model(tmp_path / "m.onnx")
    script = ["script", "-qec", f"{COMMAND} inspect m.onnx", "/dev/null"]
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        script, cwd=tmp_path, env=environment, capture_output=True, timeout=120, check=False
    )
    assert b"\x1b[1m" in done.stdout
    assert b"\x1b[2J" not in done.stdout
    assert SHOWN.encode() in done.stdout
