"""Random OpenVINO models of integers, their intervals from the analysis and from OpenVINO's own, and concrete runs.

OpenVINO's evaluate_both_bounds is not an authority: it takes the remainders of both ends for the ends of a remainder. So it is compared
for how tight it is, and what judges both are the values of runs, which OpenVINO's evaluate functions compute.

One long file: most of it is the drawing, a few lines for each kind of node.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import windrow
from facts_beside_values import Run, Tally, compare
from random_values import random_array
from windrow import _core

RUNS = 3
MOST_TRIES = 40
I64, I32 = np.int64, np.int32


@dataclass
class Witness:
    """How OpenVINO's bounds of values compare with the analysis, added up over graphs."""

    graphs: int = 0
    refused_runs: int = 0
    bounded_by_openvino: int = 0
    equal: int = 0
    tighter: int = 0  # bounds of the analysis that are tighter
    wider: int = 0
    apart: int = 0  # neither contains the other
    openvino_wrong: int = 0  # values that leave OpenVINO's bounds
    openvino_ended: int = 0  # graphs whose evaluation ends the process, hangs or takes all memory

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class OpenvinoDrawing:
    """A model under construction. random: a numpy Generator, the only source of randomness."""

    def __init__(self, random):
        import openvino
        from openvino import opset13

        self.ov, self.op, self.random = openvino, opset13, random
        self.parameters, self.values, self.dims = [], [], {}
        for _ in range(self.between(1, 2)):
            self.parameter()

    def between(self, low, high):
        return int(self.random.integers(low, high + 1))

    def chance(self, part):
        return self.random.random() < part

    def one_of(self, choices):
        choices = list(choices)
        if not choices:
            raise ValueError("nothing to choose from")
        return choices[self.between(0, len(choices) - 1)]

    def parameter(self):
        name = f"x{len(self.parameters)}"
        dims = []
        for _ in range(self.between(0, 3)):
            low = self.between(1, 3)
            dims.append(self.one_of([(low, low), (low, low + self.between(0, 4)), (0, -1)]))
        shape = self.ov.PartialShape([self.ov.Dimension(*dim) for dim in dims])
        dtype = self.one_of([I64, I64, I32, np.uint8, np.int8, np.float32, np.bool_])
        self.dims[name] = (dims, np.dtype(dtype))
        node = self.op.parameter(shape, dtype, name=name)
        self.parameters.append(node)
        self.values.append(node.output(0))

    def constant(self, numbers, dtype=I64):
        return self.op.constant(np.array(numbers, dtype)).output(0)

    def is_integer(self, output):
        return self.dtype(output) in (I32, I64)  # the evaluate functions have no arithmetic of shorter ones

    def dtype(self, output):
        return output.get_element_type().to_dtype()

    def rank(self, output):
        return output.get_partial_shape().rank.get_length()

    def pick(self, fits=None, ranks=None):
        chosen = [value for value in self.values if (fits is None or fits(value)) and (ranks is None or self.rank(value) in ranks)]
        return self.one_of(chosen[-4:] if self.chance(0.7) else chosen)

    def integer(self, ranks=None):
        return self.pick(self.is_integer, ranks)

    def like(self, value):
        others = [other for other in self.values if self.dtype(other) == self.dtype(value)]
        if others and self.chance(0.4):
            return self.one_of(others)
        low = -4 if np.issubdtype(self.dtype(value), np.signedinteger) else 0
        return self.constant(self.between(low, 9), self.dtype(value))

    def keep(self, node):
        for output in node.outputs():
            if output.get_partial_shape().rank.is_dynamic or self.rank(output) > 4:
                raise ValueError("no rank")
        self.values += node.outputs()
        return node.output(0)

    # Producers.

    def extent(self):
        value = self.pick(ranks=(1, 2, 3))
        shape = self.keep(self.op.shape_of(value, output_type=self.one_of(["i64", "i32"])))
        return self.keep(self.op.gather(shape, self.constant(self.between(0, self.rank(value) - 1)), self.constant(0)))

    def arithmetic(self):
        value = self.integer()
        name = self.one_of(["add", "subtract", "multiply", "minimum", "maximum"])
        return self.keep(getattr(self.op, name)(value, self.like(value)))

    def division(self):
        value = self.integer()
        divisor = self.constant(self.one_of([1, 2, 3, 4, 7]), self.dtype(value))
        return self.keep(getattr(self.op, self.one_of(["divide", "mod", "floor_mod"]))(value, divisor))

    def clamp(self):
        low = self.between(-4, 5)
        return self.keep(self.op.clamp(self.integer(), float(low), float(low + self.between(0, 6))))

    def convert(self):
        return self.keep(self.op.convert(self.pick(), self.one_of(["i64", "i64", "i32", "u8", "i8", "f32", "boolean"])))

    def select(self):
        value = self.integer()
        other = self.like(value)
        condition = getattr(self.op, self.one_of(["less", "less_equal", "greater", "greater_equal", "equal"]))(value, other)
        if self.chance(0.2):
            condition = self.op.logical_not(condition)
        moved = self.keep(self.op.add(value, self.like(value)))
        return self.keep(self.op.select(condition, *((moved, value) if self.chance(0.5) else (value, moved))))

    def concat(self):
        value = self.pick(ranks=(1, 2))
        fits = [other for other in self.values if self.dtype(other) == self.dtype(value) and self.rank(other) == self.rank(value)]
        return self.keep(self.op.concat([value, self.one_of(fits)], self.between(-self.rank(value), self.rank(value) - 1)))

    def move(self):
        value = self.pick(ranks=(0, 1, 2))
        rank = self.rank(value)
        return self.keep(self.one_of([
            lambda: self.op.unsqueeze(value, self.constant([self.between(0, rank)])),
            lambda: self.op.reshape(value, self.constant([-1]), False),
            lambda: self.op.transpose(value, self.constant(self.random.permutation(rank))),
            lambda: self.op.broadcast(value, self.constant([2] * rank), "bidirectional"),
            lambda: self.op.slice(value, self.constant([self.between(-3, 2)]), self.constant([self.between(-3, 5)]),
                                  self.constant([self.one_of([1, 1, -1, 2])]), self.constant([0])),
            lambda: self.op.strided_slice(value, self.constant([self.between(-2, 1)]), self.constant([self.between(1, 4)]),
                                          self.constant([self.one_of([1, 2])]), [self.between(0, 1)], [self.between(0, 1)]),
            lambda: self.op.split(value, self.constant(0), 2),
            lambda: self.op.squeeze(value, self.constant([0])),
        ])())

    def indices(self):
        value = self.integer((1, 2))
        axis = self.between(0, self.rank(value) - 1)
        if value.get_node() in self.parameters and self.chance(0.5):
            return self.keep(self.op.topk(value, self.constant(1), axis, self.one_of(["max", "min"]), "value", "i64"))
        return self.keep(self.one_of([
            lambda: self.op.non_zero(value, "i64"),
            lambda: self.op.transpose(self.keep(self.op.non_zero(value, "i32")), self.constant([1, 0])),
            lambda: self.op.reduce_max(value, self.constant([axis]), self.chance(0.5)),
            lambda: self.op.reduce_min(value, self.constant([axis]), self.chance(0.5)),
            lambda: self.op.reduce_sum(value, self.constant([axis]), self.chance(0.5)),
        ])())

    def count_up(self):
        limit = self.integer((0,))
        start, step = self.one_of([(0, 1), (0, 1), (2, 1), (0, 3), (6, -1), (0, -2)])
        return self.keep(self.op.range(self.constant(start), limit, self.constant(step), "i64"))

    def gather(self):
        value = self.pick(ranks=(1, 2))
        return self.keep(self.op.gather(value, self.constant([self.between(0, 1), self.between(-2, 1)]), self.constant(0)))

    PRODUCERS = (extent, extent, arithmetic, arithmetic, division, division, clamp, convert, convert, select, select, concat, move, move,
                 move, indices, indices, count_up, gather)

    def grow(self):
        made = 0
        wanted = self.between(1, 8)
        for _ in range(MOST_TRIES):
            try:
                self.one_of(self.PRODUCERS)(self)
                made += 1
            except (RuntimeError, ValueError):  # OpenVINO refuses the node
                pass
            if made == wanted:
                break

    def finish(self):
        """The model; each of its results is a value, called r0, r1 and so on."""
        results = []
        for number, value in enumerate(self.values):
            result = self.op.result(value)
            result.friendly_name = f"r{number}"
            results.append(result)
        return self.ov.Model(results, self.parameters, "random")

    def inputs(self, wild):
        """Concrete inputs of a run. TopK of an empty axis would end OpenVINO's process."""
        least = int(any(value.get_node().get_type_name() == "TopK" for value in self.values))
        given = {}
        for name, (dims, dtype) in self.dims.items():
            shape = [self.between(max(low, least), high if high >= 0 else 6) for low, high in dims]
            given[name] = random_array(self.random, dtype, shape, wild)
        return given


