"""Drawn collective calls of a table over ranks, compared with the same call of one process on all ids and updates."""

import numpy as np
import windrow
from windrow.distributed import ShardedTable, ShardMap

try:
    import ml_dtypes

    SMALL_FLOATS = [np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e4m3fn)]
except ImportError:
    SMALL_FLOATS = []
TYPES = [np.dtype(name) for name in ("bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64",
                                     "complex64")] + SMALL_FLOATS  # fmt: skip
ROW_SHAPES = [(), (3,), (2, 5), (64,), (0,)]
ID_TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8]
CALLS = ["take", "take_by", "embedding_bag", "index_add", "index_reduce", "assign"]


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


class DrawnTable:
    """One table. All ranks draw the same numbers, and each gives its part of them.

    `done` counts the calls that gave rows or wrote, and those that were refused.
    """

    def __init__(self, exchange, seed):
        self.draw = np.random.default_rng(seed)
        self.exchange = exchange
        # Every third table keeps rows of other ranks.
        self.remote_cache = None if seed % 3 else 1 << 16
        self.done = {"right": 0, "refused": 0}
        rows = int(self.draw.integers(1, 40))
        dtype = TYPES[self.draw.integers(len(TYPES))]
        self.whole = self.values((rows, *ROW_SHAPES[self.draw.integers(len(ROW_SHAPES))]), dtype)
        by = ("contiguous", "hash")[self.draw.integers(2)]
        # Where two of these are equal, a rank has no rows.
        cuts = np.sort(self.draw.integers(0, rows + 1, exchange.ranks - 1))
        counts = np.diff([0, *cuts, rows]).tolist()
        given = ShardMap.contiguous(counts) if by == "contiguous" else ShardMap.hashed(rows, exchange.ranks)
        self.own_rows = given.rows_at(exchange.rank)
        self.table = self.make_table(self.whole[self.own_rows], by)
        assert self.table.shape == self.whole.shape and self.table.dtype == self.whole.dtype.name
        assert np.array_equal(self.table.map.rows_at(exchange.rank), self.own_rows)

    def make_table(self, rows, by):
        return ShardedTable(self.exchange, rows, by=by, remote_cache=self.remote_cache)

    def own_shard(self):
        """This rank's rows."""
        return self.table.shard

    def values(self, shape, dtype):
        """Values whose sums are rounded differently in another order."""
        if dtype.kind in "biu":
            return self.draw.integers(0, 100, shape).astype(dtype)
        values = self.draw.standard_normal(shape) * 10.0 ** self.draw.integers(-2, 3, shape)
        return (values * (1 + 1j) if dtype.kind == "c" else values).astype(dtype)

    def ids(self, shape, is_wild):
        """Skewed ids, most of them of a few rows; `is_wild`: some of them out of range."""
        rows = len(self.whole)
        dtype = np.dtype(ID_TYPES[self.draw.integers(len(ID_TYPES))])
        low = 0 if dtype.kind == "u" else -rows
        ids = self.draw.integers(low, rows, shape)
        ids = np.where(self.draw.random(shape) < 0.4, self.draw.integers(low, rows), ids)
        if is_wild:
            ids = np.where(self.draw.random(shape) < 0.1, self.draw.choice([rows, rows + 7, 100]), ids)
        return ids.astype(dtype)

    def options(self, call):
        spare = "zero" if call.startswith("take") else "skip"
        policy = (None, "error", spare, "clamp", "modulo")[self.draw.integers(5)]
        options = {"out_of_range": policy, "negative": (None, "from_end", "out_of_range")[self.draw.integers(3)]}
        options["padding_index"] = None if self.draw.integers(2) else int(self.draw.integers(-2, len(self.whole)))
        return {name: value for name, value in options.items() if value is not None}

    def expected(self, call, ids, updates, options, more):
        """What one process gives; an error instead, if it raises one."""
        try:
            if call.startswith("take"):
                return windrow.take(self.whole, ids, 0, **options)
            if call == "embedding_bag":
                return windrow.embedding_bag(self.whole, ids, offsets=np.arange(len(ids)), **more, **options)
            if call == "assign":
                columns = ids.reshape(-1, *[1] * (self.whole.ndim - 1))
                return windrow.put_along_axis_copy(self.whole, columns, updates, 0, **options)
            return getattr(windrow, call)(self.whole, ids, updates, **more, **options)
        except windrow.Error as error:
            return error

    def outcome(self, call, ids, updates, options, more):
        """What this rank gets: rows, its shard, or an error."""
        threads = int(self.draw.integers(1, 4))
        try:
            if call == "take":
                return self.table.take(ids, threads=threads, **options)
            if call == "take_by":
                route = self.table.plan_take(ids, **options)
                rows = self.table.take_by(route, threads=threads)
                assert rows.shape == route.shape and same_bits(rows, self.table.take_by(route))
                return rows
            if call == "embedding_bag":
                return self.table.embedding_bag(ids, offsets=np.arange(len(ids)), threads=threads, **more, **options)
            getattr(self.table, call)(ids, updates, threads=threads, **more, **options)
        except windrow.Error as error:
            return error
        return self.own_shard()

    def run(self, count):
        for _ in range(count):
            self.one_call()

    def one_call(self):
        call = CALLS[self.draw.integers(len(CALLS))]
        options, more = self.options(call), {}
        if call == "index_reduce":
            more = {"reduction": ("sum", "prod", "min", "max", "mean")[self.draw.integers(5)],
                    "use_init_val": bool(self.draw.integers(2))}  # fmt: skip
        if call == "embedding_bag":
            more = {"mode": ("sum", "mean", "max")[self.draw.integers(3)]}
        is_wild = options.get("out_of_range", "error") != "error" or self.draw.integers(4) == 0
        counts = self.draw.choice([0, 1, 5, 60], self.exchange.ranks).tolist()
        ids = self.ids(sum(counts), is_wild)
        updates = self.values((len(ids), *self.whole.shape[1:]), self.whole.dtype)
        end = sum(counts[: self.exchange.rank + 1])
        own = slice(end - counts[self.exchange.rank], end)
        due = self.expected(call, ids, updates, options, more)
        got = self.outcome(call, ids[own], updates[own], options, more)
        what = f"{call} {options} {more} of {self.whole.dtype} {self.whole.shape}: "
        if isinstance(due, Exception) or isinstance(got, Exception):
            self.compare_errors(due, got, counts, what)
            self.done["refused"] += 1
            return
        if call.startswith("take") or call == "embedding_bag":
            due = due[own]
        else:
            self.whole, due = due, due[self.own_rows]
        assert same_bits(got, due), f"{what}\n{got}\n{due}"
        self.done["right"] += 1

    def compare_errors(self, due, got, counts, what):
        assert type(got) is type(due), f"{what}{got!r} but in one process {due!r}"
        assert same_bits(self.own_shard(), self.whole[self.own_rows]), what + "a shard has changed"
        if isinstance(due, windrow.IndexOutOfRange):
            ends = np.cumsum(counts)
            rank = int(np.searchsorted(ends, due.position[0], side="right"))
            assert str(got).startswith(f"rank {rank}: "), what + str(got)
            assert got.position == (due.position[0] - ends[rank] + counts[rank],), what + str(got)
            assert got.value == due.value, what
