"""The findings of the native command are Python's, or it says in one line what it does not know and which command does."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
import pytest
import windrow
from precision import EXPORT_PATTERNS, HERE, models
from soundness import ask_here
from windrow._models import onnx_shapes

sys.path.insert(0, str(HERE.parent / "gate"))
from test_gate import ROWS  # noqa: E402

NATIVE = Path(os.environ.get("WINDROW_COMMAND", Path(__file__).resolve().parents[3] / "build" / "release" / "bin" / "windrow"))
LINE = ("this is the native command, which does not infer types and shapes of other operators, so that findings may stay open; "
        "with the package onnx, python -m windrow check infers them")


def native(job):
    """The native command's report on a model that may be promised ranges of its inputs, or why it has none."""
    path, model, assume = job
    onnx.save(model, path)
    promises = [f"--assume={name}={low}..{high}" for name, (low, high) in assume.items()]
    done = subprocess.run([NATIVE, "check", path, "--json", *promises], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode in (0, 1) else done.stderr


def in_python(model, assume):
    try:
        return json.loads(windrow.check(model, assume=assume or None).to_json())
    except windrow.Error as error:
        return str(error)


def said(report):
    """What a report says of each rule, node and runtime, and of its callers."""
    findings = {(each["rule"], effect["runtime"], each["verdict"], each["node"])
                for each in report["findings"] for effect in each["effects"]}
    return findings, [each["sentence"] for each in report["contracts"]]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """By the model's name, the report of the native command and of Python."""
    if not NATIVE.exists():
        pytest.skip("the native command is not built")
    kept = onnx_shapes.ask
    onnx_shapes.ask = ask_here  # a process for each model would take most of the time
    folder = tmp_path_factory.mktemp("models")
    all_models = [(name, model, {}) for name, model in models()]
    all_models += [(f"gate/{name}", row.model(), dict(row.assume)) for name, row in ROWS.items()]
    jobs = [(folder / f"{number}.onnx", model, assume) for number, (_, model, assume) in enumerate(all_models)]
    try:
        with ThreadPoolExecutor(2) as pool:
            natives = pool.map(native, jobs)
            return {name: (here, in_python(model, assume)) for (name, model, assume), here in zip(all_models, natives)}
    finally:
        onnx_shapes.ask = kept


def test_both_doors_find_the_same_or_the_native_one_says_what_it_lacks(reports):
    silent = []
    for name, (here, there) in reports.items():
        if isinstance(here, str) or isinstance(there, str):
            if not (isinstance(here, str) and isinstance(there, str)):
                silent.append((name, here if isinstance(here, str) else there))
        elif said(here) != said(there) and LINE not in here["notes"]:
            silent.append((name, [sorted(a ^ b) if isinstance(a, set) else (a, b) for a, b in zip(said(here), said(there)) if a != b]))
    assert not silent


def test_models_of_exporters_need_nothing_that_it_lacks(reports):
    for name in EXPORT_PATTERNS:
        here, there = reports[f"export_patterns/{name}"]
        assert said(here) == said(there)


def test_it_knows_less_of_few_models_only(reports):
    less = [name for name, (here, there) in reports.items() if not isinstance(here, str) and said(here) != said(there)]
    assert less and len(less) <= len(reports) // 50


def test_the_line_stands_only_where_more_knowledge_might_change_something(reports):
    told = [name for name, (here, _) in reports.items() if not isinstance(here, str) and LINE in here["notes"]]
    assert told and not any(name.startswith("export_patterns/") for name in told)
    assert not any(LINE in there["notes"] for _, there in reports.values() if not isinstance(there, str))
