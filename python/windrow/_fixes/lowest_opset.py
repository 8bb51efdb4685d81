"""Which opset a model needs for its gathers and scatters: windrow.lowest_opset()."""

from __future__ import annotations

import os
from dataclasses import dataclass

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._models.model import Model, load, name_of
from windrow._models.source import ModelProto


@dataclass(frozen=True)
class NodeOpset:
    """The lowest opset of one gather or scatter node.

    node: the node's path, as in NodeReport. domain: "" (ai.onnx) or "ai.onnx.ml". declared: the opset that the
    model, or the function that holds the node, imports; None: none. lowest: the lowest opset that allows the
    node; None: none does. rule: the rule that forbids the version before it, or, if no opset allows the node, the
    node's own version; empty if the operator came with that opset, or no rule has that name. why: the reason.
    """

    node: str
    operator: str
    domain: str
    declared: int | None
    lowest: int | None
    rule: str
    why: str


@dataclass(frozen=True)
class DomainOpset:
    """What a model needs of one domain.

    declared: what the model imports; None: nothing. lowest: the highest of the nodes' lowest opsets; None: no opset
    allows one of the nodes. node: the path of the first node that needs it, or that no opset allows.
    """

    domain: str
    declared: int | None
    lowest: int | None
    node: str


@dataclass(frozen=True)
class LowestOpset:
    """What lowest_opset() found.

    model: its path, or "model". is_enough: whether each node's declared opset is at least its lowest. nodes: at most
    10000, in the order of the model; left_out: the number of those beyond.
    """

    model: str
    is_enough: bool
    domains: tuple[DomainOpset, ...]
    nodes: tuple[NodeOpset, ...]
    left_out: int

    @property
    def opset(self) -> int | None:
        """The lowest opset of ai.onnx; None if no opset allows one of the nodes, or none has an operator of ai.onnx."""
        return next((domain.lowest for domain in self.domains if domain.domain == ""), None)


def lowest_opset(
    model: Model | str | os.PathLike[str] | bytes | bytearray | memoryview | ModelProto,
    *,
    ask_onnx: bool = True,
    folder: str | os.PathLike[str] | None = None,
) -> LowestOpset:
    """Says of each gather and scatter node of an ONNX model which opset it needs at least.

    model: a Model, or what load() takes; folder: as for load(). The answer follows from what is known of the nodes'
    attributes, types and shapes, and from indices that are negative in every run: before opset 11 no operator
    says what they address. ask_onnx: as for Model.infer().
    Raises windrow.Error: what load() raises; windrow.Unsupported for models that are not ONNX's, which have no
    opsets.
    """
    loaded = model if isinstance(model, Model) else load(model, folder=folder)
    if isinstance(model, Model) and folder is not None:
        raise ArgumentError("folder is for models in memory")
    name = os.fspath(model) if isinstance(model, (str, os.PathLike)) else name_of(loaded)
    return _core.lowest_opset(loaded._core, name, loaded._ask(ask_onnx))
