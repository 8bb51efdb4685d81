"""The comparison of hosts with verdicts finds a false verdict, and survives what hosts do."""

import numpy as np
import onnx.numpy_helper
import onnx.parser
import pytest
from host_verdicts import SEEN, compare_host, job_of
from hosts import HOSTS
from verdicts_beside_values import Verdicts
from windrow.runners import runner

MODEL = """<ir_version: 8, opset_import: ["": 18]> random (int64[N] x, float[4] table, int64[1] unused) => (sink1)
{ two = Constant<value = int64[1] {2}>() v1 = Div(x, two) v2 = Neg(v1) other = Neg(unused)
  [sink1] sink1 = Gather<axis = 0>(table, v2) }"""
TABLE = np.zeros(4, np.float32)


def drawn(*runs, verdict="cannot", premises=(), runtimes=tuple(HOSTS)):
    """The graph with its inputs, as soundness.plain_dict() has it, and one finding about its gather."""
    inputs = [{"x": np.array(run), "table": TABLE, "unused": np.zeros(1, np.int64)} for run in runs]
    finding = {"rule": "gather-index-range", "node": "sink1", "runtimes": runtimes, "verdict": verdict, "premises": premises, "message": "m"}
    fact = {"name": "v1", "dtype": "int64", "dims": None, "grain": "tensor", "axis": 0, "intervals": [(-4, 4, None, None)], "premises": [],
            "type_premises": [], "shape_premises": [], "source_input": ""}
    return {
        "seed": 1, "model": onnx.parser.parse_model(MODEL).SerializeToString(), "facts": {"v1": fact}, "findings": [finding],
        "values": [("x", "int64"), ("table", "float32"), ("v1", "int64"), ("v2", "int64"), ("two", "int64")],
        "runs": [{"inputs": given, "given": list(given)} for given in inputs],
        "sinks": [{"path": "sink1", "op_type": "Gather", "attributes": {"axis": 0}, "indices": "v2", "data": "table"}],
    }


def verdicts_of(host, graph, pool_of):
    if host == "openvino:cpu" and runner("openvino").fault():
        pytest.skip(runner("openvino").fault())
    (outcomes,), counts = pool_of(host).run([job_of(graph, graph["findings"], expose_all=True)])
    verdicts = Verdicts()
    compare_host(host, graph, graph["findings"], graph["facts"], outcomes, verdicts)
    return verdicts, counts, outcomes


@pytest.mark.parametrize("host", list(HOSTS))
def test_a_false_verdict_is_found_with_the_node_that_is_the_cause(host, pool_of):
    verdicts, counts, outcomes = verdicts_of(host, drawn([8, 2], [20, 2]), pool_of)
    assert counts.runs == 2
    assert outcomes[1]["arrays"][SEEN + "v2"].tolist() == [-10, -1]
    assert verdicts.cannot == 2
    (of_fact, _, _), (kind, text, chain) = verdicts.faults
    assert of_fact == f"{host} fact Div(int64, int64) -> int64"
    assert kind == f"{host} cannot Div(int64, int64) -> int64"
    assert "[-10  -1]" in text and "v1 = Div (x, two)" in text and "x = int64[2] [20, 2]" in text
    assert chain == ["Constant() -> int64", "Div(int64, int64) -> int64", "Neg(int64) -> int64"]


@pytest.mark.parametrize("changes, compared", [
    ({"runtimes": ("onnx:reference",)}, 0),
    ({"premises": ("x.shape[0] is at least 3",)}, 0),
    ({"premises": ("x.shape[0] is at least 2",)}, 1),
    ({"premises": ("something that is not seen",)}, 0),
])
def test_verdicts_for_others_and_with_unmet_premises_are_not_compared(changes, compared, pool_of):
    verdicts, _, _ = verdicts_of("onnxruntime:cpu", drawn([20, 2], **changes), pool_of)
    found = [kind for kind, _, _ in verdicts.faults if " cannot " in kind]
    assert (verdicts.cannot, len(found)) == (compared, compared)


def test_sure_verdicts_are_compared(pool_of):
    verdicts, _, _ = verdicts_of("onnxruntime:cpu", drawn([2, 2], [-8, 2], verdict="happens"), pool_of)
    assert [kind for kind, _, _ in verdicts.faults] == ["onnxruntime:cpu happens chain Constant() -> int64 Div(int64, int64) -> int64 Neg(int64) -> int64"]


def test_a_run_that_ends_the_process_is_counted_alone(pool_of):
    """The quotient of the least integer and -1 ends ONNX Runtime's process."""
    graph = drawn([2, 2], [20, 2])
    job = job_of(graph, graph["findings"], expose_all=True)
    model = onnx.load_model_from_string(job["model"])
    assert not [value for value in model.graph.input if value.name == "unused"]
    crashing = onnx.ModelProto()
    crashing.CopyFrom(model)
    crashing.graph.node[0].attribute[0].t.CopyFrom(onnx.numpy_helper.from_array(np.array([-1])))
    job_that_ends = {"model": crashing.SerializeToString(), "runs": [{**job["runs"][0], "x": np.array(x)} for x in ([1, 2], [-(2**63), 1], [3, 1])]}
    outcomes, counts = pool_of("onnxruntime:cpu").run([job, job_that_ends])
    assert (counts.runs, counts.ended, counts.refused) == (4, 1, 0)
    assert [next(iter(run)) for run in outcomes[1]] == ["arrays", "ended", "arrays"]


def test_a_refused_model_is_counted(pool_of):
    (outcome,), counts = pool_of("onnxruntime:cpu").run([{"model": b"no model", "runs": [{}, {}]}])
    assert counts.refused == 2 and all("refused" in run for run in outcome)
