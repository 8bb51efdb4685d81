"""What people read of a run; names and messages come from runtimes and may hold anything."""

from __future__ import annotations

import html.parser
import json
import re
import xml.etree.ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawn_runs import BAD, draw_run
from windrow_conformance.corpus import Corpus
from windrow_conformance.outcome import Outcome
from windrow_conformance.record import Record
from windrow_conformance.reports import Background
from windrow_conformance.reports import html as page_module
from windrow_conformance.reports.formats import COMPARING, FORMATS, report
from windrow_conformance.reports.html import MOST_BYTES, write_html
from windrow_conformance.reports.html.overview import outcome_class
from windrow_conformance.reports.junit import write_junit
from windrow_conformance.reports.markdown import cell, code
from windrow_conformance.results import Asked, Failure, RunResults, RuntimeResults, is_difference

HOSTILE = (
    "</script><script>alert(1)</script>\"'&<!--]]>|`[a](javascript:x)\x1b[2J\u202e\ud800\x00\n* @you www.x.y http://z"
)


@pytest.fixture
def hostile(corpus: Corpus) -> tuple[RunResults, RunResults, Background]:
    """A run, an older one, and a background in which every foreign text is hostile."""
    run = draw_run(corpus, 400, [(HOSTILE, "onnx", BAD)])
    [runtime] = run.runtimes
    runtime = replace(
        runtime,
        versions={HOSTILE: HOSTILE},
        failures=tuple(Failure(one.path, one.outcome, HOSTILE, HOSTILE) for one in runtime.failures),
    )
    absent = RuntimeResults(f"absent {HOSTILE}", fault=HOSTILE)
    records = {path: replace(asked, rule=HOSTILE) for path, asked in run.records.items()}
    run = replace(run, date=HOSTILE, machine={HOSTILE: HOSTILE}, records=records, runtimes=(runtime, absent))
    before = replace(runtime, outcomes=dict.fromkeys(runtime.outcomes, Outcome.PASSED), failures=())

    def record(path: str) -> Record:
        return replace(corpus.record(path), note=HOSTILE, op=HOSTILE, attrs={HOSTILE: HOSTILE})

    background = Background(record, lambda label: HOSTILE, lambda name, record: HOSTILE)
    return run, replace(run, runtimes=(before,)), background


