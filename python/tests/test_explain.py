"""windrow.explain(): members, walks beside NumPy, its line of NumPy, models, notebooks.

One long file: the tests share the drawn calls.
"""

import pathlib

import numpy as np
import pytest
import windrow
from call_maker import draw_meanings
from drawn_calls import draw_call
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper, save

DATA = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
TUPLES = np.array([[0, 1], [2, -1]])


def test_an_explanation_has_equation_axes_and_walks():
    explanation = windrow.explain("onnx.GatherND", DATA, TUPLES)
    assert explanation.operator == "onnx.GatherND-13"
    assert explanation.equation == "output[i0, i1] = data[indices[i0, 0], indices[i0, 1], i1]"
    assert [axis.origin for axis in explanation.axes] == ["index", "slice"]
    walk = explanation.walks[2]
    assert (walk.direct, walk.cell, walk.value) == ((1, 0), (2, 3, 0), "22")
    read = walk.coordinates[1].indices[0]
    assert (read.stored, read.counted, read.negative, read.legal) == ("-1", 3, True, True)
    assert explanation.output_axes[0].sentence == "that of axis 0 of indices"
    assert explanation.failure == ""


def test_an_explanation_prints_itself_as_the_command_does():
    text = str(windrow.explain("onnx.GatherND", DATA, TUPLES))
    line = "  output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1); -1 counts as 3 on axis 1 (extent 4)\n"
    assert line in text
    assert repr(windrow.explain("onnx.GatherND", DATA, TUPLES)) == text.rstrip("\n")


def test_writes_say_who_wins():
    explanation = windrow.explain(windrow.onnx.scatter_nd, np.arange(5.0), [[1], [3], [1]], [7.0, 8.0, 9.0])
    assert [(write.before, write.after, write.later) for write in explanation.writes] == [
        ("1", "7", 2), ("3", "8", None), ("7", "9", None),
    ]  # fmt: skip
    assert [(cell.cell, cell.writes, cell.result) for cell in explanation.cells] == [((1,), 2, "9"), ((3,), 1, "8")]


def test_chosen_elements_alone_are_shown():
    explanation = windrow.explain("onnx.GatherND-12", DATA, TUPLES, elements=[(1, 1)], batch_dims=0)
    assert explanation.operator == "onnx.GatherND-12"
    assert [walk.direct for walk in explanation.walks] == [(1, 1)]


def test_inputs_may_be_specs():
    explanation = windrow.explain("onnx.Gather", windrow.Spec("float32", (2**40, 2**20)), [5])
    assert explanation.output.shape == (1, 2**20)
    assert (explanation.walks[0].cell, explanation.walks[0].value) == ((5, 0), "")
    assert windrow.explain("onnx.Gather", windrow.Spec("f4", (3,)), windrow.Spec("i8", (2,))).walks == ()


def test_a_call_that_fails_says_why():
    explanation = windrow.explain("onnx.Gather", DATA, [0, 7])
    assert explanation.failure == "indices[1] is 7, which must lie in -3 to 2 for axis 0 of data (extent 3)"


def test_two_dialects_part():
    explanation = windrow.explain("onnx.Gather", np.arange(4.0), [1, 7], as_="openvino.Gather")
    (comparison,) = explanation.comparisons
    assert comparison.parts
    assert comparison.partings[0].element == (1,)
    assert comparison.partings[0].second == "0"
    assert "onnx.Gather-13 and openvino.Gather-8 give different results" in str(explanation)


