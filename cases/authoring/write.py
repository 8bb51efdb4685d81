"""Writes the records, the rules and the index: python3 -m cases.authoring.write, in the folder above cases/. Needs
Python alone.

The recipes are written before, by recipes.py, and the page of what the records cover after, by coverage.py.
"""

import collections
import functools
import hashlib
import json
from pathlib import Path

from . import (array, array_feature_extractor, gather, gather_block_quantized, gather_elements, gather_nd, one_hot, openvino,
               scatter_elements, scatter_nd, tensor_scatter, tensorrt)
from . import draw, index_options, tiers
from .messages import message_of
from .results import rule_of

VERSION = "1.0.0"
LICENCE = "CC0-1.0"
CASES = Path(__file__).resolve().parent.parent

FILES = {
    "onnx/gather": gather.cases,
    "onnx/gather_elements": gather_elements.cases,
    "onnx/gather_nd": gather_nd.cases,
    "onnx/scatter": scatter_elements.scatter,
    "onnx/scatter_elements": scatter_elements.cases,
    "onnx/scatter_nd": scatter_nd.cases,
    "onnx/tensor_scatter": tensor_scatter.cases,
    "onnx/one_hot": one_hot.cases,
    "onnx/array_feature_extractor": array_feature_extractor.cases,
    "onnx/gather_block_quantized": gather_block_quantized.cases,
    **{f"openvino/{name}": cases for name, cases in openvino.FILES.items()},
    **{f"tensorrt/{name}": cases for name, cases in tensorrt.FILES.items()},
    **{f"array/{name}": cases for name, cases in array.FILES.items()},
}


def lines_of(rows):
    """A list as text, one row per line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows) + "\n]\n"


def parts_of(record):
    """The record once for each rule that it proves: where versions differ in that, the newest ones keep the name."""
    versions = {}
    for version in sorted(record["versions"], reverse=True):
        versions.setdefault(rule_of(record, version), []).append(version)
    for number, (rule, group) in enumerate(versions.items()):
        ending = f"_in_{'_'.join(map(str, sorted(group)))}" if number else ""
        part = {**record, "name": record["name"] + ending, "version": max(group), "versions": sorted(group), "rule": rule}
        yield {**part, "message": message_of(part)} if "error" in part else part


def records_of(cases):
    names = collections.Counter(record["name"] for record in cases.records)
    assert names.total() == len(names), [name for name, number in names.items() if number > 1]
    return [part for record in cases.records for part in parts_of(record)]


@functools.cache
def corpus():
    """{path below cases/: its records}: those designed by hand, then those drawn."""
    index_options.add_cases(FILES)
    draw.add_cases()
    return {f"{name}.json": records_of(cases) for name, cases in FILES.items()}


def texts():
    """{path below cases/: text} of every file, the index last."""
    records = corpus()
    written = {path: lines_of(rows) for path, rows in records.items()}
    written["rules.json"] = lines_of(tiers.table())
    written["index.json"] = index_of(records, written)
    return written


def index_of(records, written):
    """Version, licence, and each file with its SHA-256 and, if it holds records, their numbers."""
    files = []
    others = {path: (CASES / path).read_text(encoding="utf-8") for path in ("deterministic.json", "schema.json",
                                                                            "deterministic.schema.json")}
    for path, text in {**written, **others}.items():
        counts = {"records": len(records[path]), "must_fail": sum("error" in record for record in records[path])} \
            if path in records else {"recipes": len(json.loads(text))} if path == "deterministic.json" else {}
        files.append({"path": path, **counts, "sha256": hashlib.sha256(text.encode()).hexdigest()})
    lines = ",\n".join(json.dumps(row) for row in files)
    return f'{{"version": "{VERSION}", "licence": "{LICENCE}", "files": [\n{lines}\n]}}\n'


def main():
    for path, text in texts().items():
        (CASES / path).write_text(text, encoding="utf-8")
        print(f"{path}: {text.count(chr(10)) - 2} rows")


if __name__ == "__main__":
    main()