def draw(seed):
    drawing = OpenvinoDrawing(np.random.default_rng(seed))
    drawing.grow()
    return drawing


def compare_graph(seed):
    """(Witness, Tally) of one graph."""
    drawing = draw(seed)
    witness, tally = Witness(graphs=1), Tally()
    bounds = {}
    for number, value in enumerate(drawing.values):
        if drawing.is_integer(value):
            bounds[f"r{number}"] = openvino_bounds(value)
    model = drawing.finish()
    facts = find_facts(drawing, model)
    for name, ends in bounds.items():
        if ends is not None and ends[0].size:
            compare_bounds(facts.get(name), ends, witness)
    for run in range(RUNS):
        inputs = drawing.inputs(0.3 * run)
        outputs = evaluate(drawing, model, inputs)
        if outputs is None:
            witness.refused_runs += 1
            continue
        arrays = {f"r{number}": array for number, array in enumerate(outputs)}
        for name, array in arrays.items():
            if name in facts:
                compare(facts[name], array, Run(inputs, arrays), tally)
            witness.openvino_wrong += leaves(bounds.get(name), array)
    tally.faults = [f"seed {seed}: {fault}" for fault in tally.faults]
    return witness, tally


def openvino_bounds(value):
    """OpenVINO's lower and upper values of an output; None: it has none."""
    from openvino.experimental import evaluate_both_bounds

    try:
        return [end.data.copy() for end in evaluate_both_bounds(value)]
    except RuntimeError:  # the tensors are not initialised
        return None


