"""Writes src/portability/rule_observations.inc: what runtimes did with calls that break an operator's own rule.

The observations are those of docs/conformance/outcomes.json, which `./dev scoreboard` writes. The calls are the records of cases/ that must be
refused for their attributes, shapes or types, which is known before a run. A row has the rule's label, for rules about the type
of data that type, the first and the last version of the operator for which the runtime did the same, the runtime, and the numbers of
calls that it refused, that it computed all the same, and that ended its process.
"""

import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "src/portability/rule_observations.inc"
sys.path.insert(0, str(ROOT / "conformance"))
from kept_outcomes import read_kept  # noqa: E402
from windrow_conformance.corpus import Corpus  # noqa: E402
from windrow_conformance.outcome import Outcome  # noqa: E402

# The kit's name of a runtime and the one that rules use.
RUNTIMES = {
    "onnxruntime": "onnxruntime:cpu",
    "openvino": "openvino:cpu",
    "openvino-evaluate": "openvino:evaluate",
    "onnx": "onnx:reference",
}
DIALECTS = ("onnx", "openvino")
KINDS = {"argument", "shape", "type"}
REFUSED, COMPUTED, ENDED = range(3)
# Faults of models, of which the corpus has none: seen on GatherND of opset 9, and on Gather and ScatterND of opset 18
# with two outputs, without outputs, and in models that import only another domain.
OF_MODELS = {
    "operator-outputs": {"onnx:reference": "0, 4, 0", "onnxruntime:cpu": "4, 0, 0", "openvino:cpu": "0, 4, 0"},
    "operator-version": {"onnxruntime:cpu": "1, 0, 0", "openvino:cpu": "0, 1, 0"},
    "opset-import": {"onnx:reference": "2, 0, 0", "onnxruntime:cpu": "0, 2, 0", "openvino:cpu": "0, 2, 0"},
}
COLUMNS = {
    Outcome.PASSED: REFUSED,
    Outcome.UNSUPPORTED: REFUSED,
    Outcome.NO_ERROR: COMPUTED,
    Outcome.CRASH: ENDED,
    Outcome.HANG: ENDED,
    Outcome.FOREIGN_READ: COMPUTED,
}


def broken_calls():
    """The calls that must be refused before a run: {path of the record: (label, version, type of data or "")}."""
    calls = {}
    for path in sorted(ROOT.glob("cases/*/*.json")):
        if path.parent.name not in DIALECTS:
            continue
        for record in json.loads(path.read_text()):
            if record.get("error_kind") not in KINDS:
                continue
            label = record["constraint"]
            if label.startswith("CALL-") and label != "CALL-I1":
                continue  # rules of call options, which a model does not have
            typed = label.endswith("-T1") and record["inputs"]
            for version in record["versions"]:
                name = record["name"] + ("" if version == record["version"] else f"@{version}")
                calls[f"{path.parent.name}/{path.stem}/{name}"] = (label, version, record["inputs"][0]["dtype"] if typed else "")
    return calls


def observations(calls):
    """{(label, type, runtime): {version: [refused, computed, ended]}}."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    for runtime in read_kept(Corpus.open()).runtimes:
        if runtime.name not in RUNTIMES:
            continue
        for path, outcome in runtime.outcomes.items():
            if path in calls and outcome in COLUMNS:
                label, version, dtype = calls[path]
                found[label, dtype, RUNTIMES[runtime.name]][version][COLUMNS[outcome]] += 1
    return found


def joined(versions):
    """(first version, last version, counts) where neighbouring versions have the same kinds of outcomes."""
    rows = []
    for version, counts in sorted(versions.items()):
        kinds = [count > 0 for count in counts]
        if rows and [count > 0 for count in rows[-1][2]] == kinds:
            rows[-1] = (rows[-1][0], version, [a + b for a, b in zip(rows[-1][2], counts)])
        else:
            rows.append((version, version, counts))
    return rows


def table():
    lines = ["// Written by scripts/write_rule_observations.py from the conformance runs."]
    for (label, dtype, runtime), versions in sorted(observations(broken_calls()).items()):
        for first, last, counts in joined(versions):
            lines.append(f'{{"{label}", "{dtype}", {first}, {last}, "{runtime}", {", ".join(map(str, counts))}}},')
    for label, runtimes in OF_MODELS.items():
        lines += [f'{{"{label}", "", 0, 0, "{runtime}", {counts}}},' for runtime, counts in runtimes.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table())
