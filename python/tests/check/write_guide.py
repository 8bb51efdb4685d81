"""Fills in the output of the commands of docs/guide/two_runtimes_disagree.md.

    PYTHONPATH=build/release/python .venv/bin/python python/tests/check/write_guide.py
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "two_runtimes_disagree.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def output_of(command):
    """The output of a command; "python" is the running interpreter."""
    words = command.split()
    assert words[0] == "python"
    environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return done.stdout


def page(text):
    """The page with true outputs of its commands, which run between its examples in the working directory.

    Raises AssertionError with doctest's report if an example gives something else than it says.
    """
    names = {}

    def true_block(match):
        kind, content = match.groups()
        if kind == "console":
            command = content.removeprefix("$ ").partition("\n")[0]
            return f"```console\n$ {command}\n{output_of(command)}```"
        test = doctest.DocTestParser().get_doctest(content, names, PAGE.name, PAGE.name, 0)
        report = []
        runner = doctest.DocTestRunner()
        runner.run(test, out=report.append, clear_globs=False)
        assert not runner.failures, "".join(report)
        names.update(test.globs)
        return match.group()

    return BLOCK.sub(true_block, text)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        os.chdir(PAGE.parent)
