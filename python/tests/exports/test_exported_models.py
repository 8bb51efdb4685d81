"""Models with the structure of real exports are read, inspected, written back unchanged, and run.

The results are the host's own, bit for bit: from the written file, and with Windrow's operators inside."""

import functools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import windrow
from exported_models import EXPORTS, detector
from forked_code import run_code
from runner_models import require_windrow_inside, there
from test_models_are_kept import plain

HOSTS = ["onnxruntime", "openvino"]
# Models that a host refuses: (host, model) -> its message. OpenVINO lacks the operator.
REFUSED = {("openvino", "nearest_neighbours"): "No conversion rule found for operations: ai.onnx.ml.ArrayFeatureExtractor"}


@pytest.fixture(scope="module", params=EXPORTS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def export(name):
    return EXPORTS[name]()


@pytest.fixture(scope="module")
def path(export, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "model.onnx"
    onnx.save(export.model, path)
    assert path.stat().st_size < 1_000_000
    return path


@functools.cache
def counted(path):
    """The command's counts: [nodes, those in bodies, gathers and scatters, those in bodies]."""
    words = [sys.executable, "-m", "windrow", "inspect", str(path), "--json"]
    document = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    names = {operator.name for operator in windrow.ops(document["dialect"])}
    ours = [row for row in document["operators"] if row["op_type"] in names]
    return [sum(row[count] for row in rows)
            for rows in (document["operators"], ours) for count in ("nodes", "in_bodies_and_functions")]


def same(first, second):
    return first.keys() == second.keys() and all(
        array.dtype == second[name].dtype and array.shape == second[name].shape
        and array.tobytes() == second[name].tobytes() for name, array in first.items())


def own_outputs(host, name, path, inputs):
    """The host's results without Windrow, or None if it is known to refuse the model."""
    result = there(host).run(path, inputs)
    if (host, name) not in REFUSED:
        assert result.failure is None, result.failure
        return result.outputs
    assert REFUSED[host, name] in result.failure.message
    return None


WRITE_ALL = """
import sys
from pathlib import Path
import exported_models
for name, make in exported_models.EXPORTS.items():
    Path(sys.argv[1], name).write_bytes(make().model.SerializeToString(deterministic=True))
"""


@pytest.fixture(scope="module")
def exported_again(tmp_path_factory):
    """A folder with the exports of another process."""
    folder = tmp_path_factory.mktemp("again")
    subprocess.run([sys.executable, "-c", WRITE_ALL, folder], check=True, cwd=Path(__file__).parent)
    return folder


def test_an_export_is_the_same_every_time(name, export, exported_again):
    assert (exported_again / name).read_bytes() == export.model.SerializeToString(deterministic=True)


def test_every_gather_and_scatter_is_found(export, path):
    assert counted(path)[2:] == [export.main + export.inside, export.inside]
    model = windrow.load(path)
    ours = {operator.name for operator in windrow.ops("onnx")}
    reports = {report.node: report for report in model.inspect()}
    nodes = [node for node in model.nodes if node.op_type in ours]
    assert len(nodes) == export.main
    for node in nodes:
        assert reports[node.name].operator.startswith(f"onnx.{node.op_type}-")


def test_the_page_has_these_numbers(name, path):
    page = (Path(__file__).resolve().parents[3] / "docs" / "formats" / "onnx.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.partition("## Exports that are tested")[2].splitlines()
            if line.startswith("| ")][1:]
    assert len(rows) == len(EXPORTS)
    row = rows[list(EXPORTS).index(name)]
    assert [int(cell.replace(",", "")) for cell in row[1:6]] == [path.stat().st_size, *counted(path)]


def test_exports_are_written_as_they_were_read(export, path, tmp_path):
    windrow.load(path).save(tmp_path / "once.onnx")
    windrow.load(tmp_path / "once.onnx").save(tmp_path / "twice.onnx")
    assert (tmp_path / "once.onnx").read_bytes() == (tmp_path / "twice.onnx").read_bytes()
    assert plain(onnx.load(tmp_path / "once.onnx")) == plain(onnx.load(path))


@pytest.mark.parametrize("host", HOSTS)
def test_hosts_compute_the_same_from_the_written_file(name, export, path, tmp_path, host):
    own = own_outputs(host, name, path, export.inputs)
    windrow.load(path).save(tmp_path / "written.onnx")
    written = own_outputs(host, name, tmp_path / "written.onnx", export.inputs)
    assert own is written is None or same(own, written)


@pytest.mark.parametrize("host", HOSTS)
def test_hosts_compute_the_same_with_windrow_inside(name, export, path, host):
    require_windrow_inside(host)
    own = own_outputs(host, name, path, export.inputs)
    if own is None:  # the operator that the host lacks is Windrow's
        own = own_outputs("onnxruntime", name, path, export.inputs)
    assert same(own, windrow.load(path).run(export.inputs, host=host))


def test_a_detector_that_finds_nothing(tmp_path):
    require_windrow_inside("onnxruntime")
    export = detector(threshold=1)
    outputs = windrow.load(export.model).run(export.inputs, host="onnxruntime")
    assert [array.shape for array in outputs.values()] == [(0, 4), (0,), (0,)]
    assert same(there("onnxruntime").run(export.model, export.inputs).outputs, outputs)


def test_the_models_do_something():
    """The results are not trivial: random weights could also give one token, no box or no neighbour."""
    host = there("onnxruntime")
    outputs = {}
    for name, make in EXPORTS.items():
        export = make()
        outputs[name] = list(host.run(export.model, export.inputs).outputs.values())
    assert len(np.unique(outputs["decoder"][0])) > 8
    assert len(outputs["detector"][0]) == 10 and len(np.unique(outputs["detector"][2])) > 1
    assert len(np.unique(outputs["nearest_neighbours"][0])) > 2


SAVE_IR = """
import sys
import openvino
openvino.save_model(openvino.convert_model(sys.argv[1]), sys.argv[2], compress_to_fp16=False)
"""


def test_an_ir_that_openvino_saved_is_inspected(name, export, path, tmp_path):
    there("openvino")
    failure = run_code(SAVE_IR, path, tmp_path / "model.xml", host="openvino").failure
    if ("openvino", name) in REFUSED:
        assert failure.kind == "refused" and REFUSED["openvino", name] in failure.message
        return
    assert failure is None, failure
    reports = windrow.load(tmp_path / "model.xml").inspect()
    _, _, ours, _ = counted(tmp_path / "model.xml")
    assert ours == len(reports) >= export.main
    assert {report.operator.split(".")[0] for report in reports} <= {"openvino"}
