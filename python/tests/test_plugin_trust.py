"""Built plug-ins are kept and loaded only where nobody else can change them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import windrow
from windrow._plugins import library, trust

STRANGER = 12345  # a user of no name


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of this user, where a plug-in named echo lies: the library's path."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    monkeypatch.delenv("WINDROW_PLUGINS", raising=False)
    place = library._place("echo", "1")
    place.parent.mkdir(parents=True)
    for folder in (place.parent, *place.parent.parents):
        if tmp_path in folder.parents:
            folder.chmod(0o755)
    place.write_bytes(b"a library")
    place.chmod(0o644)
    return place


def give_away(path, monkeypatch):
    """Makes `path` another user's; returns how an error names that one. Skips if it cannot."""
    if os.geteuid() == 0:
        os.chown(path, STRANGER, -1, follow_symlinks=False)
        return f"user {STRANGER}"
    own = os.geteuid()
    real = os.stat_result

    def lstat(place, lstat=Path.lstat):
        found = lstat(place)
        return real([*found[:4], STRANGER, *found[5:]]) if place == path else found

    monkeypatch.setattr(Path, "lstat", lstat)
    assert own != STRANGER
    return f"user {STRANGER}"


def refused(reason):
    """find_library() of the plug-in raises for this reason."""
    with pytest.raises(ImportError, match=reason) as caught:
        library.find_library("echo", "1")
    assert "is not loaded" in str(caught.value) and "WINDROW_PLUGINS" in str(caught.value)


def test_an_own_library_is_found(cache):
    assert library.find_library("echo", "1") == cache


@pytest.mark.parametrize("mode", [0o666, 0o646, 0o777])
def test_a_library_that_everybody_can_write(cache, mode):
    cache.chmod(mode)
    refused(f"echo-1.so can be written by everybody \\(its mode is {mode:04o}\\)")


@pytest.mark.parametrize("up", [0, 1, 2, 3])
@pytest.mark.parametrize("mode", [0o777, 0o757])
def test_a_folder_that_everybody_can_write(cache, mode, up):
    folder = cache.parents[up]
    folder.chmod(mode)
    refused(re.escape(f"{folder} can be written by everybody (its mode is {mode:04o})"))


@pytest.mark.parametrize("up", [-1, 0, 1, 2, 3])
def test_what_belongs_to_somebody_else(cache, monkeypatch, up):
    foreign = cache if up < 0 else cache.parents[up]
    name = give_away(foreign, monkeypatch)
    refused(re.escape(f"{foreign} belongs to {name}, not to user {os.geteuid()}"))


def test_sticky_folders_on_the_way_pass_but_the_last_does_not(cache):
    cache.parents[1].chmod(0o1777)
    assert library.find_library("echo", "1") == cache
    cache.parents[0].chmod(0o1777)
    refused("can be written by everybody .its mode is 1777")


def test_a_link_on_the_way_is_followed_and_both_ends_are_looked_at(cache, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    os.rename(cache.parents[1], elsewhere)
    cache.parents[1].symlink_to(os.path.relpath(elsewhere, cache.parents[2]))
    assert library.find_library("echo", "1") == cache
    elsewhere.chmod(0o777)
    refused(re.escape(f"{elsewhere} can be written by everybody"))
    elsewhere.chmod(0o755)
    name = give_away(cache.parents[1], monkeypatch)
    refused(re.escape(f"{cache.parents[1]} belongs to {name}"))


def test_a_library_that_is_a_link_into_an_open_folder(cache, tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o1777)
    os.rename(cache, tmp_path / "open" / "other.so")
    cache.symlink_to(tmp_path / "open" / "other.so")
    refused("open can be written by everybody")


def test_links_in_a_circle(cache):
    cache.unlink()
    cache.symlink_to(cache)
    with pytest.raises(ImportError, match="more than 40 links"):
        library.find_library("echo", "1")


def test_dots_in_the_path(cache, tmp_path, monkeypatch):
    way = tmp_path / "home" / ".." / "home" / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(way))
    assert library.find_library("echo", "1").samefile(cache)
    (tmp_path / "home").chmod(0o777)
    refused("home can be written by everybody")


def test_groups(cache, monkeypatch):
    cache.parent.chmod(0o775)
    monkeypatch.setattr(trust, "_is_private_group", lambda group: False)
    refused(f"can be written by the group {cache.parent.stat().st_gid}")
    monkeypatch.setattr(trust, "_is_private_group", lambda group: True)
    assert library.find_library("echo", "1") == cache


