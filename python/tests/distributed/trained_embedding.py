"""Training of windrow.torch.ShardedEmbedding on drawn batches, of which each rank has its part."""

import numpy as np
import torch
import windrow.torch
from windrow.distributed import ShardedTable, ShardMap

ROWS, WIDTH, BATCH, STEPS, PADDING = 23, 5, 36, 5, 3
# Distribution, optimiser and mode.
KINDS = [("contiguous", "sgd", None), ("hash", "adagrad", None), ("hash", "sgd", "sum"), ("contiguous", "adagrad", "mean"),
         ("hash", "adagrad", "max")]  # fmt: skip


def drawn_weight():
    return np.random.default_rng(1).standard_normal((ROWS, WIDTH)).astype(np.float32)


def drawn_batches():
    """Of each step two look-ups: ids, of which most are of a few rows, targets and weights."""
    draw = np.random.default_rng(2)
    for _ in range(STEPS):
        for _ in range(2):
            ids = np.where(draw.random(BATCH) < 0.5, draw.integers(0, 4, BATCH), draw.integers(0, ROWS, BATCH))
            yield ids, draw.standard_normal((BATCH, WIDTH)).astype(np.float32), draw.random(BATCH).astype(np.float32)


def map_of(by, ranks):
    """Of three contiguous ranks the second has no rows."""
    if by == "hash":
        return ShardMap.hashed(ROWS, ranks)
    return ShardMap.contiguous({1: [ROWS], 2: [9, ROWS - 9], 3: [9, 0, ROWS - 9]}[ranks])


def make_embedding(exchange, by="contiguous", **options):
    own = map_of(by, exchange.ranks).rows_at(exchange.rank)
    return windrow.torch.ShardedEmbedding(ShardedTable(exchange, drawn_weight()[own], by=by), **options)


def part_of(exchange):
    """This rank's part of a batch: pairs of ids; of three ranks the first one has none."""
    ends = {1: [0, BATCH], 2: [0, 14, BATCH], 3: [0, 0, 14, BATCH]}[exchange.ranks]
    return slice(ends[exchange.rank], ends[exchange.rank + 1])


def errors_of(module, ids, targets, factors, mode):
    """The squared errors, one by one: sums of torch would depend on how many there are."""
    pairs = torch.from_numpy(ids).reshape(-1, 2)
    targets = torch.from_numpy(targets)
    if mode is None:
        return (module(pairs).reshape(-1, WIDTH) - targets) ** 2
    weights = torch.from_numpy(factors).reshape(-1, 2) if mode == "sum" else None
    return (module(pairs, None, weights) - targets[::2]) ** 2


def take_steps(module, batches, optimizer, mode=None):
    """A step for two of the batches at a time. Returns the errors of all look-ups in turn."""
    own, losses, found = part_of(module.table.exchange), [], []
    for ids, targets, factors in batches:
        losses.append(errors_of(module, ids[own], targets[own], factors[own], mode))
        found.append(losses[-1].detach().numpy().copy())
        if len(losses) == 2:
            sum(loss.sum() for loss in losses).backward()
            module.apply_gradients(optimizer, lr=0.1)
            losses = []
    return found


def train(exchange, by, optimizer, mode):
    """The errors of all look-ups in turn, and this rank's rows after the last step."""
    module = make_embedding(exchange, by, padding_idx=PADDING, mode=mode)
    found = take_steps(module, drawn_batches(), optimizer, mode)
    return found, module.table.shard.copy()


def train_by_torch(optimizer, mode):
    """The same by torch, in one process: the weight after the last step."""
    kind = torch.nn.Embedding if mode is None else torch.nn.EmbeddingBag
    more = {} if mode is None else {"mode": mode}
    module = kind(ROWS, WIDTH, padding_idx=PADDING, sparse=mode != "max", **more)
    module.weight.data.copy_(torch.from_numpy(drawn_weight()))
    step = {"sgd": torch.optim.SGD, "adagrad": torch.optim.Adagrad}[optimizer](module.parameters(), lr=0.1)
    losses = []
    for batch in drawn_batches():
        losses.append(errors_of(module, *batch, mode))
        if len(losses) == 2:
            step.zero_grad()
            sum(loss.sum() for loss in losses).backward()
            step.step()
            losses = []
    return module.weight.detach().numpy()


def save_training(exchange, folder):
    """Writes what all kinds of training give on this rank."""
    for number, kind in enumerate(KINDS):
        found, shard = train(exchange, *kind)
        np.savez(f"{folder}/{number}-{exchange.rank}.npz", *found, shard=shard)


def saved_training(folder, number, ranks):
    """The bits of all errors and rows, those of the ranks put together."""
    parts = [np.load(f"{folder}/{number}-{rank}.npz") for rank in range(ranks)]
    errors = [np.concatenate([part[f"arr_{look_up}"] for part in parts]) for look_up in range(2 * STEPS)]
    weight = np.empty((ROWS, WIDTH), np.float32)
    for rank, part in enumerate(parts):
        weight[map_of(KINDS[number][0], ranks).rows_at(rank)] = part["shard"]
    return b"".join(array.tobytes() for array in [*errors, weight]), weight
