"""Limits the runs in hosts to the few that show something."""

import pytest
from windrow import _fix_inputs, _fix_runs


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(_fix_inputs, "_SAMPLES", 4)
    monkeypatch.setattr(_fix_runs, "_HOST_RUNS", 1)
