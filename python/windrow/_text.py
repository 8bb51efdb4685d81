"""Text from files and callers, made printable."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """"1 node", "2 nodes": a number and what it counts. many: the plural; "": the noun with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """The text with characters that are not printable escaped as in Python's str literals."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
