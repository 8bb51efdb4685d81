"""Projects outside this repository use the installed libraries, static and shared, and its sources."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import numpy
import onnx
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import check_abi  # noqa: E402
import list_exports  # noqa: E402

RELEASE = pathlib.Path(os.environ.get("WINDROW_BUILD", ROOT / "build" / "release"))
WORK = RELEASE / "outside"
GATHERED = "5 6 1 2"
TABLE_ROWS = "[1, 2] 1 1\n"  # What tables.cc of `find_package` prints.
INDEX_ERROR = "is 9, out of range for axis 0 of data with extent 3"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def configure_and_build(source, build, *definitions):
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, *(f"-D{text}" for text in definitions))
    run("cmake", "--build", build)


def compiler_cache():
    return [f"CMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")
            if any(pathlib.Path(folder, "ccache").exists() for folder in os.get_exec_path())]


def as_in_release():
    """No tests, but the flags of the release preset, so that a compiler cache finds the same objects; for a folder as deep as that one."""
    return ["WINDROW_DEVELOPER=ON", "BUILD_TESTING=OFF", "WINDROW_BENCH=OFF", "CMAKE_BUILD_TYPE=Release", *compiler_cache()]


@pytest.fixture(scope="session")
def shared_build():
    """The libraries as a packager builds them, shared and without tests."""
    build = RELEASE.parent / "shared"
    configure_and_build(ROOT, build, "BUILD_SHARED_LIBS=ON", "WINDROW_TOOL=OFF", *as_in_release())
    return build


@pytest.fixture(scope="session", params=["static", "shared"])
def prefix(request):
    """Where the libraries are installed."""
    folder = WORK / f"{request.param}-prefix"
    build = RELEASE if request.param == "static" else request.getfixturevalue("shared_build")
    run("cmake", "--install", build, "--prefix", folder)
    return folder


@pytest.fixture(scope="session")
def readme_example(tmp_path_factory):
    """The C++ program of README.md."""
    programs = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path_factory.mktemp("readme") / "example.cc"
    file.write_text(next(program for program in programs if "int main" in program), encoding="utf-8")
    return file


@pytest.fixture
def gather_model(tmp_path):
    """The words of a command line: a model of one Gather node, and its inputs."""
    node = onnx.helper.make_node("Gather", ["data", "indices"], ["y"])
    values = [onnx.helper.make_tensor_value_info("data", onnx.TensorProto.FLOAT, [3, 2]),
              onnx.helper.make_tensor_value_info("indices", onnx.TensorProto.INT64, [4])]
    result = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [4, 2])
    graph = onnx.helper.make_graph([node], "gather", values, [result])
    opsets = [onnx.helper.make_opsetid("", 13)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10), tmp_path / "gather.onnx")
    numpy.save(tmp_path / "data.npy", numpy.zeros((3, 2), numpy.float32))
    numpy.save(tmp_path / "indices.npy", numpy.array([0, 1, 2, -1], numpy.int64))
    return [tmp_path / name for name in ("gather.onnx", "data.npy", "indices.npy")]


def pkg_config_path(prefix):
    folders = [str(path) for path in prefix.glob("lib/**/pkgconfig")]
    return {**os.environ, "PKG_CONFIG_PATH": ":".join(folders)}


def pkg_config(prefix, *words):
    return run("pkg-config", *words, env=pkg_config_path(prefix)).split()


def link_words(prefix, *packages):
    libraries = {path.parent for path in prefix.glob("lib/**/libwindrow.*")}
    return [*pkg_config(prefix, "--cflags", "--libs", *packages),
            *(f"-Wl,-rpath,{folder}" for folder in libraries)]


def assert_programs_run(build, gather_model):
    """Runs the programs of `find_package`, whatever has built them."""
    lines = run(build / "core").splitlines()
    assert lines[0].split() == "3 4 1 2 3 4".split()
    assert "indices[0] is 7" in lines[1]
    assert run(build / "models", *gather_model) == "y [4, 2]\n"
    assert run(build / "tables", gather_model[1]) == TABLE_ROWS
    assert run(build / "distributed") == "[2, 3] 4\n"


def test_find_package(prefix, tmp_path, gather_model):
    configure_and_build(HERE / "find_package", tmp_path / "build", f"CMAKE_PREFIX_PATH={prefix}")
    assert_programs_run(tmp_path / "build", gather_model)


# Our code in headers is compiled into the program, with the program's sanitizers; the libraries have none.
@pytest.mark.parametrize("prefix", ["static"], indirect=True)
def test_a_program_with_sanitizers_links_the_static_libraries(prefix, tmp_path, gather_model):
    sanitizers = "-fsanitize=address,undefined -fno-sanitize-recover=all"
    configure_and_build(HERE / "find_package", tmp_path / "build", f"CMAKE_PREFIX_PATH={prefix}", f"CMAKE_CXX_FLAGS={sanitizers}")
    assert "__asan_init" in run("nm", tmp_path / "build" / "core")
    assert_programs_run(tmp_path / "build", gather_model)


def test_meson(prefix, tmp_path, gather_model):
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    build = tmp_path / "build"
    run(*meson, "setup", build, HERE / "meson", env=pkg_config_path(prefix))
    run(*meson, "compile", "-C", build)
    assert_programs_run(build, gather_model)
    lines = run(build / "from_c").splitlines()
    assert lines[0] == GATHERED and INDEX_ERROR in lines[1]


def test_pkg_config_from_cpp(prefix, tmp_path, readme_example):
    run("g++", "-std=c++20", readme_example, "-o", tmp_path / "example", *link_words(prefix, "windrow"))
    assert run(tmp_path / "example").split() == GATHERED.split()


def test_pkg_config_of_all_libraries(prefix, tmp_path, gather_model):
    run("g++", "-std=c++20", HERE / "find_package" / "models.cc", "-o", tmp_path / "models",
        *link_words(prefix, "windrow-models", "windrow-threads"))
    assert run(tmp_path / "models", *gather_model) == "y [4, 2]\n"
    run("g++", "-std=c++20", HERE / "find_package" / "tables.cc", "-o", tmp_path / "tables",
        *link_words(prefix, "windrow-tables"))
    assert run(tmp_path / "tables", gather_model[1]) == TABLE_ROWS
    run("g++", "-std=c++20", HERE / "find_package" / "distributed.cc", "-o", tmp_path / "distributed",
        *link_words(prefix, "windrow-distributed"))
    assert run(tmp_path / "distributed") == "[2, 3] 4\n"


def test_tensorrt_code_includes_its_header_from_the_compat_folder(prefix, tmp_path):
    source = ROOT / "examples" / "tensorrt_gather.cc"
    compat = prefix / "include" / "windrow" / "compat"
    run("g++", "-std=c++20", f"-I{compat}", source, "-o", tmp_path / "program",
        *link_words(prefix, "windrow-models"))
    assert run(tmp_path / "program").splitlines()[-1] == "last_hidden_states [2, 2]: 20 21 0 1"


def test_pkg_config_from_c(prefix, tmp_path):
    run("gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", HERE / "pkg_config" / "main.c", "-o",
        tmp_path / "program", *link_words(prefix, "windrow"))
    lines = run(tmp_path / "program").splitlines()
    assert lines[0] == GATHERED
    assert INDEX_ERROR in lines[1]


ONNX_RUNTIME = """
import sys, numpy, onnxruntime
name, library, model, *arrays = "WindrowExecutionProvider", *sys.argv[1:]
onnxruntime.register_execution_provider_library(name, library)
options = onnxruntime.SessionOptions()
options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
options.add_provider_for_devices([d for d in onnxruntime.get_ep_devices() if d.ep_name == name], {})
session = onnxruntime.InferenceSession(model, options)
print(session.run(None, dict(zip(("data", "indices"), map(numpy.load, arrays))))[0].shape)
"""


def test_the_plug_in_for_onnx_runtime(prefix, gather_model):
    library = next(prefix.glob("lib/**/libwindrow_onnxruntime.so"), None)
    if library is None:
        pytest.skip("built without ONNX Runtime's C header")
    assert run(sys.executable, "-c", ONNX_RUNTIME, library, *gather_model) == "(4, 2)\n"


def test_onnx_runtime_from_cpp(prefix, gather_model, tmp_path):
    """The block of docs/guide/onnxruntime.md, with the installed library and the Python package's ONNX Runtime."""
    library = next(prefix.glob("lib/**/libwindrow_onnxruntime.so"), None)
    headers = pathlib.Path(os.environ.get("WINDROW_ONNXRUNTIME_INCLUDE", ROOT / "build/onnxruntime-headers/usr/include/onnxruntime"))
    if library is None or not (headers / "onnxruntime_cxx_api.h").exists():
        pytest.skip("without ONNX Runtime's C++ header")
    [block] = re.findall(r"```cpp\n(.*?)```", (ROOT / "docs/guide/onnxruntime.md").read_text(encoding="utf-8"), re.DOTALL)
    for shown, there in {"/usr/local/lib/libwindrow_onnxruntime.so": library, "model.onnx": gather_model[0]}.items():
        assert shown in block
        block = block.replace(shown, str(there))
    program = tmp_path / "program.cc"
    program.write_text("#include <onnxruntime_cxx_api.h>\n#include <iostream>\n#include <string>\n#include <unordered_map>\n"
                       f"#include <vector>\nint main() {{\n{block}std::cout << devices.size() << session.GetInputCount();\n}}\n",
                       encoding="utf-8")  # fmt: skip
    host = next(pathlib.Path(importlib.util.find_spec("onnxruntime").origin).parent.glob("capi/libonnxruntime.so.*"))
    (tmp_path / "libonnxruntime.so.1").symlink_to(host)
    run("g++", "-std=c++20", f"-I{headers}", program, host, f"-Wl,-rpath,{tmp_path}", "-o", tmp_path / "program")
    assert run(tmp_path / "program") == "12"


