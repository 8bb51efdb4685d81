"""Runs the code of a notebook without Jupyter, as a kernel would: cells in order, in one namespace.

    PYTHONPATH=build/release/python .venv/bin/python python/tests/notebook.py examples/gather_nd.ipynb

writes the outputs into the file. Only text is kept: what is printed, and the value of a last line.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path


def _lines(text):
    return text.splitlines(keepends=True)


def _run_cell(source, names):
    """The outputs of one cell. What it raises is raised here."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append({"output_type": "execute_result", "metadata": {}, "data": {"text/plain": _lines(repr(value))}})
    return outputs


def run(notebook):
    """The same notebook with the outputs of this run."""
    names, cells, count = {"__name__": "__main__"}, [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = _run_cell("".join(cell["source"]), names)
            numbered = [{**each, "execution_count": count} if each["output_type"] == "execute_result" else each
                        for each in outputs]
            cell = {**cell, "execution_count": count, "outputs": numbered}
        cells.append(cell)
    return {**notebook, "cells": cells}


def text_of(notebook):
    """The bytes of the file, as text."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(text_of(run(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")
