"""windrow lookup: rows of tables that stay on disk."""

import contextlib
import io
import os
import re
import subprocess

import numpy as np
import pytest
from archives import save_safetensors
from cli_command import COMMAND

TABLE = np.arange(60, dtype=np.float32).reshape(12, 5)
IDS = np.array([[3, 0], [11, -1]])


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "table.npy", TABLE)
    np.save(tmp_path / "ids.npy", IDS)
    np.save(tmp_path / "bad.npy", [3, 12, -13])
    np.save(tmp_path / "none.npy", np.array([], np.int64))
    np.save(tmp_path / "half.npy", [0.5])
    np.savez(tmp_path / "two.npz", a=TABLE, b=TABLE + 1)
    np.savez_compressed(tmp_path / "small.npz", a=TABLE)
    np.save(tmp_path / "columns.npy", np.asfortranarray(TABLE))
    np.save(tmp_path / "wide.npy", np.zeros((2, 6), np.float32))
    TABLE.tofile(tmp_path / "raw.bin")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    return tmp_path


def test_rows_and_how_they_were_read(windrow, files):
    outcome = windrow("lookup", "table.npy", "--indices", "ids.npy", "-o", "rows.npy", "--stats")
    assert outcome.code == 0, outcome.err
    first, how, counts, wrote = outcome.out.splitlines()
    assert first == "rows  float32[2, 2, 5]  [15, 16, 17, 18, ..., 56, 57, 58, 59]"
    assert how.startswith("float32 [12, 5] in 'table.npy'; ")
    assert counts.startswith("4 rows of 80 bytes taken, 0 of them cached; 1 read of ")
    assert wrote == "wrote rows.npy"
    np.testing.assert_array_equal(np.load(files / "rows.npy"), TABLE[IDS])


def test_a_name_behind_its_file(windrow, files):
    for table, shift in {"two.npz:b": 1, "two.npz:a": 0}.items():
        outcome = windrow("lookup", table, "--indices", "ids.npy", "--out", "rows.npy")
        assert outcome.code == 0, outcome.err
        np.testing.assert_array_equal(np.load(files / "rows.npy"), TABLE[IDS] + shift)
    np.save(files / "two.npz:c", TABLE)
    os.rename(files / "two.npz:c.npy", files / "two.npz:c")
    assert "two.npz:c" in windrow("lookup", "two.npz:c", "--indices", "ids.npy").err  # a file of that name comes first
    assert "no.npz:a" in windrow("lookup", "no.npz:a", "--indices", "ids.npy").err
    assert "'z'" in windrow("lookup", "two.npz:z", "--indices", "ids.npy").err


def test_a_long_look_up_shows_how_far_it_is(files):
    """On a terminal, which standard error is here; the rows are large enough to be read for more than a second."""
    with open(files / "wide.bin", "wb") as sparse:
        sparse.truncate(300_000 * 4096)
    np.save(files / "all.npy", np.random.default_rng(1).permutation(300_000))
    arguments = ["lookup", "wide.bin", "--dtype", "uint8", "--shape", "300000x4096", "--indices", "all.npy"]
    leader, follower = os.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments, "--depth", "1", "--reads", "threads"], cwd=files, stdout=subprocess.PIPE, stderr=follower
    ) as process:
        os.close(follower)
        shown = b""
        with contextlib.suppress(OSError):
            while part := os.read(leader, 4096):
                shown += part
        out = process.stdout.read()
    os.close(leader)
    assert process.returncode == 0, shown
    assert out.startswith(b"rows  uint8[300000, 4096]")
    assert re.search(rb"\[#*\.*\] \d+ of 300000", shown), shown
    assert shown.endswith(b"\r\x1b[K")


def test_json(windrow, files):
    outcome = windrow("lookup", "table.npy", "--indices", "ids.npy", "--stats", "--json", "--out", "rows.npy")
    document = outcome.json()
    assert document["table"].startswith("float32 [12, 5] in 'table.npy'; ")
    assert document["output"]["shape"] == [2, 2, 5]
    assert document["output"]["values"] == TABLE[IDS].ravel().tolist()
    assert document["output"]["file"] == "rows.npy"
    statistics = document["statistics"]
    assert (statistics["rows"], statistics["row_bytes"], statistics["cached"], statistics["reads"]) == (4, 80, 0, 1)
    assert statistics["read_bytes"] >= 80
    np.testing.assert_array_equal(np.load(files / "rows.npy"), TABLE[IDS])
    assert "statistics" not in windrow("lookup", "table.npy", "--indices", "ids.npy", "--json").json()


