"""windrow explain.

One long file: each option and each refusal has a test of a few lines.
"""

import time
from xml.etree import ElementTree

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save


def test_a_gather_shows_each_walk(windrow):
    outcome = windrow(
        "explain", "onnx.GatherND", "--data", "3x4x2", "--indices", "[[0,1],[2,-1]]",
        "--attr", "batch_dims=0",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert "output[i0, i1] = data[indices[i0, 0], indices[i0, 1], i1]\n" in outcome.out
    line = (
        "  output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 on axis 1 "
        "(extent 4)\n"
    )
    assert line in outcome.out
    assert outcome.out.endswith("4 of 4 elements shown\n")


def test_a_scatter_shows_who_wins(windrow):
    words = ["explain", "onnx.ScatterND", "--data", "5x", "--indices", "[[1],[3],[1]]"]
    outcome = windrow(*words, "--updates", "[7,8,9]")
    assert outcome.code == 0, outcome.err
    assert "  0: updates[0] = 7 goes to output[1], 1 becomes 7" in outcome.out
    assert "; replaced by 2\n" in outcome.out
    assert "  output[1] = 9: 2 writes\n" in outcome.out


def test_json_has_walks_and_cells(windrow):
    words = ["explain", "onnx.Gather", "--data", "4x", "--indices", "[-1, 0]"]
    document = windrow(*words, "--json").json()
    assert [walk["cell"] for walk in document["walks"]] == [[3], [0]]
    assert document["illegal"] == 0


def test_inputs_may_be_files(windrow, tmp_path):
    np.save(tmp_path / "data.npy", np.arange(4, dtype=np.int16))
    outcome = windrow("explain", "onnx.Gather", "--data", "data.npy", "--indices", "[7]")
    assert outcome.code == 0, outcome.err
    assert "data: int16 [4]\n" in outcome.out
    assert "7 is outside of the legal range on axis 0 (extent 4), the call fails" in outcome.out


def test_an_unknown_input_is_named_with_the_known_ones(windrow):
    outcome = windrow("explain", "onnx.Gather", "--date", "4x")
    assert outcome.code == 2
    assert "--date: onnx.Gather-13 has the inputs --data, --indices" in outcome.err


def test_lists_of_unequal_lengths_are_refused(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[[1], [1, 2]]")
    assert outcome.code == 2
    assert "--indices: its lists must have equal lengths and hold single values" in outcome.err


def test_fractions_are_no_indices(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[0.5]")
    assert outcome.code == 2
    assert "--indices: 0.5 is not of type int64, whole numbers from" in outcome.err


def lookup_model(path):
    table = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "table")
    nodes = [
        helper.make_node("Relu", ["x"], ["y"], name="first"),
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="look/up"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 3]),
        ],
        [table],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)


def test_a_node_of_a_model(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    np.save(tmp_path / "ids.npy", np.array([-1, 2]))
    outcome = windrow("explain", "m.onnx", "--node", "look/up", "--input", "ids=ids.npy")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("onnx.Gather-13\n")
    line = (
        "  output[0, 1] = data[3, 1] = 10: indices[0] = -1; -1 counts as 3 on axis 0 (extent 4)\n"
    )
    assert line in outcome.out


def test_a_node_with_random_inputs(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow(
        "explain", "m.onnx", "--node", "rows", "--random", "7", "--dim", "n=2", "--json"
    )
    document = outcome.json()
    assert (document["points"], len(document["walks"]), document["illegal"]) == (6, 6, 0)


def test_a_node_without_enough_knowledge_says_what_to_give(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx", "--node", "look/up")
    assert outcome.code == 2
    assert "type or shape of 'ids' is not known: give --input ids=FILE" in outcome.err


def test_a_node_with_known_dims_has_a_shape_and_no_walks(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx", "--node", "look/up", "--dim", "n=2")
    assert outcome.code == 0, outcome.err
    assert "  output: float32 [2, 3]\n" in outcome.out
    assert outcome.out.endswith("0 of 6 elements shown\n")


def test_a_model_of_one_gather_needs_no_node(windrow, tmp_path):
    lookup_model(tmp_path / "m.onnx")
    outcome = windrow("explain", "m.onnx", "--random", "7", "--dim", "n=2")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("onnx.Gather-13\n")


def several_gathers(path, nodes):
    made = [helper.make_node("Gather", ["x", "ids"], [f"y{i}"], name=name) for i, name in enumerate(nodes)]
    made.append(helper.make_node("Relu", ["x"], ["z"], name="relu"))
    graph = helper.make_graph(
        made,
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 3]),
            helper.make_tensor_value_info("ids", TensorProto.INT64, [2]),
        ],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [4, 3])],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)


