"""The parser of the kit's commands: a misspelt word is answered with the nearest one."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """As argparse's, which has suggestions itself only since Python 3.14, for choices alone."""

    def error(self, message: str) -> NoReturn:
        """Ends the process with status 2."""
        super().error(message + self._hint(message))

    def _hint(self, message: str) -> str:
        if choice := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)$", message):
            return _nearest(choice[1], re.findall(r"[\w-]+", choice[2]))
        if option := re.match(r"unrecognized arguments: (-[^ =]+)", message):
            return _nearest(option[1], list(self._option_string_actions))
        return ""


def _nearest(word: str, words: list[str]) -> str:
    near = difflib.get_close_matches(word, words, 1)
    return f"; did you mean {near[0]}?" if near else ""
