"""Small runs of the whole bench; contestants that are wrong, raise, die or are not there."""

import csv
import os
import pathlib
import re
import subprocess
import sys

import pytest
from peers import contestants, rounds, worker
from peers.cases import find_case, make_inputs
from peers.kinds import KINDS
from peers.workers import Lost, Worker

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent
COUNTS = sorted({1, len(os.sched_getaffinity(0))})


def run_bench(*options):
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(BENCH), os.environ.get("PYTHONPATH", "")])}
    return subprocess.run([sys.executable, "-m", "peers", *options], env=environment, text=True,
                          capture_output=True, check=False)


def test_quick_run(tmp_path):
    cases = ["gather_small", "scatter_nd_rows_int32_indices", "elements_axis_0"]
    peers = ["numpy", "onnxruntime", "openvino"]
    done = run_bench("--quick", "--cases", *cases, "--peers", *peers, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "results.csv").open() as file:
        rows = {(row["case"], int(row["threads"]), row["contestant"]): row
                for row in csv.DictReader(file)}
    expected = {(case, threads, name) for case in cases for threads in COUNTS
                for name in ("copy", "plain_reads", "random_reads", "windrow", *peers)}
    assert set(rows) == expected
    for (case, _, name), row in rows.items():
        status = "ok"
        if name in ("plain_reads", "random_reads"):
            # Too small a case to read, rows instead of elements.
            without = ["gather_small"] if name == "plain_reads" else [*cases[:2]]
            offered = "not offered" if case in without else "ok"
            status = offered if os.environ.get("WINDROW_RANDOM_READS") else "not installed"
        assert row["status"] == status, row
        if status == "ok":
            assert 0 < float(row["quartile1_s"]) <= float(row["median_s"])
            assert float(row["median_s"]) <= float(row["quartile3_s"])
            assert row["rounds"] == "2"
    text = (tmp_path / "results.md").read_text()
    for threads in COUNTS:
        assert re.search(rf"^## {threads} thread", text, re.MULTILINE)
    targets = done.stdout.partition("\ntargets:\n")[2]
    for threads in COUNTS:
        assert re.search(rf"^  (met|missed) .*best peer's time by ours >= 0.95; threads {threads};",
                         targets, re.MULTILINE)


