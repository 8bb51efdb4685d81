"""Models of public reports: the hosts do what the rows say, and check() gives the right verdict on each."""

import models_of_indices
import models_of_other_operators
import models_of_shapes
import models_of_types
import pytest
from host_outcomes import HOSTS, outcomes
from verdicts import faults
from windrow import runners

ROWS = {row.name: row for module in (models_of_indices, models_of_shapes, models_of_types, models_of_other_operators)
        for row in module.ROWS}


def test_names_of_rows_are_unique():
    modules = (models_of_indices, models_of_shapes, models_of_types, models_of_other_operators)
    assert len(ROWS) == sum(len(module.ROWS) for module in modules)


def test_forty_rows_are_broken_or_risky():
    assert sum(bool(row.wants or row.notes) for row in ROWS.values()) >= 40


def test_hosts_do_what_the_rows_say():
    for name in HOSTS:
        if runners.runner(name).fault():
            pytest.skip(runners.runner(name).fault())
    rows = list(ROWS.values())
    seen = outcomes(rows)
    wrong = [f"{row.name}: {name} {outcome}" for name in HOSTS for row, outcome in zip(rows, seen[name])
             if outcome not in row.hosts[name]]
    assert not wrong


@pytest.mark.parametrize("name", ROWS)
def test_verdict(name):
    assert not faults(ROWS[name])
