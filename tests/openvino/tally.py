"""Counts comparisons by their agreement, and differences by the rows of the table that explain them."""

import collections

from known_differences import ROWS, explain
from reproduce import write_reproduction

MOST_SHOWN = 10


class Tally:
    """`unnamed`: the comparisons whose difference no row explains."""

    def __init__(self):
        self.by_operator = collections.defaultdict(collections.Counter)
        self.by_row = collections.Counter()
        self.unnamed = []

    def add(self, comparison):
        """Gives whether the two agree or a row explains the difference."""
        self.by_operator[comparison.probe.operator][comparison.agreement] += 1
        if comparison.agreement == "same":
            return True
        row = explain(comparison)
        if row is None:
            self.unnamed.append(comparison)
            return False
        self.by_row[ROWS.index(row)] += 1
        return True

    def agreements(self):
        """How often each agreement was found."""
        counts = sum(self.by_operator.values(), collections.Counter())
        return ", ".join(f"{count} {words}" for words, count in counts.most_common())

    def unneeded(self):
        """The rows that explained nothing."""
        return [row for number, row in enumerate(ROWS) if number not in self.by_row]

    def text(self):
        """All counts, then the unnamed differences with the scripts that repeat them."""
        lines = [f"{name}: {', '.join(f'{count} {words}' for words, count in counts.most_common())}"
                 for name, counts in self.by_operator.items()]
        lines.append(f"{self.by_row.total()} differences are named, {len(self.unnamed)} are not")
        lines += [f"{count:6} {ROWS[number].where}: {ROWS[number].openvino} ({', '.join(ROWS[number].runtimes)})"
                  for number, count in self.by_row.most_common()]
        return "\n".join([*lines, *self.shown()])

    def shown(self):
        """The first unnamed differences, each with its script."""
        return [f"\n{comparison.describe()}\n{write_reproduction(comparison)}" for comparison in self.unnamed[:MOST_SHOWN]]
