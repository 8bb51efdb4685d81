"""windrow inspect."""

import cli_models as models
import numpy as np
from onnx import helper, numpy_helper


def two_nodes(path, rows=5):
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["picked"], name="lookup"),
        helper.make_node("Relu", ["picked"], ["r"], name="relu"),
        helper.make_node("ScatterND", ["r", "where", "u"], ["y"], name="write"),
    ]
    constant = numpy_helper.from_array(np.array([[0]]), "where")
    inputs = [models.value("table", "float32", [rows, 3]), models.value("ids", "int64", [2])]
    inputs.append(models.value("u", "float32", [1, 3]))
    outputs = [models.value("y", "float32", [2, 3])]
    models.save(path, nodes, inputs, outputs, 13, initializers=[constant])


def test_shows_operators_shapes_axis_policy_and_plan(windrow, tmp_path):
    two_nodes(tmp_path / "m.onnx")
    outcome = windrow("inspect", "m.onnx")
    assert outcome.code == 0, outcome.err
    header, lookup, write = [
        line for line in outcome.out.splitlines() if line.startswith(("NODE", "lookup", "write"))
    ]
    assert header.split("  ")[0] == "NODE"
    for part in [
        "onnx.Gather-13",
        "axis 0",
        "error",
        "table float32[5, 3]",
        "picked float32[2, 3]",
    ]:
        assert part in lookup
    assert "onnx.ScatterND-13" in write
    assert "plan of lookup" in outcome.out
    not_run = outcome.out.split("not run here:\n")[1]
    assert "Relu" in not_run
    assert "relu" in not_run


def test_json(windrow, tmp_path):
    two_nodes(tmp_path / "m.onnx")
    document = windrow("inspect", "m.onnx", "--json").json()
    assert document["opsets"] == {"": 13}
    lookup = document["nodes"][0]
    assert lookup["node"] == "lookup"
    assert lookup["operator"] == "onnx.Gather-13"
    assert lookup["path"] == "main/lookup"
    assert lookup["outputs"] == [
        {"name": "picked", "dtype": "float32", "shape": [2, 3], "basis": "proven"}
    ]
    assert lookup["out_of_range"] == "error"
    assert lookup["axis"] == {"text": "axis 0 of 2", "axes": [0], "rank": 2, "batch_dims": 0}
    assert len(document["not_run"]) == 1


def test_json_has_the_plan_as_fields(windrow, tmp_path):
    two_nodes(tmp_path / "m.onnx")
    lookup, write = windrow("inspect", "m.onnx", "--kernels", "plain", "--json").json()["nodes"]
    plan = lookup["plan"]
    assert (plan["operator"], plan["dtype"], plan["shape"]) == ("onnx.Gather-13", "float32", [2, 3])
    assert plan["equation"] == "output[i0, i1] = data[indices[i0], i1]"
    assert (plan["loops"], plan["row_bytes"], plan["kernel_set"]) == ([2], 12, "plain")
    assert (plan["moved_bytes"], plan["index_bytes"], plan["most_threads"]) == (24, 16, 1)
    indices = [{"dtype": "int64", "negative": "from_end", "padding": None}]
    assert plan["index_axes"] == [{"extent": 5, "out_of_range": "error", "indices": indices, "one_pass": True}]
    assert plan["tile"] is None
    assert lookup["no_plan"] is None
    assert write["plan"] is None
    assert write["no_plan"] == "input 'r' is ?"


def test_json_of_a_model_without_such_nodes(windrow, tmp_path):
    shape = [models.value("x", "float32", [1])]
    models.save(tmp_path / "m.onnx", [helper.make_node("Relu", ["x"], ["y"])], shape, [models.value("y", "float32", [1])])
    document = windrow("inspect", "m.onnx", "--json").json()
    assert document["nodes"] == []
    assert document["not_run"] == ["Relu (domain ai.onnx), node Relu_0"]
    parts = ["dialect", "opsets", "inputs", "outputs", "operators", "nodes", "findings", "findings_left_out", "notes", "not_run"]
    assert list(document) == parts


def test_dim_makes_a_symbolic_model_concrete(windrow, tmp_path):
    two_nodes(tmp_path / "m.onnx", rows="N")
    symbolic = windrow("inspect", "m.onnx", "--json").json()["nodes"][0]
    assert symbolic["inputs"][0]["shape"] == ["N", 3]
    concrete = windrow("inspect", "m.onnx", "--dim", "N=9", "--json").json()["nodes"][0]
    assert concrete["inputs"][0]["shape"] == [9, 3]
    assert concrete["plan"] != symbolic["plan"]
    assert "there are N" in windrow("inspect", "m.onnx", "--dim", "M=9").only_error()


