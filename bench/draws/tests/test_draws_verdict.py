"""When a case is judged, behind or passes; how a bad one is made smaller."""

import math

import pytest
from draws.cases import DrawnCase
from draws.draw import draw_case
from draws.intervals import median_interval
from draws.measure import Measurement, Result
from draws.shrink import extents_of, smallest_behind
from draws.verdict import passes, requirements, why_not
from peers.rounds import Outcome

LARGE = DrawnCase("0-0", "", "Gather", (100_000, 16), (50_000,))
TINY = DrawnCase("0-1", "", "Gather", (100, 16), (8,))


def measurement(ours=1.0, peer=1.0, limit=1.0, again=None, case=LARGE):
    """Of 15 rounds with the same times in each, but for our second process: a list if it is given."""
    times = {"windrow": [ours] * 15, "windrow_again": again or [ours] * 15, "numpy": [peer] * 15,
             "onnxruntime": [4 * ours] * 15, "copy": [limit] * 15}
    return Measurement(case, 1, {name: Outcome(name, "ok", "", "", list(some))
                                 for name, some in times.items()})


def unsteady(**times):
    return measurement(again=[2.0] * 15, **times)


def test_interval_is_that_of_order_statistics():
    values = [float(value) for value in range(1, 16)]
    interval = median_interval(values)
    # 4 and 12 of 15 hold the median with 96.5 %, 5 and 11 with 88.2 %.
    assert (interval.median, interval.low, interval.high) == (8, 4, 12)
    assert median_interval(values[:6]) == median_interval([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    assert (median_interval(values[:6]).low, median_interval(values[:6]).high) == (1, 6)
    assert median_interval([3.0]).holds(3)


def test_behind_needs_two_measurements():
    once = Result([measurement(peer=0.8)])
    assert not once.is_decided and not once.is_behind and passes(once) is None
    twice = Result([measurement(peer=0.8), measurement(peer=0.9)])
    assert twice.is_behind and passes(twice) is False and "behind" in why_not(twice)
    by_chance = Result([measurement(peer=0.8), measurement(peer=1.3)])
    assert by_chance.is_decided and not by_chance.is_behind and passes(by_chance)


def test_unequal_equals_are_not_judged():
    result = Result([unsteady(peer=0.5), unsteady(peer=0.5)])
    assert not result.is_decided and passes(result) is None
    assert Result([unsteady(peer=0.5), measurement(peer=1.2)]).is_decided
    assert not Result([unsteady(peer=0.5), measurement(peer=0.5)]).is_decided


@pytest.mark.parametrize(("ours", "peer", "limit", "case", "expected"), [
    (1.0, 1.0, 1.0, LARGE, True),
    (1.0, 1.4, 0.8, LARGE, False),  # neither near its limit nor far ahead
    (1.0, 1.5, 0.5, LARGE, True),
    (1.0, 0.97, 0.84, LARGE, True),
    (1.0, 1.1, 0.1, TINY, True),
])
def test_rule(ours, peer, limit, case, expected):
    result = Result([measurement(ours, peer, limit, case=case)])
    assert passes(result) is expected
    if not expected:
        assert "limit" in why_not(result)


def test_requirements():
    results = [Result([measurement(1.0, 2.0, 0.5)]), Result([measurement(1.0, 1.0, 0.5)])]
    share, lowest, reached, by_ort = requirements(results)
    assert (share.seen, share.met) == (0.5, False)
    assert (lowest.seen, lowest.met) == (1.0, True)
    assert reached.seen == pytest.approx(math.log(2**0.5) / math.log(8**0.5))
    assert by_ort.seen == pytest.approx(4) and by_ort.met


def test_without_a_judged_case_nothing_is_met():
    assert [one.met for one in requirements([Result([unsteady()])])] == [None] * 4


@pytest.mark.parametrize("number", range(40))
def test_smaller_cases_are_cases(number):
    """Every extent on its own, down to 1."""
    case = draw_case(11, number, "given", 100_000)
    smallest = smallest_behind(case, lambda smaller: True)
    assert all(extent.of(smallest) == 1 for extent in extents_of(smallest))
    assert len(smallest.data) == len(case.data) and math.prod(smallest.direct) >= 1


def test_search_ends_where_it_is_no_longer_behind():
    seen = []

    def is_behind(case):
        seen.append(case)
        return case.data[0] >= 300 and case.indices[0] >= 40

    smallest = smallest_behind(LARGE, is_behind)
    assert 300 <= smallest.data[0] <= 360 and 40 <= smallest.indices[0] <= 50 and smallest.data[1] == 1
    assert len(seen) < 80
