#!/usr/bin/env python3
"""Writes the table of docs/platforms.md: which tests ran on which emulated 64-bit Arm processor, and what came out.

    python3 scripts/write_platforms.py [FOLDER]

FOLDER, build/aarch64/processors unless it is given, has a folder for each processor with the JUnit reports of the tests that ran on it:
./dev test --platforms leaves them there.
"""

import collections
import datetime
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

from count_tests import outcome

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "platforms.md"
REPORTS = ROOT / "build" / "aarch64" / "processors"
HEADING = "### What ran\n"
CTEST = "ctest.xml"
# The names that ./dev gives the processors, in the order of the columns.
PROCESSORS = {"neon": "NEON alone"} | {f"sve{bits}": f"SVE, {bits} bits" for bits in (128, 256, 512, 2048)}
# What a test says of itself in its report beside the outcome, and the words for it.
PROPERTIES = {"records": "records", "random_calls": "random calls with the recorded digest", "compared_calls": "others compared"}
NOT_RUN = "not run"
NO_REPORT = "did not end"


def load(path):
    return xml.etree.ElementTree.parse(path).getroot()


def properties_of(root):
    found = {each.get("name"): each.get("value") for each in root.iter("property")}
    return [f"{int(found[name]):,} {words}" for name, words in PROPERTIES.items() if name in found]


def describe(root):
    """How many tests of a program's report had which outcome, and what they say of themselves."""
    totals = collections.Counter(outcome(case) for case in root.iter("testcase"))
    counts = [f"{totals[word]} {word}" for word in ("passed", "failed", "skipped") if totals[word]]
    return ", ".join(counts + properties_of(root))


def read_processor(folder):
    """The text for each test program that ran: by its own report, or that it left none although ctest began it."""
    began = [case.get("name") for case in load(folder / CTEST).iter("testcase")] if (folder / CTEST).exists() else []
    cells = dict.fromkeys(began, NO_REPORT)
    cells.update({report.stem: describe(load(report)) for report in folder.glob("*.xml") if report.name != CTEST})
    return cells


def last_day(folders):
    stamps = [load(report).get("timestamp") for folder in folders for report in folder.glob("*.xml")]
    day = datetime.datetime.fromisoformat(max(stamps))
    return f"{day.day} {day:%B %Y}"


def table(folder):
    """The table of all reports below `folder`, with the day of the last one."""
    folders = [folder / name for name in PROCESSORS if (folder / name).is_dir()]
    cells = {each.name: read_processor(each) for each in folders}
    tests = sorted({test for processor in cells.values() for test in processor})
    lines = ["| test program | " + " | ".join(PROCESSORS[name] for name in cells) + " |", "|---" * (len(cells) + 1) + "|"]
    for test in tests:
        lines.append(f"| {test} | " + " | ".join(cells[name].get(test, NOT_RUN) for name in cells) + " |")
    return "\n".join(lines) + "\n", last_day(folders)


def version(command, pattern):
    said = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    return re.search(pattern, said).group(1)


def replaced(page, section):
    """`page` with the text below its heading, up to the next heading, replaced by `section`."""
    before, _, rest = page.partition(HEADING)
    following = re.search(r"^#+ ", rest, re.MULTILINE)
    if not following:
        raise ValueError(f"the page has no heading {HEADING.strip()!r} with another one after it")
    return before + HEADING + section + rest[following.start() :]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else REPORTS
    rows, day = table(folder)
    compiler = version(["aarch64-linux-gnu-g++", "-dumpfullversion"], r"(\S+)")
    emulator = version(["qemu-aarch64", "--version"], r"version (\S+)")
    section = (
        f"\nWritten by scripts/write_platforms.py from the reports of the runs; do not edit. The last run was on {day}, "
        f"with g++ {compiler} and QEMU {emulator}.\n\n{rows}\n"
    )
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), section), encoding="utf-8")


if __name__ == "__main__":
    main()
