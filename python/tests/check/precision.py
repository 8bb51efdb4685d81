"""Counts the verdicts "can" of windrow.check() for the models of the test suite; writes or compares a table of them.

    PYTHONPATH=build/release/python .venv/bin/python python/tests/check/precision.py

writes precision.json beside this file, model by model, and prints the total.
"""

import json
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "precision.json"
sys.path += [str(HERE.parent), *(str(HERE.parent / folder) for folder in ("exports", "ranges"))]

import onnx  # noqa: E402
import windrow  # noqa: E402
from export_patterns import EXPORT_PATTERNS  # noqa: E402
from exported_models import EXPORTS  # noqa: E402
from onnx_corpus import corpus  # noqa: E402
from patterns import PATTERNS, model_of  # noqa: E402
from soundness import ask_here  # noqa: E402
from windrow._models import onnx_shapes  # noqa: E402

OURS = {operator.name for operator in windrow.ops("onnx")}


def has_ours(model):
    """Whether a model's graph has a gather or scatter node."""
    return any(node.op_type in OURS for node in model.graph.node)


def models():
    """(name, model) of the models of the suite that gather or scatter."""
    for model in corpus():
        try:
            proto = onnx.load_from_string(model.content())
        except Exception:  # some files of the corpus are no models; the tests of the readers name them
            continue
        if has_ours(proto):
            yield f"corpus/{model.name}", proto
    for name, make in EXPORTS.items():
        yield f"exports/{name}", make().model
    for name, pattern in PATTERNS.items():
        yield f"patterns/{name}", model_of(pattern)
    for name, pattern in EXPORT_PATTERNS.items():
        yield f"export_patterns/{name}", model_of(pattern)


def count():
    """{model: {rule: number of "can"}}, without the models and rules that have none."""
    kept = onnx_shapes.ask
    onnx_shapes.ask = ask_here  # a process for each model would take most of the time
    try:
        found = {}
        for name, model in models():
            try:
                report = windrow.check(model)
            except windrow.Error:
                continue  # a model that check() refuses has no verdicts
            found[name] = dict(sorted(Counter(finding.rule for finding in report.findings if finding.verdict == "can").items()))
        return found
    finally:
        onnx_shapes.ask = kept


def total(found):
    return sum(sum(rules.values()) for rules in found.values())


if __name__ == "__main__":
    counted = count()
    kept = {name: rules for name, rules in sorted(counted.items()) if rules}
    if "--dry" not in sys.argv:
        TABLE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    rules = Counter()
    for each in kept.values():
        rules.update(each)
    print(f"{len(counted)} models, {len(kept)} with \"can\", {total(kept)} in total:", *rules.most_common(), sep="\n")