def find_facts(drawing, model):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        drawing.ov.serialize(model, str(path), str(path.with_suffix(".bin")))
        rows = _core.find_ranges(windrow.load(path)._core, {}, None, "openvino:evaluate")
    return {fact["name"]: fact for _, facts in rows for fact in facts}


def evaluate(drawing, model, inputs):
    """The results of a run, by OpenVINO's evaluate functions; None: they give none."""
    outputs = [drawing.ov.Tensor(output.get_element_type(), drawing.ov.Shape([0])) for output in model.outputs]
    try:
        done = model.evaluate(outputs, [drawing.ov.Tensor(np.array(inputs[node.friendly_name], order="C")) for node in drawing.parameters])
    except RuntimeError:
        return None
    return [output.data for output in outputs] if done else None


def leaves(ends, array):
    """Whether an array leaves the bounds that OpenVINO gave."""
    if ends is None or ends[0].shape != array.shape:
        return False
    return bool(((array < ends[0]) | (array > ends[1])).any())


def compare_bounds(fact, ends, witness):
    """Counts how the analysis' bounds of a value compare with OpenVINO's."""
    lower, upper = ends
    witness.bounded_by_openvino += 1
    low, high = bounds_of(fact)
    theirs = int(lower.min()), int(upper.max())
    if (low, high) == theirs:
        witness.equal += 1
    elif low >= theirs[0] and high <= theirs[1]:
        witness.tighter += 1
    elif low <= theirs[0] and high >= theirs[1]:
        witness.wider += 1
    else:
        witness.apart += 1


def bounds_of(fact):
    """The smallest and the greatest number of a fact's intervals, within 64 bits."""
    least, greatest = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    if not fact or not fact["intervals"]:
        return least, greatest
    lows = [least if interval[0] is None else interval[0] for interval in fact["intervals"]]
    highs = [greatest if interval[1] is None else interval[1] for interval in fact["intervals"]]
    return min(lows), max(highs)


def analyse_batch(seeds):
    """As compare_batch(), with the analysis alone, for graphs that end OpenVINO's process."""
    for seed in seeds:
        drawing = draw(seed)
        find_facts(drawing, drawing.finish())
    return [vars(Witness(graphs=len(seeds), openvino_ended=len(seeds))), vars(Tally())]


def compare_batch(seeds):
    """The handler of worker processes: Witness and Tally of some seeds, as dicts."""
    totals = Witness(), Tally()
    for seed in seeds:
        for total, part in zip(totals, compare_graph(seed)):
            total.add(part)
    return [vars(total) for total in totals]
