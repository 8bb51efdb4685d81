"""Runs probes with OpenVINO: python worker.py SEED FOLDER NUMBER...

Every probe gets FOLDER/<number>/<runtime>/ with the model, the inputs, the output (output_0.npy, if there is one)
and finding.json: {"state": "ran" | "refused" | "not implemented" | "died", "text": ...}. Each run is a process of its
own, forked from this one, which never starts OpenVINO itself: what reads or writes outside its tensors kills or spoils
that run only.
"""

import json
import signal
import sys
from pathlib import Path

import numpy as np
from generate import generate
from runtimes import NOT_IMPLEMENTED, RUNTIMES, from_openvino, save, save_refused

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from apart import how_it_ended, in_child  # noqa: E402

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


def run_apart(probe, runtime, folder):
    """Runs in a child. One that ends early leaves no finding, and where creating the operator ended it, no model."""
    folder.mkdir(parents=True)
    log = folder / "stderr.txt"
    code = in_child(lambda: run(probe, runtime, folder), log)
    if code == 0:
        return
    write_finding(folder, "died", how_it_ended(code, log, SECONDS))
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
