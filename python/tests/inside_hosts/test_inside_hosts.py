"""The rows of docs/guide/inside_hosts.md, each run in the host alone and with Windrow inside.

The rows of torch are run by python/tests/torch_plugin."""

import importlib.util

import in_jax
import in_onnxruntime
import in_openvino
import pages
import pytest
from difference import Raises, check, outcome

HERE = [(host, row) for host in (in_onnxruntime, in_openvino, in_jax) for row in host.ROWS]


def missing(host):
    """The reason why the host cannot run here; empty if it can."""
    if host is in_onnxruntime and not importlib.import_module("windrow.onnxruntime").available():
        return "this build has no plug-in for ONNX Runtime"
    if host is in_openvino:
        from windrow import openvino_plugin

        fault = outcome(openvino_plugin.extension)
        return str(fault) if isinstance(fault, ImportError) else ""
    return ""


@pytest.mark.parametrize(("host", "row"), HERE, ids=[f"{host.TITLE}-{row.name}" for host, row in HERE])
def test_a_row(host, row):
    if missing(host):
        pytest.skip(missing(host))
    check(outcome(host.alone, row.call), row.gives_alone)
    check(outcome(host.here, row.call), row.gives_here)


def test_the_page_is_made_of_the_rows():
    assert pages.PAGE.read_text(encoding="utf-8") == pages.page()


@pytest.mark.parametrize("host", pages.HOSTS, ids=lambda host: host.TITLE)
def test_names_of_rows_are_their_own(host):
    assert len({row.name for row in host.ROWS}) == len(host.ROWS)


def test_a_row_that_does_not_hold_is_found():
    for found, expected in (([1], [2]), ([0.0], [-0.0]), ([1], Raises(".")), (ValueError("a"), [1]), (ValueError("a"), Raises("b"))):
        with pytest.raises(AssertionError):
            check(found, expected)
