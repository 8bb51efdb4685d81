"""Tables over the processes of an MPI program, by mpi4py."""

import importlib.util
import re
import subprocess
import sys

import pytest
import windrow
from launch import TABLES, mpirun_flags, run_mpi

has_mpi4py = importlib.util.find_spec("mpi4py") is not None
needs_mpi = pytest.mark.skipif(not has_mpi4py or mpirun_flags() is None,
                               reason="tables over MPI ranks from Python are left out: they need mpi4py and mpirun")  # fmt: skip


@needs_mpi
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_drawn_calls_give_the_bits_of_one_process(ranks):
    ended = run_mpi(ranks, "mpi", "draws", str(TABLES))
    assert ended.returncode == 0, ended.stderr
    done = re.findall(r"done (\d+) (\d+)", ended.stdout)
    assert len(done) == ranks and len(set(done)) == 1, ended.stdout
    assert int(done[0][0]) > 14 * TABLES / 3 and int(done[0][1]) > TABLES / 3, done


@needs_mpi
def test_an_id_out_of_range_is_the_same_error_on_all_ranks():
    ended = run_mpi(3, "mpi", "bad_id")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("done") == 3
    errors = re.findall(r"error (IndexOutOfRange rank 2: .*\[2\] is 12, .*) \(2,\)", ended.stdout)
    assert len(errors) == 6 and len(set(errors)) == 2, ended.stdout


@needs_mpi
@pytest.mark.parametrize(("task", "how", "message"), [
    ("end_between_calls", "raise", "windrow: rank 1 ends all ranks: ValueError: this rank cannot go on"),
    ("end_between_calls", "exit", "windrow: rank 1 ends all ranks: SystemExit: 5"),
    ("end_between_calls", "kill", r"signal 9 \(Killed\)"),
    ("end_between_calls", "sleep", "rank [02] has waited for other ranks for 3 s"),
    ("end_inside_a_call", "", "windrow: rank 1 ends all ranks: KeyboardInterrupt"),
])  # fmt: skip
def test_a_rank_that_ends_ends_the_others(task, how, message):
    ended = run_mpi(3, "mpi", task, how)
    assert ended.returncode != 0
    assert "done" not in ended.stdout
    assert re.search(message, ended.stderr), ended.stderr
    assert ended.seconds < 45


@needs_mpi
def test_a_rank_that_waited_in_vain_can_still_work():
    ended = run_mpi(3, "mpi", "catch")
    assert ended.returncode != 0
    assert len(re.findall(r"kept [02]\.0 rank [02] has waited for other ranks", ended.stdout)) >= 1, ended.stdout


WRONG = '''
import windrow
from mpi4py import MPI
from windrow.distributed import MpiExchange, ShardedTable

for wrong, text in (({"comm": 3}, "Intracomm"), ({"comm": MPI.COMM_NULL}, "Intracomm"), ({"timeout": 0}, "timeout is 0"),
                    ({"piece_bytes": 2**31}, "piece_bytes")):
    try:
        MpiExchange(**wrong)
    except windrow.ArgumentError as error:
        assert text in str(error), error
    else:
        raise AssertionError(wrong)
with MpiExchange(MPI.COMM_SELF) as exchange:
    table = ShardedTable(exchange, [[1.0]])
    assert table.take([0]).tolist() == [[1.0]]
try:
    table.take([0])
except windrow.FileError as error:
    assert "was closed" in str(error), error
MPI.Finalize()
try:
    MpiExchange()
except windrow.ArgumentError as error:
    print("done", error)
'''


@needs_mpi
def test_wrong_arguments(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(WRONG)
    ended = run_mpi(1, program=program)
    assert "done MPI was finalised" in ended.stdout, ended.stderr


def test_without_the_package():
    code = "import sys; sys.modules['mpi4py'] = None; from windrow.distributed import MpiExchange; MpiExchange()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert run.stderr.strip().endswith("ImportError: windrow.distributed.MpiExchange needs mpi4py: pip install mpi4py")


def test_the_extension_needs_no_mpi():
    run = subprocess.run(["readelf", "--dynamic", windrow._core.__file__], capture_output=True, text=True, check=True)
    assert "NEEDED" in run.stdout and "libmpi" not in run.stdout
