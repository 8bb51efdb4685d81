"""The formats of reports, by the names that --format takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..against import Comparison, compare
from ..results import RunResults
from . import Background
from .html import write_html
from .json import write_json
from .junit import write_junit
from .markdown import write_markdown, write_markdown_against
from .text import write_text, write_text_against

Writer = Callable[[RunResults, Background, list[Comparison]], str]


def _text(run: RunResults, background: Background, comparisons: list[Comparison]) -> str:
    return write_text(run) + (f"\n{write_text_against(comparisons)}" if comparisons else "")


def _markdown(run: RunResults, background: Background, comparisons: list[Comparison]) -> str:
    return write_markdown(run, background) + (f"\n{write_markdown_against(comparisons)}" if comparisons else "")


FORMATS: Mapping[str, Writer] = {
    "text": _text,
    "json": lambda run, background, comparisons: write_json(run),
    "junit": lambda run, background, comparisons: write_junit(run),
    "markdown": _markdown,
    "html": write_html,
}
# Those that report what changed since another run.
COMPARING = ("text", "markdown", "html")


def report(format: str, run: RunResults, background: Background, against: RunResults | None = None) -> str:
    """The run in a format of FORMATS. against: another run; formats in COMPARING also report the changes since then."""
    return FORMATS[format](run, background, [] if against is None else compare(against, run))
