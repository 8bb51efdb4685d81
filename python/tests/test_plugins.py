"""Building plug-ins on the user's machine, with a small plug-in of the tests' own."""

import ctypes
import os
import shutil

import pytest

import windrow
from windrow._plugins import library

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(echo LANGUAGES CXX)
add_library(windrow_echo MODULE echo.cc)
set_target_properties(windrow_echo PROPERTIES PREFIX "")
target_include_directories(windrow_echo PRIVATE ${WINDROW_INCLUDE})
target_link_libraries(windrow_echo PRIVATE ${WINDROW_LIBRARY})
target_compile_definitions(windrow_echo PRIVATE ANSWER=${ANSWER})
"""
SOURCE = """
#include "windrow/c.h"
extern "C" const char* echo_version() { return windrow_version(); }
extern "C" int echo_answer() { return ANSWER; }
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package folder with the sources of a plug-in named echo; an empty place for libraries."""
    folder = tmp_path / "package"
    (folder / "plugins" / "echo").mkdir(parents=True)
    (folder / "plugins" / "echo" / "CMakeLists.txt").write_text(PROJECT)
    (folder / "plugins" / "echo" / "echo.cc").write_text(SOURCE)
    (folder / "include").symlink_to(library._PACKAGE / "include")
    monkeypatch.setattr(library, "_PACKAGE", folder)
    monkeypatch.setenv("WINDROW_PLUGINS", str(tmp_path / "libraries"))
    return folder


def test_a_plugin_calls_the_extension(package):
    built = library.build("echo", "1.2", {"ANSWER": "42"})
    assert built == library.find_library("echo", "1.2")
    assert [built] == list(built.parent.iterdir())
    loaded = ctypes.CDLL(str(built))
    loaded.echo_version.restype = ctypes.c_char_p
    assert loaded.echo_version().decode() == windrow.__version__
    assert loaded.echo_answer() == 42


def test_building_again_replaces_the_library(package):
    first = library.build("echo", "1", {"ANSWER": "1"}).read_bytes()
    assert library.build("echo", "1", {"ANSWER": "2"}).read_bytes() != first


def test_what_the_compiler_says_is_in_the_error(package):
    (package / "plugins" / "echo" / "echo.cc").write_text("#error nothing works today\n")
    with pytest.raises(windrow.Unsupported, match="nothing works today"):
        library.build("echo", "1", {"ANSWER": "1"})
    with pytest.raises(ImportError):
        library.find_library("echo", "1")


def test_a_library_that_is_not_built(package):
    with pytest.raises(ImportError, match="for echo 9 is not built: python -m windrow.echo build"):
        library.find_library("echo", "9")
    with pytest.raises(ImportError, match="python -m windrow.openvino_plugin build"):
        library.find_library("openvino", "0")


def test_a_host_without_sources(package):
    with pytest.raises(windrow.Unsupported, match="no sources of the plug-in for nobody"):
        library.build("nobody", "1", {})


def test_a_machine_without_cmake(package, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    with pytest.raises(windrow.Unsupported, match="needs cmake"):
        library.build("echo", "1", {})


def test_a_machine_without_a_compiler(package, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    with pytest.raises(windrow.Unsupported, match="C\\+\\+ compiler.*no-such-compiler"):
        library.build("echo", "1", {})


def test_a_place_that_cannot_be_written(package, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WINDROW_PLUGINS", str(tmp_path / "file" / "below"))
    with pytest.raises(windrow.FileError, match="can't be written"):
        library.build("echo", "1", {"ANSWER": "1"})


def test_the_place_follows_the_environment(monkeypatch):
    monkeypatch.delenv("WINDROW_PLUGINS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert str(library._place("torch", "2")) == f"/cache/windrow/{windrow.__version__}/torch-2.so"
    monkeypatch.setenv("HOME", "/home/somebody")
    expected = os.path.join("/home/somebody/.cache/windrow", windrow.__version__, "torch-2.so")
    # The XDG Base Directory Specification: a relative path is to be ignored.
    for ignored in ("", "cache", "./cache", "~/cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert str(library._place("torch", "2")) == expected
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert str(library._place("torch", "2")) == expected


def test_a_user_without_a_home(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("WINDROW_PLUGINS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(library.Path, "home", no_home)
    with pytest.raises(ImportError, match="no home folder: set WINDROW_PLUGINS"):
        library.find_library("torch", "2")
