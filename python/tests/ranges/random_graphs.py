"""Random ONNX graphs with the concrete values of every inner value in a few runs.

A graph grows node by node. Each node runs at once in every run that is still alive; if the first run is refused, the node is drawn
again, and a later run that is refused is given up. The runs of a graph differ in extents and values: the first
has equal extents wherever a symbol is equal, the third has not. One long file: every kind of node is a few lines.
"""

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.helper import make_graph, make_model, make_node, make_opsetid, make_tensor_value_info, np_dtype_to_tensor_dtype
from random_values import BOOL, FLOAT32, FLOATS, INT32, INT64, INTEGERS, NUMBERS, random_array, random_input
from single_nodes import Refused, SingleNode

OPSETS = (7, 9, 10, 11, 11, 12, 13, 14, 15, 16, 17, 18, 18, 18, 19, 20, 21, 21, 22, 23, 24)
SYMBOLS = ("N", "M", "K")
MOST_EXTENT = 5
MOST_TRIES = 60
MOST_RANK = 4
MOST_TABLE_ROWS, MOST_REAL_ROWS = 2**31 - 1, 300
# The part of elements that are extremes, for each run.
WILDNESS = (0.0, 0.3, 0.05, 0.7)


@dataclass
class Value:
    """A value of the main graph. arrays: its array in each run that has not failed, by the run's number."""

    name: str
    dtype: np.dtype
    arrays: dict
    is_fixed: bool = False  # an initializer or Constant that no run changes
    # Values of a Loop's body that this one holds, stacked over the iterations.
    inner: str = ""

    @property
    def shape(self):
        return self.arrays[0].shape

    @property
    def rank(self):
        return self.arrays[0].ndim


@dataclass
class Counts:
    """Counts of what was drawn, added up over graphs."""

    graphs: int = 0
    nodes: int = 0
    redrawn: int = 0
    runs: int = 0
    runs_given_up: int = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Sink:
    """A gather or scatter at the end of the graph, which no run computes."""

    op_type: str
    data: Value
    indices: Value
    attributes: dict
    path: str = ""

    @property
    def updates_rank(self):
        if self.op_type == "ScatterND":
            return self.indices.rank - 1 + self.data.rank - self.indices.shape[-1]
        return self.indices.rank


@dataclass
class Drawn:
    """A finished graph. runs: the values of the graph's inputs by name, overridden initializers included, by run."""

    model: onnx.ModelProto
    values: list
    runs: dict
    sinks: list
    assumed: dict
    counts: Counts = field(default_factory=Counts)


