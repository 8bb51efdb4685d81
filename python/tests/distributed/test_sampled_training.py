"""Training on sampled neighbours, whose features are a table over two ranks: ./dev test --torch has torch and torch_geometric."""

import importlib.util
import re

import pytest
from launch import run_torch

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "torch_geometric")),
    reason="training on graphs over ranks of torch.distributed is left out: it needs torch and torch_geometric, as ./dev test --torch has them")  # fmt: skip


def test_the_loss_is_the_same_on_every_run_and_wherever_the_features_are(tmp_path):
    runs = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        ended = run_torch(2, folder, "train_on_a_graph", str(folder))
        assert ended.returncode == 0, ended.stderr
        runs.append(re.findall(r"losses of (.*): (.*)", ended.stdout))
    assert sorted(runs[0]) == sorted(runs[1])
    kinds, losses = zip(*runs[0], strict=True)
    # Two ranks have each kind, and all have the losses that PyTorch Geometric's own store gives.
    assert sorted(kinds) == sorted(["ranks", "kept rows", "files", "torch_geometric"] * 2)
    assert len(set(losses)) == 1
    steps = [float.fromhex(loss) for loss in losses[0].split()]
    assert len(steps) == 24 and sum(steps[-4:]) < 0.5 * sum(steps[:4]), steps
