"""Links between the pages of this repository: the file is there, and so is the heading."""

import functools
import re
import subprocess
import urllib.parse

import pytest
from case_data import ROOT

LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")


def pages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    return sorted(ROOT / line for line in listed.splitlines())


@functools.cache
def anchors(page):
    """Those of the headings, as GitHub makes them."""
    found, counts = set(), {}
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = counts.get(anchor, 0)
        counts[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def links(text):
    """The targets on this machine, without those in code."""
    found = LINK.findall(CODE.sub("", FENCE.sub("", text)))
    return [urllib.parse.unquote(target) for target in found if not re.match(r"[a-z]+:", target)]


def faults(page):
    for target in links(page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{target}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"{target}: there is no such heading"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert list(faults(page)) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b` c, d\n[good](#a-b-c-d) [bad](#a-b) [none](gone.md) `[code](gone.md)`\n")
    assert list(faults(page)) == ["#a-b: there is no such heading", "gone.md: there is no such file"]
