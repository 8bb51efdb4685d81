"""What the installed hosts do with a model, compared with what the specification says."""

import numpy as np
from gate_rows import ERROR
from windrow import runners

HOSTS = ("onnxruntime", "openvino")


def outcomes(rows):
    """{host: [outcome of each row]}: "fails", "right" or "other"."""
    return {name: _outcomes_in(runners.runner(name), rows) for name in HOSTS}


def _outcomes_in(host, rows):
    requests = [runners.ModelRun(runners.ModelFile.of(row.model().SerializeToString()), dict(row.runs)) for row in rows]
    return [_outcome(result, row.specified) for result, row in zip(host.run_batch(requests), rows)]


def _outcome(result, specified):
    if result.failure is not None:
        return "fails"
    if isinstance(specified, str) and specified == ERROR:
        return "other"
    got = next(iter(result.outputs.values()))
    return "right" if np.array_equal(np.asarray(got), specified, equal_nan=np.asarray(specified).dtype.kind == "f") else "other"
