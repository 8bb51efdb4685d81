"""Runs originals and mutants in the hosts and in Windrow, and judges whether check() found what the hosts do."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import windrow
from mutants import draw, subjects
from windrow import runners

RUNTIMES = {"onnxruntime": "onnxruntime:cpu", "openvino": "openvino:cpu"}


@dataclass(frozen=True)
class Trial:
    """What became of a mutant in one host.

    outcome: "equivalent" if the host gives Windrow's result. Otherwise "caught" if check() has a finding for the host that the original has not, and
    "missed" if it has none; "not judged" if the host does not give Windrow's result for the original. what: the node, and what the host does.
    """

    seed: int
    kind: str
    host: str
    outcome: str
    what: str


def trials(seeds):
    """The Trials of all seeds, and by host how many originals have a finding for it although it gives Windrow's result."""
    unbroken = subjects()
    drawn = [draw(unbroken, seed) for seed in seeds]
    originals = {id(original): original for _, original, _ in drawn}
    models = [*originals.values(), *(mutant for _, _, mutant in drawn)]
    computed = {host: _run(host, models) for host in RUNTIMES}
    expected = _windrow(models)
    right = {host: [_agrees(result, wanted) for result, wanted in zip(computed[host], expected)] for host in RUNTIMES}
    found = [_found(subject) for subject in models]
    place = {key: number for number, key in enumerate(originals)}
    done, alarms = [], Counter()
    for host, runtime in RUNTIMES.items():
        alarms[host] = sum(_of(found[number], runtime) != set() for number in place.values() if right[host][number])
        for number, (seed, (kind, original, mutant)) in enumerate(zip(seeds, drawn), len(originals)):
            before = place[id(original)]
            is_found = bool(_of(found[number], runtime) - _of(found[before], runtime))
            outcome = ("not judged" if not right[host][before] else "equivalent" if right[host][number]
                       else "caught" if is_found else "missed")
            done.append(Trial(seed, kind, host, outcome, _what(mutant, computed[host][number], expected[number])))
    return done, alarms


def _run(host, models):
    requests = [runners.ModelRun(runners.ModelFile.of(subject.model.SerializeToString()), subject.inputs) for subject in models]
    return runners.runner(host).run_batch(requests, processes=2)


def _windrow(models):
    """Windrow's results; those of models with other operators come from ONNX Runtime with Windrow's inside."""
    results = [_alone(subject) for subject in models]
    rest = [number for number, result in enumerate(results) if result is None]
    inside = runners.runner("onnxruntime").run_batch(
        [runners.ModelRun(runners.ModelFile.of(models[number].model.SerializeToString()), models[number].inputs, windrow_inside=True)
         for number in rest], processes=2)
    for number, result in zip(rest, inside):
        results[number] = result.outputs
    return results


def _alone(subject):
    """The outputs by name; an empty dict if Windrow says that they are not defined; None if it cannot run the model."""
    try:
        model = windrow.load(subject.model.SerializeToString())
        return model.run(subject.inputs)
    except windrow.Unsupported:
        return None
    except windrow.Error:
        return {}


def _agrees(result, wanted):
    """Whether a host gives Windrow's result. Where Windrow has none, no host's result is right."""
    if result.failure is not None or not wanted:
        return False
    return all(_close(np.asarray(result.outputs[name]), np.asarray(value)) for name, value in wanted.items())


def _close(got, wanted):
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return False
    if got.dtype.kind != "f":
        return np.array_equal(got, wanted)
    return np.allclose(got, wanted, rtol=1e-3, atol=1e-4, equal_nan=True)


def _found(subject):
    """What check() finds on the model: (runtime, rule, verdict). A model that check() refuses has a finding for each runtime."""
    try:
        report = windrow.check(subject.model.SerializeToString(), runtimes=",".join(RUNTIMES.values()))
    except windrow.Error:
        return {(runtime, "refused", "happens") for runtime in RUNTIMES.values()}
    return {(runtime, finding.rule, finding.verdict) for finding in report.findings if finding.verdict != "cannot"
            for runtime in finding.runtimes}


def _of(found, runtime):
    """The findings for a runtime."""
    return {finding for finding in found if finding[0] == runtime}


def _what(mutant, result, wanted):
    node = mutant.changed
    how = "refused" if result.failure else "computed although it is not defined" if not wanted else "another result"
    attributes = {each.name: each.i or each.s.decode() for each in node.attribute}
    return f"{node.op_type} of {mutant.name} {attributes}: {how}" + (f": {str(result.failure)[-160:]}" if result.failure else "")
