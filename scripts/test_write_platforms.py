"""The tables of what ran on emulated processors and other systems are made of the reports alone."""

import os
import re

import pytest
import write_platforms
from project_version import ROOT

CTEST = """<testsuite name="Linux" timestamp="{day}T10:00:00"><testcase name="unit.base" status="run"/>
<testcase name="{other}" status="{status}"><failure message=""/></testcase></testsuite>"""
OWN = """<testsuites timestamp="2025-12-31T23:00:00.5"><testsuite><testcase name="A" status="run"/><testcase name="B" status="run"/>
<testcase name="C" status="run"><skipped/></testcase>
<testcase name="D" status="run"><properties><property name="records" value="31423"/></properties></testcase></testsuite></testsuites>"""


@pytest.fixture
def reports(tmp_path):
    for name, day, other in (("sve256", "2026-01-02", "random"), ("neon", "2026-02-01", "conformance")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "ctest.xml").write_text(CTEST.format(day=day, other=other, status="fail"))
        (folder / "unit.base.xml").write_text(OWN)
    return tmp_path


def test_table_has_a_column_for_each_processor_that_ran(reports):
    rows, day = write_platforms.arm_table(reports)
    assert day == "1 February 2026"
    assert rows.splitlines() == [
        "| test program | NEON alone | SVE, 256 bits |",
        "|---|---|---|",
        "| conformance | did not end | not run |",
        "| random | not run | did not end |",
        "| unit.base | 3 passed, 1 skipped, 31,423 records | 3 passed, 1 skipped, 31,423 records |",
    ]


def test_failures_are_told(reports):
    (reports / "neon" / "unit.base.xml").write_text(OWN.replace("<skipped/>", "<failure/>"))
    assert "3 passed, 1 failed" in write_platforms.arm_table(reports)[0]


@pytest.fixture
def systems(tmp_path):
    for folder, name in (("chroot-trixie-packages", "Debian GNU/Linux 13 (trixie)"), ("chroot-trixie-arm64", "Debian GNU/Linux 13 (trixie)")):
        (tmp_path / folder / "etc").mkdir(parents=True)
        (tmp_path / folder / "etc" / "os-release").write_text(f'PRETTY_NAME="{name}"\nNAME="Debian"\n')
    jobs = {"chroot-trixie-packages": ("g++", "clang++"), "chroot-trixie-arm64": ("pip",)}
    for folder, names in jobs.items():
        for job in names:
            reports = tmp_path / folder / "root" / "reports" / job
            reports.mkdir(parents=True)
            (reports / "what.txt").write_text(f"what {job} is\n")
            os.utime(reports / "what.txt", (86400 * 365, 86400 * 365))
    (tmp_path / "chroot-trixie-arm64/root/reports/pip/outcome.txt").write_text("works\n")
    reports = tmp_path / "chroot-trixie-packages/root/reports/g++"
    (reports / "ctest.xml").write_text(CTEST.format(day="2026-01-02", other="random", status="fail"))
    (reports / "unit.base.xml").write_text(OWN)
    return tmp_path


def test_table_has_a_row_for_each_job_of_a_system(systems):
    assert write_platforms.systems_table(systems).splitlines()[2:] == [
        "| Debian 13 (trixie), 64-bit Arm under QEMU | what pip is | works | 1 January 1971 |",
        "| Debian 13 (trixie) | what clang++ is | did not end | 1 January 1971 |",
        "| Debian 13 (trixie) | what g++ is | tests: 3 passed, 1 failed, 1 skipped | 1 January 1971 |",
    ]


def test_without_systems_there_is_no_table(tmp_path):
    assert write_platforms.systems_table(tmp_path) == ""


def test_only_its_own_section_is_replaced():
    page = "# A\n### What ran\n\nold\n\n## B\nrest\n"
    assert write_platforms.replaced(page, write_platforms.ARM_HEADING, "\nnew\n\n") == "# A\n### What ran\n\nnew\n\n## B\nrest\n"
    with pytest.raises(ValueError, match="no heading"):
        write_platforms.replaced("# A\n", write_platforms.ARM_HEADING, "new\n")


@pytest.mark.parametrize("heading", [write_platforms.ARM_HEADING, write_platforms.SYSTEMS_HEADING])
def test_the_page_has_the_sections(heading):
    page = write_platforms.PAGE.read_text(encoding="utf-8")
    assert write_platforms.replaced(page, heading, "\nnew\n\n") != page


def test_dev_runs_jobs_that_there_are():
    jobs = set(re.findall(r"^    ([\w+-]+)\) run_", (ROOT / "scripts" / "system_tests.sh").read_text(encoding="utf-8"), re.MULTILINE))
    calls = re.findall(r'^ *(?:for .* do )?run_on_system (?:--packages )?"\$suite" ([^;\n]+)', (ROOT / "dev").read_text(encoding="utf-8"), re.MULTILINE)
    assert jobs == {job for call in calls for job in call.split()}
