"""The examples of docs/guide/torch.md."""

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "torch.md"


def test_the_guide():
    # The line that ends a fenced block would be taken for output.
    text = re.sub(r"^```\w*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert test.examples and not report, "".join(report)