def test_a_model_of_several_gathers_is_listed(windrow, tmp_path):
    several_gathers(tmp_path / "m.onnx", ["first", ""])
    outcome = windrow("explain", "m.onnx")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["NODE", "OPERATOR"], ["first", "onnx.Gather-13"], ["Gather_1", "onnx.Gather-13"],
    ]  # fmt: skip
    assert lines[-1] == "choose one of them: --node first"
    assert windrow("explain", "m.onnx", "--json").json()["nodes"][1]["node"] == "Gather_1"


def test_a_model_without_gathers_says_so(windrow, tmp_path):
    several_gathers(tmp_path / "m.onnx", [])
    outcome = windrow("explain", "m.onnx")
    assert outcome.code == 2
    assert "m.onnx has no gather or scatter to explain" in outcome.err


def huge_lookup(folder):
    """A model whose table of 1 GiB stands in a file beside it that is nothing but a hole."""
    rows = 2**18
    table = TensorProto(name="table", data_type=TensorProto.FLOAT, dims=[rows, 1024])
    table.data_location = TensorProto.EXTERNAL
    for key, value in {"location": "weights.bin", "offset": "0", "length": str(rows * 4096)}.items():
        table.external_data.add(key=key, value=value)
    with (folder / "weights.bin").open("wb") as file:
        file.truncate(rows * 4096)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "ids"], ["rows"], name="look/up")],
        "g",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", 16])],
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["batch", 16, 1024])],
        [table],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), folder / "m.onnx")


def test_a_node_of_a_model_of_a_gibibyte_is_explained_at_once(windrow, tmp_path):
    huge_lookup(tmp_path)
    begin = time.monotonic()
    outcome = windrow("explain", "m.onnx", "--random", "7", "--dim", "batch=2", "--html", "page.html")
    seconds = time.monotonic() - begin
    assert outcome.code == 0, outcome.err
    assert "'table' is a constant of 1024 MiB, which is not read" in outcome.err
    assert outcome.out.endswith("64 of 32768 elements shown\nwrote page.html\n")
    assert seconds < 1


def test_chosen_elements_alone_are_explained(windrow):
    words = ["explain", "onnx.Gather", "--data", "4x3", "--indices", "[2,0]"]
    outcome = windrow(*words, "--element", "1,2", "--element", "0,0")
    assert outcome.code == 0, outcome.err
    shown = [line.split(":")[0].strip() for line in outcome.out.splitlines() if line.startswith("  output[")]
    assert shown == ["output[1, 2] = data[0, 2] = 2", "output[0, 0] = data[2, 0] = 6"]


@pytest.mark.parametrize("text", ["1,", "a", "1;2", "1,,2"])
def test_a_malformed_element_is_refused(windrow, text):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[0]", "--element", text)
    assert outcome.code == 2
    assert f"--element {text}: must be a position in the output" in outcome.err


