"""The command's subcommands on small files, for attacks on each of them.

A new subcommand, or a way to call one, joins every attack by a line in CALLS.
"""

import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
from onnx import helper, numpy_helper

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "tests/cli"))

import cli_models as models  # noqa: E402
from archives import save_safetensors  # noqa: E402
from cli_command import COMMAND  # noqa: E402

# Not among them is `tune`, which never prints the same twice. Name: arguments. The current folder is one that make_files() has filled.
CALLS = {
    "run": ["run", "three.onnx", "--random", "1", "--out", "made/results"],
    "run over files": ["run", "three.onnx", "--random", "1", "--out", "old"],
    "run as pb": ["run", "three.onnx", "--random", "1", "--out", "old", "--format", "pb", "--json"],
    "run on files": ["run", "m.onnx", "--input", "data=data.npy", "--input", "indices=indices.npy"],
    "run on an archive": ["run", "m.onnx", "--input", "in.npz", "--out", "old/all.npz"],
    "run into safetensors": ["run", "three.onnx", "--input", "in.safetensors", "--out", "old/all.safetensors"],
    "run to standard output": ["run", "three.onnx", "--random", "1", "--out", "-"],
    "run IR": ["run", "m.xml", "--random", "1", "--out", "old"],
    "run out of range": ["run", "m.onnx", "--input", "data=data.npy", "--input", "indices=bad.npy"],
    "call": ["call", "onnx.Gather", "data.npy", "indices.npy", "-o", "old/y.npy"],
    "call, reference": ["call", "onnx.Gather", "data.npy", "indices.npy", "--reference", "--json"],
    "call on strings": ["call", "onnx.Gather", "texts.pb", "indices.npy", "-o", "old/texts.pb"],
    "lookup": ["lookup", "data.npy", "--indices", "indices.npy", "--cache", "100000", "-o", "old/y.npy", "--stats"],
    "lookup, threads": ["lookup", "data.npy", "data.npy", "--indices", "indices.npy", "--reads", "threads", "--depth", "3", "--json"],
    "lookup, read ahead": ["lookup", "in.safetensors", "--name", "data", "--indices", "bad.npy", "--reads", "read_ahead"],
    "explain": ["explain", "onnx.Gather", "--data", "data.npy", "--indices", "indices.npy"],
    "explain two dialects": ["explain", "onnx.Gather", "--data", "[1,2]", "--indices", "[0,5]", "--as", "openvino.Gather", "--json"],
    "explain a node": ["explain", "three.onnx"],
    "explain in pictures": ["explain", "onnx.Gather", "--data", "data.npy", "--indices", "indices.npy", "--svg", "old/call.svg", "--html", "old/page.html", "--picture"],
    "playground": ["playground", "onnx.Gather", "--data", "data.npy", "--indices", "indices.npy", "--json"],
    "playground as a page": ["playground", "onnx.Gather", "--data", "5x3", "--indices", "indices.npy", "--out", "old/page.html"],
    "inspect": ["inspect", "three.onnx"],
    "inspect as a page": ["inspect", "three.onnx", "--html", "old/page.html", "--json"],
    "inspect IR": ["inspect", "m.xml", "--json"],
    "check": ["check", "three.onnx", "--all"],
    "check as a page": ["check", "three.onnx", "--html", "old/page.html", "--fail-on", "never"],
    "check and fix": ["check", "none.onnx", "--for", "tensorrt@10.3", "--select", "scatter-nd-reduction", "--fix", "old/fixed.onnx"],
    "check, fix and page": ["check", "none.onnx", "--for", "tensorrt@10.3", "--select", "scatter-nd-reduction", "--fix", "old/fixed.onnx", "--html", "old/page.html"],
    "check IR": ["check", "m.xml", "--json"],
    "check, JUnit": ["check", "three.onnx", "--format", "junit"],
    "the lowest opset": ["check", "three.onnx", "--lowest-opset"],
    "the lowest opset, JSON": ["check", "three.onnx", "--lowest-opset", "--json"],
    "rules": ["check", "--list-rules", "--json"],
    "a rule": ["check", "--explain-rule", "gather-index-range"],
    "verify": ["verify", "cases"],
    "verify, JSON": ["verify", "cases", "--json"],
    "ops": ["ops"],
    "completion": ["completion", "bash"],
    "a completed word": ["__complete", "bash", "run", "m.onnx", "--node", ""],
    "a misspelt name": ["call", "onnx.Gahter", "data.npy", "indices.npy"],
    "ops, JSON": ["ops", "GatherND", "--json"],
    "no subcommand": ["nothing"],
}
# What stands in the folder "old" before a call.
OLD_FILES = ("x.npy", "y.npy", "z.pb", "texts.pb", "page.html", "fixed.onnx", "all.npz", "all.safetensors")
# Without the compiler of the page `windrow playground` writes none.
_HAS_PAGE = (pathlib.Path(COMMAND).resolve().parents[1] / "share/windrow/playground.html").exists()
# Those that write files.
WRITERS = [
    name
    for name, words in CALLS.items()
    if {"--out", "-o", "--html", "--fix"} & set(words) and "-" not in words and (_HAS_PAGE or words[0] != "playground")
]

