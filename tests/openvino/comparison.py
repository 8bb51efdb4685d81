"""What a runtime of OpenVINO and Windrow did with one probe, and what the rows of the table ask about it."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
from element_values import FLOATS
from probe import Probe

RULES = Path(__file__).resolve().parents[2] / "cases" / "rules.json"
# The labels of the rules about the values of indices.
INDEX_RULES = {row["label"] for row in json.loads(RULES.read_text(encoding="utf-8"))
               if row["rule"].startswith(("indices in [", "segment_ids in ["))}


@dataclasses.dataclass
class Comparison:
    """One probe by one runtime: `state` and `text` are the worker's finding. `agreement` is "same" (equal bits, or both
    refuse), "differs", "refused here" (only by Windrow), "refused there", "died" or "not implemented" (both of
    OpenVINO), or "not run here" (Windrow gave an error that is not a rule of the operator's page); `detail` is what
    `windrow verify` said."""

    probe: Probe
    runtime: str
    state: str
    text: str
    agreement: str
    detail: str
    folder: Path

    @property
    def rule(self):
        """The rule that Windrow's error names, without its operator: "C4"; empty without an error."""
        found = re.search(r"\[OPENVINO-\w+-(\w+)]", self.detail)
        return found.group(1) if found else ""

    def describe(self):
        said = " ".join(self.text.split())[-400:]
        return "\n".join([self.probe.describe(), f"  OpenVINO's {self.runtime}: {self.state} {said}",
                          f"  Windrow: {self.agreement}: {self.detail}", f"  files: {self.folder}"])

    def is_of(self, *names):
        """Whether the operator is one of these: "Gather" is every version, "Gather-8" one."""
        return bool({self.probe.operator, f"{self.probe.operator}-{self.probe.version}"} & set(names))

    def ran_both(self):
        """Both computed a result, and the results differ."""
        return self.agreement == "differs"

    def is_evaluated(self):
        """Whether evaluate computes the result: the CPU plugin folds a node of constants with it."""
        return self.runtime == "evaluate" or all(given.constant for given in self.probe.inputs.values())

    def is_empty(self, *names):
        return any(0 in self.probe.inputs[name].values.shape for name in names if name in self.probe.inputs)

    def input_is(self, name, *types):
        return name in self.probe.inputs and self.probe.inputs[name].type in types

    def holds(self, *types):
        """Whether the result has one of these types."""
        return self.probe.type in types

    def run_time_axis(self):
        return "axis" in self.probe.inputs and not self.probe.inputs["axis"].constant

    def negative_axis(self):
        """The axis input counts from the end."""
        return "axis" in self.probe.inputs and any(value < 0 for value in self.probe.inputs["axis"].values.flat)

    def index_refused(self):
        """Windrow refuses because of an index."""
        return f"OPENVINO-{self.probe.operator}-{self.rule}" in INDEX_RULES

    def shapes_refused(self):
        """Windrow refuses because of shapes or the axis."""
        return bool(self.rule) and self.rule[0] in "AC" and not self.index_refused()

    def outside_int32(self):
        """An element of data or updates that int32 does not have."""
        return any(not -2**31 <= int(value) < 2**31 for value in self.probe.payload())

    def has_nan(self):
        return self.probe.type in FLOATS and any(np.isnan(np.float64(value)) for value in self.probe.payload())

    def has_minus_infinity(self):
        return self.probe.type in FLOATS and any(np.float64(value) == -np.inf for value in self.probe.payload())

    def has_subnormal_constant(self):
        """A constant of f32 with a number between zero and the least normal one."""
        constants = [given.values for given in self.probe.inputs.values() if given.constant and given.type == "f32"]
        least = np.finfo(np.float32).smallest_normal
        return any(((values != 0) & (np.abs(values) < least)).any() for values in constants)

    def folds_extremes(self):
        return self.probe.reduction in ("min", "max") and self.ran_both()

    def has_both_zeros(self):
        """Zeros of both signs among the elements."""
        return self.probe.type in FLOATS and len({bool(np.signbit(np.float64(value))) for value in self.probe.payload()
                                                  if np.float64(value) == 0}) == 2

    def empty_tuples(self):
        """indices whose tuples have no entry."""
        return "ND" in self.probe.operator and self.probe.indices.ndim > 0 and self.probe.indices.shape[-1] == 0

    def tuples_reach_elements(self):
        """A single tuple that addresses one element: updates have rank 0, or are any tensor of one element."""
        return self.is_of("ScatterNDUpdate") and self.probe.indices.shape == (self.probe.data.ndim,)
