#!/usr/bin/env python3
"""Adds up the JUnit reports in folders: `N passed, N failed, N skipped`. Exit code 1 if any failed.

In ctest.xml a program is one test case; one that wrote a report of its own beside it, <test name>.xml,
counts by that report.
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree


def outcome(case):
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed"


def count(folder):
    """How many test cases of the reports in `folder` had which outcome."""
    totals = collections.Counter()
    reports = {path.stem: path for path in folder.glob("*.xml")}
    for name, path in reports.items():
        cases = xml.etree.ElementTree.parse(path).iter("testcase")
        totals.update(outcome(case) for case in cases if name != "ctest" or case.get("name") not in reports)
    return totals


def main():
    totals = sum((count(pathlib.Path(folder)) for folder in sys.argv[1:]), collections.Counter())
    print(", ".join(f"{totals[word]} {word}" for word in ("passed", "failed", "skipped")))
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