def rows_of(windrow, files, *arguments, ids="ids.npy"):
    outcome = windrow("lookup", *arguments, "--indices", ids, "--out", "rows.npy")
    assert outcome.code == 0, outcome.err
    return np.load(files / "rows.npy")


def test_tables_of_every_kind(windrow, files):
    save_safetensors(files / "model.safetensors", {"wte.weight": TABLE, "bias": TABLE[0]})
    np.testing.assert_array_equal(rows_of(windrow, files, "two.npz", "--name", "b"), TABLE[IDS] + 1)
    np.testing.assert_array_equal(rows_of(windrow, files, "model.safetensors", "--name", "wte.weight"), TABLE[IDS])
    raw = ["raw.bin", "--dtype", "float32"]
    np.testing.assert_array_equal(rows_of(windrow, files, *raw, "--shape", "12x5"), TABLE[IDS])
    whole = np.concatenate([TABLE[1:], TABLE[1:]])
    np.testing.assert_array_equal(
        rows_of(windrow, files, "raw.bin", *raw, "--shape", "11x5", "--first-byte", "20"), whole[IDS]
    )
    np.testing.assert_array_equal(rows_of(windrow, files, *raw, "--shape", "60"), TABLE.ravel()[IDS])
    np.testing.assert_array_equal(rows_of(windrow, files, "table.npy", "table.npy"), np.concatenate([TABLE] * 2)[IDS])
    assert rows_of(windrow, files, "table.npy", ids="none.npy").shape == (0, 5)
    # What is told of the elements of a file that says it itself must agree.
    np.testing.assert_array_equal(rows_of(windrow, files, "table.npy", "--dtype", "float32"), TABLE[IDS])


@pytest.mark.parametrize(
    "options",
    [
        ["--reads", "threads", "--depth", "2"],
        ["--reads", "read_ahead"],
        ["--page-cache"],
        ["--reads", "threads", "--page-cache", "--cache", "65536"],
        ["--depth", "1"],
        ["--depth", "1024", "--cache", "10000000"],
    ],
    ids=" ".join,
)
def test_ways_to_read(windrow, files, options):
    np.testing.assert_array_equal(rows_of(windrow, files, "table.npy", *options), TABLE[IDS])
    how = windrow("lookup", "table.npy", "--indices", "ids.npy", "--stats", *options).out.splitlines()[1]
    if "--reads" in options:
        assert f"; {options[1]}, " in how
    if "--depth" in options:
        assert f", {options[options.index('--depth') + 1]} read" in how
    assert ("--page-cache" not in options) or how.endswith("through the page cache")


def test_policies(windrow, files):
    zeros = rows_of(windrow, files, "table.npy", "--out-of-range", "zero", ids="bad.npy")
    np.testing.assert_array_equal(zeros, [TABLE[3], np.zeros(5), np.zeros(5)])
    clamped = rows_of(windrow, files, "table.npy", "--out-of-range", "clamp", ids="bad.npy")
    np.testing.assert_array_equal(clamped, TABLE[[3, 11, 0]])
    padded = rows_of(windrow, files, "table.npy", "--padding-index", "3")
    np.testing.assert_array_equal(padded, np.stack([[np.zeros(5), TABLE[0]], TABLE[[11, 11]]]))


def test_standard_input_and_output(files):
    given = (files / "ids.npy").read_bytes()
    words = [COMMAND, "lookup", "table.npy", "--indices", "-", "--out", "-", "--stats"]
    done = subprocess.run(words, cwd=files, input=given, capture_output=True, timeout=60, check=True)
    np.testing.assert_array_equal(np.load(io.BytesIO(done.stdout)), TABLE[IDS])
    assert b"wrote standard output" in done.stderr
    assert b"4 rows of 80 bytes" in done.stderr


def test_bad_indices(windrow, files):
    message = windrow("lookup", "table.npy", "--indices", "bad.npy", "-o", "rows.npy").only_error()
    assert message.endswith("indices[1] is 12, out of range for axis 0 of data with extent 12 (legal: -12 to 11); "
                            "2 of 3 indices are out of range")  # fmt: skip
    outcome = windrow("lookup", "table.npy", "--indices", "bad.npy", "--all-bad", "-o", "rows.npy")
    assert outcome.code == 2
    assert outcome.err.splitlines()[1:] == ["  indices[1] is 12", "  indices[2] is -13"]
    document = windrow("lookup", "table.npy", "--indices", "bad.npy", "--all-bad", "--json").json()
    assert [bad["value"] for bad in document["error"]["index"]["listed"]] == [12, -13]
    assert not (files / "rows.npy").exists()


