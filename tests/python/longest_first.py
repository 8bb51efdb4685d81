"""The order in which files of tests are run: the longest first, so that the end leaves no process alone with a long one.

It needs pytest's option --no-loadscope-reorder, which `dev` gives: the order would be that of the numbers of tests.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# By the processor time that they take; those of less than 10 s are left out.
LONGEST = """
""".split()


def put_longest_first(items):
    """Sorts pytest's items; all that are of one file stay in their order."""
    places = {ROOT / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
