"""torch.compile and torch.export take the operators as they are."""

import pytest
import torch
import windrow.torch as ours
from torch_samples import calls, label, numbers, operator, tensor


class Layer(torch.nn.Module):
    """A layer of a graph network: rows of the table by node, summed along edges."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(tensor(9, 4, dtype=torch.float32))

    def forward(self, nodes, source, target):
        features = ours.embedding(nodes, self.table)
        messages = ours.index_select(features, 0, source)
        total = ours.index_add(torch.zeros_like(features), 0, target, messages)
        best = ours.scatter_reduce(
            features, 0, target.unsqueeze(1).expand_as(messages), messages, "amax"
        )
        return ours.take(total * best, torch.tensor([[0, -1]]), dim=1)


def edges(nodes, count):
    return numbers(9, nodes), numbers(nodes, count, seed=1), numbers(nodes, count, seed=2)


@pytest.mark.parametrize("call", list(calls(False)), ids=label)
def test_one_graph(call):
    torch._dynamo.reset()
    name, arguments, options = call

    def run(*given):
        return operator(name)(*given, **options)

    compiled = torch.compile(run, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(*arguments), run(*arguments))


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_layer_and_its_gradients(dynamic):
    torch._dynamo.reset()
    layer = Layer()
    compiled = torch.compile(layer, fullgraph=True, dynamic=dynamic)
    for nodes, count in ((5, 20), (6, 30)):
        given = edges(nodes, count)
        expected, found = layer(*given), compiled(*given)
        torch.testing.assert_close(found, expected)
        (theirs,) = torch.autograd.grad(expected.sum(), layer.table)
        (mine,) = torch.autograd.grad(found.sum(), layer.table)
        torch.testing.assert_close(mine, theirs)


def test_in_place_inside_a_graph():
    torch._dynamo.reset()

    def run(data, index, source):
        ours.index_add_(data, 0, index, source)
        return data * 2

    data, index, source = tensor(4, 3), numbers(4, 6), tensor(6, 3)
    expected = run(data.clone(), index, source)
    found = data.clone()
    compiled = torch.compile(run, fullgraph=True)
    torch.testing.assert_close(compiled(found, index, source), expected)
    torch.testing.assert_close(found * 2, expected)


def test_export():
    layer, given = Layer(), edges(5, 20)
    nodes, count = torch.export.Dim("nodes"), torch.export.Dim("count")
    exported = torch.export.export(
        layer, given, dynamic_shapes=({0: nodes}, {0: count}, {0: count})
    )
    used = {str(node.target) for node in exported.graph.nodes if "windrow" in str(node.target)}
    assert used == {
        f"windrow.{name}.default"
        for name in ("embedding", "index_select", "index_add", "scatter_reduce", "take")
    }
    for sizes in ((5, 20), (7, 31)):
        given = edges(*sizes)
        assert torch.equal(exported.module()(*given), layer(*given))


def test_saved_and_loaded(tmp_path):
    layer, given = Layer(), edges(5, 20)
    torch.export.save(torch.export.export(layer, given), tmp_path / "layer.pt2")
    loaded = torch.export.load(tmp_path / "layer.pt2").module()
    assert torch.equal(loaded(*given), layer(*given))
