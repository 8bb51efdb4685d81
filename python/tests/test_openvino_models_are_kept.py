"""Models that OpenVINO saves are read whole, written as they were, and then run by OpenVINO with the same bits.

WINDROW_OPENVINO_CORPUS=all runs every model of ONNX's back-end tests; otherwise those with bodies and every fourth.
"""

import collections
import importlib.util
import os
import re

import ir_files
import numpy as np
import pytest
from forked_code import run_code
from windrow.runners import Limits, Pool, runner

pytestmark = pytest.mark.skipif(importlib.util.find_spec("openvino") is None, reason="openvino is not installed")

RUN_EVERY = 1 if os.environ.get("WINDROW_OPENVINO_CORPUS") == "all" else 4
ITEM = 10  # models per process

RANDOM = "its result is drawn by chance, another one in each run"
GARBAGE = "OpenVINO reads outside of the data where repeats are an input: the original's result changes, too"
# Models whose two files may give different results, and why.
MAY_DIFFER = {
    "test_bernoulli_double_expanded": RANDOM,
    "test_bernoulli_seed": RANDOM,
    "test_bernoulli_seed_expanded": RANDOM,
    "test_tile": GARBAGE,
}
RANK = "CPU plug-in doesn't support .* operation with dynamic rank"
TEXT = "unsupported src_prc: string"
# On processors with matrix tiles OpenVINO 2026.4 generates a tile instruction without a tile configuration.
ENDED = re.compile("test_attention_.*_bf16.*: ended by OpenVINO: signal 4")
# Models that OpenVINO converts but does not run, neither from its own file, and its words for it.
NOT_RUN = {
    "test_equal_string": TEXT,
    "test_equal_string_broadcast": TEXT,
    "test_identity_opt": RANK,
    "test_identity_sequence": RANK,
    "test_linear_attention_explicit_scale_expanded": "evaluate\\(\\) is not implemented for op: opset1::Convert",
    "test_reduce_log_sum_asc_axes": RANK,
    "test_reduce_log_sum_asc_axes_expanded": RANK,
    "test_reduce_log_sum_desc_axes": RANK,
    "test_reduce_log_sum_desc_axes_expanded": RANK,
    "test_unsqueeze_axis_0": RANK,
    "test_unsqueeze_axis_1": RANK,
    "test_unsqueeze_axis_2": RANK,
    "test_unsqueeze_negative_axes": RANK,
    "test_unsqueeze_three_axes": RANK,
    "test_unsqueeze_two_axes": RANK,
    "test_unsqueeze_unsorted_axes": RANK,
}


def pool(handler):
    return Pool(f"ir_corpus:{handler}", preload=["openvino", "onnx", "ir_corpus"], processes=2, limits=Limits(300))


def check_singly(item):
    """The outcomes of an item's models, each in a process of its own. Where OpenVINO ends the process with the original
    model, too, the outcome is "ended by OpenVINO"."""
    from ir_corpus import MODELS

    with pool("check") as models, pool("run_original") as originals:
        for one, ending in zip(item, models.run([[one] for one in item])):
            if ending.failure is None:
                yield from ending.value
                continue
            original = originals.run([one[0]])[0].failure
            same = original is not None and original.signal == ending.failure.signal
            assert ending.failure.kind == "signal" and same, (MODELS[one[0]].name, ending.failure, original)
            yield {"name": MODELS[one[0]].name, "what": f"ended by OpenVINO: signal {original.signal}"}


def check_all(count):
    items = [
        [(position, position % RUN_EVERY == 0) for position in range(first, min(first + ITEM, count))]
        for first in range(0, count, ITEM)
    ]
    with pool("check") as models:
        for number, ending in models.each(items):
            yield from ending.value if ending.failure is None else check_singly(items[number])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_model_is_kept(capsys):
    from ir_corpus import MODELS

    results = {result["name"]: result["what"] for result in check_all(len(MODELS))}
    assert len(results) == len(MODELS)
    counts = collections.Counter(results.values())
    differing = [name for name, what in results.items() if what == "differs"]
    failed = {
        name: what
        for name, what in results.items()
        if what not in ("not converted", "not run", "same", "differs")
    }
    converted = len(results) - counts["not converted"]
    with capsys.disabled():
        print(
            f"\nOf {len(results)} models OpenVINO converts {converted}; {converted - counts['not run']} of them run, "
            f"{counts['same']} with the same results, {len(differing)} with others, {len(failed)} fail"
        )
    assert converted > 1700
    assert counts["same"] > 1700 // RUN_EVERY - 20
    assert set(differing) <= MAY_DIFFER.keys()
    assert not {
        name: what
        for name, what in failed.items()
        if not re.search(NOT_RUN.get(name, "$^"), what) and not ENDED.fullmatch(f"{name}: {what}")
    }


