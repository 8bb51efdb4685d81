"""Every model of ONNX's back-end tests is read whole and written as it was: compared as messages, with attributes and
initializers in the order of their names and all elements in one form."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import windrow
from onnx.backend.test.case.node import collect_testcases

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data"


def models():
    for path in sorted(FOLDER.rglob("*.onnx")):
        yield str(path.relative_to(FOLDER)), path.read_bytes()
    with np.errstate(all="ignore"):
        cases = collect_testcases(None)
    for case in cases:
        yield case.name, case.model.SerializeToString()


def in_one_form(tensor):
    """The elements as raw_data; as they are where they are of a type that onnx itself cannot read."""
    try:
        array = onnx.numpy_helper.to_array(tensor)
    except (ValueError, TypeError, KeyError):
        return
    same = onnx.TensorProto(data_type=tensor.data_type, dims=tensor.dims, doc_string=tensor.doc_string)
    same.name = tensor.name
    same.raw_data = repr(array.tolist()).encode()
    tensor.CopyFrom(same)


def sort(elements):
    ordered = sorted(elements, key=lambda element: element.name)
    del elements[:]
    elements.extend(ordered)


def plain_nodes(nodes):
    for position, node in enumerate(nodes):
        node.name = node.name or f"{node.op_type}_{position}"
        if node.domain in ("", "ai.onnx"):
            node.ClearField("domain")
        sort(node.attribute)
        for attribute in node.attribute:
            if attribute.HasField("t"):
                attribute.t.name = ""
                in_one_form(attribute.t)
            for graph in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                plain_graph(graph)


def plain_graph(graph):
    sort(graph.initializer)
    for tensor in graph.initializer:
        in_one_form(tensor)
    plain_nodes(graph.node)


def plain(model):
    plain_graph(model.graph)
    for function in model.functions:
        plain_nodes(function.node)
    for imports in (model.opset_import, *(function.opset_import for function in model.functions)):
        versions = sorted(("" if each.domain == "ai.onnx" else each.domain, each.version) for each in imports)
        del imports[:]
        imports.extend(onnx.helper.make_opsetid(*each) for each in versions)
    return model


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_models_are_written_as_they_were_read(tmp_path):
    count = 0
    for name, content in models():
        windrow.load(content).save(tmp_path / "once.onnx")
        windrow.load(tmp_path / "once.onnx").save(tmp_path / "twice.onnx")
        assert (tmp_path / "once.onnx").read_bytes() == (tmp_path / "twice.onnx").read_bytes(), name
        assert plain(onnx.load(tmp_path / "once.onnx")) == plain(onnx.load_from_string(content)), name
        count += 1
    assert count > 1900