def test_an_element_outside_of_the_output_is_refused(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--indices", "[0]", "--element", "1")
    assert outcome.code == 2
    assert "element [1] is not in the output, whose shape is [1]" in outcome.err


INLINE = [
    ("bool", "[true,false]", ["true", "false"]),
    ("string", '["a","b\\n"]', ['"a"', '"b\\n"']),
    ("int4", "[-8,7]", ["-8", "7"]),
    ("uint1", "[1,0,1]", ["1", "0", "1"]),
    ("uint2", "[3,0,2]", ["3", "0", "2"]),
    ("uint64", "[18446744073709551615]", ["18446744073709551615"]),
    ("int64", "[-9223372036854775808]", ["-9223372036854775808"]),
    ("float16", "[0.1, 65504, -2]", ["0.099975586", "65504", "-2"]),
    ("bfloat16", "[1.5]", ["1.5"]),
    ("float8_e5m2", "[1.1]", ["1"]),
    ("complex64", "[2]", ["2+0j"]),
]


@pytest.mark.parametrize(("dtype", "values", "texts"), INLINE)
def test_values_of_every_type_may_be_written_out(windrow, dtype, values, texts):
    of_openvino = dtype in ("uint1", "uint2")
    operator = "openvino.Gather" if of_openvino else "array.Take"
    axis = ["--axis", "0"] if of_openvino else []
    count = str(list(range(len(texts))))
    words = ["explain", operator, "--data", values, "--indices", count, *axis, "--dtype", f"data={dtype}"]
    document = windrow(*words, "--json").json()
    assert [walk["value"] for walk in document["walks"]] == texts


@pytest.mark.parametrize(("dtype", "values", "message"), [
    ("uint8", "[256]", "--data: 256 is not of type uint8, whole numbers from 0 to 255"),
    ("uint2", "[4]", "--data: 4 is not of type uint2, whole numbers from 0 to 3"),
    ("int8", "[-129]", "--data: -129 is not of type int8, whole numbers from -128 to 127"),
    ("uint64", "[-1]", "--data: -1 is not of type uint64, whole numbers from 0 to"),
    ("string", "[1]", "--data: 1 is not a string"),
    ("float32", '["x"]', '--data: "x" is not of type float32'),
])  # fmt: skip
def test_values_that_the_type_does_not_hold_are_refused(windrow, dtype, values, message):
    outcome = windrow("explain", "onnx.Gather", "--data", values, "--indices", "[0]", "--dtype", f"data={dtype}")
    assert outcome.code == 2
    assert message in outcome.err


def test_indices_are_int64_wherever_they_stand(windrow):
    words = ["--indices", "[0,2]", "--depth", "4", "--values", "[0,1]", "--json"]
    document = windrow("explain", "onnx.OneHot", *words).json()
    assert [tensor["dtype"] for tensor in document["inputs"]] == ["int64", "int64", "float32"]
    assert document["output_axes"][1]["sentence"] == "given by the call; indices say the position on it"


def test_an_input_that_is_given_twice_is_refused(windrow):
    outcome = windrow("explain", "onnx.Gather", "--data", "4x", "--data", "5x", "--indices", "[0]")
    assert outcome.code == 2
    assert "--data: is given twice" in outcome.err


def test_another_dialect_parts_where_an_index_is_out_of_range(windrow):
    words = ["explain", "onnx.Gather", "--data", "4x", "--indices", "[1,-1,7]"]
    outcome = windrow(*words, "--as", "openvino.Gather")
    assert outcome.code == 0, outcome.err
    assert "onnx.Gather-13 and openvino.Gather-8 give different results\n" in outcome.out
    line = "  openvino.Gather-8: output[2] = 0: indices[2] = 7; 7 is outside of axis 0 (extent 4), the element is zero\n"
    assert line in outcome.out
    document = windrow(*words, "--as", "openvino.Gather", "--as", "array.Take", "--json").json()
    assert [each["parting"] for each in document["comparisons"]] == [1, 0]
    assert document["comparisons"][0]["partings"][0]["element"] == [2]


def test_the_page_has_the_comparisons_too(windrow, tmp_path):
    words = ["explain", "onnx.Gather", "--data", "4x", "--indices", "[1,-1,7]", "--as", "openvino.Gather"]
    outcome = windrow(*words, "--html", "page.html")
    assert outcome.code == 0, outcome.err
    page = (tmp_path / "page.html").read_text()
    assert "<h2>onnx.Gather-13 and openvino.Gather-8 give different results</h2>" in page
    assert "7 is outside of axis 0 (extent 4), the element is zero" in page


def test_chosen_elements_need_not_be_in_the_other_output(windrow):
    words = ["explain", "onnx.Gather", "--data", "4x3", "--indices", "[0,1]", "--element", "1,2"]
    outcome = windrow(*words, "--as", "onnx.GatherND")
    assert outcome.code == 0, outcome.err
    assert "onnx.Gather-13 gives float32[2, 3], onnx.GatherND-13 gives float32[]" in outcome.out


def test_another_operators_attributes_may_be_chosen(windrow):
    words = ["explain", "onnx.ScatterND", "--data", "5x", "--indices", "[[1],[1]]", "--updates", "[7,8]"]
    outcome = windrow(*words, "--as", "openvino.ScatterNDUpdate:reduction=sum")
    assert outcome.code == 0, outcome.err
    assert "1 of 5 compared elements differs" in outcome.out


def test_an_attribute_without_a_place_in_the_other_operator_is_named(windrow):
    words = ["explain", "onnx.ScatterND", "--data", "5x", "--indices", "[[1]]", "--updates", "[7]"]
    outcome = windrow(*words, "--attr", "reduction=add", "--as", "tensorrt.Scatter")
    assert outcome.code == 2
    assert "attribute 'reduction' of onnx.ScatterND-18 has no place in tensorrt.Scatter-11" in outcome.err


A = np.arange(24, dtype=np.float32)
NUMPY_CALLS = [
    ("onnx.Gather", {"data": A.reshape(4, 6), "indices": np.array([[0, -1], [2, 1]])}, "axis=1"),
    ("onnx.Gather", {"data": A.reshape(4, 6), "indices": np.array(-2)}, "axis=0"),
    ("onnx.GatherND", {"data": A.reshape(2, 3, 4), "indices": np.array([[1], [-3]])}, "batch_dims=1"),
    ("onnx.GatherElements", {"data": A.reshape(4, 6), "indices": np.array([[0, -1], [2, 1]])}, "axis=0"),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, None),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, "reduction=add"),
    ("onnx.ScatterND", {"data": A, "indices": np.array([[1], [-1], [1]]), "updates": A[5:8]}, "reduction=mul"),
    ("onnx.ScatterElements", {"data": A, "indices": np.array([1, -1, 1]), "updates": A[5:8]}, "reduction=max"),
    ("array.Take", {"data": A, "indices": np.array([3, -1])}, None),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "attribute"), NUMPY_CALLS)
