"""Every model of ONNX's back-end tests is read whole and written as it was: compared as messages, with attributes and
initializers in the order of their names and all elements in one form. Hosts compute the same from both files."""

import re

import onnx
import pytest
import windrow
from onnx_corpus import corpus
from windrow.runners import Limits, ModelFile, ModelRun, runner
from windrow.runners._compare import differing_outputs

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


# Models with random results: two runs of the same file differ.
BY_CHANCE = "test_(bernoulli|random|multinomial|dropout|training_dropout)"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """(model, the bytes that were written) of every model, which are the same when they are read and written again."""
    folder = tmp_path_factory.mktemp("written")
    once, twice = folder / "once.onnx", folder / "twice.onnx"
    result = []
    for model in corpus():
        windrow.load(model.content(), folder=model.path and model.path.parent).save(once)
        windrow.load(once).save(twice)
        assert once.read_bytes() == twice.read_bytes(), model.name
        result.append((model, once.read_bytes()))
    assert len(result) > 1900
    return result


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_models_are_written_as_they_were_read(written):
    for model, content in written:
        read = onnx.load_from_string(model.content())
        assert plain(onnx.load_from_string(content)) == plain(read), model.name


def run_both(host, pairs):
    """(model, the Result of its file, that of the written one), of each (model, content)."""
    runs = []
    for model, content in pairs:
        folder = model.path and model.path.parent
        for file in (ModelFile.of(model.content(), folder), ModelFile.of(content)):
            runs.append(ModelRun(file, model.inputs(), threads=1))
    results = runner(host).run_batch(runs, processes=2, limits=Limits(120))
    return zip(pairs, results[::2], results[1::2])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_hosts_compute_the_same_from_the_written_models(written, capsys):
    """Runs models in ONNX Runtime, and those that it refuses in onnx's own evaluator."""
    if runner("onnxruntime").fault():
        pytest.skip(runner("onnxruntime").fault())
    left, ran, differing = written, {}, []
    for host in ("onnxruntime", "onnx_reference"):
        refused = []
        for pair, original, again in run_both(host, left):
            name = pair[0].name
            if original.failure is not None:
                assert again.failure is not None and again.failure.kind == original.failure.kind, name
                refused.append(pair)
            elif again.failure is not None or differing_outputs(original.outputs, again.outputs):
                differing.append(name)
            else:
                ran.setdefault(host, []).append(name)
        left = refused
    counts = {host: len(names) for host, names in ran.items()}
    with capsys.disabled():
        print(f"\nOf {len(written)} models hosts compute the same from both files: {counts}; {len(left)} run in neither")
    assert not [name for name in differing if not re.match(BY_CHANCE, name)]
    assert counts["onnxruntime"] > 1500 and len(left) < 150
