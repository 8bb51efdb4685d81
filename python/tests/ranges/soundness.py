"""Random graphs, and whether what is said of each holds in each run of it, in every host that verdicts are about.

python soundness.py SEED shows the graph, runs and facts of a seed; python soundness.py SEED COUNT compares COUNT graphs, with
--host NAME in one host alone, in each of them (onnxruntime:cpu, onnx:reference, openvino:cpu).
"""

import argparse
import re
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field

import onnx
import onnx.printer
import windrow
from arithmetic_draws import PRODUCERS as ARITHMETIC
from batches import run_in_batches
from facts_beside_values import Run, Tally, compare
from host_verdicts import chain_of, compare_host, job_of, node_in_run, signature
from hosts import HOSTS, HostCounts, HostPool
from index_draws import PRODUCERS as INDICES
from known_faults import unexplained
from movement_draws import PRODUCERS as MOVEMENTS
from operator_draws import PRODUCERS as OPERATORS
from random_graphs import Counts, draw_graph
from schema_draws import PRODUCERS as SCHEMAS
from single_nodes import Stages, free_names
from verdicts_beside_values import CONDITIONS, Verdicts, compare_verdict
from windrow import _core
from windrow._models import onnx_shapes

PRODUCERS = ARITHMETIC + INDICES + MOVEMENTS + 2 * OPERATORS + SCHEMAS
FIELDS = ("rule", "runtimes", "verdict", "premises", "message")
BLOCK = 400  # graphs whose models and values are held at a time
OURS = ("analysis", "error")  # what ends a process in these stages is not the runtime's matter
STAGE = re.compile(r"stage: (.+)")
# What is drawn for hosts alone: nodes on which ONNX Runtime differs from the specification are not left out of these graphs.
FOR_HOSTS_ALONE = 2
GROWN_IN = "onnxruntime:cpu"


class Drawings:
    """The graphs that worker processes drew, with what is said of them, as dicts."""

    def __init__(self, graphs=()):
        self.graphs = list(graphs)

    def add(self, other):
        self.graphs += other.graphs


@dataclass
class Comparison:
    """Counts of what was drawn and compared. `lost`: the seeds whose process ended in the analysis."""

    counts: Counts = field(default_factory=Counts)
    tally: Tally = field(default_factory=Tally)
    verdicts: Verdicts = field(default_factory=Verdicts)
    hosts: dict = field(default_factory=dict)
    host_verdicts: dict = field(default_factory=dict)
    lost: list = field(default_factory=list)
    ended: list = field(default_factory=list)  # seeds that ended ONNX Runtime while they were drawn

    def __str__(self):
        drawn, seen, said = self.counts, self.tally, self.verdicts
        lines = [
            f"{drawn.graphs} graphs of {drawn.nodes} nodes ({drawn.redrawn} producers drawn again, {len(self.ended)} graphs ended ONNX "
            f"Runtime), {drawn.runs} runs ({drawn.runs_given_up} given up); {seen.values} values in their intervals, {seen.tight} of them "
            f"in one tighter than the type, {seen.symbolic} below an extent, {seen.tracked} from an input; premises met "
            f"{seen.premises_met}, unmet {seen.premises_unmet}; verdicts on indices in runs: {counted(said)}"
        ]
        for host, counts in self.hosts.items():
            values = self.host_verdicts[host].values
            lines.append(f"  {host}: {counts}; {values} values in their intervals; verdicts on indices in runs: {counted(self.host_verdicts[host])}")
        return "\n".join(lines)

    @property
    def faults(self):
        """A Fault for each."""
        lost = [["analysis ends the process", text, []] for text in self.lost]
        found = [fault for verdicts in self.host_verdicts.values() for fault in verdicts.faults]
        return [Fault(*fault) for fault in [*lost, *self.tally.faults, *self.verdicts.faults, *found]]


@dataclass
class Fault:
    """What is said of a graph and does not hold.

    kind: where it was seen, what was said, and the node that is the cause, or those before it. chain: the signatures of the nodes that the
    value depends on.
    """

    kind: str
    text: str
    chain: list


def kinds_of(faults):
    """(number of faults, kind, text of the first), the most frequent kind first."""
    numbers, firsts = Counter(fault.kind for fault in faults), {}
    for fault in faults:
        firsts.setdefault(fault.kind, fault.text)
    return [(number, kind, firsts[kind]) for kind, number in numbers.most_common()]


def counted(said):
    return (f"{said.cannot} cannot, {said.can} can, {said.happens} happens, {said.premises_unmet} with a premise unmet, "
            f"{said.unknown_premises} with a premise about what is not seen")


def ask_here(skeleton):
    """onnx's shape inference in this process, as onnx_shapes.ask() in another one."""
    Stages.enter("onnx's inference")
    try:
        return onnx_shapes.infer(skeleton), ""
    except Exception as error:  # whatever onnx raises for a model that it cannot read
        return [], str(error)
    finally:
        Stages.enter("analysis")


