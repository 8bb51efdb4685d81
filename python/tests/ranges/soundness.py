"""Random graphs, the interval analysis of each, and whether it holds in each run of the graph.

python soundness.py SEED shows the graph, runs and facts of a seed; python soundness.py SEED COUNT compares so many graphs.
"""

import sys
from dataclasses import dataclass, field

import onnx.printer
import windrow
from arithmetic_draws import PRODUCERS as ARITHMETIC
from facts_beside_values import Run, Tally, compare
from index_draws import PRODUCERS as INDICES
from movement_draws import PRODUCERS as MOVEMENTS
from random_graphs import Counts, draw_graph
from windrow import _core
from windrow.runners import Limits, Pool, _onnx_shapes

PRODUCERS = ARITHMETIC + INDICES + MOVEMENTS
GRAPHS_IN_A_BATCH = 100
BATCH_LIMITS = Limits(seconds=120.0)


@dataclass
class Comparison:
    """What was drawn and compared; `lost`: seeds whose process ended."""

    counts: Counts = field(default_factory=Counts)
    tally: Tally = field(default_factory=Tally)
    lost: list = field(default_factory=list)

    def __str__(self):
        drawn, seen = self.counts, self.tally
        return (
            f"{drawn.graphs} graphs of {drawn.nodes} nodes ({drawn.redrawn} producers drawn again), {drawn.runs} runs "
            f"({drawn.runs_given_up} given up); {seen.values} values in their intervals, {seen.tight} of them in one tighter than the "
            f"type, {seen.symbolic} below an extent, {seen.tracked} from an input; premises met {seen.premises_met}, unmet {seen.premises_unmet}"
        )


def find_facts(drawn, seed):
    """The facts of the graph's values by name, those in bodies included. Every fourth graph goes without onnx's inference."""
    def ask(skeleton):
        return _onnx_shapes.infer(skeleton), ""

    model = windrow.load(drawn.model)
    rows = _core.find_ranges(model._core, drawn.assumed, None if seed % 4 == 0 else ask)
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def compare_graph(seed):
    """(Counts, Tally) of one graph."""
    tally = Tally()
    drawn = draw_graph(seed, PRODUCERS)
    facts = find_facts(drawn, seed)
    for number, inputs in drawn.runs.items():
        run = Run(defaults(drawn.model) | inputs)
        for value in drawn.values:
            for name, arrays in occurrences(value, number):
                if name in facts:
                    for array in arrays:
                        compare(facts[name], array, run, tally)
    tally.faults = [f"seed {seed}: {fault}" for fault in tally.faults]
    return drawn.counts, tally


def defaults(model):
    """The initializers that are inputs, too: what a run that does not override them takes."""
    names = {value.name for value in model.graph.input}
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer if tensor.name in names}


def occurrences(value, run):
    """(name, what it was) of a value and of the value in a body that it holds, iteration by iteration."""
    array = value.arrays[run]
    yield value.name, [array]
    if value.inner:
        yield value.inner, list(array)


def compare_batch(seeds):
    """The handler of worker processes: Counts and Tally of some seeds, as dicts."""
    counts, tally = Counts(), Tally()
    for seed in seeds:
        for total, part in zip((counts, tally), compare_graph(seed)):
            total.add(part)
    return [vars(counts), vars(tally)]


def compare_graphs(seeds, processes=1):
    """A Comparison of all graphs of these seeds, in worker processes. A batch that does not end well is done again one by one."""
    comparison = Comparison()
    batches = [list(seeds[start : start + GRAPHS_IN_A_BATCH]) for start in range(0, len(seeds), GRAPHS_IN_A_BATCH)]
    with Pool(f"{__name__}:compare_batch", preload=["onnx.reference", "onnxruntime", __name__], processes=processes,
              limits=BATCH_LIMITS) as pool:
        endings = pool.run(batches)
        again = [[seed] for batch, ending in zip(batches, endings) if ending.failure for seed in batch]
        endings = [ending for ending in endings if not ending.failure]
        for batch, ending in zip(again, pool.run(again)):
            if ending.failure:
                comparison.lost.append(f"seed {batch[0]}: {ending.failure}")
            else:
                endings.append(ending)
    for ending in endings:
        comparison.counts.add(Counts(**ending.value[0]))
        comparison.tally.add(Tally(**ending.value[1]))
    return comparison


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
    print(*compare_graph(seed)[1].faults, sep="\n")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        show(int(sys.argv[1]))
    else:
        first = int(sys.argv[1])
        found = compare_graphs(range(first, first + int(sys.argv[2])), processes=2)
        print(found, *found.lost, *found.tally.faults, sep="\n")