def test_policy_option(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    outcome = windrow("inspect", "m.onnx", "--out-of-range", "clamp", "--json")
    assert outcome.json()["nodes"][0]["out_of_range"] == "clamp"


def test_warning_names_the_node(windrow, tmp_path):
    models.scatter_11(tmp_path / "m.onnx")
    outcome = windrow("inspect", "m.onnx")
    assert outcome.code == 0
    assert outcome.err.startswith("warning: node 'old': ")


def test_a_model_without_such_nodes(windrow, tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"])
    shape = [models.value("x", "float32", [1])]
    models.save(tmp_path / "m.onnx", [node], shape, [models.value("y", "float32", [1])])
    outcome = windrow("inspect", "m.onnx")
    assert outcome.code == 0
    assert "no gather or scatter nodes" in outcome.out
    assert "Relu" in outcome.out


def test_bad_model(windrow, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"\xff" * 50)
    assert "m.onnx" in windrow("inspect", "m.onnx").only_error()


def test_counts_nodes_by_their_operators_in_bodies_too(windrow, tmp_path):
    def body(name, op_type, inputs):
        node = helper.make_node(op_type, inputs, [name])
        return helper.make_graph([node], name, [], [helper.make_tensor_value_info(name, 1, None)])

    branches = {
        "then_branch": body("a", "Gather", ["x", "i"]),
        "else_branch": body("b", "Relu", ["x"]),
    }
    nodes = [
        helper.make_node("If", ["c"], ["y"], name="choose", **branches),
        helper.make_node("Gather", ["y", "i"], ["z"], name="last"),
    ]
    inputs = [helper.make_tensor_value_info("c", 9, []), models.value("x", "float32", [5, 3]), models.value("i", "int64", [2])]
    models.save(tmp_path / "m.onnx", nodes, inputs, [models.value("z", "float32", None)], 13)
    outcome = windrow("inspect", "m.onnx")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("m.onnx: 4 nodes, 2 of them in bodies and functions, opset ai.onnx 13\n")
    assert "  nodes:   2 Gather, 1 If, 1 Relu\n" in outcome.out
    inside = next(line for line in outcome.out.splitlines() if line.startswith("choose.then_branch"))
    assert inside.startswith("choose.then_branch/Gather_0  onnx.Gather-13")
    assert "x float32[5, 3], i int64[2]" in inside and "a float32[2, 3]" in inside
    document = windrow("inspect", "m.onnx", "--json").json()
    assert [node["path"] for node in document["nodes"]] == [
        "main/choose.then_branch/Gather_0",
        "main/last",
    ]
    kinds = {kind["op_type"]: (kind["nodes"], kind["in_bodies_and_functions"]) for kind in document["operators"]}
    assert kinds == {"Gather": (2, 1), "If": (1, 0), "Relu": (1, 1)}


def test_findings_and_claims_are_shown(windrow, tmp_path):
    nodes = [
        helper.make_node("Gather", ["x", "i"], ["y"], name="bad", axis=5),
        helper.make_node("Relu", ["x"], ["r"], name="relu"),
        helper.make_node("Gather", ["r", "i"], ["z"], name="good"),
    ]
    inputs = [models.value("x", "float32", [5, 3]), models.value("i", "int64", [2])]
    outputs = [models.value("z", "float32", [7, 3]), models.value("r", "float32", [5, 3])]
    models.save(tmp_path / "m.onnx", nodes, inputs, outputs, 13)
    outcome = windrow("inspect", "m.onnx")
    assert outcome.code == 0, outcome.err
    section = outcome.out.split("\nbroken rules and contradictions:\n")[1].splitlines()
    assert section[0].startswith("  node 'bad': onnx.Gather-13 [ONNX-Gather-A1]")
    assert section[1] == (
        "  node 'good': the model declares 'z' as float32[7, 3], but it is float32[2, 3]"
        " (if 'r' is what the file claims)"
    )
    assert "r float32[5, 3] (claimed)" in outcome.out
    assert outcome.out.count("python -m windrow inspect infers them") == 1
    document = windrow("inspect", "m.onnx", "--json").json()
    kinds = [(row["kind"], row["node"], row["label"], row["claim"]) for row in document["findings"]]
    assert kinds == [
        ("broken rule", "main/bad", "ONNX-Gather-A1", ""),
        ("contradiction", "main/good", "", "r"),
    ]
    assert document["findings_left_out"] == 0
    assert len(document["notes"]) == 1
    assert document["nodes"][1]["inputs"][0]["basis"] == "claimed"


def test_no_advice_where_other_operators_do_not_matter(windrow, tmp_path):
    two_nodes(tmp_path / "m.onnx")
    nodes = [
        helper.make_node("Gather", ["x", "i"], ["y"]),
        helper.make_node("Relu", ["y"], ["z"]),
    ]
    inputs = [models.value("x", "float32", [5, 3]), models.value("i", "int64", [2])]
    models.save(tmp_path / "m.onnx", nodes, inputs, [models.value("z", "float32", [2, 3])], 13)
    assert "note:" not in windrow("inspect", "m.onnx").out
