"""An embedding whose rows are distributed over ranks: torchrun --nproc-per-node 4 examples/distributed_embedding.py"""

import torch
import windrow.torch
from windrow.distributed import ShardedTable, TorchExchange

torch.distributed.init_process_group("gloo")
exchange = TorchExchange()
# The rows of this rank: 1000 of an embedding that has 1000 for each rank.
embedding = windrow.torch.ShardedEmbedding(ShardedTable(exchange, torch.ones(1000, 16)), padding_idx=0)
# Every rank has a batch of its own; all of them have row 7, and each its own last one.
ids = torch.tensor([[7, 7], [0, 1000 * exchange.rank + 999]])
for _ in range(3):
    loss = (embedding(ids) ** 2).sum()
    loss.backward()
    embedding.apply_gradients("sgd", lr=0.01)
rows = embedding(torch.tensor([0, 7, 999]))
if exchange.rank == 0:
    print([round(value, 3) for value in rows[:, 0].tolist()])
torch.distributed.destroy_process_group()