def test_private_groups(monkeypatch):
    class Entry:
        def __init__(self, **fields):
            self.__dict__.update(fields)

    users = [Entry(pw_name="ann", pw_uid=7, pw_gid=7), Entry(pw_name="bob", pw_uid=8, pw_gid=8)]
    group = Entry(gr_mem=[])
    monkeypatch.setattr(trust.os, "geteuid", lambda: 7)
    monkeypatch.setattr(trust.pwd, "getpwuid", lambda number: users[number - 7])
    monkeypatch.setattr(trust.pwd, "getpwall", lambda: users)
    monkeypatch.setattr(trust.grp, "getgrgid", lambda number: group)
    assert trust._is_private_group(7)
    assert not trust._is_private_group(8)  # another user's
    group.gr_mem = ["ann"]
    assert trust._is_private_group(7)
    group.gr_mem = ["bob"]
    assert not trust._is_private_group(7)
    group.gr_mem = []
    users[1].pw_gid = 7
    assert not trust._is_private_group(7)


@pytest.mark.skipif(shutil.which("setfacl") is None, reason="setfacl is not there")
def test_an_access_list(cache, monkeypatch):
    monkeypatch.setattr(trust, "_is_private_group", lambda group: True)
    done = subprocess.run(["setfacl", "-m", f"u:{STRANGER}:rwx", cache.parent], check=False)
    if done.returncode != 0:
        pytest.skip("the file system has no access lists")
    refused("can be written by users named in its access list")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Building gives a file without a compiler."""
    folder = tmp_path / "package"
    (folder / "plugins" / "echo").mkdir(parents=True)
    (folder / "plugins" / "echo" / "CMakeLists.txt").write_text("")
    monkeypatch.setattr(library, "_PACKAGE", folder)
    monkeypatch.setattr(library, "_find_cmake", lambda: "cmake")
    monkeypatch.setattr(library, "_require_compiler", lambda: None)
    ran = []

    def run(command, host):
        ran.append(command)
        if "-B" in command:
            Path(command[command.index("-B") + 1], f"windrow_{host}.so").write_bytes(b"fresh")

    monkeypatch.setattr(library, "_run", run)
    return ran


def test_building_makes_folders_for_the_user_alone(tmp_path, monkeypatch, package):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    monkeypatch.delenv("WINDROW_PLUGINS", raising=False)
    before = os.umask(0)
    try:
        built = library.build("echo", "1", {})
    finally:
        os.umask(before)
    assert built.read_bytes() == b"fresh" and built.stat().st_mode & 0o777 == 0o644
    assert [folder.stat().st_mode & 0o777 for folder in list(built.parents)[:4]] == [0o700] * 4
    assert library.find_library("echo", "1") == built


def test_nothing_is_built_in_a_folder_of_others(cache, package):
    cache.parent.chmod(0o777)
    with pytest.raises(windrow.FileError, match="no plug-in is built in .* written by everybody"):
        library.build("echo", "1", {})
    assert not package and cache.read_bytes() == b"a library"


def test_nothing_is_compiled_in_a_temporary_folder_of_others(
    cache, package, tmp_path, monkeypatch
):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    scratch.chmod(0o777)
    monkeypatch.setattr(library.tempfile, "tempdir", str(scratch))
    with pytest.raises(windrow.FileError, match="scratch can be written by everybody"):
        library.build("echo", "1", {})
    assert not package
    scratch.chmod(0o1777)  # as /tmp is
    assert library.build("echo", "1", {}).read_bytes() == b"fresh"


def test_names_aside_are_exclusive(cache, package, tmp_path, monkeypatch):
    """A link of the name that the library has before it is put in its place is not written through."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    tokens = iter(["taken", "free"])
    monkeypatch.setattr(library.secrets, "token_hex", lambda count: next(tokens))
    planted = [
        cache.with_name(f".{cache.name}.taken"),
        cache.with_name(f"{cache.name}.{os.getpid()}"),  # the process's number is known to all
    ]
    for link in planted:
        link.symlink_to(victim)
    with pytest.raises(windrow.FileError, match="File exists"):
        library.build("echo", "1", {})
    assert library.build("echo", "1", {}) == cache
    assert cache.read_bytes() == b"fresh" and victim.read_text() == "precious"
    assert all(link.is_symlink() for link in planted)
