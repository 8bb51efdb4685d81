"""Tests of check_abi.py on changed copies of the headers."""

import shutil

import check_abi
import pytest

needs_tools = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in check_abi.TOOLS), reason="needs Debian's abigail-tools"
)


def changed(tmp_path, header, was, becomes):
    """A copy of the headers with one change."""
    include = tmp_path / "include"
    shutil.copytree(check_abi.ROOT / "include", include)
    file = include / "windrow" / header
    text = file.read_text(encoding="utf-8")
    assert text.count(was) == 1, was
    file.write_text(text.replace(was, becomes), encoding="utf-8")
    return include


def test_the_headers_are_compatible_with_the_record(capsys):
    without_tools = 3 if any(shutil.which(tool) is None for tool in check_abi.TOOLS) else 0
    assert check_abi.main([]) == without_tools
    assert "are compatible" in capsys.readouterr().out


VERSION = "WINDROW_EXPORT const char* windrow_version(void);"
MEMBER = "  void* interrupted_user;"


@needs_tools
@pytest.mark.parametrize(
    ("header", "was", "becomes"),
    [
        ("c.h", VERSION, f"{VERSION}\nWINDROW_EXPORT int windrow_new(void);"),
        ("c.h", "  WINDROW_INTERRUPTED = 11 ", "  WINDROW_INTERRUPTED = 11,\n  WINDROW_NEW = 12 "),
        ("c.h", MEMBER, f"{MEMBER} void* more; "),
    ],
    ids=["a function", "a number", "a last member of a structure with a size"],
)
def test_what_is_new_is_compatible(tmp_path, capsys, header, was, becomes):
    assert check_abi.main(["--include", str(changed(tmp_path, header, was, becomes))]) == 0, capsys.readouterr().err


@needs_tools
@pytest.mark.parametrize(
    ("header", "was", "becomes", "said"),
    [
        ("c.h", "windrow_dtype_bits(windrow_dtype dtype)", "windrow_dtype_bits(const windrow_dtype* dtype)", "parameter 1"),
        ("c.h", "size_t windrow_result_pool_held(void)", "int windrow_result_pool_held(void)", "return type changed"),
        ("c.h", VERSION, "", "windrow_version"),
        ("c.h", "  int32_t strict; ", "  int64_t strict; ", "windrow_call_options"),
        ("c.h", MEMBER, f"  void* before;\n{MEMBER}", "windrow_run_options"),
        ("c.h", "  void* scratch; ", "  void* work; ", "windrow_run_options"),
        ("c_operators.h", "  int32_t required; ", "  int32_t more, required; ", "windrow_operator_attribute"),
        ("c_threads.h", "windrow_thread_pool_make(int count)", "windrow_thread_pool_make(int count, int more)", "windrow_thread_pool_make"),
    ],
    ids=["a parameter", "a result", "a function that is gone", "a member's type", "a member's place", "a member's name",
         "a structure that may not grow", "one more parameter"],
)
def test_a_change_that_breaks_programs_is_found(tmp_path, capsys, header, was, becomes, said):
    assert check_abi.main(["--include", str(changed(tmp_path, header, was, becomes))]) == 1
    error = capsys.readouterr().err
    assert said in error and "Take the change back" in error


def test_a_changed_number_is_found_without_the_tools(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", "")
    include = changed(tmp_path, "c.h", "  WINDROW_UNSUPPORTED = 6,", "  WINDROW_UNSUPPORTED = 7,")
    assert check_abi.main(["--include", str(include)]) == 1
    assert "no longer have the number WINDROW_UNSUPPORTED 6\n" in capsys.readouterr().err


def test_what_is_left_out_without_the_tools_is_said(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert check_abi.main([]) == 3
    said = capsys.readouterr()
    assert "apt-get install --no-install-recommends abigail-tools" in said.err
    assert "functions" not in said.out


@needs_tools
def test_a_new_minor_version_asks_for_a_record_of_its_own(capsys, monkeypatch):
    monkeypatch.setattr(check_abi, "library_name", lambda: "libwindrow.so.9.9")
    assert check_abi.main([]) == 1
    assert "this version makes libwindrow.so.9.9: record its interface" in capsys.readouterr().err