def test_the_numpy_line_gives_the_operators_result(windrow, tmp_path, operator, inputs, attribute):
    files = []
    words = []
    for name, array in inputs.items():
        np.save(tmp_path / f"{name}.npy", array)
        files.append(f"{name}.npy")
        words += [f"--{name}", f"{name}.npy"]
    attributes = ["--attr", attribute] if attribute else []
    called = windrow("call", operator, *files, *attributes, "-o", "out.npy")
    assert called.code == 0, called.err
    explained = windrow("explain", operator, *words, *attributes, "--json").json()
    names = {"np": np, **inputs}
    exec(explained["numpy"], names)  # the command's own line
    np.testing.assert_array_equal(names["output"], np.load(tmp_path / "out.npy"), strict=True)


def test_the_numpy_line_of_indexing_that_gives_zero_out_of_range(windrow):
    words = ["--data", "4x", "--indices", "[3, 9]", "--axis", "0", "--json"]
    document = windrow("explain", "openvino.Gather", *words).json()
    names = {"np": np, "data": np.arange(4, dtype=np.float32), "indices": np.array([3, 9])}
    exec(document["numpy"], names)
    assert names["output"].tolist() == [3, 0]
    assert [walk["cell"] for walk in document["walks"]] == [[3], None]


GATHER = ["explain", "onnx.Gather", "--data", "4x3", "--indices", "[2, -1]"]


def test_pictures_are_written_to_files(windrow, tmp_path):
    outcome = windrow(*GATHER, "--svg", "g.svg", "--html", "g.html")
    assert outcome.code == 0, outcome.err
    assert outcome.out.endswith("wrote g.svg\nwrote g.html\n")
    svg = ElementTree.parse(tmp_path / "g.svg").getroot()
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert [child.tag.split("}")[1] for child in svg][:3] == ["title", "desc", "style"]
    assert svg[1].text.splitlines()[3].startswith("output[1, 0] = data[3, 0] = 9: indices[1] = -1")
    assert "</html>" in (tmp_path / "g.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.html", "g.svg"]