class GraphDrawing:
    """A graph under construction.

    random: a numpy Generator, the only source of randomness. agreeing: without nodes on which the runtime that grows the graph is
    known to break the specification, so that its values can judge what is said of every runtime.
    """

    def __init__(self, random, agreeing=True):
        self.random, self.agreeing = random, agreeing
        self.opset = int(random.choice(OPSETS))
        self.values, self.nodes, self.initializers, self.inputs, self.functions = [], [], [], [], []
        self.runs = {run: {} for run in range(len(WILDNESS))}
        self.extents = [self.symbol_extents(run) for run in self.runs]
        self.sinks, self.assumed = [], {}
        self.different = []  # values whose elements, or rows, were drawn to differ
        self.counts = Counts(graphs=1, runs=len(self.runs))
        self.used_names = 0

    # Chance.

    def chance(self, part):
        return self.random.random() < part

    def below(self, end):
        return int(self.random.integers(0, end))

    def between(self, low, high):
        return int(self.random.integers(low, high + 1))

    def one_of(self, choices):
        choices = list(choices)
        if not choices:
            raise Refused("nothing to choose from")
        return choices[self.below(len(choices))]

    def axis_of(self, value, end=None):
        """An axis, counted from either end."""
        rank = value.rank if end is None else end
        if rank == 0:
            raise Refused("a scalar has no axis")
        return self.between(-rank, rank - 1)

    def new_name(self, letter="v"):
        self.used_names += 1
        return f"{letter}{self.used_names}"

    def symbol_extents(self, run):
        least = 1 if run == 0 else 0
        return {symbol: self.between(least, MOST_EXTENT) for symbol in SYMBOLS}

    # Where values come from.

    def input(self, dtype=None, rank=None, has_default=None, numbers=None):
        """A new input of the graph; perhaps an initializer that some runs override. numbers: its arrays, by run."""
        dtype = dtype if dtype is not None else self.one_of(NUMBERS + [INT64] * 6 + [FLOAT32] * 3 + [BOOL])
        rank = self.below(4) if rank is None else rank
        name = self.new_name("x")
        dims = [self.one_of([*SYMBOLS, *SYMBOLS, None, self.between(0, 4), self.between(1, 4)]) for _ in range(rank)]
        if has_default is None:
            has_default = self.chance(0.15)
        value = Value(name, dtype, {})
        for run, extents in enumerate(self.extents):
            shape = [self.extent(run, extents, dim) for dim in dims]
            value.arrays[run] = random_input(self.random, dtype, shape, WILDNESS[run])
        if numbers:
            dims = list(numbers[0].shape)
            value.arrays = dict(enumerate(numbers))
        if has_default:
            self.initializers.append(numpy_helper.from_array(value.arrays[0], name))
        for run in list(self.runs):
            if not (has_default and (run == 0 or self.chance(0.3))):
                self.runs[run][name] = value.arrays[run]
            else:
                value.arrays[run] = value.arrays[0]
        self.inputs.append(make_tensor_value_info(name, np_dtype_to_tensor_dtype(dtype), dims))
        self.keep_live(value)
        self.values.append(value)
        return value

    def extent(self, run, extents, dim):
        if isinstance(dim, int):
            return dim
        if dim is None:
            return self.between(0 if run else 1, MOST_EXTENT)
        if run == 2 and self.chance(0.5):  # a runtime takes inputs whose equal symbols differ
            return self.one_of([1, self.between(0, MOST_EXTENT)])
        return extents[dim]

    def keep_live(self, value):
        value.arrays = {run: array for run, array in value.arrays.items() if run in self.runs}

    def constant(self, array):
        """A constant: an initializer or a Constant node."""
        array = np.asarray(array)
        name = self.new_name("c")
        if self.chance(0.7):
            self.initializers.append(numpy_helper.from_array(array, name))
        else:
            self.nodes.append(self.constant_node(array, name))
        value = Value(name, array.dtype, dict.fromkeys(self.runs, array), is_fixed=True)
        self.values.append(value)
        return value

    def constant_node(self, array, name):
        if self.opset >= 12 and array.dtype == INT64 and self.chance(0.5):
            if array.ndim == 1 and array.size:
                return make_node("Constant", [], [name], value_ints=array.tolist())
            if array.ndim == 0:
                return make_node("Constant", [], [name], value_int=int(array))
        return make_node("Constant", [], [name], value=numpy_helper.from_array(array))

    def small_constant(self, dtype, shape=(), wild=0.03):
        return self.constant(random_array(self.random, dtype, shape, wild))

    def int64s(self, numbers):
        return self.constant(np.array(numbers, np.int64))

    def pick(self, dtypes=None, ranks=None, fresh=0.1):
        """A value of one of these types and ranks, mostly a recent one; perhaps a new input."""
        dtypes = NUMBERS + [BOOL] if dtypes is None else dtypes
        fits = [
            value for value in self.values
            if value.dtype in dtypes and (ranks is None or value.rank in ranks) and value.rank <= MOST_RANK
        ]
        if not fits or self.chance(fresh):
            dtype = INT64 if INT64 in dtypes and self.chance(0.5) else self.one_of(dtypes)
            rank = None if ranks is None else self.one_of(rank for rank in ranks if rank < 4)
            if self.chance(0.2) and rank is not None:
                return self.small_constant(dtype, [self.between(1, 4) for _ in range(rank)])
            return self.input(dtype, rank)
        recent = fits[-3:] if self.chance(0.6) else fits
        return self.one_of(recent)

    def like(self, value, shape=None, fresh=0.3):
        """A second operand: another value of the type, mostly one that broadcasts with the first."""
        fits = [other for other in self.values if other.dtype == value.dtype and broadcasts(other, value)]
        if fits and not self.chance(fresh):
            return self.one_of(fits)
        if self.chance(0.5):
            return self.small_constant(value.dtype, self.one_of([(), (1,), value.shape]))
        return self.small_constant(value.dtype, ())

    def scalar(self, dtype):
        """A scalar of a type: a constant, an input or the extent of something."""
        choice = self.random.random()
        if choice < 0.4:
            return self.small_constant(dtype, ())
        if choice < 0.5:
            return self.pick([dtype], [0])
        return self.cast(self.extent_of(self.pick(ranks=(1, 2, 3))), dtype)

    def extent_of(self, value, axis=None):
        """An extent of a value as a scalar, in one of the forms of exporters."""
        axis = self.below(value.rank) if axis is None else axis
        shape = self.node("Shape", [value])
        if self.chance(0.5):
            return self.node("Gather", [shape, self.int64s(axis)], axis=0)
        part = self.node("Slice", [shape, self.int64s([axis]), self.int64s([axis + 1])])
        return self.squeeze(part, [0])

    # Nodes.

    def node(self, op_type, inputs, outputs=1, domain="", by_kernel=False, **attributes):
        """Adds a node and returns its value, or the tuple of its values. Raises Refused if the first run is refused."""
        names = [self.new_name() for _ in range(outputs)]
        node = make_node(op_type, [value.name if value else "" for value in inputs], names, domain=domain, **attributes)
        read = {value.name: value for value in [*self.values, *filter(None, inputs)]}
        single = SingleNode(node, {name: value.dtype for name, value in read.items()}, self.opset, self.functions, self.agreeing, by_kernel)
        results = {}
        for run in list(self.runs):
            try:
                results[run] = single.run({name: read[name].arrays[run] for name in single.names})
            except Refused:
                if run == 0:
                    raise
                self.give_up(run)
        first = results[0]
        values = [Value(name, first[name].dtype, {run: result[name] for run, result in results.items()}) for name in names]
        for run in list(self.runs):
            if any(value.arrays[run].dtype != value.dtype or value.arrays[run].ndim != value.rank for value in values):
                self.give_up(run)
        self.nodes.append(node)
        self.values += values
        self.counts.nodes += 1
        return values[0] if outputs == 1 else tuple(values)

    def give_up(self, run):
        del self.runs[run]
        self.counts.runs_given_up += 1
        for value in self.values:
            value.arrays.pop(run, None)

    def cast(self, value, dtype):
        dtype = np.dtype(dtype)
        if value.dtype == dtype:
            return value
        return self.node("Cast", [value], to=np_dtype_to_tensor_dtype(dtype))

    def with_axes(self, op_type, value, axes, input_since=13, **attributes):
        """A node whose axes are an attribute before an operator set and an input from there."""
        if self.opset >= input_since:
            return self.node(op_type, [value, self.int64s(axes)], **attributes)
        return self.node(op_type, [value], axes=list(map(int, axes)), **attributes)

    def squeeze(self, value, axes):
        return self.with_axes("Squeeze", value, axes)

    def unsqueeze(self, value, axes):
        return self.with_axes("Unsqueeze", value, axes)

    # The end.

    def grown(self):
        """The graph so far as a model."""
        outputs = [onnx.ValueInfoProto(name=value.name) for value in self.values if not value.is_fixed]
        graph = make_graph(self.nodes, "grown", self.inputs, outputs, self.initializers)
        opsets = [make_opsetid("", self.opset)] + [make_opsetid("local", 1)] * bool(self.functions)
        return make_model(graph, opset_imports=opsets, ir_version=10, functions=self.functions)

    def finish(self):
        """The graph as a model, with claims of inner values that are sometimes wrong."""
        outputs = [onnx.ValueInfoProto(name=self.values[-1].name)] if not self.sinks else []
        claims = []
        for value in self.values:
            if not value.is_fixed and value.name.startswith("v") and self.chance(0.15):
                dims = [self.one_of([*value.shape, *SYMBOLS, self.between(0, 4)]) for _ in value.shape]
                claims.append(make_tensor_value_info(value.name, np_dtype_to_tensor_dtype(value.dtype), dims))
        for sink in self.sinks:
            sink.path = self.new_name("sink")
            inputs = [sink.data.name, sink.indices.name]
            if sink.op_type.startswith("Scatter"):
                inputs.append(self.input(sink.data.dtype, sink.updates_rank).name)
            self.nodes.append(make_node(sink.op_type, inputs, [sink.path], name=sink.path, **sink.attributes))
            outputs.append(onnx.ValueInfoProto(name=sink.path))
        graph = make_graph(self.nodes, "random", self.inputs, outputs, self.initializers, value_info=claims)
        opsets = [make_opsetid("", self.opset)] + [make_opsetid("local", 1)] * bool(self.functions)
        model = make_model(graph, opset_imports=opsets, ir_version=10, functions=self.functions)
        return Drawn(model, self.values, self.runs, self.sinks, self.assumed, self.counts)


