"""The wheel in an environment of its own, without compiler and without the machine's libraries."""

import importlib
import json
import os
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/pictures"), str(ROOT / "tests/playground")]

from browser_fixture import browser  # noqa: E402, F401: a fixture, found by the path above
from page_calls import SHOWN, assert_shows, calls_of_operators, words  # noqa: E402

# Without what runs inside other runtimes it has 4.0 MB; that may add one.
MOST_BYTES = 5_500_000
# What the extension is made with, and must bring along.
BUNDLED = ("hwy", "pugixml", "fmt")

# What plug-ins are built from on the user's machine.
PLUGIN_FOLDERS = ("windrow/include/windrow/", "windrow/plugins/")


@pytest.fixture(scope="module")
def wheel():
    wheels = sorted((ROOT / "dist").glob("windrow_ops-*.whl"))
    assert len(wheels) == 1, "./dev wheel makes it"
    return wheels[0]


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """The folder of the executables of an environment with the wheel and NumPy alone."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    without_compiler = {**os.environ, "PATH": str(folder / "bin")}
    without_compiler.pop("PYTHONPATH", None)
    requirements = [str(wheel), f"numpy=={numpy.__version__}"]
    subprocess.run([*install, "--only-binary=:all:", *requirements], check=True, env=without_compiler)
    return folder / "bin"


def run(environment, *command, folder):
    bare = {"PATH": str(environment), "HOME": str(folder)}
    return subprocess.run(
        [environment / command[0], *command[1:]],
        cwd=folder,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )


def readme_example():
    """The first Python example of the README."""
    return re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]


def test_size(wheel):
    print(f"\n{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    assert wheel.stat().st_size < MOST_BYTES


def test_the_plug_in_for_onnx_runtime_is_inside(environment, tmp_path):
    if not importlib.import_module("windrow.onnxruntime").available():
        pytest.skip("this build has no plug-in for ONNX Runtime")
    code = "import ctypes, windrow._core; ctypes.CDLL(windrow._core.__file__).CreateEpFactories"
    done = run(environment, "python", "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "windrow/py.typed" in names
    assert {"windrow/onnx.pyi", "windrow/_core.pyi", "windrow/trt/__init__.py", "windrow/onnxruntime.py"} <= set(names)
    licences = [name for name in names if "/licenses/" in name]
    for text in ("LICENSE", "THIRD_PARTY.md", *os.listdir(ROOT / "licenses")):
        assert any(name.endswith(text) for name in licences), text
    metadata = zipfile.ZipFile(wheel).read(next(n for n in names if n.endswith("METADATA"))).decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert "Requires-Dist: numpy" in metadata
    for extra in ("types", "onnx", "onnxruntime", "openvino", "torch", "jax", "conformance"):
        assert f"Provides-Extra: {extra}\n" in metadata
    sources = {name for name in names if name.endswith((".cc", ".h", ".a"))}
    assert "windrow/include/windrow/c.h" in sources
    assert not [name for name in sources if not name.startswith(PLUGIN_FOLDERS)]


def test_the_bill_of_materials_is_inside(wheel):
    """Where PEP 770 says; of what the wheel contains, which is all but MPI."""
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if re.fullmatch(r"windrow_ops-[^/]*\.dist-info/sboms/windrow\.spdx\.json", name)]
    document = json.loads(archive.read(name))
    own, *others = [(package["name"], package["versionInfo"]) for package in document["packages"]]
    assert own == ("windrow", wheel.name.split("-")[1])
    table = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
    assert {name for name, _ in others} == set(re.findall(r"^\| \[([^\]]+)\]", table, re.MULTILINE)) - {"Open MPI"}


def test_the_readme_runs(environment, tmp_path):
    (tmp_path / "example.py").write_text(readme_example())
    done = run(environment, "python", "example.py", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = re.findall(r"# -> (.*)", readme_example())
    assert shown and done.stdout.splitlines() == shown


def test_no_library_of_the_machine_is_used(environment, tmp_path):
    code = "import windrow; print(open('/proc/self/maps').read())"
    done = run(environment, "python", "-c", code, folder=tmp_path)
    loaded = {line.split()[-1] for line in done.stdout.splitlines() if ".so" in line}
    assert any("windrow_ops.libs" in path for path in loaded)
    foreign = [
        path
        for path in loaded
        if path.startswith(("/usr/lib/", "/lib/")) and any(name in path for name in BUNDLED)
    ]
    assert not foreign


@pytest.mark.parametrize("command", [["windrow"], ["python", "-m", "windrow"]], ids=" ".join)
def test_the_command_line_is_there(environment, tmp_path, command):
    done = run(environment, *command, "ops", "onnx.GatherND", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "onnx.GatherND-13" in done.stdout
    done = run(environment, *command, "run", "no.onnx", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("windrow: error: ")


def has_playground(wheel):
    """Whether the machine could make the page when it made the wheel."""
    return "windrow/playground.html" in zipfile.ZipFile(wheel).namelist()


def opened(browser, address):  # noqa: F811
    """What the playground shows that an address opens."""
    browser.visit(address)
    browser.wait_until("typeof opened === 'object'")
    browser.call("Runtime.evaluate", expression="opened.then(() => true)", awaitPromise=True)
    return browser.run(SHOWN)


def test_the_playground_opens_with_the_call(wheel, environment, tmp_path, browser):  # noqa: F811
    if not has_playground(wheel):
        pytest.skip("this wheel was made without the playground")

    def command(*arguments):
        done = run(environment, "windrow", *arguments, folder=tmp_path)
        return done.stdout.strip() or done.stderr

    address = command("playground", "--no-browser")
    assert address == next(environment.parent.glob("lib/*/site-packages/windrow/playground.html")).as_uri()
    opened(browser, address)
    examples, rows = browser.run("examples"), browser.run("rows")

    def explain(listed):
        return json.loads(command(*listed, "--json"))

    for call, expected in calls_of_operators(random.Random(2), 5, examples, rows, explain):
        shown = opened(browser, command("playground", *words(call)[1:], "--no-browser"))
        assert_shows(shown, expected)
        assert shown["read"] == {**call, "as": []}
    assert browser.errors == []


def test_a_browser_follows_to_the_call(wheel, environment, tmp_path, browser):  # noqa: F811
    """What open() gives to the browser is a page without '#', which leads to the call."""
    if not has_playground(wheel):
        pytest.skip("this wheel was made without the playground")
    code = f"import tempfile, webbrowser, windrow; tempfile.tempdir = {str(tmp_path)!r}; webbrowser.open = print; "
    done = run(environment, "python", "-c", code + "windrow.playground('array.Take', '4x', [1, -1]).open()", folder=tmp_path)
    assert done.returncode == 0 and "#" not in done.stdout, done.stderr
    browser.visit(done.stdout.strip())
    browser.wait_until("typeof opened === 'object' && !!document.querySelector('[aria-busy=false]')")
    assert browser.run(SHOWN)["read"]["inputs"] == {"data": "4x", "indices": "[1,-1]"}


def test_a_notebook_shows_the_playground(wheel, environment, tmp_path, browser):  # noqa: F811
    if not has_playground(wheel):
        pytest.skip("this wheel was made without the playground")
    code = "import windrow; print(windrow.playground('onnx.Gather', [[1.5, 2], [3, 4]], [-1])._repr_html_())"
    done = run(environment, "python", "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "notebook.html").write_text(f'<!DOCTYPE html><meta charset="utf-8">{done.stdout}')
    browser.open(tmp_path / "notebook.html")
    inside = "document.querySelector('iframe').contentWindow"
    browser.call("Runtime.evaluate", expression=f"{inside}.opened.then(() => true)", awaitPromise=True)
    assert browser.run(f"{inside}.eval({json.dumps(SHOWN)})")["result"] == "[[3, 4]]"


def test_a_wheel_without_the_playground_says_so(wheel, environment, tmp_path):
    if has_playground(wheel):
        pytest.skip("this wheel has the playground")
    done = run(environment, "windrow", "playground", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("windrow: error: this build has no playground: there is no file ")


def test_the_jax_plugin_is_there(environment, tmp_path):
    code = "from windrow import _core; print(_core.jax_handler())"
    done = run(environment, "python", "-c", code, folder=tmp_path)
    assert done.stdout.startswith("<capsule object"), done.stdout + done.stderr
    done = run(environment, "python", "-c", "import windrow.jax", folder=tmp_path)
    assert "No module named 'jax'" in done.stderr


def test_uninstalls_whole(environment, tmp_path):
    done = run(environment, "python", "-m", "pip", "uninstall", "-y", "windrow-ops", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run(environment, "python", "-c", "import windrow", folder=tmp_path)
    assert "No module named 'windrow'" in done.stderr
