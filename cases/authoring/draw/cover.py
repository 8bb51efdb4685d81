"""A covering design: rows of levels in which every pair of levels of two factors occurs that can occur."""

import itertools

TRIES = 40
# How many missing pairs the next row is begun with one of.
NEXT = 50


def _goes(row, name, rules):
    """Whether the level of that factor breaks no rule, as far as the row has the factors of one."""
    for names, goes in rules[name]:
        if all(other in row for other in names) and not goes(*(row[other] for other in names)):
            return False
    return True


def _completed(row, factors, rules, missing, draw):
    """The row with all factors, each with the level that covers most of the missing pairs; None if it got stuck."""
    row = dict(row)
    for name in draw.shuffled(name for name in factors if name not in row):
        given, best, score = list(row.items()), [], -1
        for level in factors[name]:
            row[name] = level
            if _goes(row, name, rules):
                gain = sum((name, level, *each) in missing for each in given)
                if gain >= score:
                    best = [*best, level] if gain == score else [level]
                    score = gain
        if not best:
            return None
        row[name] = draw.pick(best)
    return row


def rows(factors, rules, draw):
    """Rows {factor: level} that cover all pairs of levels, but those that no row could be found for.

    rules: pairs of the names of factors and a function that says whether their levels go together.
    """
    by_factor = {name: [rule for rule in rules if name in rule[0]] for name in factors}
    # Each pair stands there twice, from both sides.
    missing = dict.fromkeys((name, level, other, its) for name, other in itertools.permutations(factors, 2)
                            for level in factors[name] for its in factors[other])
    result = []
    while missing:
        name, level, other, its = draw.pick(list(itertools.islice(missing, NEXT)))
        start, row = {name: level, other: its}, None
        if _goes(start, name, by_factor) and _goes(start, other, by_factor):
            tries = (_completed(start, factors, by_factor, missing, draw) for _ in range(TRIES))
            row = next(filter(None, tries), None)
        if row is None:
            del missing[name, level, other, its], missing[other, its, name, level]
            continue
        result.append(row)
        for mine, yours in itertools.permutations(row.items(), 2):
            missing.pop((*mine, *yours), None)
    return result
