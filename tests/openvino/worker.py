"""Runs probes with OpenVINO: python worker.py SEED FOLDER NUMBER...

Every probe gets FOLDER/<number>/<runtime>/ with the model, the inputs, the output (output_0.npy, if there is one)
and finding.json: {"state": "ran" | "refused" | "not implemented" | "died", "text": ...}. Each run is a process of its
own, forked from this one, which never starts OpenVINO itself: what reads or writes outside its tensors kills or spoils
that run only.
"""

import json
import os
import signal
import sys
import traceback
from pathlib import Path

import numpy as np
from generate import generate
from runtimes import NOT_IMPLEMENTED, RUNTIMES, from_openvino, save, save_refused

SECONDS = 30


def write_finding(folder, state, text=""):
    (folder / "finding.json").write_text(json.dumps({"state": state, "text": text}), encoding="utf-8")


def run(probe, runtime, folder):
    """In the child: everything of one run. The alarm's default action ends the process wherever it is."""
    signal.alarm(SECONDS)
    try:
        save(probe, folder)
    except Exception as error:
        write_finding(folder, "refused", str(error))
        save_refused(probe, folder)
        return
    try:
        output = RUNTIMES[runtime](probe)
    except Exception as error:
        state = "not implemented" if NOT_IMPLEMENTED.search(str(error)) else "refused"
        write_finding(folder, state, str(error))
        return
    np.save(folder / "output_0.npy", from_openvino(output))
    write_finding(folder, "ran")


def in_child(work, log):
    """Forks, works, waits: 0, the exit code of an exception, or the negative number of the signal that ended it."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY), 2)
        code = 1
        try:
            work()
            code = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run_apart(probe, runtime, folder):
    """Runs in a child. One that ends early leaves no finding, and where creating the operator ended it, no model."""
    folder.mkdir(parents=True)
    log = folder / "stderr.txt"
    code = in_child(lambda: run(probe, runtime, folder), log)
    if code == 0:
        return
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    how = f"no answer in {SECONDS} s" if how == "SIGALRM" else how
    write_finding(folder, "died", f"{how}: {log.read_text(errors='replace').strip()}")
    if not (folder / "model.xml").exists():
        in_child(lambda: save_refused(probe, folder), log)


def main():
    seed, folder = int(sys.argv[1]), Path(sys.argv[2])
    for number in map(int, sys.argv[3:]):
        probe = generate(seed, number)
        for runtime in RUNTIMES:
            run_apart(probe, runtime, folder / str(number) / runtime)


if __name__ == "__main__":
    main()
