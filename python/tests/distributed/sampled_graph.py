"""A graph of which two layers of neighbours are sampled for each batch, by PyTorch Geometric's loader; its features are in a feature store."""

import numpy as np
import torch
import windrow.torch
from torch_geometric.loader import NodeLoader
from torch_geometric.nn import SAGEConv
from torch_geometric.sampler import BaseSampler, SamplerOutput
from torch_geometric.testing import MyFeatureStore, MyGraphStore
from windrow.distributed import ShardedTable, ShardMap

NODES, WIDTH, CLASSES, EPOCHS, BATCH = 240, 12, 4, 3, 15
# Where the features are: those of the last one are in PyTorch Geometric's own store.
KINDS = ["ranks", "kept rows", "files", "torch_geometric"]


def drawn_graph():
    """Neighbours of each node, which are mostly of its class, features and classes."""
    draw = np.random.default_rng(5)
    classes = draw.integers(0, CLASSES, NODES)
    alike = [np.flatnonzero(classes == classes[node]) for node in range(NODES)]
    neighbours = [np.concatenate([draw.choice(alike[node], 6), draw.integers(0, NODES, 2)]) for node in range(NODES)]
    features = draw.standard_normal((CLASSES, WIDTH))[classes] + draw.standard_normal((NODES, WIDTH))
    return neighbours, features.astype(np.float32), torch.from_numpy(classes)


class DrawnNeighbours(BaseSampler):
    """Samples as many neighbours of each node as `counts` says for each layer: NeighborLoader's sampler needs packages beside PyTorch Geometric."""

    def __init__(self, neighbours, counts, seed):
        self._neighbours, self._counts, self._draw = neighbours, counts, np.random.default_rng(seed)

    def sample_from_nodes(self, index, **_):
        nodes, rows, columns = list(dict.fromkeys(index.node.tolist())), [], []
        places = {node: place for place, node in enumerate(nodes)}
        begin = 0
        for count in self._counts:
            end = len(nodes)
            for target in range(begin, end):
                for node in self._draw.choice(self._neighbours[nodes[target]], count, replace=False).tolist():
                    if node not in places:
                        places[node] = len(nodes)
                        nodes.append(node)
                    rows.append(places[node])
                    columns.append(target)
            begin = end
        return SamplerOutput(torch.tensor(nodes), torch.tensor(rows), torch.tensor(columns), None,
                             metadata=(index.input_id, index.time))  # fmt: skip

    def sample_from_edges(self, index, neg_sampling=None):
        raise NotImplementedError


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.first, self.last = SAGEConv(WIDTH, 16), SAGEConv(16, CLASSES)

    def forward(self, data):
        hidden = self.first(data.x, data.edge_index).relu()
        return self.last(hidden, data.edge_index)[: data.batch_size]


def make_store(exchange, kind, folder):
    """The store of features and classes; classes, which are small, are whole on every rank."""
    _, features, classes = drawn_graph()
    store = MyFeatureStore() if kind == "torch_geometric" else windrow.torch.FeatureStore()
    own = features[ShardMap.hashed(NODES, exchange.ranks).rows_at(exchange.rank)]
    if kind == "torch_geometric":
        kept = torch.from_numpy(features)
    elif kind == "files":
        np.save(folder / f"{exchange.rank}.npy", own)
        kept = ShardedTable.open(exchange, folder / f"{exchange.rank}.npy", by="hash")
    else:
        kept = ShardedTable(exchange, own, by="hash", remote_cache=(1 << 16) if kind == "kept rows" else None)
    store.put_tensor(kept, group_name=None, attr_name="x", index=None)
    store.put_tensor(classes, group_name=None, attr_name="y", index=None)
    return store


def train(exchange, kind, folder):
    """Yields the sum of the ranks' losses of each step, whose gradients are the sums of theirs. The ranks have half of the nodes each."""
    neighbours, _, _ = drawn_graph()
    seeds = torch.arange(exchange.rank, NODES, exchange.ranks)
    loader = NodeLoader((make_store(exchange, kind, folder), MyGraphStore()), DrawnNeighbours(neighbours, (4, 3), exchange.rank),
                        input_nodes=seeds, batch_size=BATCH, shuffle=True,
                        generator=torch.Generator().manual_seed(exchange.rank))  # fmt: skip
    network = Network()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.2)
    for _ in range(EPOCHS):
        for data in loader:
            loss = torch.nn.functional.cross_entropy(network(data), data.y[: data.batch_size])
            optimizer.zero_grad()
            loss.backward()
            total = loss.detach().clone()
            for summed in (total, *(weight.grad for weight in network.parameters())):
                torch.distributed.all_reduce(summed)
            optimizer.step()
            yield total.item()
