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
        # Most of the time of writing all cases goes here: rules of two factors are spelled out.
        if len(names) == 2:
            one, other = names
            if one in row and other in row and not goes(row[one], row[other]):
                return False
        elif row.keys() >= set(names) and not goes(*map(row.get, names)):
            return False
    return True


class _Missing:
    """The pairs that are still to be covered, each from both sides: (name, level, other name, its level), in order."""

    def __init__(self, factors):
        self.pairs = dict.fromkeys((name, level, other, its) for name, other in itertools.permutations(factors, 2)
                                   for level in factors[name] for its in factors[other])
        self.partners = collections.defaultdict(set)
        for name, level, *partner in self.pairs:
            self.partners[name, level].add(tuple(partner))

    def remove(self, one, other):
        """Removes a pair of (name, level), if it is there."""
        for mine, yours in ((one, other), (other, one)):
            self.pairs.pop((*mine, *yours), None)
            self.partners[mine].discard(yours)

    def gain(self, row, name, level):
        """The number of missing pairs that the row covers with that level."""
        return sum(map(self.partners[name, level].__contains__, row.items()))


class _Search:
    """Completes a row by trying levels, those first that cover most of the missing pairs, and going back from dead ends."""

    def __init__(self, factors, rules, missing, draw):
        self.factors, self.rules, self.missing, self.draw = factors, rules, missing, draw
        self.left = BUDGET

    def complete(self, row, names):
        """Adds levels of these factors to the row; returns whether there are any that go together."""
        if not names:
            return True
        name, *others = names
        levels = self.draw.shuffled(self.factors[name])
        if self.missing:
            levels.sort(key=lambda level: -self.missing.gain(row, name, level))
        for level in levels:
            self.left -= 1
            if self.left < 0:
                break
            row[name] = level
            if _goes(row, name, self.rules) and self.complete(row, others):
                return True
            del row[name]
        return False


def cover(factors, rules, draw, make, hidden):
    """Makes rows {factor: level} that cover all pairs of levels, but those that no row could be found for.

    rules: pairs of the names of factors and a function that says whether their levels go together. make(row) says
    whether a row could be used; pairs of one that could not are still to be covered. hidden(row): the factors whose
    levels a row does not show.
    """
    by_factor = {name: [rule for rule in rules if name in rule[0]] for name in factors}
    missing = _Missing(factors)
    failures = collections.Counter()
    while missing.pairs:
        pair = name, level, other, its = draw.pick(list(itertools.islice(missing.pairs, NEXT)))
        row, is_complete = {name: level, other: its}, False
        if _goes(row, name, by_factor) and _goes(row, other, by_factor):
            # The factors with most rules come first, so that dead ends are found early.
            names = sorted(draw.shuffled(each for each in factors if each not in row),
                           key=lambda each: -len(by_factor[each]))
            # After a failure any levels are taken, not those that cover most.
            search = _Search(factors, by_factor, None if failures[pair] else missing, draw)
            is_complete = search.complete(row, names)
        if not is_complete or not make(row):
            failures[pair] += 1
            if not is_complete and failures[pair] > 1 or failures[pair] == FAILURES:
                missing.remove((name, level), (other, its))
            continue
        missing.remove((name, level), (other, its))
        for mine, yours in itertools.combinations((each for each in row.items() if each[0] not in hidden(row)), 2):
            missing.remove(mine, yours)
