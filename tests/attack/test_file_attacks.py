"""Output files of the command when signals, limits and other processes come between.

At every call that makes, writes, renames or removes a file the process gets a signal in turn: then
all outputs are as they were, or all are new, and nothing else is left.
"""

import os
import resource
import signal
import subprocess

import pytest
from attacked_command import CALLS, COMMAND, OLD_FILES, WRITERS, library, make_files, restore, run_call, state_of

WAYS = {
    "as it comes": {},
    "files with names": {"FILE_CALLS_NAMED": "1"},
    "no second names": {"FILE_CALLS_NO_LINKS": "1"},
}


def watched(environment=()):
    return {"LD_PRELOAD": library("file_calls"), **dict(environment)}


def log_of(name, folder, environment, scratch):
    """The command's calls, one after another, and what they made of `folder`."""
    log = scratch / "log"
    log.unlink(missing_ok=True)
    done = run_call(name, folder, watched({**environment, "FILE_CALLS_LOG": str(log)}))
    assert done.returncode == 0, done.stderr
    return log.read_text().splitlines()


def check_signals(name, folder, way, scratch, numbers, thread=()):
    before = state_of(folder)
    calls = log_of(name, folder, WAYS[way], scratch)
    after = state_of(folder)
    assert before != after
    seen = set()
    for point in range(1, len(calls) + 1):
        for number in numbers:
            restore(folder, before)
            environment = {
                **WAYS[way],
                **dict(thread),
                "FILE_CALLS_SIGNAL_AT": str(point),
                "FILE_CALLS_SIGNAL": str(int(number)),
            }
            done = run_call(name, folder, watched(environment))
            state = state_of(folder)
            where = f"signal {number} before call {point}, {calls[point - 1]}: {done}"
            assert done.returncode == -number, where
            assert state in (before, after), f"{where}: {set(state) ^ set(before)}"
            seen.add(state == after)
    assert seen == {False, True}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", WRITERS)
def test_a_signal_at_every_call(name, way, quick_folder, tmp_path):
    check_signals(name, quick_folder, way, tmp_path, [signal.SIGINT])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU])
def test_other_signals(number, quick_folder, tmp_path):
    resource_limit = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource_limit[1]))
    check_signals("run over files", quick_folder, "as it comes", tmp_path, [number])


def test_a_signal_that_another_thread_takes(quick_folder, tmp_path):
    thread = {"FILE_CALLS_FROM_THREAD": "1"}
    check_signals("run", quick_folder, "as it comes", tmp_path, [signal.SIGTERM], thread)


def test_an_ignored_signal_stays_ignored(tmp_path):
    folder = make_files(tmp_path / "folder")
    environment = watched({"FILE_CALLS_SIGNAL_AT": "4", "FILE_CALLS_SIGNAL": str(int(signal.SIGHUP))})
    done = run_call(
        "run", folder, environment, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    assert done.returncode == 0
    assert (folder / "made/results/y.npy").exists()


@pytest.mark.parametrize("name", WRITERS)
def test_files_are_on_the_disk_before_they_get_their_names(name, tmp_path):
    folder = make_files(tmp_path / "folder")
    calls = log_of(name, folder, {}, tmp_path)
    files = calls.count("rename")
    assert files >= 1
    assert calls.count("fsync") == files
    first = calls.index("rename")
    assert calls[:first].count("fsync") == files
    assert "fsync folder" in calls[first:]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_above_the_limit(name, way, tmp_path):
    folder = make_files(tmp_path / "folder")
    before = state_of(folder)
    done = run_call(
        name,
        folder,
        watched(WAYS[way]),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)),
    )
    assert done.returncode == 2
    assert b"File too large" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert state_of(folder) == before


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_named_like_an_output(way, tmp_path):
    """The first outputs must not be replaced when the last cannot be."""
    folder = make_files(tmp_path / "folder")
    (folder / "old/z.npy").mkdir()
    before = state_of(folder)
    done = run_call("run over files", folder, watched(WAYS[way]))
    assert done.returncode == 2
    assert b"z.npy" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert state_of(folder) == before


@pytest.mark.parametrize("way", WAYS)
def test_what_was_replaced_comes_back(way, tmp_path):
    """The last output can be written, but its folder becomes one whose name is taken in between."""
    folder = make_files(tmp_path / "folder")
    before = state_of(folder)
    calls = log_of("run over files", folder, WAYS[way], tmp_path)
    renames = [i for i, call in enumerate(calls) if call == "rename"]
    restore(folder, before)
    environment = {**WAYS[way], "FILE_CALLS_REFUSE_AT": str(renames[-1] + 1)}
    done = run_call("run over files", folder, watched(environment))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert state_of(folder) == before


def shell(folder, script, *arguments):
    """Runs the script and then, in the same process, the command."""
    words = ["sh", "-c", f'{script}; exec "$@"', "sh", COMMAND, *arguments]
    return subprocess.run(words, cwd=folder, capture_output=True, timeout=60, check=False)


def test_a_folder_of_the_users_own(tmp_path):
    """Whatever is in the output folder, nothing of it is used or removed, by whatever process."""
    folder = make_files(tmp_path / "folder")
    make = "mkdir old/.windrow-$$ && echo mine >old/.windrow-$$/mine.txt"
    done = shell(folder, make, *CALLS["run over files"])
    assert done.returncode == 0, done.stderr
    assert [path.read_text() for path in folder.glob("old/.windrow-*/mine.txt")] == ["mine\n"]


