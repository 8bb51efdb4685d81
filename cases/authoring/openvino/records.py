"""The list in which an OpenVINO operator's file collects its records."""

from ..records import Cases as OnnxCases
from ..semantics import tensor
from . import semantics

OPERATORS = {
    "Gather": semantics.gather,
    "GatherElements": semantics.gather_elements_6,
    "GatherND": semantics.gather_nd,
    "ScatterUpdate": semantics.scatter_update,
    "ScatterElementsUpdate": semantics.scatter_elements_update,
    "ScatterNDUpdate": semantics.scatter_nd_update,
    "OneHot": semantics.one_hot,
    "SegmentMax": semantics.segment_max,
    "SliceScatter": semantics.slice_scatter,
    "EmbeddingBagOffsetsSum": semantics.embedding_bag_offsets,
    "EmbeddingBagOffsets": semantics.embedding_bag_offsets,
    "EmbeddingBagPackedSum": semantics.embedding_bag_packed,
    "EmbeddingBagPacked": semantics.embedding_bag_packed,
    "EmbeddingSegmentsSum": semantics.embedding_segments_sum,
    "GatherTree": semantics.gather_tree,
}


def axis(value, dtype="int64", shape=()):
    """An axis input."""
    return tensor(dtype, shape, [value])


class Cases(OnnxCases):
    """The records of one operator."""

    dialect = "openvino"

    def compute(self, inputs, attrs, policy, version):
        return OPERATORS[self.op](*inputs, **attrs, policy=policy, version=version)
