"""windrow inspect --html."""

import html.parser
import re

import cli_models as models
import numpy as np
import pytest
from onnx import helper

EMPTY = {"meta", "br"}


class Page(html.parser.HTMLParser):
    """The elements and texts of a page; fails where elements are not closed in their order."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.attributes, self.rows, self.open = [], [], [], []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "br":
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.rows and self.rows[-1] and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def lookups(path, names, rows=5):
    """A model of Gather nodes of these names."""
    nodes = [helper.make_node("Gather", ["table", "ids"], [f"y{i}"], name=name) for i, name in enumerate(names)]
    inputs = [models.value("table", "float32", [rows, 3]), models.value("ids", "int64", [2])]
    return models.save(path, nodes, inputs, [models.value("y0", "float32", [2, 3])])


def test_the_page_shows_what_the_text_shows(windrow, tmp_path):
    def body(name, op_type, inputs):
        node = helper.make_node(op_type, inputs, [name])
        return helper.make_graph([node], name, [], [helper.make_tensor_value_info(name, 1, None)])

    branches = {"then_branch": body("a", "Gather", ["table", "ids"]), "else_branch": body("b", "Relu", ["table"])}
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["picked"], name="lookup"),
        helper.make_node("If", ["c"], ["chosen"], name="choose", **branches),
        helper.make_node("GatherElements", ["chosen", "at"], ["z"], name="last"),
        helper.make_node("Scatter", ["table", "at", "table"], ["old"], name="put"),
    ]
    inputs = [models.value("table", "float32", [5, 3]), models.value("ids", "int64", [2]),
              helper.make_tensor_value_info("c", 9, []), models.value("at", "int64", [5, 3])]
    outputs = [models.value("picked", "float32", [2, 3]), models.value("z", "float32", None)]
    models.save(tmp_path / "m.onnx", nodes, inputs, outputs, 11)
    outcome = windrow("inspect", "m.onnx", "--html", "page.html")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("m.onnx: 6 nodes, 2 of them in bodies and functions, opset ai.onnx 11\n")
    assert outcome.out.endswith("\nwrote page.html\n")
    page = Page(tmp_path / "page.html")
    assert ["input", "table", "float32[5, 3]"] in page.rows
    assert ["output", "picked", "float32[2, 3]"] in page.rows
    row = ["lookup", "onnx.Gather-11", "axis 0 of 2", "error", "table float32[5, 3]\nids int64[2]", "picked float32[2, 3]"]
    below = page.rows[page.rows.index(row) + 1][0]
    assert below.startswith("plan: kernel ")
    text = outcome.out.split("plan of lookup, choose.then_branch/Gather_0\n  ")[1].split("\n\n")[0]
    assert below.endswith(re.sub("\n  ", "\n", text) + "\n")
    assert page.rows[[row[0] for row in page.rows].index("last") + 1] == ["no plan: input 'chosen' is float32?"]
    assert ["Gather", "", "2", "1"] in page.rows
    assert ["choose.then_branch/Gather_0", *row[1:-1], "a float32[2, 3]"] in page.rows
    assert ["put", "onnx.Scatter-11: Scatter is deprecated since opset 11; use ScatterElements"] in page.rows
    assert ["If (domain ai.onnx), node choose"] in page.rows


def test_a_page_loads_nothing_and_has_no_scripts(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    assert windrow("inspect", "m.onnx", "--html", "page.html").code == 0
    page = Page(tmp_path / "page.html")
    assert not {"script", "link", "img", "iframe", "object", "base"} & set(page.tags)
    assert not {"src", "href", "srcset", "action"} & {name for name, _ in page.attributes}
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    source = (tmp_path / "page.html").read_text()
    assert "url(" not in source and "@import" not in source and "://" not in source
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes


@pytest.mark.parametrize(
    "name, shown",
    [
        ("</td><script>alert('x')</script>", "</td><script>alert('x')</script>"),
        ('" onload="x" <!-- ]]> &lt;', '" onload="x" <!-- ]]> &lt;'),
        ("\u202etxt\x1b[31m\nnext\t", "\\u202etxt\\x1b[31m\\nnext\\t"),
        ("</style></body>", "</style></body>"),
        ("日本語 ünïcödé", "日本語 ünïcödé"),
    ],
)
def test_names_are_texts(windrow, tmp_path, name, shown):
    file = tmp_path / "a<b>&.onnx"
    lookups(file, [name])
    assert windrow("inspect", file.name, "--html", "page.html").code == 0
    page = Page(tmp_path / "page.html")
    assert shown in [row[0] for row in page.rows]
    assert "script" not in page.tags and page.tags.count("body") == 1
    assert "a<b>&.onnx" in page.text


def test_a_page_of_a_huge_model_is_bounded(windrow, tmp_path):
    count = 10_000
    lookups(tmp_path / "m.onnx", ["long " * 400_000, *(f"n{i}" for i in range(1, count))])
    assert windrow("inspect", "m.onnx", "--html", "page.html", "--json").code == 0
    assert (tmp_path / "page.html").stat().st_size < 4 << 20
    page = Page(tmp_path / "page.html")
    assert "8000 more nodes are left out." in page.text
    assert page.rows[[row[0] for row in page.rows].index("Node") + 1][0] == "long " * 40 + "#0"
    assert ["Gather", "", str(count), "0"] in page.rows
    inputs = [models.value("table", "float32", [5, 3]), models.value("long " * 400_000, "int64", [2])]
    node = helper.make_node("Gather", [value.name for value in inputs], ["y"])
    models.save(tmp_path / "m.onnx", [node], inputs, [models.value("y", "float32", [2, 3])])
    assert windrow("inspect", "m.onnx", "--html", "page.html").code == 0
    assert re.search(r"… \(1999\d{3} more characters\)", Page(tmp_path / "page.html").text)


def test_json_beside_a_page(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    document = windrow("inspect", "m.onnx", "--html", "page.html", "--json").json()
    assert document["html"] == "page.html"
    assert [node["node"] for node in document["nodes"]] == ["pick"]
    assert "pick" in Page(tmp_path / "page.html").text


def test_a_failure_leaves_the_file_that_was_there(windrow, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("as it was")
    (tmp_path / "m.onnx").write_bytes(b"\xff" * 50)
    windrow("inspect", "m.onnx", "--html", "page.html").only_error()
    lookups(tmp_path / "m.onnx", ["n"])
    windrow("inspect", "m.onnx", "--html", "page.html", "--dim", "none=3").only_error()
    assert page.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.onnx", "page.html"]


def test_a_page_replaces_a_file_and_keeps_its_mode(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    page = tmp_path / "page.html"
    page.write_text("as it was")
    page.chmod(0o640)
    assert windrow("inspect", "m.onnx", "--html", "page.html").code == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert page.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("target", ["missing/page.html", "folder", "m.onnx/page.html"])
def test_a_page_that_cannot_be_written(windrow, tmp_path, target):
    models.gather(tmp_path / "m.onnx")
    (tmp_path / "folder").mkdir()
    before = (tmp_path / "m.onnx").read_bytes()
    for words in ([], ["--json"]):
        outcome = windrow("inspect", "m.onnx", "--html", target, *words)
        assert outcome.code == 2
        assert target in outcome.err
        assert "pick" not in outcome.out
    assert (tmp_path / "m.onnx").read_bytes() == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "m.onnx"]


def test_a_page_has_a_name(windrow, tmp_path):
    models.gather(tmp_path / "m.onnx")
    assert "the name is empty" in windrow("inspect", "m.onnx", "--html", "").only_error()


def test_a_page_of_an_ir(windrow, tmp_path):
    openvino = pytest.importorskip("openvino")
    from openvino import opset8

    ids = opset8.parameter([2], np.int64, name="ids")
    rows = opset8.gather(opset8.constant(np.zeros((4, 3), np.float32)), ids, opset8.constant(0))
    openvino.save_model(openvino.Model([rows], [ids]), tmp_path / "m.xml", compress_to_fp16=False)
    assert windrow("inspect", "m.xml", "--html", "page.html").code == 0
    page = Page(tmp_path / "page.html")
    assert "OpenVINO IR" in page.text
    assert "openvino.Gather-8" in [row[1] for row in page.rows if len(row) == 6]
