"""Runs the examples of a page in this process, and does nothing else: what the page does not import is not there.

python page_examples.py PAGE [--typed]: fails with doctest's report. --typed: the page's lines for a shell are run, too.
python page_examples.py --command WORD...: runs the command, whose playground is there also where its compiler is missing.
"""

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

# After a failure the rest of a page would run without what it is about: OpenVINO alone, without the plug-in, reads
# foreign memory in an example and ends the process.
FLAGS = doctest.ELLIPSIS | doctest.FAIL_FAST
# A browser that shows nothing, for the pages that examples open.
BROWSER = {"BROWSER": "true"}
TEMPLATE = Path(__file__).resolve().parents[2] / "playground" / "page.html"


def typed(line, quiet):
    """What a shell prints for a line; without it where the page shows nothing, but then the line has to succeed."""
    programs = Path("bin")
    if not programs.exists():
        programs.mkdir()
        for name, words in {"windrow": f" '{__file__}' --command", "python": ""}.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
            program.chmod(0o755)
    run = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False,
                         env=os.environ | {"PATH": f"{programs.resolve()}:{os.environ['PATH']}", **BROWSER})  # fmt: skip
    assert run.returncode == 0 or not quiet, run.stdout + run.stderr
    if not quiet:
        print(run.stdout + run.stderr, end="")


def with_typed_lines(text):
    """The page with its blocks for a shell as examples of Python."""

    def example(match):
        lines = []
        shown = re.split(r"^\$ (.*)\n", match.group(1), flags=re.MULTILINE)[1:]
        for line, output in zip(shown[::2], shown[1::2], strict=True):
            output = re.sub(r"^[ ]*$", "<BLANKLINE>", output.rstrip("\n"), flags=re.MULTILINE) if output else ""
            lines.append(f">>> typed({line!r}, {not output})\n{output}\n")
        return "".join(lines)

    return re.sub(r"^```console\n(.*?)^```$", example, text, flags=re.MULTILINE | re.DOTALL)


def run_examples(text, name, names):
    """Fails with doctest's report; gives the number of examples."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    report = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)
    return len(test.examples)


def run_page(path, with_shell):
    """The number of examples that were run."""
    text = Path(path).read_text()
    if "windrow.playground(" in text:
        put_playground()
    if with_shell:
        text = with_typed_lines(text)
    # The line that ends a fenced block would be taken for output.
    text = re.sub(r"^```\w*$", "", text, flags=re.MULTILINE)
    return run_examples(text, Path(path).name, {"typed": typed})


def put_playground():
    """In a build that has no playground, its page without the module inside stands for it."""
    from windrow._explain import playground

    if not playground.PAGE.exists():
        playground.PAGE = TEMPLATE


if __name__ == "__main__" and sys.argv[1] == "--command":
    if "playground" in sys.argv:
        put_playground()
    sys.argv[:] = ["windrow", *sys.argv[2:]]
    sys.path.pop(0)  # the folder of the tests
    runpy.run_module("windrow", run_name="__main__")
elif __name__ == "__main__":
    os.environ |= BROWSER
    count = run_page(sys.argv[1], sys.argv[2:] == ["--typed"])
    assert count > 0, "the page has no examples"
