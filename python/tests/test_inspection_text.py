"""The table of an inspection in a terminal."""

import onnx.parser
import windrow
from windrow._base.text import padded, width

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[4, 3] table, int64[2] ids) => (float[2, 3] first, float[2, 3] second, float[2, 3] third)
{ first = Gather(table, ids) second = Gather(table, ids) third = Gather(table, ids) }"""


def test_wide_and_combining_characters_keep_the_columns():
    model = onnx.parser.parse_model(MODEL)
    for node, name in zip(model.graph.node, ["読み取り", "cafe\u0301", "pick\u200b"], strict=True):
        node.name = name
    lines = repr(windrow.load(model).inspect()).splitlines()
    assert lines[3].startswith("pick\\u200b  onnx.Gather-13")
    assert {width(line.partition("onnx.")[0]) for line in lines[1:4]} == {len("pick\\u200b  ")}


def test_widths():
    assert [width(text) for text in ("", "ab", "表", "e\u0301", "ｱ", "！")] == [0, 2, 2, 1, 1, 2]
    assert padded("表", 4) == "表  "
