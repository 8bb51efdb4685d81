"""What the worker processes of compare.py do with a probe.

Every probe gets FOLDER/<number>/<runtime>/ with the model, the inputs and the output (output_0.npy, if there is one):
the files that `windrow verify` reads. An item runs in a process of its own: what reads or writes outside its tensors
kills or spoils that run only.
"""

from pathlib import Path

import numpy as np
import runtimes
from generate import generate
from runtimes import save, save_refused


def run(item):
    """Runs the probe of the item's seed and number by its runtime, in its folder. Gives how the run ended."""
    probe, folder = generate(item["seed"], item["number"]), Path(item["folder"])
    folder.mkdir(parents=True)
    try:
        save(probe, folder)
    except Exception as error:
        save_refused(probe, folder)
        return {"state": "refused", "text": str(error)}
    try:
        output = runtimes.run(item["runtime"], probe)
    except Exception as error:
        no_code = runtimes.RUNTIMES[item["runtime"]].no_code.search(str(error))
        return {"state": "not implemented" if no_code else "refused", "text": str(error)}
    np.save(folder / "output_0.npy", output)
    return {"state": "ran", "text": ""}


def write_model(item):
    """The model and inputs of a probe whose run ended before there was a model."""
    save_refused(generate(item["seed"], item["number"]), Path(item["folder"]))