SCRIPT = """
import sys
import numpy as np
import openvino as ov
from openvino import opset13 as op

def end(*values):
    return [op.result(value) for value in values]

def branch(give):
    value = op.parameter([2, 3], np.float32)
    return value, end(give(value))

def if_model():
    data, choice = op.parameter([2, 3], np.float32, name="data"), op.parameter([], bool, name="choice")
    node = op.if_op(choice)
    rows, then_ends = branch(lambda value: op.gather(value, op.constant([1, 0]), op.constant(0)))
    other, else_ends = branch(lambda value: op.add(value, op.constant(np.float32(1))))
    node.set_then_body(ov.Model(then_ends, [rows]))
    node.set_else_body(ov.Model(else_ends, [other]))
    node.set_input(data.output(0), rows, other)
    return ov.Model(end(node.set_output(then_ends[0], else_ends[0])), [data, choice], "branches")

def loop_body():
    step, carried = op.parameter([], np.int64), op.parameter([2, 3], np.float32)
    picked = op.gather(carried, op.constant([1, 0]), op.constant(0))
    return step, carried, op.add(picked, op.convert(step, "f32"))

def loop_model():
    data = op.parameter([2, 3], np.float32, name="data")
    step, carried, value = loop_body()
    node = op.loop(op.constant(np.int64(4)), op.constant(True))
    part = op.unsqueeze(value, op.constant(0))
    node.set_function(ov.Model(end(op.constant(True), value, part), [step, carried]))
    node.set_special_body_ports([0, 0])
    node.set_merged_input(carried, data.output(0), value.output(0))
    last = node.get_iter_value(value.output(0), -1)
    parts = node.get_concatenated_slices(part.output(0), 0, 1, 1, -1, 0)
    return ov.Model(end(last, parts), [data], "steps")

def iterator_model():
    data = op.parameter([5, 3], np.float32, name="data")
    row, sum = op.parameter([1, 3], np.float32), op.parameter([1, 3], np.float32)
    added = op.add(row, sum)
    node = op.tensor_iterator()
    node.set_body(ov.Model(end(added), [row, sum]))
    node.set_sliced_input(row, data.output(0), -1, -1, 1, 0, 0)
    node.set_merged_input(sum, op.constant(np.zeros((1, 3), np.float32)).output(0), added.output(0))
    parts = node.get_concatenated_slices(added.output(0), -1, -1, 1, 0, 0)
    return ov.Model(end(node.get_iter_value(added.output(0), -1), parts), [data], "backwards")

def state_model():
    data = op.parameter([1, 3], np.float32, name="data")
    value = op.read_value(op.constant(np.full((1, 3), 2, np.float32)), "memory", np.float32, [1, 3])
    sum = op.add(value, data)
    return ov.Model(end(sum), [op.assign(sum, "memory")], [data], "state")

def named_model():
    data = op.parameter(ov.PartialShape("?,1..4"), np.float32, name="data")
    data.output(0).set_names({"x", "with, comma"})
    sum = op.relu(data, name="act")
    sum.get_rt_info()["user_data"] = "mine"
    model = ov.Model(end(sum), [data], "names")
    model.set_rt_info("kept", ["my", "note"])
    return model

model = globals()[sys.argv[1] + "_model"]()
ov.save_model(model, sys.argv[2], compress_to_fp16=False)
"""


@pytest.mark.parametrize("kind", ["if", "loop", "iterator", "state", "named"])
def test_models_made_by_openvino(kind, tmp_path):
    path = tmp_path / "model.xml"
    assert run_code(SCRIPT, kind, path, host="openvino").failure is None
    once = ir_files.keep(path)
    shape = {"iterator": (5, 3), "state": (1, 3)}.get(kind, (2, 3))
    inputs = {"data": np.arange(np.prod(shape), dtype=np.float32).reshape(shape) - 4}
    for choice in (True, False) if kind == "if" else (None,):
        given = inputs if choice is None else {**inputs, "choice": np.array(choice)}
        first, second = (runner("openvino").run(str(file), given) for file in (path, once))
        assert first.failure is None
        assert first.outputs.keys() == second.outputs.keys()
        for name, value in first.outputs.items():
            assert value.tobytes() == second.outputs[name].tobytes()
