"""Conformance cases through sessions of ONNX Runtime that leave every node to the plug-in."""

import collections

import numpy as np
import onnxruntime
import pytest
from case_data import further_files, matches, read, to_numpy
from ort_sessions import feeds, node_model, plugged

# ONNX Runtime's messages if its schemas lack the operator, version or type: the node never reaches a kernel.
REFUSALS = ("Fail", "InvalidGraph", "NotImplemented", "InvalidArgument")
LEAST_RESULTS, LEAST_ERRORS = 800, 15
DRAWN = [path for path in further_files() if "onnxruntime" in path.name]


def run(record, version):
    arrays = [None if tensor is None else to_numpy(tensor) for tensor in record["inputs"]]
    domain = "ai.onnx.ml" if record["op"] == "ArrayFeatureExtractor" else ""
    session = plugged(node_model(record["op"], version, record["attrs"], arrays, domain))
    return session.run(None, feeds(arrays))[0]


def is_close(record, expected, actual):
    relative, absolute = record["tolerance"]
    return np.allclose(np.asarray(actual, np.float64), np.asarray(expected, np.float64), relative, absolute)


def check_unsupported(record, counts):
    """If ONNX Runtime alone lacks the operator or type, the plug-in must have it, unless the schema lacks it too."""
    try:
        run(record, record["version"])
    except Exception as error:  # noqa: BLE001: ONNX Runtime's exceptions have no common base
        assert type(error).__name__ in REFUSALS and "Windrow" not in str(error), (record["name"], error)
        counts[f"refused by the host: {record['name']}: {str(error)[-160:]}"] += 1
    else:
        counts[f"works, which ONNX Runtime alone refuses: {record['name']}"] += 1


def check(record, version, counts):
    if "outputs" not in record:
        with pytest.raises(Exception) as caught:  # noqa: PT011: as above
            run(record, version)
        by_us = "onnx." in str(caught.value) and f"{record['op']}-" in str(caught.value)
        assert by_us or record["error_kind"] != "index", (record["name"], caught.value)
        counts["errors by Windrow" if by_us else "errors by the host's own checks"] += 1
        return
    result = run(record, version)
    tensor = record["outputs"][0]
    right = matches(tensor, result) or ("tolerance" in record and is_close(record, to_numpy(tensor), result))
    assert right, (record["name"], version, tensor, result)
    counts["results"] += 1


@pytest.mark.skipif(not DRAWN, reason="WINDROW_CASES names no folder with onnxruntime.json.gz")
def test_records_drawn_from_onnx_runtime(capsys):
    counts = collections.Counter()
    for path in DRAWN:
        for record in read(path):
            if any(extent == 2**63 - 1 for tensor in record["inputs"] if tensor for extent in tensor["shape"]):
                counts["skipped: NumPy has no such extent"] += 1
            elif record.get("error_kind") == "unsupported":
                check_unsupported(record, counts)
            else:
                check(record, record["version"], counts)
    with capsys.disabled():
        print(f"\nonnxruntime {onnxruntime.__version__}:", *(f"{count} {words}" for words, count in counts.items()),
              sep="\n  ")
    assert counts["results"] >= LEAST_RESULTS
    assert counts["errors by Windrow"] + counts["errors by the host's own checks"] >= LEAST_ERRORS