class Page(html.parser.HTMLParser):
    """The elements of a page and its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "wbr"):
            self._open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.text += data

    def data(self) -> dict[str, Any]:
        return dict(json.loads(self.scripts[0]))


def test_the_page_loads_nothing_and_is_well_formed(run: RunResults, older: RunResults, background: Background) -> None:
    text = report("html", run, background, older)
    page = Page(text)
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert "src" not in attributes and not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in text and "@import" not in text
    policy = next(one["content"] for tag, one in page.tags if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; ") and "script-src 'sha256-" in policy
    assert len(page.scripts) == 2
    number = f"{len(run.records):,} records of corpus {run.corpus}"
    for told in (number, "A processor", run.date, "usual 1.2.3", "absent is not installed"):
        assert told in page.text


def test_the_page_has_the_numbers_of_every_runtime_and_tier(run: RunResults, background: Background) -> None:
    page = write_html(run, background)
    rows = re.findall(r'<tr class=""><th scope="row">(\w+)<small>.*?</tr>', page, re.DOTALL)
    assert rows == ["sound", "usual", "bad"], "ranked, without those that were not run"
    for runtime in run.runtimes[:3]:
        for counts in run.tier_counts(runtime).values():
            if counts.failed:
                assert f"<b>{counts.percent} %</b>" in page
                assert f"of {counts.records:,}</small>" in page


def test_every_failure_can_be_reached_on_the_page(run: RunResults, background: Background) -> None:
    data = Page(write_html(run, background)).data()
    reached = [
        (cause["runtime"], path)
        for cause in data["causes"]
        for path in [*(record["path"] for record in cause["records"]), *cause["others"]]
    ]
    failures = [(runtime.name, failure.path) for runtime in run.runtimes for failure in runtime.failures]
    assert sorted(reached) == sorted(failures)


def test_a_failure_shows_call_expected_got_rule_and_reproduction(
    corpus: Corpus, run: RunResults, background: Background
) -> None:
    data = Page(write_html(run, background)).data()
    [cause] = [one for one in data["causes"] if one["runtime"] == "usual" and one["outcome"] == "wrong value"][:1]
    shown = cause["records"][0]
    record = corpus.record(shown["path"])
    assert shown["got"].startswith(f"{record.inputs[0].dtype}[" if record.inputs[0] else "")
    assert shown["reproduction"] == f"import usual\nprint(usual.run({record.path!r}))"
    call = data["details"][record.path]
    assert call["call"] == f"{record.op}, version {record.version}"
    assert len(call["inputs"]) == len(record.inputs)
    assert record.output is not None and call["expected"].startswith(f"{record.output.dtype}[")
    assert corpus.rules[cause["rule"]].rule in data["sentences"][cause["rule"]]
    refused = next(one for one in data["causes"] if one["outcome"] == "no error")["records"][0]
    assert data["details"][refused["path"]]["expected"].startswith("an error (")


def test_a_reproduction_is_whole_or_left_out(run: RunResults, background: Background) -> None:
    for length, is_there in ((4000, True), (4001, False)):
        code = "#\n" * (length // 2) + "#" * (length % 2)
        [cause, *_] = Page(write_html(run, replace(background, reproduction=lambda *_: code))).data()["causes"]
        assert cause["records"][0].get("reproduction") == (code if is_there else None)


def test_a_page_of_very_many_failures_is_bounded(
    corpus: Corpus, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = draw_run(corpus, 20, [(f"bad {at}", "", BAD) for at in range(4)])
    whole = write_html(run, background)
    size = len(whole.encode())
    assert size <= MOST_BYTES
    number = sum(len(runtime.failures) for runtime in run.runtimes)
    for limit in (size * 3 // 4, size // 2, size // 4):
        monkeypatch.setattr(page_module, "MOST_BYTES", limit)
        smaller = write_html(run, background)
        assert len(smaller.encode()) <= limit
        data = Page(smaller).data()
        assert sum(one["count"] for one in data["causes"]) + data["left_out"] == number
        records = sum(len(one["records"]) for one in data["causes"])
        assert records < number, "fewer in full"
    assert Page(whole).data()["left_out"] == 0


def test_every_outcome_has_a_colour_on_the_page() -> None:
    style = Path(page_module.__file__).with_name("page.css").read_text()
    for outcome in Outcome:
        if outcome not in (Outcome.PASSED, Outcome.UNSUPPORTED):
            name = outcome_class(outcome)
            assert f"rect.{name} " in style or f"rect.{name}," in style
            assert f".swatch.{name} " in style or f".swatch.{name}," in style


def test_hostile_text_stays_text_on_the_page(hostile: tuple[RunResults, RunResults, Background]) -> None:
    run, older, background = hostile
    text = report("html", run, background, older)
    page = Page(text)
    assert len(page.scripts) == 2 and "alert" not in page.scripts[1]
    assert "<script>alert" not in text
    assert "\x1b" not in text and "\u202e" not in text and "\x00" not in text
    assert all(not name.startswith("on") for _, attributes in page.tags for name in attributes)
    shown = page.data()["causes"][0]["records"][0]["message"]
    assert shown.startswith("</script><script>alert(1)</script>") and "\\x1b[2J\\u202e\\ud800\\x00" in shown
    text.encode()


def test_hostile_text_stays_text_in_junit(hostile: tuple[RunResults, RunResults, Background]) -> None:
    run, _, _ = hostile
    root = xml.etree.ElementTree.fromstring(write_junit(run).encode())
    suite = root.findall("testsuite")[0]
    assert "alert(1)</script>" in suite.attrib["name"] and "\\x1b" in suite.attrib["name"]


def test_hostile_text_stays_text_in_markdown_and_on_a_terminal(
    hostile: tuple[RunResults, RunResults, Background],
) -> None:
    run, older, background = hostile
    text = report("markdown", run, background, older)
    outside_code = re.sub(r"(`+).*?\1", "", text)
    for sign in ("<script", "@you", "http://", "www.x", "\x1b", "\u202e"):
        assert sign not in outside_code
    assert not re.search(r"(?<!\\)\]\(", outside_code), "no link"
    rows = [line for line in text.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    for above, below, row in zip(widths, widths[1:], rows[1:]):
        assert above == below or set(rows[rows.index(row) + 1]) == {"|", "-"}, row
    for format in ("text", "markdown"):
        told = report(format, run, background, older)
        assert "\x1b" not in told and "\u202e" not in told
        told.encode()


def test_cells_and_code_of_markdown() -> None:
    assert cell("a|b*c\n d") == "a\\|b\\*c d"
    assert code("a|b") == "`a\\|b`"
    assert code("a``b") == "``` a``b ```"


def test_junit_has_a_case_for_each_record(run: RunResults) -> None:
    root = xml.etree.ElementTree.fromstring(write_junit(run))
    assert [suite.attrib["name"] for suite in root] == ["sound 1.2.3", "usual 1.2.3", "bad 1.2.3", "absent"]
    for suite, runtime in zip(root, run.runtimes[:3]):
        assert suite.attrib["timestamp"] == run.date
        cases = suite.findall("testcase")
        assert [case.attrib["name"] for case in cases] == list(runtime.outcomes)
        for element in ("failure", "error", "skipped"):
            number = len(suite.findall(f"testcase/{element}"))
            assert int(suite.attrib[f"{element}s" if element != "skipped" else element]) == number
        for case, (path, outcome) in zip(cases, runtime.outcomes.items()):
            asked = run.records[path]
            told = {one.attrib["name"]: one.attrib["value"] for one in case.iter("property")}
            assert told == {"tier": asked.tier, "rule": asked.rule}
            is_skipped = outcome is Outcome.UNSUPPORTED or is_difference(asked.tier, outcome)
            assert (case.find("skipped") is not None) == is_skipped
            is_failing = outcome is not Outcome.PASSED and not is_skipped
            assert (case.find("failure") is not None or case.find("error") is not None) == is_failing
    [absent] = root[3]
    assert absent[0].tag == "skipped" and absent[0].attrib["message"] == "absent is not installed"


def test_markdown_and_text_tell_the_same_numbers(run: RunResults, background: Background) -> None:
    markdown, text = (report(format, run, background) for format in ("markdown", "text"))
    for runtime in run.runtimes[:3]:
        for counts in run.tier_counts(runtime).values():
            if counts.records:
                assert f"{counts.percent} %" in text and f"**{counts.percent} %**" in markdown
                assert f"of {counts.records:,}" in text and f"of {counts.records:,}" in markdown
    assert "absent: not run: absent is not installed" in text
    assert "not run: absent is not installed" in markdown


def test_a_run_that_was_ended_early_says_so(run: RunResults, background: Background) -> None:
    part = replace(run, complete=False)
    for format in ("text", "markdown", "html"):
        assert "ended early" in report(format, part, background)


def test_a_run_of_a_part_says_so(run: RunResults, background: Background) -> None:
    part = replace(run, selection={"filter": "gather*"})
    assert "a part: filter gather*</p>" in write_html(part, background)
    assert "filter: gather\\*" in report("markdown", part, background)


@pytest.mark.parametrize("format", COMPARING)
def test_reports_tell_what_changed(
    format: str, run: RunResults, older: RunResults, background: Background
) -> None:
    text = report(format, run, background, older)
    assert "usual 1.2.2 → 1.2.3" in text
    assert ("worse" in text) and ("better" in text)
    assert "1.2.2" not in report(format, run, background)


def test_a_recipe_that_fails_is_shown(corpus: Corpus, background: Background) -> None:
    record = next(corpus.records(tiers=["deterministic"]))
    failure = Failure(record.path, Outcome.DIFFERS, "2 of 80 runs differ")
    runtime = RuntimeResults("some", {"some": "1"}, "", {record.path: Outcome.DIFFERS}, (failure,))
    run = RunResults("1.0.0", "", {}, {record.path: Asked.of(record)}, (runtime,), runs=20, threads=(1, 2, 4, 8))
    page = Page(write_html(run, background))
    call = page.data()["details"][record.path]
    assert record.digest is not None and call["expected"].endswith(f"SHA-256 {record.digest.sha256}")
    assert "20 runs on each of 1, 2, 4, 8 threads" in page.text
    whole = replace(run, runtimes=(replace(runtime, outcomes={record.path: Outcome.PASSED}, failures=()),))
    assert "no difference in 20 runs, of 1" in Page(write_html(whole, background)).text


def test_all_formats_are_known() -> None:
    assert set(FORMATS) == {"text", "json", "junit", "markdown", "html"} and set(COMPARING) < set(FORMATS)
