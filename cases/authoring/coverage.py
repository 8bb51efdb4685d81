"""Counts which properties of calls meet in the records, and writes cases/COVERAGE.md.

    python3 -m cases.authoring.coverage

It reads the case files alone. A pair of properties that no record has needs a reason in REASONS, or the page lists it
as a hole and a test fails.
"""

import collections
import functools
import itertools
import json

from .coverage_reasons import REASONS
from .coverage_triples import TRIPLES
from .properties import properties
from .write import CASES, FILES

DIMENSIONS = [
    "version",
    "type",
    "index type",
    "rank",
    "batch",
    "negative",
    "empty",
    "rank 0",
    "duplicates",
    "values",
    "bounds",
    "reduction",
     "outcome"]
# Levels that every operator is asked for; those of the other dimensions are what its records have.
FIXED = {"negative": ["no", "yes"], "empty": ["no", "data", "indices", "axis"], "rank 0": ["no", "indices", "updates"],
         "duplicates": ["no", "yes"], "values": ["plain", "NaN", "-0"],
         "bounds": ["inside", "first", "last", "just below", "just above", "far", "beyond 32 bits"]}


def counted(found):
    """The number of records of each level and of each pair of levels, and {dimension: the levels of calls that
    succeed}. `found`: (record, its properties) for each.

    Levels that only refused calls have, such as a type that no version takes, are not counted.
    """
    legal = {name: {level for record, given in found if "error" not in record or name == "outcome"
                    for level in given.get(name, ())} for name in DIMENSIONS}
    levels, pairs = collections.Counter(), collections.Counter()
    for _, given in found:
        each = [(name, level) for name in DIMENSIONS for level in given.get(name, ()) if level in legal[name]]
        levels.update(each)
        pairs.update(pair for pair in itertools.combinations(each, 2) if pair[0][0] != pair[1][0])
    return levels, pairs, {name: FIXED.get(name, sorted(legal[name], key=str)) for name in DIMENSIONS}


def holes(key, levels, pairs, wanted):
    """The levels, and pairs of levels, without a record, as ((level, ..), reason); the reason is None where there is
    none.

    A pair of a level that no record has is not listed: the level is.
    """
    for name in DIMENSIONS:
        for level in wanted[name]:
            if not levels[name, level]:
                yield ((name, level),), why_missing(key, {name: level})
    for first, second in itertools.combinations(DIMENSIONS, 2):
        for mine, yours in itertools.product(wanted[first], wanted[second]):
            pair = (first, mine), (second, yours)
            if not pairs[pair] and levels[first, mine] and levels[second, yours]:
                yield pair, why_missing(key, dict(pair))


def why_missing(key, part):
    return next((reason for reason, goes in REASONS if goes(key, part)), None)


@functools.cache
def records_by_operator():
    """{(dialect, operator): [(record, its properties)]}."""
    result = {}
    for name in FILES:
        for record in json.loads((CASES / f"{name}.json").read_text(encoding="utf-8")):
            result.setdefault((record["dialect"], record["op"]), []).append((record, properties(record)))
    return result


@functools.cache
def summary_of(key):
    """What counted() says of an operator's records, and a list of its holes()."""
    counts = counted(records_by_operator()[key])
    return counts, list(holes(key, *counts))


def _level_lines(levels, wanted):
    for name in DIMENSIONS:
        counts = [f"{level} {levels[name, level]}" for level in wanted[name]]
        yield f"| {name} | {', '.join(counts)} |"


def page():
    """The text of cases/COVERAGE.md."""
    lines = [
    "# What the records cover",
    "",
    "Written by `python3 -m cases.authoring.coverage` from the case files; [how](../docs/design/conformance.md).",
    "",
    "For each operator: how many records have each property, and how many of the pairs of two properties occur in a record. A pair",
    "that does not has a reason. A record may have several levels of one dimension, such as versions or bounds.",
     ""]
    summary, details = [], []
    every = records_by_operator()
    for key, records in every.items():
        (levels, pairs, wanted), found = summary_of(key)
        missing = collections.Counter(reason or "no reason" for _, reason in found)
        covered = len(pairs)
        failing = sum("error" in record for record, _ in records)
        summary.append(
            f"| {key[0]} {key[1]} | {len(records)} | {failing} | {covered} | {missing.total()} | {missing['no reason']} |")
        details += ["",
    f"## {key[0]} {key[1]}",
    "",
    "| property | records |",
    "|---|---|",
    *_level_lines(levels,
    wanted),
    "",
    "| pairs that do not occur | reason |",
    "|---|---|",
    *(f"| {count} | {reason} |" for reason,
    count in sorted(missing.items(),
    key=lambda item: (-item[1],
     item[0])))]
    lines += ["| operator | records | must fail | pairs that occur | pairs with a reason | holes |",
        "|---|---|---|---|---|---|", *summary]
    lines += ["", "## Triples that have bitten somebody", "", "| what | where | records |", "|---|---|---|"]
    known = [(key, *each) for key, records in every.items() for each in records]
    lines += [f"| {what} | {where} | {sum(bool(goes(*each)) for each in known)} |" for what, where, goes in TRIPLES]
    return "\n".join([*lines, *details]) + "\n"


if __name__ == "__main__":
    (CASES / "COVERAGE.md").write_text(page(), encoding="utf-8")
