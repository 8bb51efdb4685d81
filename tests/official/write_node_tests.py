"""Writes ONNX's own node tests of the gather and scatter operators as folders.

    python3 write_node_tests.py FOLDER

The tests are made in memory by the Python package onnx. Each becomes FOLDER/<test>/ with model.onnx and
test_data_set_<n>/{input_<k>.pb, output_<k>.pb}, the layout that `windrow verify` reads.
"""

import argparse
import warnings
from pathlib import Path

from onnx import TensorProto, numpy_helper
from onnx.backend.test.loader import load_model_tests

OPERATORS = {"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND", "TensorScatter",
             "ArrayFeatureExtractor"}


def is_ours(case):
    nodes = case.model.graph.node
    return len(nodes) == 1 and nodes[0].op_type in OPERATORS


def load_cases():
    """The node tests that are one gather or scatter operator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other operators' tests, which compute infinities
        return [case for case in load_model_tests(kind="node") if is_ours(case)]


def _write_tensors(folder, kind, values, names):
    for number, (value, name) in enumerate(zip(values, names, strict=True)):
        tensor = value if isinstance(value, TensorProto) else numpy_helper.from_array(value)
        tensor.name = name
        (folder / f"{kind}_{number}.pb").write_bytes(tensor.SerializeToString())


def write_case(case, folder):
    graph = case.model.graph
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / case.name / f"test_data_set_{number}"
        data.mkdir(parents=True, exist_ok=True)
        _write_tensors(data, "input", inputs, [value.name for value in graph.input])
        _write_tensors(data, "output", outputs, [value.name for value in graph.output])
    (folder / case.name / "model.onnx").write_bytes(case.model.SerializeToString())


def write_all(folder):
    """Writes every test and returns their names."""
    cases = load_cases()
    for case in cases:
        write_case(case, Path(folder))
    return [case.name for case in cases]


def main():
    parser = argparse.ArgumentParser(description="Write ONNX's node tests of the gather and scatter operators.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    print(f"{len(write_all(folder))} tests written to {folder}")


if __name__ == "__main__":
    main()
