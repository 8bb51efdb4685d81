"""What is drawn for an operator: its types, attributes, policies and the labels of its rules, and a call of it."""

from dataclasses import dataclass, field

from .. import types
from ..records import Cases
from . import indices, values

REFUSED_INDICES = {"float32": 0.0, "bool": False, "string": "0"}


@dataclass
class Spec:
    """`build(spec, row, draw)` makes a legal Call of a row of levels; `faults` has the rules that a call may break.

    data_types: of each version. outside: what an index outside gives without an option: error, zero or skip. axis:
    whether it is an attribute, which may be negative (signed, or required as well) or not (unsigned), an input, or nothing. reductions: with
    the first version of each; empty if there are none. since: of attributes that not all versions have, the first
    version. `faults`: {kind: the label's last part}, by the kinds that faults.py knows. `limits`: further rules on what
    goes together, as cover.py takes them; `fits(version, row)`: whether a version computes what the row says.
    """

    cases: Cases
    build: object
    data_types: dict
    index_types: list
    faults: dict
    attrs: dict = field(default_factory=dict)
    outside: str = "error"
    axis: str = "signed"
    axis_name: str = "axis"
    ranks: tuple = (1, 2, 3, 4, 5)
    batches: tuple = (0,)
    batch_name: str = ""
    negatives: bool = True
    scatters: bool = False
    policies: tuple = ()
    reductions: dict = field(default_factory=dict)
    since: dict = field(default_factory=dict)
    has: object = None
    off_axis: str = "smaller"
    limits: tuple = ()
    fits: object = None
    refused: tuple = ()
    takes_strict: bool = True
    initial: bool = False
    prefix: str = ""
    roles: tuple = ()

    def types(self):
        return sorted({dtype for group in self.data_types.values() for dtype in group}, key=types.ALL.index)

    def versions(self, row):
        def fits(version):
            named = not row.get("reduction") or version >= self.reductions[row["reduction"]]
            return row["dtype"] in self.data_types[version] and named and (not self.fits or self.fits(version, row))
        return [version for version in self.cases.versions if fits(version)]

    def elements(self, shape, row, draw):
        """A tensor of the row's type."""
        data = values.elements(row["dtype"], indices.product(shape), row["values"], row.get("reduction"), draw)
        return {"dtype": row["dtype"], "shape": list(shape), "data": data}


@dataclass
class Call:
    """A call of an operator: its inputs in order, and, for each element of indices, the axis and extent that it addresses."""

    inputs: list
    attrs: dict
    addressed: list
    axis: int = 0
    # What is bad about another input than indices, where a fault put it there.
    fault: dict = None

    def indices(self, spec):
        return self.inputs[spec.roles.index("indices")]


def index_tensor(shape, numbers, row):
    return {"dtype": row["itype"], "shape": list(shape), "data": indices.as_type(row["itype"], numbers)}


def axis_tensor(axis, rank, draw):
    """The axis as an input, of some index type."""
    dtype = draw.pick(types.I10)
    value = axis - rank if indices.is_signed(dtype) and draw.chance(3) else axis
    return {"dtype": dtype, "shape": draw.pick([[], [1]]), "data": [value]}


def add_axis(spec, axis, rank, draw, attrs, inputs):
    """Names the axis as the operator does: among the attributes or behind the inputs."""
    if spec.axis == "input":
        inputs.append(axis_tensor(axis, rank, draw))
    elif spec.axis in ("signed", "unsigned"):
        attrs[spec.axis_name] = axis - rank if spec.axis == "signed" and draw.chance(3) else axis


def add_reduction(row, attrs, draw):
    if row.get("reduction") and not (row["reduction"] == "none" and draw.chance(2)):
        attrs["reduction"] = row["reduction"]
    if row.get("initial") == "no":
        attrs["use_init_val"] = False


def takes_elements(spec, row):
    """Whether a call on an axis of extent 0 has index elements: they are all outside."""
    return row["outcome"] == "bad_index" or (row.get("policy") or spec.outside) in ("zero", "skip")


def shape_of(row, axis, least, draw, first=0):
    """A shape of the row's rank: `least` coordinates or more on the axis, few elsewhere, 0 where row["empty"] says so.

    No axis before `first` gets the extent 0.
    """
    most = 3 if row["rank"] < 4 else 2
    shape = [draw.between(1, most) for _ in range(row["rank"])]
    shape[axis] = max(least, draw.between(2, 5))
    if row["empty"] == "axis":
        shape[axis] = 0
    if row["empty"] == "data":
        shape[draw.pick([d for d in range(first, row["rank"]) if d != axis])] = 0
    return shape
