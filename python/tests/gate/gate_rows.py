"""The form of the gate's models: a situation of a public report, what the installed hosts do with it, and the right verdict.

A model is written in ONNX's text. `runs` are the inputs with which the hosts run it, `specified` what the specification says of that run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import onnx.parser

ERROR = "an error, or left open"


@dataclass(frozen=True)
class Want:
    """A finding that must be there.

    node: its name, without the graphs around it. verdicts: "can" or "happens", or both where either is right. runtimes: "onnxruntime:cpu", ..., each
    of which must be among those of the found findings. rule: the label, or what it begins with; empty where the operator's own rules say it, and then
    `says` must occur in the messages.
    """

    node: str
    verdicts: tuple[str, ...]
    runtimes: tuple[str, ...]
    rule: str = ""
    says: str = ""


@dataclass(frozen=True)
class Row:
    """A model and its verdict.

    source: the public thread. text: the model. runs: inputs by name. specified: the first output that the specification defines for them, or ERROR.
    hosts: what each installed host does: "fails", "right" (as specified) or "other"; several where it varies. inputs, assume: as for windrow.check();
    judged: the runtimes for which check is asked. wants: with neither wants nor notes the check must find nothing. fails: what fails() must be, None if it
    may be either. notes: what a note or a finding must name. contract: the bounds of an input, by name. never: rules that must not be found.
    """

    name: str
    source: str
    text: str
    runs: Mapping[str, Any]
    specified: Any
    hosts: Mapping[str, tuple[str, ...]]
    wants: tuple[Want, ...] = ()
    fails: bool | None = False
    given: bool = False
    assume: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    judged: str = "onnxruntime:cpu,openvino:cpu"
    notes: tuple[str, ...] = ()
    contract: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    never: tuple[str, ...] = ()

    def model(self):
        return onnx.parser.parse_model(self.text)


def graph(body, *, opset=18, ir=10, domains=""):
    """A model's text around the text of its graph."""
    return f'<ir_version: {ir}, opset_import: ["" : {opset}{domains}]>\n{body}'


ORT, OV, BOTH = ("onnxruntime:cpu",), ("openvino:cpu",), ("onnxruntime:cpu", "openvino:cpu")
HAPPENS, CAN, EITHER = ("happens",), ("can",), ("can", "happens")


def hosts(onnxruntime, openvino):
    """The outcomes of both hosts; "a/b": either may be seen."""
    return {"onnxruntime": tuple(onnxruntime.split("/")), "openvino": tuple(openvino.split("/"))}