def test_a_picture_that_cannot_be_written_leaves_nothing(windrow, tmp_path):
    outcome = windrow(*GATHER, "--svg", "g.svg", "--html", "none/g.html")
    assert "none/g.html" in outcome.only_error()
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_characters(windrow):
    plain = windrow(*GATHER)
    drawn = windrow(*GATHER, "--picture")
    assert drawn.out.startswith(plain.out)
    assert "\x1b" not in drawn.out
    assert "1:   b 9 b 10 b 11\n" in drawn.out
    assert drawn.out.endswith("< negative.\n")


def test_a_picture_may_go_to_standard_output(windrow):
    outcome = windrow(*GATHER, "--svg", "-")
    assert outcome.code == 0, outcome.err
    assert ElementTree.fromstring(outcome.out).tag == "{http://www.w3.org/2000/svg}svg"
    assert "elements shown" in outcome.err
    refused = windrow(*GATHER, "--svg", "-", "--html", "-")
    assert "--html" in refused.only_error()


def test_json_has_no_picture(windrow):
    assert windrow(*GATHER, "--picture", "--json").json()["points"] == 6


def test_a_large_call_has_a_cropped_picture_that_says_so(windrow, tmp_path):
    words = ["--data", "100000x512", "--indices", "[3, 99999]", "--html", "g.html", "--svg", "g.svg"]
    outcome = windrow("explain", "onnx.Gather", *words)
    assert outcome.code == 0, outcome.err
    for file in ["g.html", "g.svg"]:
        text = (tmp_path / file).read_text()
        assert len(text) < 100_000
        assert "The picture follows 24 of 1024 elements." in text
    assert "Rows 0..1, 5..99997 are not shown. Columns 12..511 are not shown." in (tmp_path / "g.html").read_text()


def test_inputs_of_the_model_name_the_command_that_has_hosts(windrow, tmp_path):
    nodes = [
        helper.make_node("Abs", ["ids"], ["positive"], name="abs"),
        helper.make_node("Gather", ["table", "positive"], ["y"], name="pick"),
    ]
    inputs = [
        helper.make_tensor_value_info("table", TensorProto.FLOAT, [4, 3]),
        helper.make_tensor_value_info("ids", TensorProto.INT64, [2]),
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    save(helper.make_model(helper.make_graph(nodes, "g", inputs, [output])), tmp_path / "m.onnx")
    np.save(tmp_path / "ids.npy", np.array([-1, 2]))
    error = windrow("explain", "m.onnx", "--node", "pick", "--input", "ids=ids.npy").only_error()
    assert "python -m windrow explain m.onnx --node pick" in error


@pytest.mark.parametrize(
    "call, updates",
    {
        "onnx.ScatterElements --data 4x3 --indices [[0,1],[2,0]]": [2, 2],
        "onnx.ScatterND --data 4x3 --indices [[0],[2]]": [2, 3],
        "onnx.ScatterND --data 4x3 --indices [[0,1],[2,0],[1,1]]": [3],
        "tensorrt.Scatter --data 4x3 --indices [[0,1],[2,0]] --attr mode=ELEMENT": [2, 2],
        "tensorrt.Scatter --data 4x3 --indices [[0],[2]] --attr mode=ND": [2, 3],
        "openvino.ScatterUpdate --data 4x3 --indices [0,2] --axis 1": [4, 2],
        "openvino.ScatterElementsUpdate --data 4x3 --indices [[0,2]] --axis 0": [1, 2],
        "openvino.ScatterNDUpdate --data 4x3 --indices [[0],[2]]": [2, 3],
    }.items(),
)
def test_updates_that_are_not_given_count(windrow, call, updates):
    document = windrow("explain", *call.split(), "--json").json()
    shapes = {tensor["name"]: tensor["shape"] for tensor in document["inputs"]}
    assert shapes["updates"] == updates


def test_updates_of_two_possible_shapes_must_be_given(windrow):
    call = "openvino.ScatterElementsUpdate --data 4x3 --indices [[0,2]]"
    assert "input updates is missing" in windrow("explain", *call.split()).only_error()
