#!/usr/bin/env python3
"""Writes two tables of docs/platforms.md: which tests ran on which emulated 64-bit Arm processor, and what was done on other systems.

    python3 scripts/write_platforms.py

./dev test --platforms leaves what it is made of: build/aarch64/processors has a folder for each processor with the JUnit reports of
the tests that ran on it; build/chroot-*/root/reports has one for each job of scripts/system_tests.sh. A table without reports stays
as it is.
"""

import collections
import datetime
import re
import subprocess
import xml.etree.ElementTree
from pathlib import Path

from count_tests import count, outcome

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "platforms.md"
ARM_REPORTS = ROOT / "build" / "aarch64" / "processors"
ARM_HEADING = "### What ran\n"
SYSTEMS = ROOT / "build"
SYSTEMS_HEADING = "### What other systems did\n"
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


def day_of(moment):
    return f"{moment.day} {moment:%B %Y}"


def last_day(folders):
    stamps = [load(report).get("timestamp") for folder in folders for report in folder.glob("*.xml")]
    return day_of(datetime.datetime.fromisoformat(max(stamps)))


def arm_table(folder):
    """The table of all reports below `folder`, with the day of the last one."""
    folders = [folder / name for name in PROCESSORS if (folder / name).is_dir()]
    cells = {each.name: read_processor(each) for each in folders}
    tests = sorted({test for processor in cells.values() for test in processor})
    lines = ["| test program | " + " | ".join(PROCESSORS[name] for name in cells) + " |", "|---" * (len(cells) + 1) + "|"]
    for test in tests:
        lines.append(f"| {test} | " + " | ".join(cells[name].get(test, NOT_RUN) for name in cells) + " |")
    return "\n".join(lines) + "\n", last_day(folders)


def name_of(system):
    """What a system that scripts/chroot.sh made calls itself, with its processor if that is another one."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', (system / "etc" / "os-release").read_text(encoding="utf-8"), re.MULTILINE)[1]
    return name.replace("GNU/Linux ", "") + (", 64-bit Arm under QEMU" if "-arm64" in system.name else "")


def job_outcome(job):
    """What a job says came out, or the counts of its tests."""
    if (job / "outcome.txt").exists():
        return (job / "outcome.txt").read_text(encoding="utf-8").strip()
    if any(job.glob("*.xml")):
        totals = count(job)
        return "tests: " + ", ".join(f"{totals[word]:,} {word}" for word in ("passed", "failed", "skipped") if totals[word])
    return NO_REPORT


def systems_table(folder):
    """A row for each job that began on one of the systems in `folder`."""
    lines = ["| system | what | outcome | day |", "|---|---|---|---|"]
    for job in sorted(folder.glob("chroot-*/root/reports/*/what.txt")):
        what, day = job.read_text(encoding="utf-8").strip(), day_of(datetime.datetime.fromtimestamp(job.stat().st_mtime))
        lines.append(f"| {name_of(job.parents[3])} | {what} | {job_outcome(job.parent)} | {day} |")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def version(command, pattern):
    said = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    return re.search(pattern, said).group(1)


def replaced(page, heading, section):
    """`page` with the text below `heading`, up to the next heading, replaced by `section`."""
    before, _, rest = page.partition(heading)
    following = re.search(r"^#+ ", rest, re.MULTILINE)
    if not following:
        raise ValueError(f"the page has no heading {heading.strip()!r} with another one after it")
    return before + heading + section + rest[following.start() :]


def arm_section():
    rows, day = arm_table(ARM_REPORTS)
    compiler = version(["aarch64-linux-gnu-g++", "-dumpfullversion"], r"(\S+)")
    emulator = version(["qemu-aarch64", "--version"], r"version (\S+)")
    return (
        f"\nWritten by scripts/write_platforms.py from the reports of the runs; do not edit. The last run was on {day}, "
        f"with g++ {compiler} and QEMU {emulator}.\n\n{rows}\n"
    )


def main():
    page = PAGE.read_text(encoding="utf-8")
    if ARM_REPORTS.exists():
        page = replaced(page, ARM_HEADING, arm_section())
    if rows := systems_table(SYSTEMS):
        page = replaced(page, SYSTEMS_HEADING, f"\nWritten by scripts/write_platforms.py from what the jobs left; do not edit.\n\n{rows}\n")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
