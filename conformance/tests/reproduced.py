"""Runs reproductions beside the runtime's own call, in a process of its own: prints the paths where they differ.

Called with a runtime's name and paths of records.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from windrow_conformance import registry
from windrow_conformance.corpus import Corpus


def reproduced(text):
    """What the lines print, as an array, or the type of their error."""
    printed = []
    try:
        exec(text, {"print": printed.append})
    except Exception as error:
        return type(error)
    return np.asarray(printed[0])


def measured(runtime, record):
    try:
        return runtime.prepare(record)(record.inputs).array
    except Exception as error:
        return type(error)


def is_same(shown, ran):
    if isinstance(shown, type) or isinstance(ran, type):
        # Another front end of the same runtime may refuse by another type of error.
        return isinstance(shown, type) and isinstance(ran, type)
    if shown.dtype.kind in "OUT" or ran.dtype.kind in "OUT":
        return shown.tolist() == ran.tolist()
    return shown.shape == ran.shape and shown.dtype.itemsize == ran.dtype.itemsize and shown.tobytes() == ran.tobytes()


def main(name, *paths):
    runtime, corpus = registry.find(name), Corpus.open()
    runtime.preload()
    for path in paths:
        record = corpus.record(path)
        shown, ran = reproduced(runtime.reproduction(record)), measured(runtime, record)
        if not is_same(shown, ran):
            print(path, shown, ran)
    print("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
