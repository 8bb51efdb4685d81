"""What each host computes for a random graph, beside the verdicts for that host."""

import re
from types import SimpleNamespace

import onnx
import onnx.numpy_helper
import onnx.printer
from facts_beside_values import FITS, Run, Tally
from facts_beside_values import compare as compare_fact
from onnx.helper import make_node
from random_values import BOOL, NUMBERS
from single_nodes import free_names
from verdicts_beside_values import Verdicts, compare_verdict

EXTENT_IN_TEXT = re.compile(r"([A-Za-z_0-9]+)\.shape\[")
SHOWN_TYPES = {dtype.name for dtype in [*NUMBERS, BOOL]}
CONVERTED = {"int8", "int16", "uint8", "uint16", "uint32", "uint64"}
SEEN = "seen_"  # the prefix of the output that shows a value


def named_in_premises(findings):
    """The values whose extents or elements premises name."""
    premises = [premise for finding in findings for premise in finding["premises"]]
    fitting = [found[1] for premise in premises if (found := FITS.fullmatch(premise))]
    return {name for premise in premises for name in EXTENT_IN_TEXT.findall(premise)} | set(fitting)


def model_that_shows(model, names):
    """The bytes of the part of a model that these values need, with copies of them as its outputs.

    Copies, so that a host computes what is an input or a constant, too.
    """
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    graph = shown.graph
    kept = producers_of(model, names)
    read = {name for node in kept for name in free_names(node)} | set(names)
    inputs, tensors = ([item for item in items if item.name in read] for items in (graph.input, graph.initializer))
    del graph.node[:], graph.output[:], graph.value_info[:], graph.input[:], graph.initializer[:]
    graph.node.extend(kept)
    graph.input.extend(inputs)
    graph.initializer.extend(tensors)
    for name in names:
        graph.node.append(make_node("Identity", [name], [SEEN + name]))
        graph.output.append(onnx.ValueInfoProto(name=SEEN + name))
    return shown


def job_of(drawn, findings, expose_all):
    """The job that shows what the findings are about. drawn: a dict of soundness.plain_dict().

    expose_all: also shows the values that those depend on, which keeps a host from changing their nodes.
    """
    model = onnx.load_model_from_string(drawn["model"])
    types = dict(drawn["values"])
    wanted = {name for sink in drawn["sinks"] for name in (sink["indices"], sink["data"])} | named_in_premises(findings)
    wanted -= {sink["data"] for sink in drawn["sinks"] if sink["data"] in drawn["runs"][0]["inputs"]}  # a table that is an input is known
    wanted |= {sink["indices"] for sink in drawn["sinks"]}
    if expose_all:
        wanted |= {name for node in producers_of(model, wanted) for name in node.output if types.get(name) in SHOWN_TYPES}
    shown = model_that_shows(model, [name for name in types if name in wanted])
    read = {value.name for value in shown.graph.input}
    runs = [{name: run["inputs"][name] for name in run["given"] if name in read} for run in drawn["runs"]]
    return {"model": shown.SerializeToString(), "runs": runs}


def compare_host(host, drawn, findings, facts, outcomes, verdicts):
    """Adds to `verdicts` the faults of the findings about this host, for what it computed; each fault is (kind, text)."""
    for run, outcome in zip(drawn["runs"], outcomes):
        if "arrays" not in outcome:
            continue
        arrays = {name.removeprefix(SEEN): array for name, array in outcome["arrays"].items()}
        arrays |= {sink["data"]: run["inputs"][sink["data"]] for sink in drawn["sinks"] if sink["data"] in run["inputs"]}
        seen = Run(run["inputs"], arrays)
        compare_facts(host, drawn, facts, seen, verdicts)
        for sink in drawn["sinks"]:
            if sink["indices"] not in arrays or sink["data"] not in arrays:
                continue
            indices, data = arrays[sink["indices"]], arrays[sink["data"]]
            for finding in findings:
                if finding["node"] == sink["path"] and host in finding["runtimes"] and may_be_judged(host, finding):
                    judge(finding, sink, indices, data, seen, drawn, facts, host, verdicts)


def compare_facts(host, drawn, facts, seen, verdicts):
    """Adds to `verdicts` the first value, in the order of the graph, that leaves what is said of it for the host.

    OpenVINO computes unsigned and narrow integers as signed ones of 32 bits and shows them converted, so that they are not compared.
    """
    model, types = onnx.load_model_from_string(drawn["model"]), dict(drawn["values"])
    for node in model.graph.node:
        for name in node.output:
            if name in facts and name in seen.arrays and not (host == "openvino:cpu" and seen.arrays[name].dtype.name in CONVERTED):
                verdicts.values += 1
                tally = Tally()
                try:
                    compare_fact(facts[name], seen.arrays[name], seen, tally)
                except ValueError:  # it is bounded by an extent that is not seen
                    verdicts.unknown_premises += 1
                    continue
                if tally.faults:
                    text = f"{tally.faults[0]}; {node_in_run(model, node, seen)}"
                    verdicts.faults.append([f"{host} fact {signature(node, types)}", text, chain_of(model, [name], types)])
                    return


