"""Runs code of a test in a process of its own that is forked from one which has imported a host, so that the host may end it."""

import contextlib
import io
import sys

from windrow.processes import Limits, Pool

# Importing openvino would send usage data from a thread.
sys.modules["openvino_telemetry"] = None


def run_code(code, *arguments, host):
    """The Ending of the code: its value is what the code printed. arguments: those behind sys.argv[0]."""
    with Pool("forked_code:execute", preload=["forked_code", host], limits=Limits(seconds=120.0)) as pool:
        return pool.run([{"code": code, "arguments": [str(argument) for argument in arguments]}])[0]


def execute(item):
    """The handler of worker processes."""
    sys.argv = ["-c", *item["arguments"]]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(item["code"], "<code>", "exec"), {"__name__": "__main__"})
    return printed.getvalue()