def test_results_of_another_processor_stand_beside_the_first(tmp_path):
    options = ["--quick", "--cases", "gather_small", "--peers", "numpy", "--threads", "1", "--out", str(tmp_path)]
    done = run_bench(*options, "--processor", "arm_n1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| Gather" in (tmp_path / "results_arm_n1.md").read_text()
    assert [path.name for path in tmp_path.iterdir() if path.name in ("results.md", "overview.svg")] == []
    refused = run_bench(*options, "--processor", "../results")
    assert refused.returncode == 2 and "small letters, digits and _ alone" in refused.stderr


KIND_MODULES = {"calls": "windrow", "levers": "windrow", "onnxruntime": "onnxruntime", "openvino": "openvino",
                "jax": "jax", "torch": "torch"}


@pytest.mark.parametrize("kind", KIND_MODULES)
def test_every_case_of_a_kind(kind, tmp_path):
    """Every contestant is right; only a plug-in that was not built takes no part."""
    pytest.importorskip(KIND_MODULES[kind])
    some = ["--cases", "gather_small", "scatter_elements_axis_0_add"] if kind == "levers" else []
    done = run_bench("--kind", kind, "--quick", "--threads", "1", "--out", str(tmp_path), *some)
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / f"{kind}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["contestant"] for row in rows} == set(KINDS[kind].contestants)
    assert some or {row["case"] for row in rows} == {case.name for case in KINDS[kind].cases()}
    for row in rows:
        no_gradients = row["case"] == "embedding_gradient" and row["contestant"].endswith("inference")
        needs_plugin = kind in ("onnxruntime", "openvino", "torch") and "_windrow" in row["contestant"]
        assert row["status"] == "ok" or no_gradients or needs_plugin and "plug-in" in row["detail"], row


def test_slower_than_allowed_is_an_exit_code(tmp_path):
    done = run_bench("--quick", "--cases", "gather_small", "--peers", "numpy", "--threads", "1", "--least", "1000",
                     "--out", str(tmp_path))
    assert done.returncode == 1 and "1000 wanted" in done.stdout


def test_chain_is_timed_by_its_nodes(monkeypatch):
    contestant = worker.Contestant("numpy", 1)
    contestant.best, contestant.nodes = contestants.Spelling("takes a second", lambda: None, timed=float), 200
    assert contestant.turn() == {"seconds": 1 / 200}


def test_unknown_case_is_refused():
    done = run_bench("--quick", "--cases", "gather_nothing")
    assert done.returncode == 1 and "no such case: gather_nothing" in done.stderr


def test_few_rounds_are_refused():
    done = run_bench("--rounds", "6")
    assert done.returncode == 2 and "7 rounds" in done.stderr


def test_peer_that_is_not_installed(tmp_path, monkeypatch):
    (tmp_path / "jax.py").write_text("raise ImportError('there is no jax here')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]]))
    jax = Worker("jax", 1)
    assert jax.absent == "there is no jax here"
    (result,) = rounds.run_cases([find_case("gather_small", True)], {1: [jax]}, 1)
    assert result.outcomes["jax"].status == "not installed"


@pytest.fixture
def numpy():
    """NumPy's worker with one thread."""
    process = Worker("numpy", 1)
    yield process
    process.close()


def test_worker_that_dies_is_a_result(numpy, monkeypatch):
    case = find_case("gather_small", True)
    ask = numpy.ask

    def ask_and_die(do, **details):
        if do == "turn":
            numpy._process.kill()
        return ask(do, **details)

    monkeypatch.setattr(numpy, "ask", ask_and_die)
    (result,) = rounds.run_cases([case], {1: [numpy]}, 3)
    outcome = result.outcomes["numpy"]
    assert (outcome.status, outcome.detail) == ("crashed", "ended by SIGKILL")
    assert result.best_peer is None
    monkeypatch.undo()
    # The next case has a new process.
    (result,) = rounds.run_cases([case], {1: [numpy]}, 3)
    assert result.is_ok("numpy") and len(result.outcomes["numpy"].times) == 3


def test_lost_worker_says_how(numpy):
    with pytest.raises(Lost, match="ended with code 1"):
        numpy.ask("prepare", nothing="that it knows")


def spell(monkeypatch, *spellings):
    """NumPy's answer to a case where these are its spellings."""
    case = find_case("gather_small", True)
    contestant = worker.Contestant("numpy", 1)
    monkeypatch.setattr(contestant.module, "spellings", lambda *_: iter(spellings))
    data, indices = make_inputs(case).values()
    contestant.expected = data[indices]
    return contestant, contestant._choose(case, {})


def test_wrong_spelling_is_not_timed(monkeypatch):
    right = make_inputs(find_case("gather_small", True))
    value = right["data"][right["indices"]]
    _, answer = spell(monkeypatch, contestants.Spelling("fast and wrong", lambda: value + 1),
                      contestants.Spelling("right", lambda: value))
    assert answer["status"] == "ok" and answer["spelling"] == "right"
    assert answer["detail"].startswith("fast and wrong: ")


def test_contestant_that_is_wrong_or_raises(monkeypatch):
    case = find_case("gather_small", True)
    value = make_inputs(case)["data"][:8]
    wrong = contestants.Spelling("first rows", lambda: value)

    def fail():
        raise ValueError("no")

    contestant, answer = spell(monkeypatch, wrong)
    assert answer["status"] == "wrong" and contestant.best is None
    _, answer = spell(monkeypatch, contestants.Spelling("raises", fail))
    assert answer == {"status": "failed", "detail": "raises: ValueError: no"}


def test_result_of_an_earlier_call_does_not_count(monkeypatch):
    inputs = make_inputs(find_case("gather_small", True))
    out = inputs["data"][inputs["indices"]]
    _, answer = spell(monkeypatch, contestants.Spelling("does nothing", lambda: None, out))
    assert answer["status"] == "wrong"