def broadcasts(one, other):
    try:
        np.broadcast_shapes(one.shape, other.shape)
    except ValueError:
        return False
    return True


def draw_graph(seed, producers, agreeing=True, bounds_of=None):
    """A graph of 1 to 8 producers that ends in gathers or scatters. producers: functions that add nodes to a drawing.

    bounds_of: a function of the drawing that gives (low, high) of values by name, as somebody says; some of the gathers then read tables whose
    extents just hold these values, so that what is said of the gather is proved if it is true.
    """
    drawing = GraphDrawing(np.random.default_rng(seed), agreeing)
    for _ in range(drawing.between(0, 2)):
        drawing.input()
    wanted = drawing.between(1, 8)
    made = tries = 0
    while made < wanted and tries < MOST_TRIES:
        tries += 1
        try:
            drawing.one_of(producers)(drawing)
            made += 1
        except Refused:
            drawing.counts.redrawn += 1
    assume(drawing)
    bounds = bounds_of(drawing) if bounds_of else {}
    for _ in range(drawing.between(1, 2)):
        if not (bounds and drawing.chance(0.6) and add_fitting_sink(drawing, bounds)):
            add_sink(drawing)
    return drawing.finish()


def assume(drawing):
    """Sometimes declares the range of an input of integers, which some runs keep."""
    inputs = [value for value in drawing.values if value.name.startswith("x") and value.dtype in INTEGERS
              and value.dtype != np.uint64]
    if inputs and drawing.chance(0.2):
        value = drawing.one_of(inputs)
        numbers = value.arrays[drawing.one_of(drawing.runs)].ravel().tolist() or [0]
        drawing.assumed[value.name] = (min(numbers), max(numbers))


