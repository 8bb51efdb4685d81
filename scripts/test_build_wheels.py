"""What build_wheels.sh refuses before it builds anything."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("build_wheels.sh")


def run(script, *words):
    done = subprocess.run([script, *words], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("words", [(), ("",)])
def test_an_environment_must_be_named(words):
    assert "usage: scripts/build_wheels.sh PAGE VENV..." in run(SCRIPT, *words)


def test_there_must_be_a_source_distribution(tmp_path):
    script = tmp_path / "scripts" / SCRIPT.name
    script.parent.mkdir()
    shutil.copy2(SCRIPT, script)
    assert "dist/ has no source distribution: run ./dev sdist" in run(script, "", "venv")
    assert not (tmp_path / "build").exists()
