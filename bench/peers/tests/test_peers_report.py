"""What is made of the rounds' times."""

import pytest
from made_results import make_result
from peers import report
from peers.rounds import Outcome

MACHINE = {"CPU": "any", "versions": "none"}


@pytest.fixture
def result():
    made = make_result(copy=[1, 1, 1], windrow=[2, 2, 4], numpy=[8, 2, 6], jax=[3, 3, 9],
                       openvino=[1, 1, 1])
    made.outcomes["openvino"].status = "wrong"
    return made


def test_best_peer_is_the_right_one_with_the_lowest_median(result):
    assert result.best_peer == "jax"


def test_ratio_is_the_median_over_the_rounds(result):
    assert result.ratio("jax") == 1.5  # of 1.5, 1.5, 2.25
    assert result.ratio("numpy") == 1.5  # of 4, 1, 1.5; the medians' ratio is 3
    assert result.ratio("openvino") is None
    assert result.ratio(None) is None


def test_limits_are_no_peers():
    made = make_result(copy=[1], random_reads=[1], windrow=[1], numpy=[2])
    assert made.peers == ["numpy"] and made.best_peer == "numpy"
    assert made.ratio("numpy", "random_reads") == 2


def test_quartiles():
    assert Outcome("numpy", "ok", times=[4, 1, 2, 3, 5]).quartiles == (2, 4)
    assert Outcome("numpy", "ok", times=[7]).quartiles == (7, 7)


def test_summary(result):
    slow = make_result(copy=[1], random_reads=[2], windrow=[4], numpy=[2])
    lines = report.summary([result, slow])
    assert lines[0] == "best peer's time by ours, geometric mean: 0.87 (2 cases)"
    assert lines[-1].endswith("random reads alone, geometric mean: 2.00 (1 cases)")


def test_limit_that_says_nothing_of_a_case_is_left_blank():
    made = make_result(copy=[1], random_reads=[], windrow=[1], numpy=[2])
    made.outcomes["random_reads"].status = "not offered"
    assert "not offered" not in report.table_line(made)
    made.outcomes["numpy"].status = "not offered"
    assert "not offered" in report.table_line(made)


def test_targets_in_lines_and_in_markdown(tmp_path):
    made = [make_result(copy=[1], windrow=[4], numpy=[2]),
            make_result(2, copy=[1], windrow=[2], numpy=[3])]
    lines = report.target_lines(made)
    target = "best peer's time by ours >= 0.95; threads"
    assert (f"missed       {target} 1; cases: all; at worst 0.500 (1 case); gather_small (0.500)"
            in lines)
    assert f"met          {target} 2; cases: all; at worst 1.500 (1 case)" in lines
    path = tmp_path / "results.md"
    report.write_markdown(made, MACHINE, 3, False, path)
    text = path.read_text()
    assert text.count("\n## Targets\n") == 1
    assert ("| best peer's time by ours >= 0.95 | all | 1 | at worst 0.500 (1 case) | missed "
            "| gather_small (0.500) |\n") in text


def test_markdown_says_what_bounds_a_case_below_the_aim(tmp_path):
    made = [make_result(copy=[1], plain_reads=[2], windrow=[4], numpy=[6]),
            make_result(2, copy=[1], plain_reads=[2], windrow=[2], numpy=[4])]
    path = tmp_path / "results.md"
    report.write_markdown(made, MACHINE, 3, False, path)
    bounds = path.read_text().partition("\n## What bounds the rest\n")[2].partition("\n## ")[0]
    rows = [line for line in bounds.splitlines() if line.startswith("| Gather 8 rows")]
    assert rows == ["| Gather 8 rows of 16 from 100 | 1 | 1.50 | reads | 3.00 | 2.00 |"]


def test_markdown_has_no_time_of_a_wrong_peer(result, tmp_path):
    path = tmp_path / "results.md"
    report.write_markdown([result], MACHINE, 3, False, path)
    row = next(line for line in path.read_text().splitlines() if line.startswith("| Gather 8 rows"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[5] == "wrong" and cells[4].startswith("**3000.0 (") and cells[6] == "1.50"


def test_chart(result, tmp_path):
    pytest.importorskip("matplotlib")
    from peers.chart import write_chart

    threaded = make_result(2, copy=[1], random_reads=[1], windrow=[1], numpy=[2])
    write_chart([result, threaded], "any", tmp_path / "r")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "r.svg").read_bytes()
