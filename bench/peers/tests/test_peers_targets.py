"""What makes a target met or missed."""

import pytest
from made_results import make_result
from peers import targets
from peers.targets import TARGETS, Target, judge


def verdicts(results):
    """By the target's title, cases and number of threads."""
    return {(one.target.title, one.target.cases.title, one.threads): one
            for one in judge(results)}


def verdict(target, *results):
    return targets._judge(target, list(results), {})


FLOOR, CEILING = Target(targets.BY_BEST_PEER, ">=", 2.0), Target(targets.BY_COPY, "<=", 1.5)
MEAN = Target(targets.BY_BEST_PEER, ">=", 2.0, mean=True)


def test_bound_belongs_to_what_it_allows():
    met = verdict(FLOOR, make_result(windrow=[1], numpy=[2]))
    assert met.met is True and met.seen == 2 and met.misses == []
    missed = verdict(FLOOR, make_result(windrow=[1], numpy=[1.999]))
    assert missed.met is False and missed.misses == ["gather_small (1.999)"]


def test_misses_begin_with_the_furthest():
    slow, slower = (make_result(case=case, copy=[1], windrow=[ours], numpy=[4])
                    for case, ours in (("nd_rows", 3), ("nd_batch", 4)))
    fast = make_result(copy=[1], windrow=[1], numpy=[4])
    below = verdict(FLOOR, slow, fast, slower)
    assert below.misses == ["nd_batch (1.000)", "nd_rows (1.333)"]
    assert (below.seen, below.count) == (1, 3)
    above = verdict(CEILING, slow, fast, slower)
    assert above.misses == ["nd_batch (4.000)", "nd_rows (3.000)"] and above.seen == 4


def test_mean_is_met_though_a_case_is_below():
    slow, fast = make_result(windrow=[1], numpy=[1]), make_result(case="nd_rows", windrow=[1],
                                                                 numpy=[9])
    met = verdict(MEAN, slow, fast)
    assert met.met is True and met.seen == pytest.approx(3) and met.misses == []
    missed = verdict(MEAN, slow)
    assert missed.met is False and missed.misses == ["gather_small (1.000)"]


@pytest.mark.parametrize("target", [FLOOR, MEAN])
def test_case_that_we_lose_is_a_miss(target):
    wrong = make_result(case="nd_rows", windrow=[1], numpy=[9])
    wrong.outcomes["windrow"].status = "wrong"
    beside = verdict(target, make_result(windrow=[1], numpy=[9]), wrong)
    assert beside.met is False and beside.misses == ["nd_rows (wrong)"]
    assert verdict(target, wrong).met is False


def test_figure_that_the_run_lacks_is_not_measured():
    alone = make_result(copy=[1], windrow=[1])
    assert verdict(FLOOR, alone).met is None
    title = "geometric mean of ONNX Runtime's time by ours >= 3"
    assert verdicts([alone])[title, "all", 1].met is None


def test_room_is_what_the_nearer_limit_leaves():
    include = targets.with_room(1.3).include
    assert include(make_result(copy=[1], windrow=[9], numpy=[1.3]))
    assert not include(make_result(copy=[1], windrow=[9], numpy=[1.29]))
    assert not include(make_result(copy=[1], random_reads=[1.1], windrow=[9], numpy=[1.4]))
    assert not include(make_result(copy=[1.1], random_reads=[1], windrow=[9], numpy=[1.4]))
    assert not include(make_result(windrow=[1], numpy=[2]))


@pytest.mark.parametrize("target, inside, outside", [
    (4, ["nd_rows", "gather_middle_axis", "gather_rows_512B_float16", "array_take"],
     ["gather_rows_64B", "gather_rows_512B_uint8", "scatter_nd_rows", "gather_last_axis"]),
    (5, ["elements_axis_0", "scatter_elements_axis_0_add", "scatter_elements_axis_0_add_uint8"],
     ["elements_1d", "elements_last_axis", "scatter_elements_row_constant_add"]),
    (6, ["scatter_elements_row_constant_add"], ["scatter_elements_axis_0_add"]),
])
def test_cases_of_a_target(target, inside, outside):
    include = TARGETS[target].cases.include
    for case in inside:
        assert include(make_result(case=case)), case
    for case in outside:
        assert not include(make_result(case=case)), case


def test_more_threads_beside_one():
    title = "our time with one thread by that with all >= 0.95", "all"
    run = [make_result(1, windrow=[10, 10, 10]), make_result(1, "nd_rows", windrow=[10]),
           make_result(2, windrow=[5, 9, 11]), make_result(2, "nd_rows", windrow=[20])]
    found = verdicts(run)
    assert (*title, 1) not in found
    assert found[*title, 2].misses == ["nd_rows (0.500)"] and found[*title, 2].count == 2
    assert verdicts(run[2:])[*title, 2].met is None


def test_every_target_has_a_verdict_at_every_number_of_threads():
    names = ["gather_rows_512B", "elements_axis_0", "scatter_elements_row_constant_add"]
    run = [make_result(threads, case, copy=[1], windrow=[1], onnxruntime=[4])
           for threads in (1, 2) for case in names]
    found = judge(run)
    assert len(found) == 2 * len(TARGETS) - 1
    assert all(one.met for one in found)
