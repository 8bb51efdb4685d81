"""python -m windrow.distributed lookup, by one process and by the ranks of mpirun and torchrun."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
from launch import LIMIT, mpirun_flags, run_command
from test_mpi_ranks import has_mpi4py, needs_mpi
from test_torch_ranks import needs_torch

TABLE = np.arange(60, dtype=np.float32).reshape(12, 5)
IDS = np.array([[3, 0], [11, -1], [3, 7]])
MODULE = ["-m", "windrow.distributed", "lookup"]


@pytest.fixture
def files(tmp_path):
    """A folder with a table, ids and files that are neither."""
    np.save(tmp_path / "table.npy", TABLE)
    np.save(tmp_path / "ids.npy", IDS)
    np.save(tmp_path / "bad.npy", [[3, 4], [5, 12], [0, -13]])
    np.save(tmp_path / "half.npy", [0.5, 1, 2])
    np.save(tmp_path / "scalar.npy", np.float32(1))
    np.save(tmp_path / "columns.npy", np.asfortranarray(IDS))
    np.save(tmp_path / "objects.npy", np.array([{}, 1], object), allow_pickle=True)
    np.savez(tmp_path / "two.npz", a=TABLE, b=TABLE + 1)
    TABLE.tofile(tmp_path / "raw.bin")
    (tmp_path / "empty.npy").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.npy")
    return tmp_path


@pytest.fixture(params=[1, pytest.param(2, marks=needs_mpi), pytest.param(3, marks=needs_mpi)])
def ranks(request):
    return request.param


def by_ranks(ranks, files, *words):
    """One rank is a process without mpirun."""
    start = [*mpirun_flags(), "-n", str(ranks)] if ranks > 1 else []
    environment = os.environ | {"OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    return subprocess.run([*start, sys.executable, *MODULE, *words], cwd=files, env=environment, capture_output=True,
                          text=True, check=False, timeout=LIMIT)  # fmt: skip


def rows_of(ranks, files, *words, ids="ids.npy"):
    done = by_ranks(ranks, files, *words, "--indices", ids, "--out", "rows.npy")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("wrote rows.npy: ") and done.stdout.count("\n") == 1
    assert not list(files.glob("*.part"))
    return np.load(files / "rows.npy"), done.stdout


@pytest.mark.parametrize("words", [[], ["--on-disk"]])
def test_the_rows_are_those_of_one_process(words, ranks, files):
    rows, told = rows_of(ranks, files, "table.npy", *words)
    np.testing.assert_array_equal(rows, TABLE[IDS], strict=True)
    assert told.endswith(f"float32 [3, 2, 5], 6 rows by {ranks} rank{'s' if ranks > 1 else ''}\n")


@pytest.mark.parametrize(("words", "expected"), [
    (["two.npz", "--name", "b"], TABLE + 1),
    (["raw.bin", "--dtype", "float32", "--shape", "12x5"], TABLE),
    (["raw.bin", "--dtype", "int16", "--shape", "120"], TABLE.view(np.int16).reshape(-1)),
    (["table.npy", "table.npy"], np.concatenate([TABLE, TABLE])),
])  # fmt: skip
def test_tables_of_every_kind(words, expected, files):
    ranks = 3 if has_mpi4py and mpirun_flags() else 1
    np.testing.assert_array_equal(rows_of(ranks, files, *words)[0], expected[IDS], strict=True)
    np.testing.assert_array_equal(rows_of(ranks, files, *words, "--on-disk")[0], expected[IDS], strict=True)


@pytest.mark.parametrize("ids", [
    np.array([], np.int64), np.zeros((2, 0, 3), np.uint8), np.array([4], np.int8),
    np.random.default_rng(3).integers(-12, 12, (7, 11)),
], ids=["none", "no extent", "one", "more ids than rows"])  # fmt: skip
def test_ids_of_every_shape(ids, files):
    ranks = 2 if has_mpi4py and mpirun_flags() else 1
    np.save(files / "drawn.npy", ids)
    rows, _ = rows_of(ranks, files, "table.npy", ids="drawn.npy")
    np.testing.assert_array_equal(rows, TABLE[ids.astype(np.int64)], strict=True)


def test_rows_of_types_that_numpy_lacks(files):
    """They are written as windrow lookup writes them."""
    rows, _ = rows_of(1, files, "raw.bin", "--dtype", "bfloat16", "--shape", "12x10")
    assert rows.tobytes() == TABLE[IDS].tobytes() and rows.dtype.itemsize == 2


def only_error(ranks, files, *words):
    """The one line that the ranks print; nothing is left of the output."""
    before = sorted(files.rglob("*"))
    done = by_ranks(ranks, files, *words)
    assert done.returncode == 2, done.stderr
    assert "wrote" not in done.stdout
    lines = [line for line in done.stderr.split("\n") if line.startswith("windrow: ")]
    assert len(lines) == 1 and "Traceback" not in done.stderr, done.stderr
    assert sorted(files.rglob("*")) == before
    return lines[0].removeprefix("windrow: error: ")


def test_a_bad_id_is_named_by_its_place_in_the_file(ranks, files):
    (files / "rows.npy").write_text("what was there before")
    error = only_error(ranks, files, "table.npy", "--indices", "bad.npy", "-o", "rows.npy")
    rank = "rank 1: " if ranks > 1 else ""
    assert error == f"{rank}'bad.npy': indices[1, 1] is 12, out of range for a table of 12 rows (legal: -12 to 11)"
    assert (files / "rows.npy").read_text() == "what was there before"


def test_a_file_that_is_missing(ranks, files):
    assert only_error(ranks, files, "absent.npy", "--indices", "ids.npy", "--out", "rows.npy").startswith(
        "cannot open 'absent.npy': No such file")  # fmt: skip
    assert only_error(ranks, files, "table.npy", "--indices", "absent.npy", "--out", "rows.npy").startswith(
        "cannot open 'absent.npy': No such file")  # fmt: skip
    error = only_error(ranks, files, "table.npy", "--indices", "ids.npy", "--out", "absent/rows.npy")
    assert error.endswith("cannot write 'absent/rows.npy': No such file or directory")


IDS_AND_OUT = ["--indices", "ids.npy", "--out", "rows.npy"]


@pytest.mark.parametrize(("words", "message"), [
    (["table.npy", "--indices", "half.npy", "--out", "rows.npy"], "indices has type float64, must be one of: int64"),
    (["table.npy", "--indices", "columns.npy", "--out", "rows.npy"], "'columns.npy': the elements are in Fortran order"),
    (["table.npy", "--indices", "scalar.npy", "--out", "rows.npy"], "'scalar.npy' holds a scalar, which has no rows"),
    (["table.npy", "--indices", "two.npz", "--out", "rows.npy"], "'two.npz' has 2 tensors: a, b: say which one is meant"),
    (["table.npy", "--indices", "raw.bin", "--out", "rows.npy"], "'raw.bin' is not a file whose tensors can be found"),
    (["table.npy", "--indices", "objects.npy", "--out", "rows.npy"], "'objects.npy'"),
    (["table.npy", "--indices", "empty.npy", "--out", "rows.npy"], "'empty.npy'"),
    (["table.npy", "--indices", "pipe.npy", "--out", "rows.npy"], "'pipe.npy' is not a regular file"),
    (["table.npy", "--indices", "ids.npy", "--out", "folder"], "cannot write 'folder': it is a folder"),
    (["table.npy", "--indices", "ids.npy"], "the following arguments are required: -o/--out"),
    (["scalar.npy", *IDS_AND_OUT], "'scalar.npy' holds a scalar, which has no rows"),
    (["two.npz", *IDS_AND_OUT], "'two.npz' has 2 tensors: a, b: say which one is meant"),
    (["raw.bin", "--dtype", "real", "--shape", "12x5", *IDS_AND_OUT], "'real' is no element type"),
    (["raw.bin", "--dtype", "float32", "--shape", "12by5", *IDS_AND_OUT], "12by5: must be extents such as 1000000x128"),
    (["raw.bin", "--dtype", "float32", "--shape", "0x5", *IDS_AND_OUT], "is 3, out of range for a table of 0 rows"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")  # fmt: skip
def test_what_is_wrong_is_named(words, message, files):
    assert message in only_error(1, files, *words)


def run_with(variables, files):
    names = [str(files / name) for name in ("table.npy", "ids.npy", "rows.npy")]
    return run_command([sys.executable, *MODULE, names[0], "--indices", names[1], "--out", names[2]], **variables)


def test_variables_that_are_not_numbers(files):
    for rank, ranks in (("0", "many"), ("3", "3"), ("-1", "2")):
        done = run_with({"PMI_RANK": rank, "PMI_SIZE": ranks}, files)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"windrow: error: PMI_RANK is '{rank}' and PMI_SIZE is '{ranks}'"), done.stderr


@needs_mpi
def test_mpi4py_of_another_mpi(files):
    """Every process would be the only rank, and write the file."""
    done = run_with({"PMI_RANK": "0", "PMI_SIZE": "3"}, files)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the launcher has started 3 ranks, mpi4py has 1" in done.stderr
    assert not (files / "rows.npy").exists()


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is there")
def test_under_torchrun_without_torch(files):
    done = run_with({"RANK": "0", "WORLD_SIZE": "2"}, files)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "windrow: error: python -m windrow.distributed under torchrun needs torch: pip install torch\n"


@needs_torch
@pytest.mark.parametrize("ids", ["ids.npy", "bad.npy"])
def test_by_torchrun(ids, files):
    done = run_command([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "3", *MODULE,
                        str(files / "table.npy"), "--indices", str(files / ids), "--out", str(files / "rows.npy")])  # fmt: skip
    if ids == "ids.npy":
        assert done.returncode == 0, done.stderr
        np.testing.assert_array_equal(np.load(files / "rows.npy"), TABLE[IDS], strict=True)
    else:
        assert done.returncode != 0
        assert done.stderr.count("windrow: error: rank 1: ") == 1 and "indices[1, 1] is 12" in done.stderr
        assert not (files / "rows.npy").exists()


def test_help():
    done = run_command([sys.executable, *MODULE, "--help"])
    assert done.returncode == 0 and "mpirun -n 4 python -m windrow.distributed lookup" in done.stdout
