"""A small run of the whole bench, and what makes it fail."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import windrow
from tables import __main__ as bench
from tables.cases import CASES, Goal, Sizes, draw_batches, sizes_of
from tables.contestants import Windrow
from tables.files import TableFile, forget, resident_bytes
from tables.rounds import Measured

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(BENCH), os.environ.get("PYTHONPATH", "")])}


def run_bench(*options, environment=ENVIRONMENT):
    return subprocess.run(
        [sys.executable, "-m", "tables", *options], env=environment, text=True, capture_output=True, check=False
    )


@pytest.fixture
def table(tmp_path):
    file = TableFile(tmp_path / "table.safetensors", 3000, 512)
    file.make()
    return file


@pytest.fixture
def engine(table):
    """The first engine that works here."""
    return windrow.open_table(table.path).description["reads"]


def test_every_case_runs_and_agrees_with_the_others(tmp_path, engine):
    done = run_bench("--quick", "--rounds", "6", "--folder", str(tmp_path / "tables"), "--reads", engine)
    assert done.returncode == 0, done.stdout + done.stderr
    for case in CASES:
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith(f"{case.name} ")]
        measured = [line[1] for line in lines]
        missing = [name for name in case.contestants if name not in measured]
        assert measured == [name for name in case.contestants if name not in missing]
        assert all(f"left out: {name}: " in done.stdout for name in missing)
        assert set(missing) <= {"raw", "lmdb", "safetensors", "lance", "zarr"}
        assert all(float(number) > 0 for line in lines for number in line[2:5])
        assert done.stdout.count(f"{engine}, ") >= 1
    for fact in ("CPU: ", "system: ", "file system: ", "device: ", "load before the run: "):
        assert fact in done.stdout


def test_another_engine_than_was_asked_for_ends_the_process(table, engine, monkeypatch):
    open_table = windrow.open_table
    sizes = Sizes(table.rows, table.rows, 64)
    Windrow(table, sizes, engine, 8).start()
    monkeypatch.setattr(windrow, "open_table", lambda path, **options: open_table(path, **options | {"reads": engine}))
    other = "threads" if engine != "threads" else "io_uring"
    with pytest.raises(SystemExit, match=f"asked for {other} past the page cache, and got: .*{engine}"):
        Windrow(table, sizes, other, 8).start()


def test_an_unknown_case_is_refused():
    done = run_bench("--cases", "nothing")
    assert done.returncode == 2
    assert "no such case" in done.stderr


def test_the_reads_of_the_limit_are_those_of_the_table(table):
    opened = windrow.open_table(table.path)
    description = opened.description
    for seed, count in enumerate((1, 40, 700, 3000)):
        ids = np.random.default_rng(seed).integers(0, table.rows, count)
        before = opened.statistics()
        assert np.array_equal(opened.take(ids), table.mapped()[ids])
        after = opened.statistics()
        blocks = table.blocks(ids, description["block"])
        assert len(blocks) == after["reads"] - before["reads"]
        assert blocks[:, 1].sum() == after["read_bytes"] - before["read_bytes"]


def test_the_page_cache_is_emptied(table):
    table.path.read_bytes()
    if resident_bytes([table.path]) == 0:
        pytest.skip("this file system has no page cache")
    forget([table.path])
    assert resident_bytes([table.path]) < table.path.stat().st_size


def test_zipf_ids_are_skewed():
    case = next(case for case in CASES if case.name == "zipf_512")
    sizes = sizes_of(case, 8 << 20, True)
    ids = np.concatenate(draw_batches(case, sizes, 0))
    assert ids.min() >= 0 and ids.max() < sizes.rows
    counts = np.sort(np.bincount(ids, minlength=sizes.rows))[::-1]
    harmonic = np.sum(1 / np.arange(1, sizes.rows + 1))
    assert counts[0] == pytest.approx(len(ids) / harmonic, rel=0.2)


def _answers(*seconds, checksum=1, **statistics):
    return [{"seconds": one, "checksum": checksum, "statistics": statistics} for one in seconds]


def test_goals_and_faults():
    fast, slow = _answers(*[1.0] * 8), _answers(*[2.0] * 8)
    goal = Goal("windrow", "raw", 0.8)
    assert bench.judge(goal, Measured({"windrow": fast, "raw": slow}))[1]
    text, passes = bench.judge(goal, Measured({"windrow": slow, "raw": fast}))
    assert not passes and "0.50" in text and text.endswith("missed")
    assert not bench.judge(goal, Measured({"windrow": fast}))[1]
    differing = Measured({"windrow": fast, "memmap": _answers(1.0, checksum=2)})
    assert [fault for fault in differing.faults() if "the rows differ" in fault]
    reads = Measured({"windrow": _answers(1.0, reads=3, read_bytes=9), "raw": _answers(1.0, reads=2, read_bytes=9)})
    assert [fault for fault in reads.faults() if "the reads of the limit are others" in fault]
    cached = Measured({"full_cache": _answers(1.0, cached=1, rows=2)})
    assert [fault for fault in cached.faults() if "lacked rows" in fault]
