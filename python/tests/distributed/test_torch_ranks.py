"""Tables over the ranks of torch.distributed: ./dev test --torch has torch."""

import importlib.util
import re
import subprocess
import sys

import pytest
import windrow
from launch import TABLES, run_torch

has_torch = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not has_torch, reason="tables over ranks of torch.distributed are left out: they need "
                                                       "torch, as ./dev test --torch has it")  # fmt: skip


@needs_torch
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_drawn_calls_give_the_bits_of_one_process(ranks, tmp_path):
    ended = run_torch(ranks, tmp_path, "draws", str(TABLES))
    assert ended.returncode == 0, ended.stderr
    done = re.findall(r"done (\d+) (\d+)", ended.stdout)
    assert len(done) == ranks and len(set(done)) == 1, ended.stdout
    assert int(done[0][0]) > 14 * TABLES / 3 and int(done[0][1]) > TABLES / 3, done


@needs_torch
def test_an_id_out_of_range_is_the_same_error_on_all_ranks(tmp_path):
    ended = run_torch(3, tmp_path, "bad_id")
    assert ended.returncode == 0, ended.stderr
    errors = re.findall(r"error (IndexOutOfRange rank 2: .*\[2\] is 12, .*) \(2,\)", ended.stdout)
    assert len(errors) == 6 and len(set(errors)) == 2, ended.stdout


@needs_torch
@pytest.mark.parametrize(("task", "how"), [("end_between_calls", "raise"), ("end_between_calls", "kill"),
                                           ("end_between_calls", "sleep"), ("end_inside_a_call", "")])  # fmt: skip
def test_a_rank_that_ends_ends_the_others(task, how, tmp_path):
    ended = run_torch(3, tmp_path, task, how)
    assert ended.returncode != 0
    assert "done" not in ended.stdout
    assert re.search(r"windrow\.FileError: rank [02]: torch\.distributed: ", ended.stderr), ended.stderr
    assert ended.seconds < 60


@needs_torch
def test_without_a_process_group():
    with pytest.raises(windrow.ArgumentError, match="init_process_group"):
        windrow.distributed.TorchExchange()


def test_without_the_package():
    code = "import sys; sys.modules['torch'] = None; from windrow.distributed import TorchExchange; TorchExchange()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert run.stderr.strip().endswith("ImportError: windrow.distributed.TorchExchange needs torch: pip install torch")
