"""Writes the case files: python3 -m cases.authoring.write, in the folder above cases/. Needs Python alone."""

import json
from pathlib import Path

from . import (array, array_feature_extractor, gather, gather_elements, gather_nd, one_hot, openvino,
               scatter_elements, scatter_nd, tensor_scatter, tensorrt)

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
    **{f"openvino/{name}": cases for name, cases in openvino.FILES.items()},
    **{f"tensorrt/{name}": cases for name, cases in tensorrt.FILES.items()},
    **{f"array/{name}": cases for name, cases in array.FILES.items()},
}


def text_of(cases):
    """One record per line."""
    lines = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in cases.records)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main():
    folder = Path(__file__).resolve().parent.parent
    for name, cases in FILES.items():
        (folder / f"{name}.json").write_text(text_of(cases), encoding="utf-8")
        print(f"{name}.json: {len(cases.records)} records")


if __name__ == "__main__":
    main()
