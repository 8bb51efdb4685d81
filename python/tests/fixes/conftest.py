"""Limits the runs in hosts to the few that show something."""

import pytest
from kept_workers import kept_workers
from windrow._fixes import inputs, runs


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(inputs, "_SAMPLES", 4)
    monkeypatch.setattr(runs, "_HOST_RUNS", 1)


@pytest.fixture(scope="module", autouse=True)
def one_start_of_each_host():
    with kept_workers():
        yield
