"""The operators of the installed OpenVINO, from the tables of its headers. They are read as text: OpenVINO is not imported."""

import importlib.util
import re
from pathlib import Path

ROW = re.compile(r"^_OPENVINO_OP_REG\((\w+), ov::op::v(\d+)\)", re.MULTILINE)


def first_opsets():
    """The first opset that has an operator, by the operator's name and version. ModuleNotFoundError without OpenVINO.

    The classes in `ov::op::v0` have version 1, as in the names of the specification: ROIPooling-1.
    """
    found = importlib.util.find_spec("openvino")
    if found is None:
        raise ModuleNotFoundError("openvino is not installed", name="openvino")
    tables = Path(found.submodule_search_locations[0], "include", "openvino", "opsets").glob("opset*_tbl.hpp")
    opsets = {}
    for table in tables:
        opset = int(re.fullmatch(r"opset(\d+)_tbl", table.stem)[1])
        for name, version in ROW.findall(table.read_text(encoding="utf-8")):
            key = name, max(int(version), 1)
            opsets[key] = min(opset, opsets.get(key, opset))
    return opsets
