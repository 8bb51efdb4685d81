"""Text of foreign origin, made harmless for terminals and files."""

from __future__ import annotations


def printable(text: str, kept: str = "") -> str:
    """The text with every character that is not printable (control characters, marks of writing direction, halves of
    surrogate pairs) as its escape sequence, except those in `kept`.
    """
    return "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(text: str) -> str:
    """The same in one line: runs of white space become one space."""
    return printable(" ".join(text.split()))
