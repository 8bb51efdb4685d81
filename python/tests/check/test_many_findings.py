"""Models with more findings than reports hold."""

import onnx.parser
import windrow

BROKEN_NODES = 1500
MOST_FINDINGS = 10000
FORMAT = "<ir_version: 10, opset_import: [\"\" : 18]>\n"


def model(nodes, extent=5):
    text = f"{FORMAT}g (float[{extent},3] x, int64[2] ids) => (float[2,3] y) <int64[2] near = {{0, 1}}, int64[2] far = {{0, {extent}}}>\n{{ {nodes} }}"
    return onnx.parser.parse_model(text).SerializeToString()


def test_every_broken_node_is_a_finding():
    broken = "".join(f"[pick_{i}] y_{i} = Gather <axis = 5> (x, ids)\n" for i in range(BROKEN_NODES))
    report = windrow.check(model(f"{broken} y = Gather (x, near)"), runtimes="onnxruntime:cpu")
    assert [finding.node for finding in report.findings] == [f"main/pick_{i}" for i in range(BROKEN_NODES)]
    assert report.left_out == 0 and report.fails("fails")
    inference = windrow.infer(model(f"{broken} y = Gather (x, near)"))
    assert len(inference.findings) + inference.findings_left_out == BROKEN_NODES


def test_severest_finding_is_kept():
    slight = "".join(f"a_{i} = Gather (x, near)\n" for i in range(MOST_FINDINGS))
    report = windrow.check(model(f"{slight} [pick] y = Gather (x, far)"), runtimes="onnxruntime:cpu", select=["gather-index-range"], show_cannot=True)
    assert len(report.findings) == MOST_FINDINGS and report.left_out == 1
    assert report.findings[-1].node == "main/pick" and report.fails("fails")
