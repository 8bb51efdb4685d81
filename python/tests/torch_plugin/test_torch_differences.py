"""The rows of docs/guide/inside_hosts.md about torch, each run by torch alone and with Windrow."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "inside_hosts"))

import in_torch  # noqa: E402
from difference import check, outcome  # noqa: E402


@pytest.mark.parametrize("row", in_torch.ROWS, ids=lambda row: row.name)
def test_a_row(row):
    check(outcome(in_torch.alone, row.call), row.gives_alone)
    check(outcome(in_torch.here, row.call), row.gives_here)
