"""Shrinks a record on which a runtime differs to a small one on which it still does.

    from cases.authoring.shrink import shrink
    small = shrink(runtime, record)

runtime: a function that takes a record (its operator, version, attrs, options and inputs count) and returns its result
as a tensor {dtype, shape, data} in the form of the case files, or raises where it refuses the call. The kinds of
difference are a wrong value, an error where there is none, and no error where there is one; a smaller record must
differ in the same way. Records that must fail for another reason than an index keep their shapes: only their elements
become simpler.
"""

import copy

from . import axes_of_inputs, types
from .operators import REQUIRED
from .results import extents_of, indices_of
from .write import FILES

CASES = {(cases.dialect, cases.op): cases for cases in FILES.values()}


def expected(record):
    """What the call gives by the plain loops of this package; None where it breaks a rule that they see."""
    policy = record.get("options", {}).get("out_of_range")
    try:
        return CASES[record["dialect"], record["op"]].compute(
            record["inputs"], record["attrs"], policy, record["version"])
    except (AssertionError, IndexError, ValueError, ZeroDivisionError):
        return None


def difference(runtime, record):
    """How the runtime differs from the record: "wrong value", "error", "no error", or None."""
    try:
        result = runtime(copy.deepcopy(record))
    except Exception:  # noqa: BLE001: whatever a runtime raises is its refusal
        return None if "error" in record else "error"
    if "error" in record:
        return "no error"
    return None if repr(result) == repr(record["outputs"][0]) else "wrong value"


def _without(tensor, axis, gone):
    """The tensor without the coordinates `gone` on an axis."""
    shape, after = tensor["shape"], 1
    for extent in shape[axis + 1:]:
        after *= extent
    kept = [value for number, value in enumerate(tensor["data"]) if number // after % shape[axis] not in gone]
    return {**tensor, "shape": [*shape[:axis], shape[axis] - len(gone), *shape[axis + 1:]], "data": kept}


def _cuts(record):
    """The record with fewer coordinates on an axis that some of its inputs have together: few left first."""
    for group in axes_of_inputs.groups(record):
        place, axis = group[0]
        extent = record["inputs"][place]["shape"][axis]
        half = extent // 2
        chosen = [set(range(half, extent)), set(range(half))] if half > 1 else []
        for gone in [*chosen, *({number} for number in reversed(range(extent)))]:
            if len(gone) < extent:
                smaller = copy.deepcopy(record)
                for place, axis in group:
                    smaller["inputs"][place] = _without(smaller["inputs"][place], axis, gone)
                yield smaller


def _lower_ranks(record):
    """The record without an axis that has extent 1 in all inputs that have it."""
    for group in axes_of_inputs.groups(record):
        if axes_of_inputs.may_go(
    record,
    group) and all(
        record["inputs"][place]["shape"][axis] == 1 for place,
         axis in group):
            yield axes_of_inputs.without_axis(record, group)


def _simple(dtype):
    """Elements to try in place of others, the simplest first."""
    if dtype in types.INTEGERS or dtype in types.SMALL_INTEGERS:
        return [0, 1, 2, -1] if {**types.INTEGERS, **types.SMALL_INTEGERS}[dtype][1] else [0, 1, 2]
    if dtype in types.FLOATS:
        return [0.0, 1.0, 2.0]
    if dtype in types.COMPLEX:
        return [[0.0, 0.0], [1.0, 0.0]]
    return {"bool": [False, True], "string": ["", "a"]}.get(
        dtype, ["0x00", "0x38"] if dtype.startswith("float8") else [])


def _simpler_elements(record):
    for place, tensor in enumerate(record["inputs"]):
        if tensor is None:
            continue
        choices = _simple(tensor["dtype"])
        for value in {repr(value): value for value in tensor["data"]}.values():
            # All equal elements together: two indices of one cell stay two of one cell.
            for simple in choices[:choices.index(value)] if value in choices else choices:
                smaller = copy.deepcopy(record)
                smaller["inputs"][place]["data"] = [simple if each == value else each for each in tensor["data"]]
                yield smaller
        for number, value in enumerate(tensor["data"]):
            before = choices[:choices.index(value)] if value in choices else choices
            for simple in before:
                smaller = copy.deepcopy(record)
                smaller["inputs"][place]["data"][number] = simple
                yield smaller


def _plainer(record):
    """The record without its options, or without one of its attributes."""
    if record.get("options"):
        yield {key: value for key, value in record.items() if key != "options"}
    for name in record["attrs"]:
        if name != REQUIRED.get((record["dialect"], record["op"])):
            yield {**record, "attrs": {key: value for key, value in record["attrs"].items() if key != name}}


def _has_bad_index(record):
    if indices_of(record) is None:
        return False
    return any(
    not -
    extent <= value < extent for value,
    (_,
    extent) in zip(
        indices_of(record)["data"],
        extents_of(record),
         strict=True))


def _completed(record):
    """The smaller record with its own result; None if it is no record of the same kind."""
    result = expected(record)
    if "error" in record:
        still = record["error_kind"] != "index" or _has_bad_index(record)
        return record if still and (result is None or record["error_kind"] != "index") else None
    return None if result is None else {**record, "outputs": [result]}


def _candidates(record):
    if "outputs" in record or record["error_kind"] == "index":
        yield from _cuts(record)
        yield from _lower_ranks(record)
        if "outputs" in record:
            yield from _plainer(record)
    yield from _simpler_elements(record)


def shrink(runtime, record):
    """The smallest record that is reached; its name says where it comes from. Raises ValueError where nothing differs."""
    record = {key: copy.deepcopy(value) for key, value in record.items() if key not in ("fault", "note", "rule")}
    kind = difference(runtime, record)
    if kind is None:
        raise ValueError(f"the runtime does not differ on {record['name']}")
    found = True
    while found:
        found = False
        for candidate in _candidates(record):
            smaller = _completed(candidate)
            if smaller and difference(runtime, smaller) == kind:
                record, found = smaller, True
                break
    return {**record, "name": f"{record['name'].removesuffix('_shrunk')}_shrunk"}
