"""PyTorch Geometric's FeatureStore over tables. Without torch_geometric, which is optional, only its absence is tested."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
import torch
import windrow
import windrow.torch as ours

needs_geometric = pytest.mark.skipif(importlib.util.find_spec("torch_geometric") is None,
                                     reason="the feature store is left out: it needs torch_geometric")  # fmt: skip
ROWS = torch.arange(12.0).reshape(4, 3)
KINDS = ["memory", "array", "disk", "ranks"]


def features_of(kind, folder):
    """A table of ROWS of that kind."""
    if kind == "memory":
        return ROWS.clone()
    if kind == "array":
        return ROWS.numpy().copy()
    if kind == "ranks":
        return windrow.distributed.ShardedTable(OneRank(), ROWS)
    np.save(folder / "rows.npy", ROWS.numpy())
    return windrow.open_table(folder / "rows.npy", writable=True)


class OneRank(windrow.distributed.Exchange):
    rank, ranks = 0, 1

    def exchange_numbers(self, to):
        return to

    def exchange_bytes(self, to, sends, receives):
        return np.empty(0, np.uint8)


@needs_geometric
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_read_and_written(kind, tmp_path):
    store = ours.FeatureStore()
    assert store.put_tensor(features_of(kind, tmp_path), "paper", "x", None)
    indices = [None, slice(None), slice(1, 3), slice(None, None, -2), slice(3, 1), 2, torch.tensor([3, 0, 3]), torch.tensor([-1]),
               np.array([1]), torch.tensor([], dtype=torch.int64), torch.tensor([True, False, False, True])]  # fmt: skip
    for index in indices:
        got = store.get_tensor("paper", "x", index)
        expected = ROWS.numpy()[[index] if isinstance(index, int) else slice(None) if index is None else np.asarray(index)
                                if not isinstance(index, slice) else index]  # fmt: skip
        assert torch.equal(got, torch.from_numpy(expected.copy())), index
        assert store.get_tensor_size("paper", "x", index) == tuple(expected.shape)
    assert isinstance(store.get_tensor("paper", "x", np.array([1]), convert_type=True), np.ndarray)
    assert store.update_tensor(-ROWS[:3], "paper", "x", torch.tensor([2, 0, 2]))
    assert store.put_tensor(ROWS[:2] + 50, "paper", "x", slice(1, 4, 2))
    changed = torch.stack([-ROWS[1], ROWS[0] + 50, -ROWS[2], ROWS[1] + 50])
    assert torch.equal(store.get_tensor("paper", "x", None), changed)
    for bad, error in ((torch.tensor([0, 4]), windrow.IndexOutOfRange), (torch.tensor([True]), ValueError)):
        with pytest.raises(error, match=r"\[1\] is 4|must have \(4,\)"):
            store.get_tensor("paper", "x", bad)
        with pytest.raises(error):
            store.put_tensor(ROWS[: len(bad)], "paper", "x", bad)
    with pytest.raises(ValueError, match="must be|must have|shape"):
        store.put_tensor(ROWS, "paper", "x", torch.tensor([0]))
    with pytest.raises((TypeError, ValueError)):
        store.put_tensor(ROWS[:1].double(), "paper", "x", torch.tensor([0]))
    assert torch.equal(store.get_tensor("paper", "x", None), changed)


@needs_geometric
def test_the_contract_of_the_interface():
    from torch_geometric.data import TensorAttr
    from torch_geometric.data.feature_store import AttrView

    store, index = ours.FeatureStore(), torch.tensor([0, 1, 2, 3])
    with pytest.raises(ValueError, match="not fully"):
        store.put_tensor(ROWS, group_name="a")
    store["a", "x", index] = ROWS
    store["b", "y", torch.tensor([3, 2, 1, 0])] = ROWS
    for got in (store["a", "x", index], store["a", "x", :], store["a"]["x"][:], store["a"].x[:], store.view().a.x[:], store["a", "x"]()):
        assert torch.equal(got, ROWS)
    assert torch.equal(store["b", "y", None], ROWS.flip(0))
    assert store["a"] == store.view(TensorAttr("a")) and isinstance(store["a"].x, AttrView)
    assert [(attr.group_name, attr.attr_name, attr.is_set("index")) for attr in store.get_all_tensor_attrs()] == [
        ("a", "x", False), ("b", "y", False)]  # fmt: skip
    assert [rows.shape[0] for rows in store.multi_get_tensor([TensorAttr("a", "x", index[:2]), TensorAttr("b", "y", None)])] == [2, 4]
    assert store.get_tensor_size("a", "x") == (4, 3) and store.get_tensor_size("a", "z") is None
    with pytest.raises(ValueError, match="must name each of 4 rows once"):
        store["c", "x", torch.tensor([0, 1, 1, 2])] = ROWS
    assert store.update_tensor(ROWS[:2], "a", "x", None) and store.get_tensor_size("a", "x") == (2, 3)
    assert store.remove_tensor("a", "x", None) and not store.remove_tensor("a", "x", None)
    del store["b", "y"]
    for call in (lambda: store["a", "x", index], lambda: store["a", "x"](), lambda: store.update_tensor(ROWS, "a", "x", None)):
        with pytest.raises(KeyError, match="no tensor is kept"):
            call()
    assert store.get_all_tensor_attrs() == []


@needs_geometric
def test_other_attributes_can_identify_a_tensor():
    from torch_geometric.data import TensorAttr

    class ByName(TensorAttr):
        def __init__(self, attr_name=TensorAttr().attr_name, index=TensorAttr().index):
            super().__init__(None, attr_name, index)

    store = ours.FeatureStore(ByName)
    store["x", torch.arange(4)] = ROWS
    assert torch.equal(store["x", :], ROWS) and torch.equal(store["x"][torch.tensor([2])], ROWS[2:3])
    assert [attr.attr_name for attr in store.get_all_tensor_attrs()] == ["x"]


def test_without_the_package():
    code = "import sys; sys.modules['torch_geometric'] = None; import windrow.torch; windrow.torch.FeatureStore"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert run.stderr.strip().endswith("ImportError: windrow.torch.FeatureStore needs torch_geometric: pip install torch_geometric")
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        ours.Nothing  # noqa: B018