def test_another_operators_attributes_may_be_chosen():
    others = {"openvino.ScatterNDUpdate-15": {"reduction": "sum"}, "tensorrt.Scatter": {}}
    explanation = windrow.explain("onnx.ScatterND", DATA[0, 0], [[1], [1]], DATA[1, 1], as_=others)
    assert [each.parts for each in explanation.comparisons] == [True, False]


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: windrow.explain("Gather", DATA, [0]), windrow.ArgumentError, "'onnx.Gather'"),
    (lambda: windrow.explain("onnx.Gathr", DATA, [0]), windrow.Unsupported, "Gather"),
    (lambda: windrow.explain("onnx.Gather-x", DATA, [0]), windrow.ArgumentError, "'x'"),
    (lambda: windrow.explain("onnx.Gather", DATA, [0], [0]), windrow.ArgumentError, "2 inputs, not 3"),
    (lambda: windrow.explain("onnx.Gather", DATA, [0], elements=[(9,)]), windrow.ArgumentError, "[9]"),
    (lambda: windrow.explain("onnx.Gather", DATA, [0], most=0), windrow.ArgumentError, "most_points"),
    (lambda: windrow.explain("onnx.Gather", DATA, [0], ax=0), windrow.ArgumentError, "ax"),
    (lambda: windrow.explain("onnx.Gather", DATA, [0], node="x"), windrow.ArgumentError, "node is for models"),
    (lambda: windrow.explain(3), windrow.ArgumentError, "neither an operator nor a model"),
    (lambda: windrow.explain("onnx.ScatterND", [1.0], [[0]], [1.0], reduction="add", as_="tensorrt.Scatter"),
     windrow.ArgumentError, "has no place in tensorrt.Scatter"),
])  # fmt: skip
def test_errors_say_what_is_wrong(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


# --- Notebooks ---


def test_a_notebook_shows_a_frame_with_a_title():
    html = windrow.explain("onnx.GatherND", DATA, TUPLES)._repr_html_()
    assert html.startswith("<p><b>onnx.GatherND-13: output[i0, i1]")
    assert '<iframe title="onnx.GatherND-13: ' in html
    assert "srcdoc=\"&lt;!" in html
    assert "<script" not in html


def test_a_picture_is_svg():
    explanation = windrow.explain("onnx.GatherND", DATA, TUPLES)
    assert explanation.to_svg().startswith("<svg")
    assert explanation.to_html().lower().startswith("<!doctype html>")


def test_the_page_has_the_comparisons_too():
    explanation = windrow.explain("onnx.GatherND", DATA, TUPLES, as_="array.Take")
    assert "<h2>onnx.GatherND-13 and array.Take-1 give different results</h2>" in explanation.to_html()


def test_plans_and_models_have_titles_in_notebooks(tmp_path):
    plan = windrow.compile("onnx", "Gather", DATA, [0])
    assert plan._repr_html_().startswith("<p><b>onnx.Gather-13</b></p>")
    model = windrow.load(lookup_model(tmp_path / "m.onnx"))
    assert model._repr_html_().startswith("<p><b>onnx model, 2 nodes: ")


# --- Models ---


def lookup_model(path, nodes=("look/up", "again")):
    table = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "table")
    made = [
        helper.make_node("Gather", ["table", "ids"], [f"rows{i}"], name=name) for i, name in enumerate(nodes)
    ]
    graph = helper.make_graph(
        made,
        "g",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("rows0", TensorProto.FLOAT, ["n", 3])],
        [table],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


def test_a_node_of_a_model(tmp_path):
    path = lookup_model(tmp_path / "m.onnx")
    for model in (path, str(path), windrow.load(path)):
        explanation = windrow.explain(model, {"ids": [-1, 2]}, node="look/up")
        assert explanation.walks[1].cell == (3, 1)
        assert explanation.walks[1].value == "10"


def test_the_only_gather_needs_no_name(tmp_path):
    path = lookup_model(tmp_path / "m.onnx", ["one"])
    assert windrow.explain(path, {"ids": [0]}).operator == "onnx.Gather-13"


def test_a_node_in_the_middle_gets_what_a_run_of_the_model_gives_it(tmp_path):
    nodes = [
        helper.make_node("Add", ["x", "x"], ["twice"], name="add"),
        helper.make_node("Cast", ["twice"], ["ids"], name="cast", to=TensorProto.INT64),
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="middle"),
        helper.make_node("Relu", ["rows"], ["y"], name="last"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])],
        [numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "table")],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    explanation = windrow.explain(tmp_path / "m.onnx", {"x": np.array([1.0, 0.5], np.float32)}, node="middle")
    assert [walk.cell for walk in explanation.walks[:4]] == [(2, 0), (2, 1), (2, 2), (1, 0)]
    assert explanation.walks[0].value == "6"
    # A run that would fail there is explained, since the node itself does not run.
    failing = windrow.explain(tmp_path / "m.onnx", {"x": np.array([9.0], np.float32)}, node="middle")
    assert failing.failure.startswith("indices[0] is 18")


@pytest.mark.parametrize(("arguments", "options", "message"), [
    (({"ids": [0]},), {}, "it has 'look/up', 'again'"),
    (({"id": [0]},), {"node": "again"}, "no input 'id'; it has 'table', 'ids'"),
    ((), {"node": "again"}, "type or shape of 'ids' is not known"),
    (([0],), {"node": "again"}, "are a dict by name"),
    (({"ids": [0]},), {"node": "again", "axis": 1}, "has the model's attributes"),
])  # fmt: skip
def test_what_a_node_needs_is_said(tmp_path, arguments, options, message):
    with pytest.raises(windrow.ArgumentError, match=message):
        windrow.explain(lookup_model(tmp_path / "m.onnx"), *arguments, **options)


# --- The glossary ---

GLOSSARY = (pathlib.Path(__file__).parents[2] / "docs/glossary.md").read_text(encoding="utf-8")


def names_of(fields):
    for name, value in fields.items():
        yield name
        for part in value if isinstance(value, list) else []:
            yield from names_of(part)


