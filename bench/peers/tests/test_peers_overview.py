"""The picture of eight calls beside their limit."""

import xml.etree.ElementTree as ET

import pytest
from made_results import make_result
from peers import overview
from peers.cases import all_cases
from peers.report import write_markdown


def calls_of(results, folder):
    write_markdown(results, {}, 7, False, folder / "results.md")
    return overview.read_calls(folder / "results.md")


def test_the_picture_is_that_of_the_recorded_results():
    drawn = overview.overview(*overview.read_calls(overview.FOLDER / "results.md"))
    assert (overview.FOLDER / "overview.svg").read_text(encoding="utf-8") == drawn


def test_every_call_is_a_case_and_was_recorded():
    assert set(overview.CALLS) <= {case.name for case in all_cases()}
    _, calls = overview.read_calls(overview.FOLDER / "results.md")
    assert [call.title for call in calls] == list(overview.CALLS.values())


def test_times_are_by_the_nearer_limit_at_the_most_threads(tmp_path):
    one = make_result(1, "nd_scalars", copy=[1], windrow=[9], numpy=[9])
    two = make_result(2, "nd_scalars", copy=[1], plain_reads=[0.5], random_reads=[2], windrow=[3], numpy=[8], jax=[5])
    threads, [call] = calls_of([one, two], tmp_path)
    assert threads == 2
    assert (call.ours, call.peer, call.theirs) == (1.5, "JAX", 2.5)


def test_times_of_any_size_are_read(tmp_path):
    made = make_result(1, "nd_scalars", copy=[0.002], windrow=[0.000004], numpy=[0.5])
    _, [call] = calls_of([made], tmp_path)
    assert (call.ours, call.theirs) == (pytest.approx(0.002), pytest.approx(250))


def test_a_call_without_a_right_peer_is_left_out(tmp_path):
    made = make_result(1, "nd_scalars", copy=[1], windrow=[1], numpy=[1])
    made.outcomes["numpy"].status = "wrong"
    assert calls_of([made], tmp_path) == (1, [])
    assert ET.fromstring(overview.overview(1, [])).tag.endswith("svg")


def test_bars_are_as_long_as_the_figures(tmp_path):
    made = make_result(1, "nd_scalars", copy=[2], windrow=[1], numpy=[4])
    picture = ET.fromstring(overview.overview(*calls_of([made], tmp_path)))
    bars = picture.findall("{*}rect[@class='bar']")[1:]  # the first is the legend's
    assert [float(bar.get("width")) for bar in bars] == [overview.WIDTH / 3 / 2]
