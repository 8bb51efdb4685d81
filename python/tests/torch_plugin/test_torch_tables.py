"""A table on disk as the weight of embedding and embedding_bag: what the functions give for a tensor."""

import numpy as np
import pytest
import torch
import windrow
import windrow.torch as ours

TYPES = ["float32", "float64", "float16", "bfloat16", "int32", "uint8", "bool", "complex64", "float8_e4m3fn"]


def on_disk(folder, weight):
    (folder / "table.bin").write_bytes(weight.contiguous().view(torch.uint8).numpy().tobytes())
    name = str(weight.dtype).removeprefix("torch.")
    return windrow.open_table(folder / "table.bin", dtype=name, shape=weight.shape)


@pytest.mark.parametrize("name", TYPES)
def test_rows_are_those_of_the_tensor(name, tmp_path):
    weight = torch.arange(60).reshape(10, 6).to(getattr(torch, name))
    table = on_disk(tmp_path, weight)
    ids = torch.tensor([[3, 0], [9, 3]])
    for given in (ids, ids.t(), ids.to(torch.int32)):
        found = ours.embedding(given, table)
        expected = ours.embedding(given, weight)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert torch.equal(found.view(torch.uint8), expected.view(torch.uint8))
    padded = ours.embedding(torch.tensor([1, -1]), table, padding_index=-1)
    assert torch.equal(padded.to(torch.complex64)[1], torch.zeros(6, dtype=torch.complex64))


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_bags_are_those_of_the_tensor(name, tmp_path):
    weight = torch.linspace(-3, 5, 60).reshape(10, 6).to(getattr(torch, name))
    table = on_disk(tmp_path, weight)
    ids, offsets = torch.tensor([3, 0, 9, 3, 3]), torch.tensor([0, 2, 2])
    factors = torch.linspace(0, 1, 5).to(weight.dtype)
    for options in (
        {"mode": "mean"},
        {"mode": "max", "padding_idx": -1},
        {"mode": "sum", "per_sample_weights": factors, "accumulate": "float32"},
        {"mode": "sum", "out_of_range": "skip"},
    ):
        found = ours.embedding_bag(ids, table, offsets, **options)
        assert torch.equal(found, ours.embedding_bag(ids, weight, offsets, **options)), options


def test_errors_are_torchs(tmp_path):
    table = on_disk(tmp_path, torch.ones(10, 6))
    for bad in (10, -1):
        with pytest.raises(RuntimeError, match=rf"windrow::embedding: .*indices\[1\] is {bad}, out of range"):
            ours.embedding(torch.tensor([1, bad]), table)
        with pytest.raises(RuntimeError, match=rf"windrow::embedding_bag: .*ids\[0, 1\] is {bad}, out of range"):
            ours.embedding_bag(torch.tensor([[1, bad]]), table)


def test_a_network_with_a_table_trains_what_stands_behind_it(tmp_path):
    table = on_disk(tmp_path, torch.eye(10))
    layer = torch.nn.Linear(10, 1)

    def forward(ids):
        return layer(ours.embedding(ids, table)).sum()

    forward(torch.tensor([4, 4])).backward()
    assert np.array_equal(layer.weight.grad.numpy(), 2 * np.eye(10, dtype=np.float32)[[4]])
    assert torch.equal(torch.compile(forward, backend="eager")(torch.tensor([1])), forward(torch.tensor([1])))
