"""Runs the built command as a user would."""

import json
import os
import subprocess

import pytest
from cli_command import COMMAND


class Outcome:
    """What one call of the command gave."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def json(self):
        return json.loads(self.out)

    def only_error(self):
        """The error's text; checks that nothing else was printed."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("windrow: error: ")
        assert self.code == 2
        assert self.out == ""
        return lines[0].removeprefix("windrow: error: ")


@pytest.fixture
def windrow(tmp_path):
    """Calls the command in tmp_path: windrow("run", "m.onnx", ...)."""

    def call(*arguments, env=None):
        done = subprocess.run(
            [COMMAND, *[str(a) for a in arguments]],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Outcome(done)

    return call
