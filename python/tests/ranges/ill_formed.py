"""Random graphs made ill-formed: other axes, shapes, operators and inputs than the specification allows."""

import numpy as np
import windrow
from onnx import AttributeProto
from random_graphs import draw_graph
from single_nodes import Stages
from soundness import PRODUCERS, ask_here
from windrow import _core
from windrow._models import onnx_shapes

MUTANTS_OF_A_GRAPH = 10
EXTREMES = (-(2**63), -1, 0, 1, 2, 3, 7, 2**31, 2**63 - 1)


class Count:
    """The number of checked models, added up over seeds."""

    def __init__(self, models=0, read=0):
        self.models, self.read = models, read

    def add(self, other):
        self.models += other.models
        self.read += other.read


def mutate(random, model):
    """Changes some places of a model."""
    nodes = list(model.graph.node)
    names = [name for node in nodes for name in node.output] + [value.name for value in model.graph.input]
    for _ in range(random.integers(1, 4)):
        node = nodes[random.integers(len(nodes))]
        change = random.integers(5)
        if change == 0 and node.input:
            node.input[random.integers(len(node.input))] = names[random.integers(len(names))]
        elif change == 1 and node.input:
            del node.input[random.integers(len(node.input))]
        elif change == 2 and node.attribute:
            change_attribute(random, node.attribute[random.integers(len(node.attribute))])
        elif change == 3:
            node.op_type = nodes[random.integers(len(nodes))].op_type
        elif model.graph.initializer:
            change_initializer(random, model.graph.initializer[random.integers(len(model.graph.initializer))])


def change_attribute(random, attribute):
    extreme = int(EXTREMES[random.integers(len(EXTREMES))])
    if attribute.type == AttributeProto.INT:
        attribute.i = extreme
    elif attribute.type == AttributeProto.INTS:
        numbers = [*attribute.ints, extreme]
        random.shuffle(numbers)
        attribute.ints[:] = numbers[: random.integers(len(numbers) + 1)]


def change_initializer(random, tensor):
    """Other elements or another shape, of integers."""
    if tensor.data_type != tensor.INT64:
        return
    count = int(np.prod(tensor.dims))
    tensor.raw_data = np.array([EXTREMES[random.integers(len(EXTREMES))] for _ in range(count)], "<i8").tobytes()
    if random.random() < 0.3:
        tensor.dims[:] = [*tensor.dims, 1] if random.random() < 0.5 else [count]


def compare_batch(seeds):
    """The handler of worker processes: [the Count of some seeds as a dict]. No model may end the process."""
    onnx_shapes.ask = ask_here
    Stages.told = True
    count = Count()
    for seed in seeds:
        random = np.random.default_rng(seed)
        Stages.enter("drawing")
        drawn = draw_graph(seed, PRODUCERS).model
        Stages.enter("analysis")
        for _ in range(MUTANTS_OF_A_GRAPH):
            count.models += 1
            model = type(drawn)()
            model.CopyFrom(drawn)
            mutate(random, model)
            try:
                loaded = windrow.load(model)
                _core.find_ranges(loaded._core, {}, None)
                windrow.check(loaded, show_cannot=True, ask_onnx=seed % 4 == 0)
            except windrow.Error:
                continue
            count.read += 1
    return [vars(count)]
