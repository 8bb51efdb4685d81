"""Random graphs, and whether the interval analysis of each holds in each run of the graph.

python soundness.py SEED shows the graph, runs and facts of a seed; python soundness.py SEED COUNT compares COUNT graphs.
"""

import sys
from dataclasses import dataclass, field

import onnx.printer
import windrow
from arithmetic_draws import PRODUCERS as ARITHMETIC
from batches import run_in_batches
from facts_beside_values import Run, Tally, compare
from index_draws import PRODUCERS as INDICES
from movement_draws import PRODUCERS as MOVEMENTS
from random_graphs import Counts, draw_graph
from verdicts_beside_values import CONDITIONS, Verdicts, compare_verdict
from windrow import _core
from windrow.runners import _onnx_shapes

PRODUCERS = ARITHMETIC + INDICES + MOVEMENTS


@dataclass
class Comparison:
    """Counts of what was drawn and compared. `lost`: the seeds whose process ended."""

    counts: Counts = field(default_factory=Counts)
    tally: Tally = field(default_factory=Tally)
    verdicts: Verdicts = field(default_factory=Verdicts)
    lost: list = field(default_factory=list)

    def __str__(self):
        drawn, seen, said = self.counts, self.tally, self.verdicts
        return (
            f"{drawn.graphs} graphs of {drawn.nodes} nodes ({drawn.redrawn} producers drawn again), {drawn.runs} runs "
            f"({drawn.runs_given_up} given up); {seen.values} values in their intervals, {seen.tight} of them in one tighter than the "
            f"type, {seen.symbolic} below an extent, {seen.tracked} from an input; premises met {seen.premises_met}, unmet {seen.premises_unmet}; verdicts on indices "
            f"in runs: {said.cannot} cannot, {said.can} can, {said.happens} happens, {said.premises_unmet} with a premise unmet"
        )

    @property
    def faults(self):
        return self.lost + self.tally.faults + self.verdicts.faults


def ask_here(skeleton):
    """onnx's shape inference in this process, as _onnx_shapes.ask() in another one."""
    try:
        return _onnx_shapes.infer(skeleton), ""
    except Exception as error:  # whatever onnx raises for a model that it cannot read
        return [], str(error)


def find_facts(drawn, seed):
    """The facts of the graph's values by name, those in bodies included. Every fourth graph goes without onnx's inference."""
    model = windrow.load(drawn.model)
    rows = _core.find_ranges(model._core, drawn.assumed, None if seed % 4 == 0 else ask_here)
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def find_verdicts(drawn, seed):
    """The findings about indices by the path of their node, proved impossible ones included."""
    report = windrow.check(drawn.model, assume=drawn.assumed, select=list(CONDITIONS), show_cannot=True, ask_onnx=seed % 4 != 0)
    findings = {}
    for finding in report.findings:
        findings.setdefault(finding.node.rpartition("/")[2], []).append(finding)
    return findings


def compare_graph(seed):
    """(Counts, Tally, Verdicts) of one graph."""
    tally, verdicts = Tally(), Verdicts()
    drawn = draw_graph(seed, PRODUCERS)
    facts = find_facts(drawn, seed)
    findings = find_verdicts(drawn, seed)
    for number, inputs in drawn.runs.items():
        run = Run(defaults(drawn.model) | inputs, {value.name: value.arrays[number] for value in drawn.values})
        for value in drawn.values:
            for name, arrays in occurrences(value, number):
                if name in facts:
                    for array in arrays:
                        compare(facts[name], array, run, tally)
        for sink in drawn.sinks:
            for finding in findings.get(sink.path, ()):
                compare_verdict(finding, sink, run, number, verdicts)
    for part in (tally, verdicts):
        part.faults = [f"seed {seed}: {fault}" for fault in part.faults]
    return drawn.counts, tally, verdicts


def defaults(model):
    """The initializers that are also inputs, which are the values of a run that does not override them."""
    names = {value.name for value in model.graph.input}
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer if tensor.name in names}


def occurrences(value, run):
    """(name, what it was) of a value and of the value in a body that it holds, iteration by iteration."""
    array = value.arrays[run]
    yield value.name, [array]
    if value.inner:
        yield value.inner, list(array)


def compare_batch(seeds):
    """The handler of worker processes: Counts, Tally and Verdicts of some seeds, as dicts."""
    _onnx_shapes.ask = ask_here  # this process is the one in which onnx may fail
    totals = Counts(), Tally(), Verdicts()
    for seed in seeds:
        for total, part in zip(totals, compare_graph(seed)):
            total.add(part)
    return [vars(total) for total in totals]


def compare_graphs(seeds, processes=1):
    """A Comparison of all graphs of these seeds, in worker processes."""
    preload = ["onnx.reference", "onnxruntime"]
    sums, lost = run_in_batches("soundness", seeds, (Counts, Tally, Verdicts), preload=preload, processes=processes)
    return Comparison(*sums, lost)


def show(seed):
    """Prints the graph of a seed with its runs and facts."""
    drawn = draw_graph(seed, PRODUCERS)
    print(onnx.printer.to_text(drawn.model))
    facts = find_facts(drawn, seed)
    for value in drawn.values:
        print(value.name, {run: (array.shape, array.ravel().tolist()[:12]) for run, array in value.arrays.items()})
        for name in filter(None, (value.name, value.inner)):
            print("    ", facts.get(name, "nothing is said"))
    print("assumed:", drawn.assumed)
    for findings in find_verdicts(drawn, seed).values():
        print(*(finding.message for finding in findings), sep="\n")
    print(*(fault for part in compare_graph(seed)[1:] for fault in part.faults), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _onnx_shapes.ask = ask_here
        show(int(sys.argv[1]))
    else:
        first = int(sys.argv[1])
        found = compare_graphs(range(first, first + int(sys.argv[2])), processes=2)
        print(found, *found.faults, sep="\n")