# y = Gather(data, indices, 0); the axis stands in m.bin.
_IR = """<?xml version="1.0"?>
<net name="model" version="11"><layers>
<layer id="0" name="data" type="Parameter" version="opset1"><data shape="5,3" element_type="f32"/>
<output><port id="0" precision="FP32" names="data"><dim>5</dim><dim>3</dim></port></output></layer>
<layer id="1" name="indices" type="Parameter" version="opset1"><data shape="2" element_type="i64"/>
<output><port id="0" precision="I64" names="indices"><dim>2</dim></port></output></layer>
<layer id="2" name="axis" type="Const" version="opset1">
<data element_type="i64" shape="" offset="0" size="8"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="3" name="pick" type="Gather" version="opset8"><data batch_dims="0"/>
<input><port id="0" precision="FP32"><dim>5</dim><dim>3</dim></port>
<port id="1" precision="I64"><dim>2</dim></port><port id="2" precision="I64"/></input>
<output><port id="3" precision="FP32" names="y"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="4" name="result" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>
</edges></net>
"""


def library(name):
    """A library of this folder, as it is built."""
    built = pathlib.Path(COMMAND).resolve().parents[1] / f"tests/attack/lib{name}.so"
    return os.environ.get("WINDROW_ATTACKS", str(built.parent)) + "/" + built.name


def make_files(folder):
    """What the calls read, and files in old/ that they replace."""
    folder.mkdir()
    data = np.arange(15, dtype=np.float32).reshape(5, 3)
    indices = np.array([4, 0])
    np.save(folder / "data.npy", data)
    np.save(folder / "indices.npy", indices)
    np.save(folder / "bad.npy", indices + 5)
    np.savez_compressed(folder / "in.npz", data=data, indices=indices)
    save_safetensors(folder / "in.safetensors", {"data": data, "indices": indices})
    texts = numpy_helper.from_array(np.array(["a" * 100, "b", "c", "d", "e"], dtype=object), "t")
    (folder / "texts.pb").write_bytes(texts.SerializeToString())
    models.gather(folder / "m.onnx")
    nodes = [
        helper.make_node("Gather", ["data", "indices"], [name], name=f"node of {name}")
        for name in ("x", "y", "z")
    ]
    inputs = [models.value("data", "float32", [5, 3]), models.value("indices", "int64", [2])]
    outputs = [models.value(name, "float32", None) for name in ("x", "y", "z")]
    models.save(folder / "three.onnx", nodes, inputs, outputs)
    node = helper.make_node("ScatterND", ["data", "at", "rows"], ["y"], name="write", reduction="none")
    inputs = [models.value("data", "float32", [5, 3]), models.value("at", "int64", [2, 1])]
    inputs.append(models.value("rows", "float32", [2, 3]))
    models.save(folder / "none.onnx", [node], inputs, [models.value("y", "float32", None)], 18)
    (folder / "m.xml").write_text(_IR)
    np.array(0).tofile(folder / "m.bin")
    given = [("data", data), ("indices", indices)]
    models.write_case(folder / "cases/good", models.gather, given, [("y", data[indices])])
    models.write_case(folder / "cases/bad", models.gather, given, [("y", data[indices] + 1)])
    (folder / "old").mkdir()
    for name in OLD_FILES:
        (folder / "old" / name).write_text("as it was")
    return folder


def state_of(folder):
    """Every file and folder below `folder` with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def restore(folder, state):
    """Makes of `folder` what state_of() saw."""
    for path in sorted(folder.rglob("*"), reverse=True):
        name = str(path.relative_to(folder))
        if name not in state:
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        elif state[name] is not None and path.read_bytes() != state[name]:
            path.write_bytes(state[name])
    for name, content in state.items():
        if content is None:
            (folder / name).mkdir(exist_ok=True)
        elif not (folder / name).exists():
            (folder / name).write_bytes(content)


ANSWERED = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def answer_signals():
    """Undoes what a process without a terminal passes on to its children: ignored signals."""
    for number in ANSWERED:
        signal.signal(number, signal.SIG_DFL)


def run_call(name, folder, environment=None, **kwargs):
    """Runs the call in `folder` with the variables added; the streams are bytes."""
    # A function to call before the command makes a copy of this process, which takes as long as a short call.
    if any(signal.getsignal(number) is signal.SIG_IGN for number in ANSWERED):
        kwargs.setdefault("preexec_fn", answer_signals)
    return subprocess.run(
        [COMMAND, *CALLS[name]],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        timeout=60,
        check=False,
        **kwargs,
    )
