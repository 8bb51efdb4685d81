"""The list in which an operator's file of the array dialect collects its records."""

from ..records import Cases as OnnxCases
from . import semantics

OPERATORS = {
    "Take": semantics.take,
    "TakeAlongAxis": semantics.take_along_axis,
    "PutAlongAxis": semantics.put_along_axis,
    "IndexAdd": semantics.index_add,
    "IndexReduce": semantics.index_reduce,
    "SegmentReduce": semantics.segment_reduce,
}
# What no operator of the dialect moves.
REFUSED = ["uint1", "nf4"]


class Cases(OnnxCases):
    """The records of one operator."""

    dialect = "array"

    def __init__(self, op):
        super().__init__(op, [1])

    def compute(self, inputs, attrs, policy, version):
        del version  # there is one
        return OPERATORS[self.op](*inputs, **attrs, policy=policy)