def test_a_link_in_the_way(tmp_path):
    """A link to a victim's folder, where the command of old wrote its files first."""
    folder = make_files(tmp_path / "folder")
    victim = tmp_path / "victim"
    victim.mkdir()
    for name in ("x.npy", "y.npy", "z.npy"):
        (victim / name).write_text("the victim's")
    done = shell(folder, f"ln -s {victim} old/.windrow-$$", *CALLS["run over files"])
    assert done.returncode == 0, done.stderr
    assert [path.read_text() for path in sorted(victim.iterdir())] == ["the victim's"] * 3
    assert len(list(folder.glob("old/.windrow-*"))) == 1


def test_many_at_once_into_one_folder(tmp_path):
    """Whoever is last wins, whole."""
    folder = make_files(tmp_path / "folder")
    words = [COMMAND, *CALLS["run over files"]]
    running = [subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL) for _ in range(8)]
    assert [process.wait() for process in running] == [0] * 8
    new = {name: content for name, content in state_of(folder).items() if name.startswith("old/")}
    assert set(new) == {f"old/{name}" for name in (*OLD_FILES, "z.npy")}
    assert new["old/x.npy"].startswith(b"\x93NUMPY")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444, 0o666])
@pytest.mark.parametrize("way", WAYS)
def test_a_replaced_file_keeps_its_mode(mode, way, tmp_path):
    folder = make_files(tmp_path / "folder")
    (folder / "old/x.npy").chmod(mode)
    (folder / "old/y.npy").chmod(mode)
    for name in ("run over files", "call"):
        assert run_call(name, folder, watched(WAYS[way])).returncode == 0
        assert (folder / "old/y.npy").stat().st_mode & 0o7777 == mode
    assert (folder / "old/x.npy").stat().st_mode & 0o7777 == mode
    assert (folder / "old/x.npy").read_bytes().startswith(b"\x93NUMPY")


@pytest.mark.parametrize("way", WAYS)
def test_a_new_file_has_the_mode_that_the_user_wants(way, tmp_path):
    folder = make_files(tmp_path / "folder")
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        (folder / "old/z.npy").unlink(missing_ok=True)
        done = run_call("run over files", folder, watched(WAYS[way]), umask=mask)
        assert done.returncode == 0, done.stderr
        assert (folder / "old/z.npy").stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_replaced_file_keeps_its_owner(tmp_path):
    folder = make_files(tmp_path / "folder")
    os.chown(folder / "old/y.npy", 1234, 2345)
    assert run_call("call", folder).returncode == 0
    info = (folder / "old/y.npy").stat()
    assert (info.st_uid, info.st_gid) == (1234, 2345)


@pytest.mark.parametrize("name", ["run over files", "call"])
def test_a_link_is_replaced_and_not_followed(name, tmp_path):
    folder = make_files(tmp_path / "folder")
    (folder / "old/y.npy").unlink()
    (folder / "old/y.npy").symlink_to("../data.npy")
    data = (folder / "data.npy").read_bytes()
    assert run_call(name, folder).returncode == 0
    assert not (folder / "old/y.npy").is_symlink()
    assert (folder / "data.npy").read_bytes() == data


@pytest.mark.parametrize("name", ["run over files", "call"])
def test_a_pipe_is_not_replaced(name, tmp_path):
    folder = make_files(tmp_path / "folder")
    (folder / "old/y.npy").unlink()
    os.mkfifo(folder / "old/y.npy")
    done = run_call(name, folder)
    assert done.returncode == 2
    assert b"y.npy" in done.stderr
    assert (folder / "old/y.npy").is_fifo()
    assert sorted(path.name for path in (folder / "old").iterdir()) == sorted(OLD_FILES)
    assert (folder / "old/x.npy").read_text() == "as it was"


def test_names_as_long_as_the_file_system_allows(tmp_path):
    folder = make_files(tmp_path / "folder")
    name = "n" * 251 + ".npy"
    words = [COMMAND, "call", "onnx.Gather", "data.npy", "indices.npy", "-o", name]
    done = subprocess.run(words, cwd=folder, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / name).exists()


@pytest.mark.parametrize(
    "words",
    [
        ["call", "onnx.Gather", "data.npy", "indices.npy", "-o", ""],
        ["call", "onnx.Gather", "data.npy", "indices.npy", "--out", ""],
        ["call", "onnx.Gather", "data.npy", "indices.npy", "--out="],
        ["run", "three.onnx", "--random", "1", "--out", ""],
        ["run", "three.onnx", "--random", "1", "--out="],
    ],
    ids=" ".join,
)
def test_an_empty_output_is_refused(words, tmp_path):
    folder = make_files(tmp_path / "folder")
    before = state_of(folder)
    done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"--out" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert state_of(folder) == before


def test_a_folder_that_was_made_goes_with_a_failure(tmp_path):
    """All levels of it, and none that was there."""
    folder = make_files(tmp_path / "folder")
    before = state_of(folder)
    texts = ["call", "onnx.Gather", "data.npy", "bad.npy", "-o", "old/y.npy"]
    done = subprocess.run([COMMAND, *texts], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 2
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))}
    assert run_call("run", folder, **limit).returncode == 2
    assert state_of(folder) == before
