"""A table over ranks of torch.distributed: torchrun --nproc-per-node 4 examples/distributed_torch.py"""

import torch
from windrow.distributed import ShardedTable, TorchExchange

torch.distributed.init_process_group("gloo")
exchange = TorchExchange()
# The rows of this rank: 1000 of a table that has 1000 for each rank.
table = ShardedTable(exchange, torch.full((1000, 16), float(exchange.rank)))
# Every rank adds to the first row and to the last one.
table.index_add(torch.tensor([0, -1]), torch.full((2, 16), 0.5))
rows = table.take([[0, 1], [1000 * exchange.rank + 7, -1]])
if exchange.rank == exchange.ranks - 1:
    print(table.shape, rows[:, :, 0].tolist())
torch.distributed.destroy_process_group()
