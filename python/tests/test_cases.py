"""All conformance cases through windrow.call(): results bit for bit, errors by class, rule and place."""

import collections
import inspect
import warnings

import numpy as np
import pytest
import windrow
from case_data import CODES, FILES, file_name, further_files, matches, read, to_numpy

# The minimum number of records of a run: the project's own cases alone are more.
LEAST_RESULTS, LEAST_ERRORS = 3000, 1000
EXCEPTIONS = {
    "index": windrow.IndexOutOfRange,
    "shape": windrow.ShapeError,
    "type": windrow.DTypeError,
    "argument": windrow.ArgumentError,
    "duplicate": windrow.DuplicateIndex,
}
OPERATORS = {(operator.dialect, operator.name): operator for operator in windrow.ops()}
COUNTS = collections.Counter()


def why_skipped(record):
    """Why a record says nothing about windrow.call(), or None."""
    operator = OPERATORS.get((record["dialect"], record["op"]))
    tensors = [tensor for tensor in record["inputs"] if tensor is not None]
    if operator is None:
        return f"no operator {record['dialect']}.{record['op']}"
    if record.get("error_kind") == "unsupported":
        return "another runtime lacks it"
    for code in CODES:
        if any(tensor["dtype"] == code for tensor in tensors):
            return f"NumPy has no {code}"
    if any(extent == 2**63 - 1 for tensor in tensors for extent in tensor["shape"]):
        return "NumPy has no such extent"
    named = record["attrs"].get("reduction")
    if "outputs" not in record and named in ("add", "sum") and (named == "add") != (record["dialect"] == "onnx"):
        return "Python takes both names of a sum"
    # Behind the inputs stand the attributes, which Python takes by position, too.
    if record.get("constraint") == "CALL-I1" and len(tensors) > len(operator.newest["inputs"]):
        return "one input too many is an attribute"
    return None


def breaks_signature(record):
    """Whether Python itself refuses the call: an argument that the function lacks or gets twice, or one left out."""
    operator = OPERATORS[record["dialect"], record["op"]]
    parameters = inspect.signature(getattr(getattr(windrow, operator.dialect), operator.function_name)).parameters
    inputs = [row["name"] for row in operator.newest["inputs"]]
    required = [row["name"] for row in operator.newest["inputs"] if not row["optional"]]
    given = record["attrs"].keys()
    return not given <= parameters.keys() or bool(given & set(inputs)) or len(record["inputs"]) < len(required)


def wanted_exception(record):
    if breaks_signature(record):
        return TypeError
    # Records of other projects name kinds of errors in their own words.
    exact = "constraint" in record or record.get("error_kind") == "index"
    return EXCEPTIONS[record["error_kind"]] if exact else windrow.Error


def call(record, version):
    inputs = [None if tensor is None else to_numpy(tensor) for tensor in record["inputs"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", windrow.OperatorWarning)
        return windrow.call(record["dialect"], record["op"], *inputs, version=version, **record["attrs"],
                            **record.get("options", {}))


def is_close(record, expected, actual):
    relative, absolute = record["tolerance"]
    return actual.dtype == expected.dtype and np.allclose(
        np.asarray(actual, np.float64), np.asarray(expected, np.float64), relative, absolute, equal_nan=True)


def check_result(record, version):
    result = call(record, version)
    tensor = record["outputs"][0]
    right = matches(tensor, result) or ("tolerance" in record and is_close(record, to_numpy(tensor), result))
    assert right, (record["name"], version, tensor, result)
    COUNTS["results"] += 1


def check_error(record, version):
    wanted = wanted_exception(record)
    with pytest.raises(wanted) as caught:
        call(record, version)
    shown = (record["name"], version, caught.value)
    COUNTS["errors"] += 1
    if wanted is TypeError:
        assert not isinstance(caught.value, windrow.Error), shown
        return
    assert caught.value.constraint == record.get("constraint", caught.value.constraint), shown
    assert caught.value.operator.startswith(f"{record['dialect']}.{record['op']}-"), shown
    for name, value in record.get("fault", {}).items():
        found = getattr(caught.value, name)
        assert (list(found) if name == "position" else found) == value, (*shown, name)


@pytest.mark.parametrize("path", FILES + further_files(), ids=file_name)
def test_records(path):
    for record in read(path):
        reason = why_skipped(record)
        if reason:
            COUNTS[f"skipped: {reason}"] += 1
            continue
        versions = {record["version"], *record.get("versions", [])}
        for version in versions:
            (check_result if "outputs" in record else check_error)(record, version)


def test_enough_records_ran(request, capsys):
    selected = [item for item in request.session.items if item.originalname == "test_records"]
    if len(selected) < len(FILES):
        pytest.skip("only some of the files were to be run")
    with capsys.disabled():
        print(", ".join(f"{count} {words}" for words, count in sorted(COUNTS.items())))
    assert COUNTS["results"] > LEAST_RESULTS
    assert COUNTS["errors"] > LEAST_ERRORS