def find_facts(drawn, seed, host):
    """The facts of the graph's values in a host, by name, those in bodies included. Every fourth graph goes without onnx's inference."""
    return facts_of(drawn.model, host, drawn.assumed, None if seed % 4 == 0 else ask_here)


def facts_of(model, host, assumed=None, ask=ask_here):
    rows = _core.find_ranges(windrow.load(model)._core, assumed or {}, ask, host)
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def find_verdicts(drawn, seed):
    """The findings about indices, proved impossible ones included, for every runtime. Every third graph is judged for each host alone."""
    targets = [[host] for host in HOSTS] if seed % 3 == 0 else [None]
    findings = []
    for runtimes in targets:
        report = windrow.check(drawn.model, runtimes=runtimes, assume=drawn.assumed, select=list(CONDITIONS), show_cannot=True,
                               ask_onnx=seed % 4 != 0)
        findings += report.findings
    return findings


def said_bounds(drawing):
    """(low, high) of the integers that the analysis bounds, by name."""
    model = windrow.load(drawing.grown())
    bounds = {}
    for _, facts in _core.find_ranges(model._core, drawing.assumed, None):
        for fact in facts:
            ends = [end for interval in fact["intervals"] if len(interval) == 4 for end in interval[:2]]
            if ends and None not in ends:
                bounds[fact["name"]] = min(ends), max(ends)
    return bounds


def draw(seed):
    return draw_graph(seed, PRODUCERS, agreeing=seed % FOR_HOSTS_ALONE == 0, bounds_of=said_bounds)


def compare_graph(seed):
    """(Counts, Tally, Verdicts, Drawings) of one graph, for the values with which it was grown."""
    tally, verdicts = Tally(), Verdicts()
    drawn = draw(seed)
    Stages.enter("analysis")
    facts = {host: find_facts(drawn, seed, host) for host in HOSTS}
    findings = find_verdicts(drawn, seed)
    if seed % FOR_HOSTS_ALONE == 0:
        compare_grown(drawn, facts[GROWN_IN], findings, tally, verdicts)
    for part in (tally, verdicts):
        part.faults = [[kind, f"seed {seed}: {fault}", chain] for kind, fault, chain in part.faults]
    return drawn.counts, tally, verdicts, Drawings([plain_dict(seed, drawn, facts, findings)])


def compare_grown(drawn, facts, findings, tally, verdicts):
    types = {value.name: value.dtype.name for value in drawn.values}
    read = {name: set(free_names(node)) for node in drawn.model.graph.node for name in node.output}
    nodes = {name: node for node in drawn.model.graph.node for name in node.output}
    makers = {name: signature(node, types) for name, node in nodes.items()}
    for number, inputs in drawn.runs.items():
        run = Run(defaults(drawn.model) | inputs, {value.name: value.arrays[number] for value in drawn.values})
        faulty = set()  # the values that depend on a fault are not reported again
        for value in drawn.values:
            before = len(tally.faults)
            for name, arrays in occurrences(value, number):
                for array in arrays if name in facts else ():
                    compare(facts[name], array, run, tally)
            if faulty & read.get(value.name, set()):
                del tally.faults[before:]
                faulty.add(value.name)
            elif len(tally.faults) > before:
                shown = node_in_run(drawn.model, nodes[value.name], run) if value.name in nodes else "an input"
                kind = f"grown fact {makers.get(value.name, 'input')}"
                tally.faults[before:] = [[kind, f"{tally.faults[before]}; {shown}", chain_of(drawn.model, [value.name], types)]]
                faulty.add(value.name)
        for sink in drawn.sinks:
            for finding in findings:
                if finding.node.rpartition("/")[2] == sink.path and GROWN_IN in finding.runtimes:
                    before = len(verdicts.faults)
                    compare_verdict(finding, sink, run, number, verdicts)
                    if sink.indices.name in faulty:
                        del verdicts.faults[before:]
                    kind = f"grown {finding.verdict} {makers.get(sink.indices.name, 'input')}"
                    chain = chain_of(drawn.model, [sink.indices.name, sink.data.name], types)
                    verdicts.faults[before:] = [[kind, fault, chain] for fault in verdicts.faults[before:]]


