"""The list in which an operator's file of the array dialect collects its records."""

import re

from ..records import Cases as OnnxCases
from . import semantics

# What no operator of the dialect moves.
REFUSED = ["uint1", "uint2", "nf4"]


class Cases(OnnxCases):
    """The records of one operator."""

    dialect = "array"

    def __init__(self, op):
        super().__init__(op, [1])

    def compute(self, inputs, attrs, policy, version):
        del version  # there is one
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.op).lower()
        return getattr(semantics, name)(*inputs, **attrs, policy=policy)
