"""The workflow files of a public host run what this repository has; ./dev lint checks their form."""

import re
import subprocess

import pytest
from project_version import ROOT
from ruamel.yaml import YAML

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture(name="steps", scope="module", params=WORKFLOWS, ids=lambda file: file.name)
def read_steps(request):
    workflow = YAML(typ="safe").load(request.param.read_text(encoding="utf-8"))
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_commands_are_those_of_dev(steps):
    usage = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^  (\w+)", usage, re.MULTILINE))
    called = [word for step in steps for word in re.findall(r"\./dev (\w+)", step.get("run", ""))]
    assert called and set(called) <= known


def test_shell_commands_are_shell(steps):
    for step in steps:
        if "run" in step:
            done = subprocess.run(["bash", "-n"], input=step["run"], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


def test_what_a_release_makes_is_what_is_kept():
    """The folder stands in ./dev and in the workflow."""
    folder = re.search(r"^release\(\) \{[^\n]*\n  local folder=(\S+)$", (ROOT / "dev").read_text(encoding="utf-8"), re.MULTILINE)[1]
    workflow = YAML(typ="safe").load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    kept = [step["with"]["path"] for step in workflow["jobs"]["files"]["steps"] if "upload-artifact" in step.get("uses", "")]
    assert kept == [folder]


def test_every_action_names_a_version(steps):
    actions = [step["uses"] for step in steps if "uses" in step]
    assert actions and all(re.fullmatch(r"[\w/-]+@v\d+", action) for action in actions)
