"""What a line for a shell names, of those that are too heavy to be run: subcommands, options, files, variables."""

import functools
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def help_of(*words):
    """What a module says of itself; "python" is the running interpreter."""
    done = subprocess.run([sys.executable, *words, "--help"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(line):
    """Those of a line, without what moves their input and output."""
    words = list(shlex.shlex(line, posix=True, punctuation_chars=True))
    found = [[]]
    for word in words:
        if set(word) <= set("&|;"):
            found.append([])
        else:
            found[-1].append(word)
    return found


def check_command(words):
    """Fails with the word that names nothing."""
    program, *rest = words
    if program in ("mpirun", "torchrun"):  # the number of processes, then a program
        assert rest[0] in ("-n", "--nproc-per-node") and rest[1].isdigit(), words
        check_command(rest[2:] if program == "mpirun" else ["python", *rest[2:]])
    elif program == "./dev":
        listed = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
        assert re.search(rf"^  {re.escape(rest[0])} ", listed, re.MULTILINE), words
    elif program == "pip":
        assert rest[0] == "install" and len(rest) == 2, words
        wheel = re.fullmatch(r"dist/([a-z_]+)-\*\.whl", rest[1])
        known = ROOT / ("pyproject.toml" if wheel else "requirements-dev.txt")
        name = wheel[1].replace("_", "-") if wheel else rest[1]
        assert re.search(rf'^(name = ")?{name}\b', known.read_text(encoding="utf-8"), re.MULTILINE), words
    elif program == "python" and rest[0] == "-m":
        check_options(rest[1], rest[2:])
    elif program == "python":
        assert (ROOT / "examples" / rest[0]).exists(), words
    else:
        assert program == "windrow", words
        check_options("windrow", rest)


def check_options(module, words):
    """The first word is a subcommand; what begins with a dash is an option of it."""
    assert re.search(rf"^ *{re.escape(words[0])}\b", help_of("-m", module), re.MULTILINE), words
    said = help_of("-m", module, words[0])
    for word in words[1:]:
        if word.startswith("-") and len(word) > 1:
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", said), word


def check_line(line):
    for words in commands(line):
        check_command(words)
