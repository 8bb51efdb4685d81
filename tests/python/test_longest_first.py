"""Tests of longest_first.py."""

from types import SimpleNamespace

from longest_first import LONGEST, ROOT, put_longest_first


def test_every_file_of_the_list_is_there():
    assert [name for name in LONGEST if not (ROOT / name).is_file()] == []
    assert len(set(LONGEST)) == len(LONGEST)


def test_listed_files_come_first_and_items_of_a_file_keep_their_order():
    paths = ["tests/other.py", LONGEST[2], LONGEST[0], "tests/another.py", LONGEST[2]]
    items = [SimpleNamespace(path=ROOT / path, number=number) for number, path in enumerate(paths)]
    put_longest_first(items)
    assert [item.number for item in items] == [2, 1, 4, 0, 3]
