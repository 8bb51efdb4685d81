"""Threads of this process as ranks: an Exchange of one's own, written in Python."""

import threading

import numpy as np
from windrow.distributed import Exchange


class RankLeftError(Exception):
    """Another rank has ended."""


class ThreadRanks:
    """A number of ranks that meet; one that leaves ends the wait of the others."""

    def __init__(self, ranks):
        self.ranks = ranks
        self.sent = [None] * ranks
        self._changed = threading.Condition()
        self._here = self._round = 0
        self._left = False

    def run(self, body):
        """Calls body(exchange) on a thread per rank; returns what each returned or raised."""
        results = [None] * self.ranks

        def run_rank(rank):
            try:
                results[rank] = body(ThreadExchange(self, rank))
            except BaseException as error:  # noqa: BLE001
                results[rank] = error
                self.leave()

        threads = [threading.Thread(target=run_rank, args=(rank,)) for rank in range(self.ranks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def meet(self):
        """Returns when all ranks have called it. Raises RankLeftError if one has left before that."""
        with self._changed:
            begun = self._round
            self._here += 1
            if self._here == self.ranks:
                self._here = 0
                self._round += 1
                self._changed.notify_all()
            else:
                self._changed.wait_for(lambda: self._round != begun or self._left, timeout=60)
            if self._round == begun:
                raise RankLeftError

    def leave(self):
        with self._changed:
            self._left = True
            self._changed.notify_all()


class ThreadExchange(Exchange):
    def __init__(self, all_ranks, rank):
        self._all, self._rank = all_ranks, rank

    @property
    def rank(self):
        return self._rank

    @property
    def ranks(self):
        return self._all.ranks

    def _meet(self, value):
        self._all.sent[self._rank] = value
        self._all.meet()
        all_sent = list(self._all.sent)
        self._all.meet()
        return all_sent

    def exchange_numbers(self, to):
        return np.stack([sent[self._rank] for sent in self._meet(to)])

    def exchange_bytes(self, to, sends, receives):
        parts = []
        for sent, lengths in self._meet((to, sends)):
            end = sum(lengths[: self._rank + 1])
            parts.append(sent[end - lengths[self._rank] : end])
        assert [len(part) for part in parts] == list(receives)
        return np.concatenate(parts)
