"""Text from files and callers, made printable."""

from __future__ import annotations

import unicodedata


def counted(number: int, one: str, many: str = "") -> str:
    """"1 node", "2 nodes": a number and what it counts. many: the plural; "": the noun with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """The text with characters that are not printable escaped as in Python's str literals."""
    return text if text.isprintable() else "".join(map(_shown, text))


def width(text: str) -> int:
    """The columns that a printable text takes in a terminal: wide characters two, combining ones none."""
    return sum(map(_columns, text))


def padded(text: str, columns: int) -> str:
    """The text with spaces up to this number of columns."""
    return text + " " * (columns - width(text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