def test_the_manual_page_is_installed_with_the_command(prefix):
    page = prefix / "share" / "man" / "man1" / "windrow.1"
    assert page.is_file() == (prefix / "bin" / "windrow").is_file()
    if page.is_file():
        assert page.read_text(encoding="utf-8").startswith(".TH WINDROW 1 ")


def test_fetch_content(readme_example):
    build = RELEASE.parent / "fetch-content"
    configure_and_build(HERE / "fetch_content", build, f"WINDROW_SOURCE_DIR={ROOT}",
                        f"EXAMPLE_SOURCE={readme_example}", *as_in_release())
    assert run(build / "example").split() == GATHERED.split()


def test_shared_library_needs_only_the_runtime_and_highway(shared_build):
    output = run("readelf", "-d", shared_build / "libwindrow.so")
    needed = {name.split(".so")[0] for name in re.findall(r"\(NEEDED\).*\[(.*)\]", output)}
    assert needed <= {"libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64", "libhwy"}
    # Under this name its interface is recorded.
    assert re.search(r"\(SONAME\).*\[(.*)\]", output)[1] == check_abi.library_name() == "libwindrow.so.0.1"


def test_the_c_functions_of_the_libraries_are_those_whose_interface_is_recorded(shared_build):
    libraries = [shared_build / f"libwindrow{part}.so" for part in ("", "_threads", "_models", "_tables", "_distributed")]
    found = {name for library in libraries for name in list_exports.exports(library) if re.fullmatch(r"windrow_\w+", name)}
    assert found == set(check_abi.declarations(ROOT / "include"))


def test_exported_symbols_are_those_of_the_list(shared_build):
    found = list_exports.exports(shared_build / "libwindrow.so")
    listed = (HERE / "exported_symbols.txt").read_text(encoding="utf-8").splitlines()
    # After a wanted change: scripts/list_exports.py libwindrow.so > tests/outside/exported_symbols.txt
    assert found == sorted([*listed, *list_exports.typed_functions()])
