"""Every effect of a rule that was seen in a runtime is seen again, and the page of the tries says so."""

import contextlib
import os

import pytest
from row_tries import Pools, host_of, is_of_chance, rows, runtime_of, try_row
from write_row_tries import recorded

RECORDED = recorded()
ROWS = rows()


@pytest.fixture(scope="module")
def pools():
    with contextlib.ExitStack() as stack:
        yield Pools(stack)


def test_the_page_has_every_row():
    assert list(RECORDED) == [(rule.label, runtime_of(effect)) for rule, effect in ROWS]


def test_most_rows_agree():
    """The page records what the rows say, except for results that a row leaves open."""
    found = [agreement for _, agreement in RECORDED.values()]
    assert set(found) <= {"agrees", "not seen", "not tried"} and found.count("agrees") > 0.85 * len(found)


@pytest.mark.parametrize("rule, effect", [pytest.param(rule, effect, id=f"{rule.label}-{runtime_of(effect)}")
                                          for rule, effect in ROWS])
def test_row(rule, effect, pools):
    host = host_of(effect)
    if host.runner.fault():
        pytest.skip(host.runner.fault())
    version, agreement = RECORDED[rule.label, runtime_of(effect)]
    if host.version != version:
        pytest.skip(f"the page is of {version}, {host.version} is installed")
    found, text = try_row(rule, effect, pools.of(effect))
    if found == "not seen" and is_of_chance(rule, effect):
        pytest.skip(f"chance did not show it in {os.cpu_count()} threads: {text}")
    assert found == agreement, f"{effect.severity}: {effect.effect}; {text}"
