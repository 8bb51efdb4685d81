"""A producer of random graphs that draws from every operator of ONNX: inputs by type constraint, attributes by their kind.

Nothing here knows what an operator means. A node that the runtime refuses is drawn again, so most of what remains are operators that
take any shape; those with conditions on shapes have drawers in operator_draws.py.
"""

import functools
import re

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from random_graphs import Refused
from random_values import BOOL, FLOAT32, INT64, random_array

OPTIONAL, VARIADIC = onnx.defs.OpSchema.FormalParameterOption.Optional, onnx.defs.OpSchema.FormalParameterOption.Variadic
MOST_VARIADIC = 3
WORD = re.compile(r"[\"'`]([A-Za-z_0-9]{3,30})[\"'`]")
# Attributes with a default of 0 or 1 that are more than switches.
FREE_NUMBER = re.compile("axis|group|block|^dim|_dim|diag|num|size|batch|power|^p$|^k$|start|end|offset")
WITHOUT_ARRAYS = ("UNDEFINED", "STRING", "COMPLEX64", "COMPLEX128")
# Generic draws would make them too large, or they read or write nothing that has a value.
LEFT_OUT = ("Constant", "If", "Loop", "Scan", "SequenceMap", "StringNormalizer", "TfIdfVectorizer")


@functools.cache
def types_of_names():
    """NumPy's types by ONNX's text: {"tensor(float)": dtype("float32"), ...}."""
    found = {}
    for name, code in TensorProto.DataType.items():
        if name not in WITHOUT_ARRAYS:
            try:
                found[f"tensor({name.lower()})"] = np.dtype(helper.tensor_dtype_to_np_dtype(code))
            except (KeyError, TypeError):
                continue
    return found


@functools.cache
def operator_names():
    """Every operator of ONNX's own domain that any operator set has."""
    schemas = onnx.defs.get_all_schemas_with_history()
    return sorted({schema.name for schema in schemas if schema.domain == "" and schema.name not in LEFT_OUT})


@functools.cache
def schema_of(name, opset):
    try:
        return onnx.defs.get_schema(name, opset, "")
    except onnx.defs.SchemaError:
        return None


def any_operator(g):
    """A node of any operator."""
    schema = schema_of(g.one_of(operator_names()), g.opset)
    if schema is None or schema.deprecated:
        raise Refused("the operator set has no such operator")
    types = {constraint.type_param_str: draw_type(g, constraint.allowed_type_strs) for constraint in schema.type_constraints}
    inputs = draw_inputs(g, schema, types)
    attributes = {}
    for name, attribute in schema.attributes.items():
        if attribute.required or g.chance(0.35):
            attributes[name] = draw_attribute(g, attribute, inputs, types)
    least = max(schema.min_output, 1)
    outputs = g.between(least, max(least, min(schema.max_output, 4)))
    # onnx's evaluator has not been tried on most operators, and its values judge what is said of every runtime.
    return g.node(schema.name, inputs, outputs=outputs, by_kernel=g.agreeing, **attributes)


def draw_type(g, allowed):
    """One of the types of a constraint, mostly one that values of the graph have; None: they have no arrays."""
    known = [types_of_names()[text] for text in allowed if text in types_of_names()]
    if not known:
        return None
    used = [dtype for dtype in known if any(value.dtype == dtype for value in g.values[-4:])]
    common = [dtype for dtype in known if dtype in (FLOAT32, INT64, BOOL)]
    return g.one_of(used if used and g.chance(0.6) else common if common and g.chance(0.5) else known)


def draw_inputs(g, schema, types):
    inputs = []
    for parameter in schema.inputs:
        if parameter.option == OPTIONAL and g.chance(0.5):
            inputs.append(None)
            continue
        count = g.between(1, MOST_VARIADIC) if parameter.option == VARIADIC else 1
        for _ in range(count):
            dtype = types.get(parameter.type_str, types_of_names().get(parameter.type_str))
            if dtype is None:
                raise Refused("no arrays have this type")
            inputs.append(draw_input(g, dtype, next(iter(inputs), None)))
    while inputs and inputs[-1] is None:
        inputs.pop()
    return inputs


def draw_input(g, dtype, first):
    """A value of a type: one of the graph, or a constant of a shape that operators often ask for."""
    if first is None:
        return g.pick([dtype], fresh=0.2)
    choice = g.random.random()
    if choice < 0.3:
        return g.pick([dtype], fresh=0)
    if choice < 0.5:
        return g.like(first) if first.dtype == dtype else g.small_constant(dtype, first.shape)
    return g.small_constant(dtype, g.one_of([(), (), (1,), (1,), (first.rank,), (2 * first.rank,), first.shape, first.shape[1:2]]), wild=0.02)


def draw_attribute(g, attribute, inputs, types):
    rank = next((value.rank for value in inputs if value is not None), 1)
    kind = onnx.defs.OpSchema.AttrType
    if attribute.type == kind.INT:
        if attribute.name in ("to", "dtype", "output_dtype", "output_datatype"):
            return int(helper.np_dtype_to_tensor_dtype(g.one_of(types_of_names().values())))
        if attribute.default_value.type == AttributeProto.INT and attribute.default_value.i in (0, 1) and not FREE_NUMBER.search(attribute.name):
            return g.below(2)
        return g.one_of([0, 1, 1, 2, -1, g.between(-4, 4)])
    if attribute.type == kind.INTS:
        return [g.between(0, 3) for _ in range(g.one_of([max(rank, 1), max(rank - 2, 1), 1, 2 * max(rank - 2, 1)]))]
    if attribute.type == kind.FLOAT:
        return float(g.one_of([0.0, 1.0, 0.5, -1.0, 2.0, 1e-3, 3.5, 1e6]))
    if attribute.type == kind.FLOATS:
        return [float(g.one_of([1.0, 2.0, 0.5, 1.5])) for _ in range(g.one_of([max(rank, 1), 1, 2]))]
    if attribute.type == kind.STRING:
        return g.one_of(WORD.findall(attribute.description) or ["NOTSET"])
    if attribute.type == kind.TENSOR:
        dtype = g.one_of([dtype for dtype in types.values() if dtype is not None] or [INT64])
        return numpy_helper.from_array(random_array(g.random, dtype, [1], 0.1))
    raise Refused(f"no {AttributeProto.AttributeType.Name(attribute.type.value)} is drawn")


PRODUCERS = [any_operator] * 24
