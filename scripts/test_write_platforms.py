"""The table of what ran on emulated processors is made of the reports alone."""

import pytest
import write_platforms

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
    rows, day = write_platforms.table(reports)
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
    assert "3 passed, 1 failed" in write_platforms.table(reports)[0]


def test_only_its_own_section_is_replaced():
    page = "# A\n### What ran\n\nold\n\n## B\nrest\n"
    assert write_platforms.replaced(page, "\nnew\n\n") == "# A\n### What ran\n\nnew\n\n## B\nrest\n"
    with pytest.raises(ValueError, match="no heading"):
        write_platforms.replaced("# A\n", "new\n")


def test_the_page_has_the_section():
    page = write_platforms.PAGE.read_text(encoding="utf-8")
    assert write_platforms.replaced(page, "\nnew\n\n") != page
