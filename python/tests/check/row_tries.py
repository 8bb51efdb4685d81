"""Compares what installed runtimes do on the examples of rules with what the rules' rows say."""

import dataclasses
import json

import numpy as np
import windrow
from windrow._base.arrays import numpy_dtype
from windrow._check.hosts import _RUNNERS, Host
from windrow._check.provoke import GivenInput, NodeForm, NoInputs, provoke
from windrow._check.tries import _UNSAFE, agreement, try_call
from windrow._ops.table import OPERATORS
from windrow.runners import NodeCall, runner

RUNS = 20
# The number of repetitions of a try whose effect depends on chance: threads that race, and memory outside a tensor.
MOST_ATTEMPTS = 10
# Examples in ONNX of rules whose own example is OpenVINO's, for the runtimes that read only ONNX.
ONNX_EXAMPLES = {
    "old-negative-index": {"operator": "Gather", "version": 1, "attributes": {},
                           "inputs": [["float32", [4, 3]], ["int64", [2]]]},
    "scatter-elements-longer-off-axis": {"operator": "ScatterElements", "version": 18, "attributes": {},
                                         "inputs": [["float32", [4, 3]], ["int64", [1, 5]], ["float32", [1, 5]]]},
    "gather-nd-empty-tuples": {"operator": "GatherND", "version": 13, "attributes": {},
                               "inputs": [["float32", [4, 3]], ["int64", [2, 0]]]},
}
# The inputs that are constants of the model.
CONSTANT_INPUTS = ("axis", "depth")


def rows():
    """(rule, its effect) for all effects that were seen in a run of a runtime that can be installed here."""
    return [(rule, effect) for rule in windrow.portability_rules() for effect in rule.effects
            if effect.ran and rule.provocation]


def runtime_of(effect):
    return f"{effect.runtime}:{effect.device}"


def host_of(effect):
    name = runtime_of(effect)
    return Host(name, runner(_RUNNERS[name]), True)


def is_of_chance(rule, effect):
    return rule.provocation == "race" or any(word in effect.effect for word in _UNSAFE)


def _values(dtype, shape, values):
    if dtype == "string":
        return np.array(values, object).reshape(shape)
    numbers = [float(value) if isinstance(value, str) else value for value in values]
    return np.array(numbers).astype(numpy_dtype(dtype)).reshape(shape)


def call_of(rule, effect):
    """The node of a rule's example on inputs that provoke it. Raises NoInputs."""
    example = json.loads(rule.example)
    dialect = example["dialect"]
    if dialect not in host_of(effect).runner.formats:
        example, dialect = ONNX_EXAMPLES[rule.label], "onnx"
    names = [row["name"] for row in OPERATORS[dialect, example["operator"]].newest["inputs"]]
    inputs = []
    for name, (dtype, shape, *values) in zip(names, example["inputs"]):
        # Threads race for indices of any number, which the example does not have.
        is_free = not values or (rule.provocation == "race" and name not in CONSTANT_INPUTS)
        inputs.append(GivenInput(dtype, tuple(shape), None if is_free else _values(dtype, shape, *values)))
    form = NodeForm(dialect, example["operator"], example["attributes"], tuple(inputs))
    constants = tuple(place for place, (name, given) in enumerate(zip(names, inputs))
                      if name in CONSTANT_INPUTS and given.value is not None)
    domain = "ai.onnx.ml" if example["operator"] == "ArrayFeatureExtractor" else ""
    return NodeCall(example["operator"], provoke(form, rule.provocation), example["attributes"], dialect=dialect,
                    version=example["version"], domain=domain, constants=constants)


def try_row(rule, effect, pool):
    """(agreement or "not tried", what the host did) of a row. Makes several attempts where chance decides."""
    host = host_of(effect)
    try:
        call = call_of(rule, effect)
    except NoInputs as error:
        return "not tried", str(error)
    for _ in range(MOST_ATTEMPTS if is_of_chance(rule, effect) else 1):
        outcome = try_call(host, pool, call, rule.provocation, RUNS)
        if isinstance(outcome, str):
            return "not tried", outcome
        found = agreement(effect, rule.provocation, outcome)
        if found == "agrees":
            break
    return found, outcome.text


@dataclasses.dataclass(frozen=True)
class Pools:
    """A pool of processes per runtime, each started when it is first needed."""

    stack: object
    made: dict = dataclasses.field(default_factory=dict)

    def of(self, effect):
        name = runtime_of(effect)
        if name not in self.made:
            self.made[name] = self.stack.enter_context(host_of(effect).runner.pool())
        return self.made[name]