def may_be_judged(host, finding):
    # What happens is certain in the specification's arithmetic, which is not OpenVINO's.
    return not (host == "openvino:cpu" and finding["verdict"] == "happens")


def judge(finding, sink, indices, data, seen, drawn, facts, host, verdicts):
    before = len(verdicts.faults)
    about = SimpleNamespace(**{**finding, "message": finding["message"].split(":")[0]})
    place = SimpleNamespace(
        op_type=sink["op_type"], attributes=sink["attributes"], path=sink["path"],
        indices=SimpleNamespace(arrays={0: indices}), data=SimpleNamespace(arrays={0: data}))
    if not -data.ndim <= sink["attributes"].get("axis", -1) < data.ndim or (sink["op_type"].endswith("ND") and indices.ndim == 0):
        return  # another rank than the one drawn: no runtime takes the node
    try:
        compare_verdict(about, place, seen, 0, verdicts)
    except ValueError as error:
        verdicts.unknown_premises += 1
        verdicts.premise_texts.append(str(error))
        return
    if len(verdicts.faults) > before:
        kind, why = culprit(drawn, facts, seen, [sink["indices"], sink["data"]])
        chain = chain_of(onnx.load_model_from_string(drawn["model"]), [sink["indices"], sink["data"]], dict(drawn["values"]))
        verdicts.faults[before:] = [[f"{host} {finding['verdict']} {kind}", f"{fault}; {why}", chain] for fault in verdicts.faults[before:]]


def chain_of(model, names, types):
    """The signatures of the nodes that values depend on, in the order of the graph."""
    return [signature(node, types) for node in producers_of(model, names)]


def culprit(drawn, facts, seen, names):
    """(kind, text): the first node whose values leave what is said of them, else the chain of operators before values."""
    model = onnx.load_model_from_string(drawn["model"])
    nodes = producers_of(model, names)
    types = dict(drawn["values"])
    for node in nodes:
        for output in node.output:
            if output in facts and output in seen.arrays:
                tally = Tally()
                try:
                    compare_fact(facts[output], seen.arrays[output], seen, tally)
                except ValueError:
                    continue
                if tally.faults:
                    return signature(node, types), f"{tally.faults[0]}; {node_in_run(model, node, seen)}"
    return "chain " + " ".join(signature(node, types) for node in nodes[-6:]), "no single value leaves what is said of it"


def node_in_run(model, node, seen):
    """The text of a node, with the arrays that it read in a run."""
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer if tensor.name in node.input}
    arrays |= {name: seen.arrays[name] for name in node.input if name in seen.arrays}
    given = [f"{name} = {array.dtype.name}{list(array.shape)} {array.ravel()[:6].tolist()}" for name, array in arrays.items()]
    return "; ".join([onnx.printer.to_text(node), *given])


def producers_of(model, names):
    """The nodes that these values depend on, in the order of the graph."""
    wanted, nodes = set(names), []
    for node in reversed(model.graph.node):
        if wanted & set(node.output):
            nodes.append(node)
            wanted.update(free_names(node))
    return nodes[::-1]


def signature(node, types):
    """A node as a kind: "Cast(float32) -> uint16"."""
    given = ", ".join(types.get(name, "?") for name in list(node.input)[:2])
    result = types.get(node.output[0], "?")
    modes = [f"{attribute.name}={onnx.helper.get_attribute_value(attribute)}" for attribute in node.attribute
             if attribute.name in ("ceil_mode", "auto_pad", "equation", "fmod", "mode", "direction", "reduction", "saturate")]
    return f"{node.op_type}({given}) -> {result}" + "".join(f" {mode}" for mode in modes)


def compare_model(host, pool, model, runs, find_facts, expose_all=True):
    """(faults, outcomes) of what is said of a model's values in a host. runs: inputs by name. find_facts: a function of the model and the host.
    expose_all: as for job_of().
    """
    facts = find_facts(model, host)
    dtypes = {name: fact["dtype"] for name, fact in facts.items()} | {name: array.dtype.name for name, array in runs[0].items()}
    output = {"path": "", "op_type": "Gather", "attributes": {"axis": 0}, "indices": model.graph.output[0].name, "data": model.graph.output[0].name}
    given = [{"inputs": inputs, "given": list(inputs)} for inputs in runs]
    drawn = {"model": model.SerializeToString(), "values": list(dtypes.items()), "runs": given, "sinks": [output]}
    (outcomes,), _ = pool.run([job_of(drawn, [], expose_all)])
    verdicts = Verdicts()
    compare_host(host, drawn, [], facts, outcomes, verdicts)
    return verdicts.faults, outcomes
