"""Programs as NVIDIA's operator page of Gather writes them, and what that page gets wrong.

They know the names network, inputs, outputs, expected, trt and np, and leave the types of their
arrays to NumPy. The numbers of the corrections are those of docs/operators/tensorrt.md.
"""

import os
import re
from pathlib import Path

import numpy as np
import pytest
import windrow
import windrow.trt as trt

DATA = """
data = network.add_input("data", dtype=trt.float32, shape=(2, 1, 5))
inputs[data.name] = np.array([[[0.0, 1.0, 2.0, 3.0, 4.0]], [[10.0, 11.0, 12.0, 13.0, 14.0]]])
"""
OUTPUT = """
network.mark_output(layer.get_output(0))
outputs[layer.get_output(0).name] = layer.get_output(0).shape
"""
EXAMPLES = {
    "gather": """
indices = network.add_input("indices", dtype=trt.int32, shape=(1, 3))
layer = network.add_gather(data, indices, axis=2)
inputs[indices.name] = np.array([4, 0, 0])
expected[layer.get_output(0).name] = np.array([[[[4.0, 0.0, 0.0]]], [[[14.0, 10.0, 10.0]]]])
""",
    "gather with 2D indices": """
indices = network.add_input("indices", dtype=trt.int32, shape=(2, 2))
layer = network.add_gather(data, indices, axis=2)
inputs[indices.name] = np.array([[3, 0], [1, 1]])
expected[layer.get_output(0).name] = np.array(
    [[[[3.0, 0.0], [1.0, 1.0]]], [[[13.0, 10.0], [11.0, 11.0]]]])
""",
    "gather elements": """
indices = network.add_input("indices", dtype=trt.int32, shape=(2, 1, 5))
layer = network.add_gather_v2(data, indices, mode=trt.GatherMode.ELEMENT)
layer.axis = 2
inputs[indices.name] = np.array([[[4, 3, 2, 1, 0]], [[0, 0, 2, 2, 4]]])
expected[layer.get_output(0).name] = np.array(
    [[[4.0, 3.0, 2.0, 1.0, 0.0]], [[10.0, 10.0, 12.0, 12.0, 14.0]]])
""",
    "gather elements along axis 0": """
indices = network.add_input("indices", dtype=trt.int32, shape=(2, 1, 5))
layer = network.add_gather_v2(data, indices, mode=trt.GatherMode.ELEMENT)
layer.axis = 0
inputs[indices.name] = np.array([[[1, 0, 1, 0, 1]], [[0, 0, 0, 1, 1]]])
expected[layer.get_output(0).name] = np.array(
    [[[10.0, 1.0, 12.0, 3.0, 14.0]], [[0.0, 1.0, 2.0, 13.0, 14.0]]])
""",
    "gather nd": """
indices = network.add_input("indices", dtype=trt.int32, shape=(2, 3))
layer = network.add_gather_v2(data, indices, mode=trt.GatherMode.ND)
inputs[indices.name] = np.array([[1, 0, 4], [0, 0, 3]])
expected[layer.get_output(0).name] = np.array([14.0, 3.0])
""",
}


def example(name):
    example = trt.testing.Example()
    example.execute(DATA + EXAMPLES[name] + OUTPUT)
    return example


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_hold(name):
    example(name).check()


@pytest.mark.parametrize("name", EXAMPLES)
def test_wrong_examples_do_not_hold(name):
    wrong = example(name)
    [output] = wrong.expected
    wrong.expected[output].flat[-1] += 1
    with pytest.raises(AssertionError, match=re.escape(output)):
        wrong.check()
    wrong.outputs[output] = trt.Dims((7,))
    with pytest.raises(AssertionError, match=r"announced as \(7,\)"):
        wrong.check()


def test_what_an_example_cannot_say():
    broken = example("gather")
    broken.inputs["indices"] = np.array([0.5, 0, 0])
    with pytest.raises(windrow.DTypeError):
        broken.check()
    with pytest.raises(NameError):
        broken.execute("builder.create_network()")


def test_correction_1_and_2_the_rank_of_the_output():
    """n + m - 1 holds where n and m are ranks, not the last positions as elsewhere on the page."""
    assert len(example("gather").network.get_output(0).shape) == 3 + 2 - 1
    assert len(example("gather with 2D indices").network.get_output(0).shape) == 3 + 2 - 1
    assert len(example("gather nd").network.get_output(0).shape) == 3 + 2 - 3 - 1


def test_correction_7_the_result_of_gather_nd_has_one_axis():
    wrong = example("gather nd")
    [output] = wrong.expected
    wrong.expected[output] = wrong.expected[output].reshape(1, 2)
    with pytest.raises(AssertionError, match=r"shape \(2,\), expected \(1, 2\)"):
        wrong.check()


def test_correction_8_fed_indices_take_the_declared_shape():
    fed = example("gather")
    assert fed.inputs["indices"].shape == (3,) and fed.network.get_input(1).shape == (1, 3)
    [result] = fed.run().values()
    assert result.shape == (2, 1, 1, 3)


# The page's own wrong expectations, by the heading of the example.
PAGE_SLIPS = {"GatherND": r"shape \(2,\), expected \(1, 2\)"}  # correction 7


def page_examples():
    """The headings and the Python code of the copy that WINDROW_TENSORRT_PAGE names."""
    text = Path(os.environ["WINDROW_TENSORRT_PAGE"]).read_text(encoding="utf-8")
    return re.findall(r"^(\S[^\n]*)\n+```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.skipif("WINDROW_TENSORRT_PAGE" not in os.environ, reason="no copy of the page")
def test_the_page_itself():
    assert [heading for heading, _ in page_examples()] == [
        "Gather",
        "Gather with 2D indices",
        "GatherElements",
        "GatherElements with axis=0",
        "GatherND",
    ]
    for heading, source in page_examples():
        page = trt.testing.Example()
        page.execute(source)
        if heading in PAGE_SLIPS:
            with pytest.raises(AssertionError, match=PAGE_SLIPS[heading]):
                page.check()
        else:
            page.check()