RAW = ["--dtype", "float32", "--shape", "12x5"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.npy"], "cannot open 'absent.npy': No such file"),
        (["folder", *RAW], "'folder' is not a regular file"),
        (["pipe", *RAW], "'pipe' is not a regular file"),
        (["/dev/zero", *RAW], "'/dev/zero' is not a regular file"),
        (["/proc/self/status", *RAW], "'/proc/self/status': float32[12, 5]: the file ends early: expected 240 bytes"),
        (["raw.bin", "--dtype", "float32", "--shape", "13x5"], "expected 260 bytes from byte 0, the file has 240"),
        (["raw.bin", *RAW, "--first-byte", "1"], "expected 240 bytes from byte 1, the file has 240"),
        (["raw.bin", *RAW, "--first-byte", "-1"], "first_byte is -1"),
        (["raw.bin", *RAW, "--name", "x"], "a name is given for 'raw.bin', whose type and shape are given, too"),
        (["raw.bin"], "'raw.bin' is not a file whose tensors can be found: the name must end in .npy, .npz, "),
        (["raw.bin"], "or the type and the shape be given"),
        (["raw.bin", "--dtype", "float32"], "or the type and the shape be given"),
        (["raw.bin", "--shape", "12x5"], "a shape is given for 'raw.bin' without a type"),
        (["table.npy", "--shape", "12x5"], "a shape is given for 'table.npy' without a type"),
        (["table.npy", "--first-byte", "128"], "first_byte is given for 'table.npy' without a type and a shape"),
        (["table.npy", "--dtype", "float64"], "'table.npy' has type float32, the type given is float64"),
        (["table.npy", "--dtype", "bfloat16"], "'table.npy' has type float32, the type given is bfloat16"),
        (["raw.bin", "--dtype", "real", "--shape", "12x5"], "--dtype real: no such element type"),
        (["raw.bin", "--dtype", "float32", "--shape", "12by5"], "--shape 12by5: must be extents such as 1000000x128"),
        (["raw.bin", "--dtype", "float32", "--shape", "-1x5"], "--shape -1x5: must be extents"),
        (["raw.bin", "--dtype", "float32", "--shape", "9223372036854775807x9"], "is too large"),
        (["raw.bin", "--dtype", "string", "--shape", "12x5"], "strings have no fixed size"),
        (["table.npy", "--name", "x"], "'table.npy' has no tensor 'x'"),
        (["two.npz"], "'two.npz' has 2 tensors: a, b: say which one is meant"),
        (["two.npz", "--name", "c"], "'two.npz' has no tensor 'c'; it has 2 tensors: a, b"),
        (["small.npz"], "'small.npz': array 'a': it is deflated"),
        (["columns.npy"], "'columns.npy': the elements are in Fortran order"),
        (["table.npy", "wide.npy"], "'wide.npy' has shape [2, 6], whose rows are not those of [12, 5]"),
        (["table.npy", "ids.npy"], "'ids.npy' has type int64, the parts before it have float32"),
        (["table.npy", "--depth", "0"], "depth is 0, must be in [1, 1024]"),
        (["table.npy", "--cache", "5"], "a cache of rows has 5 bytes, must have at least 65536"),
        (["table.npy", "--cache", "-5"], "a cache of rows has -5 bytes, must have at least 65536"),
        (["table.npy", "--cache", "1000000000000000000"], "not enough memory for a cache of 1000000000000000000 bytes"),
        (["table.npy", "--reads", "fast"], "--reads: fast not in {best,io_uring,threads,read_ahead}"),
        (["table.npy", "--out", "folder/"], "folder"),
        (["table.npy", "--indices", "pipe"], "'pipe' is not a tensor file"),
        (["table.npy", "--indices", "absent.npy"], "'absent.npy'"),
        (["table.npy", "--indices", "half.npy"], "indices has type float64, must be one of: int64"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_named(windrow, files, arguments, message):
    before = sorted(files.rglob("*"))
    indices = [] if "--indices" in arguments else ["--indices", "ids.npy"]
    out = [] if "--out" in arguments else ["--out", "rows.npy"]
    assert message in windrow("lookup", *arguments, *indices, *out).only_error()
    assert sorted(files.rglob("*")) == before


def test_a_table_may_be_replaced_by_its_rows(windrow, files):
    rows = windrow("lookup", "table.npy", "--indices", "ids.npy", "--out", "table.npy")
    assert rows.code == 0, rows.err
    np.testing.assert_array_equal(np.load(files / "table.npy"), TABLE[IDS])
