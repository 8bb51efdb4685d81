"""The programs that docs/guide/distributed_tables.md shows, run as it says."""

import sys
from pathlib import Path

import pytest
from launch import run_command, run_mpi
from test_mpi_ranks import needs_mpi
from test_torch_ranks import needs_torch

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "guide" / "distributed_tables.md").read_text()
# What the page says that they print: a line each.
PRINTED = [line for line in PAGE.split("\n") if line.startswith("(4000, 16)")]


def code_of(example):
    return (ROOT / "examples" / example).read_text().split('"""\n\n', 1)[1]


@pytest.mark.parametrize("example", ["distributed_mpi.py", "distributed_torch.py", "distributed_embedding.py"])
def test_the_page_shows_the_example(example):
    assert f"```python\n{code_of(example)}```" in PAGE


@needs_mpi
def test_by_mpirun():
    ended = run_mpi(4, program=ROOT / "examples" / "distributed_mpi.py")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() in PRINTED, ended.stdout


@needs_torch
@pytest.mark.parametrize("example", ["distributed_torch.py", "distributed_embedding.py"])
def test_by_torchrun(example):
    ended = run_command([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "4",
                         str(ROOT / "examples" / example)])  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert f"torchrun --nproc-per-node 4 {example}\n{ended.stdout.strip()}\n" in PAGE, ended.stdout
