"""Tables whose rows are distributed over ranks: the processes of an MPI program, or of torch.distributed.

MpiExchange, TorchExchange: how ranks exchange bytes; Exchange: to write another one. ShardMap: which rank has which
rows. ShardedTable: rows are taken, added, reduced and assigned by all ranks together, with the bits of one process.
Guide: docs/guide/distributed_tables.md.
"""

from windrow.distributed._exchange import Exchange
from windrow.distributed._map import ShardMap
from windrow.distributed._mpi import MpiExchange
from windrow.distributed._table import ShardedTable
from windrow.distributed._torch import TorchExchange

__all__ = ["Exchange", "MpiExchange", "ShardMap", "ShardedTable", "TorchExchange"]
