"""Limits the runs in hosts to the few that show something."""

import pytest
from windrow._fixes import inputs, runs


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(inputs, "_SAMPLES", 4)
    monkeypatch.setattr(runs, "_HOST_RUNS", 1)