def plain_dict(seed, drawn, facts, findings):
    """What the comparison with hosts needs, in a form that goes from process to process."""
    given = defaults(drawn.model)
    return {
        "seed": seed,
        "model": drawn.model.SerializeToString(),
        "values": [(value.name, value.dtype.name) for value in drawn.values],
        "runs": [{"inputs": given | inputs, "given": list(inputs)} for inputs in drawn.runs.values()],
        "sinks": [{"path": sink.path, "op_type": sink.op_type, "attributes": sink.attributes, "indices": sink.indices.name,
                   "data": sink.data.name} for sink in drawn.sinks],
        "facts": facts,
        "findings": [{"node": finding.node.rpartition("/")[2], **{name: getattr(finding, name) for name in FIELDS}} for finding in findings],
    }


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
    """The handler of worker processes: Counts, Tally, Verdicts and Drawings of some seeds, as dicts."""
    onnx_shapes.ask = ask_here  # this process is the one in which onnx may fail
    Stages.told = True
    totals = Counts(), Tally(), Verdicts(), Drawings()
    for seed in seeds:
        Stages.enter("drawing")
        for total, part in zip(totals, compare_graph(seed)):
            total.add(part)
    return [vars(total) for total in totals]


def compare_graphs(seeds, processes=1, hosts=None, seconds=None):
    """A Comparison of all graphs of these seeds, in worker processes.

    hosts: how many graphs there are for each one that a host runs: {"openvino:cpu": 4}; None: every host runs all. seconds: the time after
    which no further block of graphs is begun; None: any.
    """
    end = None if seconds is None else time.monotonic() + seconds
    hosts = dict.fromkeys(HOSTS, 1) if hosts is None else hosts
    comparison = Comparison(hosts={host: HostCounts() for host in hosts}, host_verdicts={host: Verdicts() for host in hosts})
    with ExitStack() as stack:
        pools = {host: HostPool(host, processes) for host in hosts}
        for pool in pools.values():
            stack.callback(pool.close)
        for start in range(0, len(seeds), BLOCK):
            if end is not None and time.monotonic() >= end:
                break
            add_block(comparison, seeds[start : start + BLOCK], processes, hosts, pools)
    return comparison


def add_block(comparison, seeds, processes, hosts, pools):
    preload = ["onnx.reference", "onnxruntime"]
    sums, lost = run_in_batches("soundness", seeds, (Counts, Tally, Verdicts, Drawings), preload=preload, processes=processes, told=STAGE)
    for total, part in zip((comparison.counts, comparison.tally, comparison.verdicts), sums):
        total.add(part)
    for text, stage in lost:
        (comparison.lost if stage in OURS else comparison.ended).append(f"{text} ({stage})")
    for host, pool in pools.items():
        graphs = [graph for graph in sums[3].graphs if graph["seed"] % hosts[host] == 0 and graph["sinks"]]
        verdicts, counts = compare_in_host(host, pool, graphs, lambda graph: graph["seed"] % 8 < 5)
        comparison.hosts[host].add(counts)
        # Where the cause was not seen, every value is shown in a second run.
        faulty = [graph for graph, part in zip(graphs, verdicts) if part.faults]
        again = {graph["seed"]: part for graph, part in zip(faulty, compare_in_host(host, pool, faulty, lambda graph: True)[0])}
        for graph, part in zip(graphs, verdicts):
            found = again.get(graph["seed"], part).faults or part.faults
            part.faults = [[kind, f"seed {graph['seed']}: {fault}", chain] for kind, fault, chain in found]
            comparison.host_verdicts[host].add(part)


def compare_in_host(host, pool, graphs, expose_all):
    """(Verdicts of each graph, HostCounts) of these graphs in a host."""
    outcomes, counts = pool.run([job_of(graph, graph["findings"], expose_all(graph)) for graph in graphs])
    every = []
    for graph, outcome in zip(graphs, outcomes):
        every.append(Verdicts())
        compare_host(host, graph, graph["findings"], graph["facts"][host], outcome, every[-1])
    return every, counts


def show(seed, host):
    """Prints the graph of a seed with its runs, and its facts in a host."""
    drawn = draw(seed)
    print(onnx.printer.to_text(drawn.model))
    facts = find_facts(drawn, seed, host)
    for value in drawn.values:
        print(value.name, {run: (array.shape, array.ravel().tolist()[:12]) for run, array in value.arrays.items()})
        for name in filter(None, (value.name, value.inner)):
            print("    ", facts.get(name, "nothing is said"))
    print("assumed:", drawn.assumed)
    print(*(f"{finding.verdict}: {finding.message}" for finding in find_verdicts(drawn, seed)), sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, nargs="?")
    parser.add_argument("--host", choices=list(HOSTS))
    given = parser.parse_args()
    if given.count is None:
        onnx_shapes.ask = ask_here
        show(given.seed, given.host or GROWN_IN)
    hosts = {given.host: 1} if given.host else None
    found = compare_graphs(range(given.seed, given.seed + (given.count or 1)), processes=2, hosts=hosts)
    print(found)
    faults = unexplained(found.faults)
    print(f"{len(faults)} faults, besides {len(found.faults) - len(faults)} of known_faults.py")
    for number, kind, text in kinds_of(faults):
        print(f"{number} x {kind}\n    {text}")
    print(*(f"ended: {text}" for text in found.ended), sep="\n")


if __name__ == "__main__":
    main()