def test_the_glossary_has_every_field_of_a_plan():
    plan = windrow.compile("onnx", "ScatterND", DATA, TUPLES, DATA[0, :2])
    assert [name for name in names_of(plan.description) if f"`{name}`" not in GLOSSARY] == []


@pytest.mark.parametrize("make", [
    lambda: windrow.compile("onnx", "ScatterND", DATA, TUPLES, DATA[0, :2]),
    lambda: windrow.compile("onnx", "Gather", DATA, [0]),
    lambda: windrow.compile("onnx", "Gather", np.zeros((3, 0)), [0]),
    lambda: windrow.compile("openvino", "ScatterElementsUpdate", DATA, np.zeros((1, 1, 1), int), DATA[:1, :1, :1], 0,
                            reduction="mean", use_init_val=False),
    lambda: windrow.compile("onnx", "OneHot", [0], [3], [0, 1]),
])  # fmt: skip
def test_the_glossary_has_every_line_of_a_plan(make):
    lines = make().describe().splitlines()[2:]
    heads = {line.partition(":")[0] for line in lines}
    assert [head for head in heads if f"\n| {head} | " not in GLOSSARY] == []


# --- Random calls ---


def profile(examples):
    return settings(
        max_examples=examples, deadline=None, database=None, derandomize=True,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def explained(call, most):
    """The explanation of a drawn call, and the call's result, or None where it fails."""
    operator = call.operator
    options = {"version": call.version, "out_of_range": call.policy, "negative": call.negative,
               "padding_index": call.padding_index}
    try:
        result = windrow.call(operator.dialect, operator.name, *call.inputs, **options, **call.attributes)
    except (windrow.IndexOutOfRange, windrow.ArgumentError, windrow.DuplicateIndex):
        result = None
    name = f"{operator.dialect}.{operator.name}"
    return windrow.explain(name, *call.inputs, most=most, **options, **call.attributes), result


def run_line(explanation, inputs):
    names = {"np": np}
    for tensor, array in zip(explanation.inputs, inputs, strict=False):
        names[tensor.name] = array
    exec(explanation.numpy, names)
    output = names["output"]
    return np.asarray(output, object if isinstance(output, str) else None)


def plain(array):
    """Elements of types that NumPy does not know itself as numbers that it does, so that NaN is equal to NaN."""
    return array.astype(np.float64) if array.dtype.isbuiltin == 2 else array


OPERATORS = windrow.ops()
CALLS = 40
# What NumPy's indexing does not express: folds that begin with nothing and have an order, and a recurrence.
QUANTISED = ("GatherBlockQuantized", "TakeQuantized")  # whose values are computed
WITHOUT_A_LINE = ("Embedding", "GatherTree", *QUANTISED)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: f"{each.dialect}.{each.name}")
def test_the_numpy_line_gives_the_operators_result(operator):
    counts = {"lines": 0, "calls": 0}

    @profile(CALLS)
    @given(st.data())
    def draw(data):
        call = draw_call(data, operator)
        draw_meanings(data, call)
        explanation, result = explained(call, 1)
        if result is None:
            assert explanation.failure
            return
        assert explanation.failure == ""
        counts["calls"] += 1
        if not explanation.numpy:
            return
        counts["lines"] += 1
        with np.errstate(all="ignore"):
            got = run_line(explanation, call.inputs)
        assert got.dtype == result.dtype, explanation.numpy
        assert got.shape == result.shape, explanation.numpy
        np.testing.assert_array_equal(plain(got), plain(result), err_msg=explanation.numpy)

    draw()
    assert counts["calls"] > CALLS / 4
    assert bool(counts["lines"]) != operator.name.startswith(WITHOUT_A_LINE), counts
    # Most calls of SegmentMax leave rows out, which NumPy does not; half of SegmentReduce's have offsets.
    share = 10 if operator.name in ("SegmentMax", "SegmentReduce") else 4
    assert not counts["lines"] or counts["lines"] >= counts["calls"] / share, counts


@pytest.mark.parametrize("operator", [each for each in OPERATORS if not each.newest["scatter"] and each.name not in QUANTISED],
                         ids=lambda each: f"{each.dialect}.{each.name}")  # fmt: skip
def test_every_walk_is_an_element_of_numpys_data(operator):
    @profile(15)
    @given(st.data())
    def draw(data):
        call = draw_call(data, operator, scale=60)
        draw_meanings(data, call)
        explanation, result = explained(call, 10_000)
        if result is None:
            return
        data_array = call.inputs[explanation.indirect_input]
        assert len(explanation.walks) == result.size
        for walk in explanation.walks:
            expected = result[walk.direct]
            zero = "" if isinstance(expected, str) else np.zeros_like(expected)
            if operator.name == "GatherTree":
                zero = call.inputs[3]
            got = data_array[walk.cell] if walk.cell is not None else zero
            np.testing.assert_array_equal(plain(np.asarray(got)), plain(np.asarray(expected)))

    draw()
