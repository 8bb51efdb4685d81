"""A table over the processes of an MPI program: mpirun -n 4 python examples/distributed_mpi.py"""

import numpy as np
from windrow.distributed import MpiExchange, ShardedTable

with MpiExchange(timeout=600) as exchange:
    # The rows of this rank: 1000 of a table that has 1000 for each rank.
    table = ShardedTable(exchange, np.full((1000, 16), exchange.rank, np.float32))
    # Every rank adds to the first row and to the last one.
    table.index_add([0, -1], np.full((2, 16), 0.5, np.float32))
    rows = table.take([[0, 1], [1000 * exchange.rank + 7, -1]])
    if exchange.rank == exchange.ranks - 1:
        print(table.shape, rows[:, :, 0].tolist())
