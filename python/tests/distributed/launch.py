"""Starts programs whose processes are ranks."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(__file__).parent / "rank_program.py"
# More than a run needs on a machine with a core for four ranks that waits for them all.
LIMIT = 240
# Tables that are drawn for each number of ranks.
TABLES = int(os.environ.get("WINDROW_RANK_TABLES", "15"))


class Ended(NamedTuple):
    returncode: int  # 0: all ranks have ended well
    stdout: str
    stderr: str
    seconds: float


def mpirun_flags():
    """The words that start ranks by MPI, or None without mpirun."""
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        return None
    version = subprocess.run([mpirun, "--version"], capture_output=True, text=True, check=False, timeout=60).stdout
    # Open MPI alone asks for permission to run more processes than there are cores, or as root.
    is_open = "Open MPI" in version or "OpenRTE" in version
    return [mpirun, *(["--oversubscribe", "--allow-run-as-root", "--bind-to", "none"] if is_open else [])]


def run_command(words, **environment):
    begin = time.monotonic()
    run = subprocess.run(words, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=LIMIT)
    return Ended(run.returncode, run.stdout, run.stderr, time.monotonic() - begin)


def run_mpi(ranks, *words, program=PROGRAM):
    # In a container a process may not read the memory of another one.
    return run_command([*mpirun_flags(), "-n", str(ranks), sys.executable, str(program), *words],
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")  # fmt: skip


def run_torch(ranks, folder, *words):
    """The processes alone, without torchrun, which would end the others itself."""
    begin = time.monotonic()
    processes = []
    for rank in range(ranks):
        environment = os.environ | {"RANK": str(rank), "WORLD_SIZE": str(ranks), "MEETING": str(folder / "meeting"),
                                    "OMP_NUM_THREADS": "1"}  # fmt: skip
        processes.append(subprocess.Popen([sys.executable, str(PROGRAM), "torch", *words], env=environment, text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE))  # fmt: skip
    try:
        outputs = [process.communicate(timeout=LIMIT) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    worst = max(abs(process.returncode) for process in processes)
    return Ended(worst, "".join(out for out, _ in outputs), "".join(err for _, err in outputs), time.monotonic() - begin)
