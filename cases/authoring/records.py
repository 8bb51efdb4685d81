"""Records of the case files, and the list in which an operator's file collects them."""

import math

from . import semantics, types
from .semantics import tensor

OPERATORS = {
    "Gather": semantics.gather,
    "GatherElements": semantics.gather_elements,
    "GatherND": semantics.gather_nd,
    "Scatter": semantics.scatter_elements,
    "ScatterElements": semantics.scatter_elements,
    "ScatterND": semantics.scatter_nd,
    "TensorScatter": semantics.tensor_scatter,
    "ArrayFeatureExtractor": semantics.array_feature_extractor,
}


def i64(shape, *data):
    return tensor("int64", shape, data)


def i32(shape, *data):
    return tensor("int32", shape, data)


def f32(shape, *data):
    return tensor("float32", shape, data)


def count(dtype, shape, first=0):
    """Whole numbers from `first` on, in any numeric type."""
    convert = float if dtype.startswith(("float", "bfloat")) else int
    return tensor(dtype, shape, [convert(first + i) for i in range(math.prod(shape))])


def cycle(dtype, shape, values):
    """The values, over and over."""
    return tensor(dtype, shape, [values[i % len(values)] for i in range(math.prod(shape))])


def sample(dtype, shape):
    """The type's sample values, over and over."""
    return cycle(dtype, shape, types.SAMPLES[dtype])


def fault(input_name, position, value, axis, extent, bad=1):
    return {"input": input_name, "position": position, "value": value, "axis": axis,
            "extent": extent, "count": bad}


class Cases:
    """The records of one operator. `versions` of a record: the newest comes first."""

    dialect = "onnx"

    def __init__(self, op, versions):
        self.op = op
        self.versions = versions
        self.records = []

    def since(self, first, last=10**9):
        return [version for version in self.versions if first <= version <= last]

    def _start(self, name, versions, attrs, inputs, note):
        versions = versions or self.versions
        record = {"name": name, "dialect": self.dialect, "op": self.op, "version": max(versions),
                  "versions": sorted(versions), "attrs": attrs, "inputs": list(inputs)}
        if note:
            record["note"] = note
        self.records.append(record)
        return record

    def compute(self, inputs, attrs, policy, version):
        """What the operator gives; `policy` is None where the options name none."""
        del version  # a legal call means the same in all versions
        return OPERATORS[self.op](*inputs, **attrs, policy=policy or "error")

    def ok(self, name, inputs, attrs=None, *, out=None, versions=None, options=None, read=None, note=None):
        """A legal call. `out` is the expected data if it is written by hand; it must be what the semantics give.

        `read`: the inputs as the options `negative` and `padding_index` let them be read, if there are such.
        """
        attrs = attrs or {}
        policy = (options or {}).get("out_of_range")
        result = self.compute(read or inputs, attrs, policy, max(versions or self.versions))
        if out is not None:
            assert result["data"] == out or repr(result["data"]) == repr(out), (name, result, out)
        record = self._start(name, versions, attrs, inputs, note)
        if options:
            record["options"] = options
        record["outputs"] = [result]

    def given(self, name, inputs, output, attrs=None, *, versions=None, note=None):
        """A legal call whose output is written by hand, bits and all."""
        self._start(name, versions, attrs or {}, inputs, note)["outputs"] = [output]

    def error(self, name, kind, label, inputs, attrs=None, *, versions=None, options=None,
              bad=None, note=None):
        """A call that breaks the rule `label` of the operator."""
        record = self._start(name, versions, attrs or {}, inputs, note)
        if options:
            record["options"] = options
        record["error"] = True
        record["error_kind"] = kind
        record["constraint"] = label if label.startswith("CALL") else f"{self.dialect.upper()}-{self.op}-{label}"
        if bad:
            record["fault"] = bad
