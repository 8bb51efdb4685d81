"""The recipes of packaging/ repeat what other files say of this project: names, versions, licences, dependencies, options.

Nothing is built. What needs Conan is skipped where it is not installed.
"""

import ast
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import write_sbom
from project_version import ROOT, project_version
from ruamel.yaml import YAML

PACKAGING = ROOT / "packaging"
PORT = PACKAGING / "vcpkg" / "windrow"
CMAKE = "\n".join(file.read_text(encoding="utf-8") for file in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SUMMARY = re.search(r'DESCRIPTION "([^"]+)"', CMAKE)[1]
LICENCE = PROJECT["project"]["license"]
TABLE = write_sbom.libraries((ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8"))
# Names of the software of THIRD_PARTY.md in package managers, where they are not its own in small letters.
NAMES = {
    "Highway": {"conda": "libhwy"},
    "Open MPI": {"vcpkg": "openmpi"},
    "JSON for Modern C++": {"conda": "nlohmann_json"},
}


def needed(manager, *parts):
    """The packages of others that these parts of ours contain, by THIRD_PARTY.md, with the versions that are tested."""
    rows = [row for row in TABLE if row.where in parts]
    assert {row.where for row in rows} == set(parts)
    return {NAMES.get(row.name, {}).get(manager, row.name.lower()): row.number for row in rows}


def components():
    """The components of the CMake package, without the core, which is always there."""
    text = (ROOT / "cmake" / "windrow-config.cmake.in").read_text(encoding="utf-8")
    return set(re.findall(r'^if\("(\w+)" IN_LIST windrow_FIND_COMPONENTS', text, re.MULTILINE))


def configure(folder, words, maybe_unused=(), source=ROOT):
    """Configures these sources with these -D words, all of which they must read. Returns what CMake says and the pkg-config modules."""
    done = subprocess.run(["cmake", "-S", source, "-B", folder, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    unread = re.search(r"Manually-specified variables were not used by the project:\n\n((?: +\S+\n)+)", done.stderr)
    assert set(unread[1].split() if unread else ()) <= set(maybe_unused)
    return done.stdout, {file.stem for file in folder.glob("*.pc")}


def test_a_build_without_position_independent_code_can_be_asked_for(tmp_path):
    """As Conan's option fPIC does; otherwise static libraries can be linked into shared ones."""
    for words, expected in (((), True), (("-DCMAKE_POSITION_INDEPENDENT_CODE=OFF",), False)):
        folder = tmp_path / str(expected)
        configure(folder, ["-DWINDROW_TOOL=OFF", "-DWINDROW_ONNXRUNTIME=OFF", *words])
        commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        assert commands and all(("-fPIC" in each["command"].split()) == expected for each in commands)


@pytest.mark.parametrize("recipe", ["conan/conanfile.py", "conda/recipe.yaml"])
def test_the_options_that_a_recipe_sets_exist(recipe):
    options = set(re.findall(r"WINDROW_\w+", (PACKAGING / recipe).read_text(encoding="utf-8")))
    assert options and all(re.search(rf"(option|find_library)\({option}\b", CMAKE) for option in options)


# vcpkg


def names_of(dependencies):
    return {each if isinstance(each, str) else each["name"] for each in dependencies}


@pytest.fixture(name="port", scope="module")
def read_port():
    return json.loads((PORT / "vcpkg.json").read_text(encoding="utf-8"))


def test_the_port_repeats_the_project(port):
    assert (port["name"], port["version"], port["description"], port["license"]) == ("windrow", project_version(), SUMMARY, LICENCE)
    assert PORT.name == port["name"]


def test_the_port_has_only_fields_and_names_that_vcpkg_knows(port):
    """The rules of vcpkg's manifest reference; the features are the components."""
    assert set(port) == {"name", "version", "description", "license", "supports", "dependencies", "features"}
    assert set(port["features"]) == components()
    for feature in port["features"].values():
        assert feature["description"] and set(feature) <= {"description", "dependencies", "supports"}
    for each in [port, *port["features"].values()]:
        for dependency in each.get("dependencies", []):
            if not isinstance(dependency, str):
                assert set(dependency) <= {"name", "host", "features", "default-features", "platform"}
                assert dependency["name"] != "windrow" or set(dependency["features"]) <= set(port["features"])
    for name in [*port["features"], *names_of(port["dependencies"])]:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)


def test_the_port_depends_on_what_the_libraries_contain(port):
    tools = {each["name"] for each in port["dependencies"] if isinstance(each, dict) and each["host"]}
    assert tools == {"vcpkg-cmake", "vcpkg-cmake-config"}
    assert names_of(port["dependencies"]) - tools == set(needed("vcpkg", "windrow (core)"))
    found = {name: names_of(feature.get("dependencies", [])) - {"windrow"} for name, feature in port["features"].items()}
    wanted = {name: set(needed("vcpkg", f"windrow_{name}")) for name in ("models", "tables", "distributed")}
    assert found == {**wanted, "threads": set()}


# Stand-ins for vcpkg's functions: they print their words, one JSON list per line.
STAND_INS = """
cmake_minimum_required(VERSION 3.25)
function(vcpkg_check_features out variable word)
  set(options)
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs feature option)
    if(feature IN_LIST FEATURES)
      list(APPEND options -D${option}=ON)
    else()
      list(APPEND options -D${option}=OFF)
    endif()
  endwhile()
  set(${variable} ${options} PARENT_SCOPE)
endfunction()
foreach(name cmake_configure cmake_install cmake_config_fixup fixup_pkgconfig install_copyright)
  cmake_language(EVAL CODE "function(vcpkg_${name})\\n list(JOIN ARGN \\"|\\" words)\\n message(\\"${name}|\\${words}\\")\\n endfunction()")
endforeach()
"""


def run_portfile(folder, features, linkage="static"):
    """The calls that the port makes of vcpkg's functions, by name."""
    script = folder / "run.cmake"
    script.write_text(f'{STAND_INS}\nset(FEATURES {" ".join(features)})\nset(PORT windrow)\nset(CURRENT_PORT_DIR "{PORT}")\n'
                      f"set(VCPKG_LIBRARY_LINKAGE {linkage})\n"
                      f'set(CURRENT_PACKAGES_DIR "{folder}/packages")\ninclude("{PORT}/portfile.cmake")\n', encoding="utf-8")
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    calls = [line.split("|") for line in done.stderr.splitlines()]
    return {name: words for name, *words in calls}


@pytest.mark.parametrize(
    ("features", "built"),
    [(["core"], {"threads", "distributed"}), (["core", "models", "tables"], {"threads", "distributed", "models", "tables"})],
    ids=["core", "tables"],
)
def test_the_port_configures_this_project(tmp_path, features, built):
    calls = run_portfile(tmp_path, features)
    words = calls["cmake_configure"]
    assert words[:2] == ["SOURCE_PATH", str(ROOT)] and words[2] == "OPTIONS"
    options = [word for word in words if word.startswith("-D")]
    assert f"-DWINDROW_MODELS={'ON' if 'models' in features else 'OFF'}" in options and "-DWINDROW_MPI=OFF" in options
    said, modules = configure(tmp_path / "build", options, words[words.index("MAYBE_UNUSED_VARIABLES") + 1 :])
    assert modules == {"windrow", *(f"windrow-{part}" for part in built)}
    assert "without MPI" in said
    assert ("without io_uring" in said) == ("-DWINDROW_URING_LIBRARY=OFF" in options and "models" in features)
    assert all(Path(file).is_file() for file in calls["install_copyright"][1:])


def test_the_features_of_the_port_are_options(tmp_path):
    """Each feature switches what its description says, and no other."""
    def options(*features, **more):
        return {word for word in run_portfile(tmp_path, features, **more)["cmake_configure"] if word.startswith("-DWINDROW_")}

    assert options("models") - options() == {"-DWINDROW_MODELS=ON"}
    assert options("distributed") - options() == {"-DWINDROW_MPI=ON"}
    assert options() - options("tables") == {"-DWINDROW_URING_LIBRARY=OFF"}
    assert options("tables", linkage="dynamic") == options("threads") == options()


# Conan


@functools.cache
def conan_attributes():
    """The attributes of the recipe's class that are literals."""
    tree = ast.parse((PACKAGING / "conan" / "conanfile.py").read_text(encoding="utf-8"))
    [recipe] = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {node.targets[0].id: ast.literal_eval(node.value) for node in recipe.body if isinstance(node, ast.Assign)}


def test_the_conan_recipe_repeats_the_project():
    found = conan_attributes()
    assert (found["name"], found["description"], found["license"]) == ("windrow", SUMMARY, LICENCE)
    assert "version" not in found  # It is read from CMakeLists.txt.
    assert set(found["parts"]) == components() | {"windrow"}


def test_the_conan_recipe_depends_on_what_the_libraries_contain():
    """The lower bounds are the versions with which the libraries are tested."""
    lowest = {option: {name: re.fullmatch(r">=([0-9.]+) <\d+", versions)[1] for name, versions in packages.items()}
              for option, packages in conan_attributes()["needs"].items()}
    parts = {"": "windrow (core)", "models": "windrow_models", "io_uring": "windrow_tables"}
    assert lowest == {option: needed("conan", part) for option, part in parts.items()}
    linked = {each.split("::")[0] for links in conan_attributes()["parts"].values() for each in links if "::" in each}
    assert linked == {name for packages in lowest.values() for name in packages}


@pytest.fixture(name="conan")
def conan_command(tmp_path):
    """Runs Conan in a cache of its own, without remotes."""
    beside = Path(sys.executable).with_name("conan")
    program = beside if beside.exists() else shutil.which("conan")
    if program is None:
        pytest.skip("conan is not installed")
    home = tmp_path / "conan"
    home.mkdir()
    (home / "remotes.json").write_text('{"remotes": []}', encoding="utf-8")

    def run(*words):
        done = subprocess.run([program, *words], env={**os.environ, "CONAN_HOME": str(home)}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_conan_reads_the_recipe(conan):
    found = json.loads(conan("inspect", PACKAGING / "conan", "--format=json"))
    assert (found["name"], found["version"], found["license"]) == ("windrow", project_version(), LICENCE)
    assert set(found["options_definitions"]) == {"shared", "fPIC", "models", "io_uring"}


def test_conan_exports_sources_that_can_be_configured(conan, tmp_path):
    conan("export", PACKAGING / "conan")
    sources = conan("cache", "path", f"windrow/{project_version()}", "--folder=export_source").strip()
    assert not list(Path(sources).rglob("*_test.cc"))
    words = ["-DWINDROW_TOOL=OFF", "-DWINDROW_ONNXRUNTIME=OFF", "-DWINDROW_MPI=OFF"]
    configure(tmp_path / "build", words, source=sources)


def test_the_test_package_builds_programs_that_exist():
    text = (PACKAGING / "conan" / "test_package" / "CMakeLists.txt").read_text(encoding="utf-8")
    folder = PACKAGING / "conan" / "test_package" / re.search(r"\$\{PROJECT_SOURCE_DIR\}/(\S+)/\$\{program\}\.cc", text)[1]
    named = {name for words in re.findall(r"(?:set\(programs|APPEND programs) ([^)]*)\)", text) for name in words.split()}
    assert named == {file.stem for file in folder.glob("*.cc")}


# conda


@pytest.fixture(name="outputs", scope="module")
def read_outputs():
    recipe = YAML(typ="safe").load((PACKAGING / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["schema_version"] == 1 and recipe["context"] == {"version": project_version()}
    assert recipe["recipe"]["version"] == "${{ version }}"
    assert (PACKAGING / "conda" / recipe["source"]["path"]).resolve() == ROOT
    return {output["package"]["name"]: output for output in recipe["outputs"]}


def versions_of(requirements):
    """{package: its version, or None} of lines such as `numpy >=2.0`."""
    return {name: version or None for name, _, version in (line.partition(" ") for line in requirements)}


def python_requirements(lines):
    """The same of lines such as `numpy>=2.0`."""
    return {re.match(r"[\w-]+", line)[0]: re.sub(r"^[\w-]+", "", line) or None for line in lines}


def at_least(packages):
    return {name: f">={version}" for name, version in packages.items()}


def test_the_conda_recipe_repeats_the_project(outputs):
    assert set(outputs) == {"libwindrow", PROJECT["project"]["name"]}
    summaries = {"libwindrow": SUMMARY, PROJECT["project"]["name"]: PROJECT["project"]["description"]}
    for name, output in outputs.items():
        about = output["about"]
        assert (about["summary"], about["license"]) == (summaries[name], LICENCE)
        assert all((ROOT / file).exists() for file in about["license_file"])
        cmake = PROJECT["tool"]["scikit-build"]["cmake"]["version"]
        assert f"cmake {cmake}" in output["requirements"]["build"]


def test_the_conda_libraries_depend_on_what_they_contain(outputs):
    found = versions_of(outputs["libwindrow"]["requirements"]["host"])
    assert found == at_least(needed("conda", "windrow (core)", "windrow_models"))
    tested = outputs["libwindrow"]["tests"][0]["package_contents"]["lib"]
    assert set(tested) == {"windrow", *(f"windrow_{part}" for part in components())}


def test_the_conda_python_package_depends_on_what_it_contains(outputs):
    requirements = outputs[PROJECT["project"]["name"]]["requirements"]
    contained = needed("conda", "windrow (core)", "windrow_models", "command windrow")
    assert versions_of(requirements["host"]) == {
        "python": None, "pip": None, **python_requirements(PROJECT["build-system"]["requires"]), **at_least(contained)}
    assert versions_of(requirements["run"]) == {
        "python": PROJECT["project"]["requires-python"], **python_requirements(PROJECT["project"]["dependencies"])}
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert outputs[PROJECT["project"]["name"]]["build"]["skip"] == [f'match(python, "<{oldest}")']


def test_the_conda_libraries_are_configured_with_options_that_exist(outputs, tmp_path):
    command = outputs["libwindrow"]["build"]["script"][0]
    said, modules = configure(tmp_path / "build", [word for word in shlex.split(command) if word.startswith("-D")])
    assert modules == {"windrow", *(f"windrow-{part}" for part in components())}
    assert "without MPI" in said and "without io_uring" in said