def add_fitting_sink(drawing, bounds):
    """A gather whose table just holds the bounds of a late value; False: no value has bounds."""
    fits = [value for value in drawing.values if value.name in bounds and value.dtype in (INT32, INT64) and not value.is_fixed]
    if not fits:
        return False
    indices = drawing.one_of(fits[-4:])
    low, high = bounds[indices.name]
    extent = max(high + 1, -low, 1)
    if extent > MOST_TABLE_ROWS:
        return False
    # A long table has rows without elements.
    columns = 0 if extent > MOST_REAL_ROWS else drawing.between(1, 2)
    tables = [np.zeros([extent, columns], np.float32) for _ in drawing.extents]
    data = drawing.input(FLOAT32, 2, has_default=False, numbers=tables)
    drawing.sinks.append(Sink("Gather", data, indices, {"axis": 0}))
    return True


def add_sink(drawing):
    """A gather or scatter that reads a late value as indices."""
    indices = [value for value in drawing.values if value.dtype in (INT32, INT64) and not value.is_fixed]
    if indices and drawing.chance(0.7):
        indices = drawing.one_of(indices[-3:])
    else:
        try:
            indices = drawing.cast(drawing.pick(INTEGERS + FLOATS + [BOOL], fresh=0.02), INT64)
        except Refused:
            return
    scatters = drawing.different and drawing.chance(0.7)
    if scatters:
        indices = drawing.one_of(drawing.different)
    rank = max(indices.rank, 1)
    same_rank = ["GatherElements", "ScatterElements"] if indices.rank else []
    tuples = ["GatherND", "ScatterND"] if indices.rank and 1 <= indices.shape[-1] <= 3 else []
    choices = [choice for choice in [*same_rank, *tuples] if choice.startswith("Scatter")] if scatters else []
    op_type = drawing.one_of(choices or ["Gather", "Gather", *same_rank, *tuples])
    if op_type == "Gather":
        rank = drawing.between(1, 3)
    if op_type.endswith("ND"):
        rank = drawing.between(indices.shape[-1], 3)
    if rank > MOST_RANK:
        return
    dtype = drawing.one_of([FLOAT32, INT64])
    fits = [value for value in drawing.values if value.rank == rank and value.dtype in NUMBERS]
    if fits and drawing.chance(0.5):
        data = drawing.one_of(fits)
    elif drawing.chance(0.5):
        data = drawing.small_constant(dtype, [drawing.between(1, 10) for _ in range(rank)])
    else:
        data = drawing.input(dtype, rank)
    attributes = {} if op_type.endswith("ND") else {"axis": drawing.axis_of(data)}
    drawing.sinks.append(Sink(op_type, data, indices, attributes))
