"""Changes of nodes in bodies of If, Loop and Scan are verified on inputs that meet the rule there."""

import onnx.parser
import pytest
import windrow
from windrow import runners

BRANCH = """
g (float[4,3] table, int64[2] ids, bool flag) => (float[2,3] y)
{ y = If (flag) <then_branch = t () => (float[2,3] a) { [pick] a = Gather (table, ids) },
                 else_branch = e () => (float[2,3] b) <int64[2] zero = {0, 0}> { b = Gather (table, zero) }> }"""
LOOP = """
g (float[4,3] table, int64[2] ids, float[2,3] start) => (float[2,3] y) <int64 most = {3}, bool yes = {1}>
{ y = Loop (most, yes, start) <body = b (int64 i, bool c, float[2,3] sum) => (bool c2, float[2,3] sum2)
  { [pick] row = Gather (table, ids)  sum2 = Add (sum, row)  c2 = Identity (c) }> }"""
STATE = """
g (float[4,3] table, int64[2] ids) => (int64[2] last, float[k,2,3] y) <int64 most = {3}, bool yes = {1}>
{ last, y = Loop (most, yes, ids) <body = b (int64 i, bool c, int64[2] at) => (bool c2, int64[2] next, float[2,3] row)
  { [pick] row = Gather (table, at)  next = Identity (at)  c2 = Identity (c) }> }"""
SCAN = """
g (int64[3,2] ids, float[2,3] start) => (float[2,3] y)
{ y = Scan <num_scan_inputs = 1, body = b (float[2,3] sum, int64[2] one) => (float[2,3] sum2)
  <float[4,3] table = {0,1,2,3,4,5,6,7,8,9,10,11}>
  { [pick] row = Gather (table, one)  sum2 = Add (sum, row) }> (start, ids) }"""
COUNTER = """
g (float[2,3] table, int64 most) => (float[k,3] y) <bool yes = {1}>
{ y = Loop (most, yes) <body = b (int64 i, bool c) => (bool c2, float[3] row)
  { [pick] row = Gather (table, i)  c2 = Identity (c) }> }"""


@pytest.fixture(autouse=True)
def host():
    if runners.runner("onnxruntime").fault():
        pytest.skip(runners.runner("onnxruntime").fault())


def fixed(text, **options):
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}')
    report = windrow.check(model, runtimes="onnxruntime", select=["gather-index-range"])
    return windrow.fix(model, report, unsafe=True, hosts=("onnxruntime",), **options)


@pytest.mark.parametrize("text", [BRANCH, LOOP, STATE, SCAN])
def test_the_rule_is_met_in_a_run(text):
    result = fixed(text)
    assert [(change.rule, change.node.rpartition("/")[2]) for change in result.applied] == [("gather-index-range", "pick")]
    assert not result.notes and not result.failure
    [row] = [row for row in result.verifications if row.host == "onnxruntime"]
    assert row.repaired > 0  # ONNX Runtime refuses the index before the change, and gives Windrow's result after it


def test_it_is_told_why_no_inputs_meet_the_rule():
    [note] = fixed(COUNTER).notes
    assert note.endswith("main/Loop_0.body/pick: its indices are computed inside the model")
