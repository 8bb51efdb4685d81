"""A covering design: rows of levels in which every pair of levels of two factors occurs that can occur."""

import collections
import itertools

# How many levels are looked at before a row is given up.
BUDGET = 400
# How many rows with a pair may fail to become a record before the pair is given up.
FAILURES = 10
# How many missing pairs the next row is begun with one of.
NEXT = 50


def _goes(row, name, rules):
    """Whether the level of that factor breaks no rule, as far as the row has the factors of one."""
    for names, goes in rules[name]:
        if all(other in row for other in names) and not goes(*(row[other] for other in names)):
            return False
    return True


class _Search:
    """Completes a row by trying levels, those first that cover most of the missing pairs, and going back from dead ends."""

    def __init__(self, factors, rules, missing, draw):
        self.factors, self.rules, self.missing, self.draw = factors, rules, missing, draw
        self.left = BUDGET

    def _gain(self, row, name, level):
        return sum((name, level, *each) in self.missing for each in row.items())

    def completed(self, row, names):
        if not names:
            return row
        name, *others = names
        levels = self.draw.shuffled(self.factors[name])
        if self.missing:
            levels.sort(key=lambda level: -self._gain(row, name, level))
        for level in levels:
            self.left -= 1
            if self.left < 0:
                return None
            longer = {**row, name: level}
            found = self.completed(longer, others) if _goes(longer, name, self.rules) else None
            if found:
                return found
        return None


def cover(factors, rules, draw, make, hidden):
    """Makes rows {factor: level} that cover all pairs of levels, but those that no row could be found for.

    rules: pairs of the names of factors and a function that says whether their levels go together. make(row) says
    whether a row could be used; pairs of one that could not are still to be covered. hidden(row): the factors whose
    levels a row does not show.
    """
    by_factor = {name: [rule for rule in rules if name in rule[0]] for name in factors}
    # Each pair stands there twice, from both sides.
    missing = dict.fromkeys((name, level, other, its) for name, other in itertools.permutations(factors, 2)
                            for level in factors[name] for its in factors[other])
    failures = collections.Counter()
    while missing:
        pair = name, level, other, its = draw.pick(list(itertools.islice(missing, NEXT)))
        start, row = {name: level, other: its}, None
        if _goes(start, name, by_factor) and _goes(start, other, by_factor):
            # The factors with most rules come first, so that dead ends are found early.
            names = sorted(draw.shuffled(each for each in factors if each not in start),
                           key=lambda each: -len(by_factor[each]))
            # After a failure any levels are taken, not those that cover most.
            search = _Search(factors, by_factor, {} if failures[pair] else missing, draw)
            row = search.completed(start, names)
        if row is None or not make(row):
            failures[pair] += 1
            if row is None and failures[pair] > 1 or failures[pair] == FAILURES:
                del missing[pair], missing[other, its, name, level]
            continue
        del missing[pair], missing[other, its, name, level]
        for mine, yours in itertools.permutations((each for each in row.items() if each[0] not in hidden(row)), 2):
            missing.pop((*mine, *yours), None)
