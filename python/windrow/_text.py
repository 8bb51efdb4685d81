"""Text from files and callers, as it can be shown."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with what is no printable character escaped as in a str of Python's."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
