"""Models made of the nodes that rules give as examples."""

import json
from xml.sax.saxutils import quoteattr

import ml_dtypes
import numpy as np
import onnx
import windrow
from onnx import helper

_IR_TYPES = {"bool": "boolean", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
             "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "int4": "i4"}
_NUMPY_NAMES = {short: name for name, short in _IR_TYPES.items()}
_PRECISIONS = {"boolean": "BOOL", "f16": "FP16", "f32": "FP32", "f64": "FP64", "bf16": "BF16"}
# The first opset with a version of an operator, where the two numbers differ.
_OPSETS = {("ScatterNDUpdate", 3): 4}


def _array(type_name, shape, values):
    dtype = np.dtype(getattr(ml_dtypes, type_name) if hasattr(ml_dtypes, type_name) else type_name)
    if type_name == "string":
        dtype = np.dtype(object)
    return np.array([float(value) if isinstance(value, str) else value for value in values]).astype(dtype).reshape(shape)


def write(example, folder, constants):
    """Writes the model and returns its path. constants: whether inputs with values, and axes, are constants."""
    node = json.loads(example)
    inputs = []
    for number, (type_name, shape, *values) in enumerate(node["inputs"]):
        # The axis of OpenVINO and the depth of OneHot determine the shape of the result.
        is_shape = not shape and number >= 1 and not values and not (number == 1 and len(node["inputs"]) < 3)
        if (values and (constants or not shape)) or is_shape:
            inputs.append(_array(type_name, shape, values[0] if values else [0]))
        else:
            inputs.append((type_name, shape))
    return (_write_ir if node["dialect"] == "openvino" else _write_onnx)(node, inputs, folder)


def _write_onnx(node, inputs, folder):
    names = [f"in{number}" for number in range(len(inputs))]
    domain = "ai.onnx.ml" if node["operator"] == "ArrayFeatureExtractor" else ""
    opsets = {"": 18, domain: node["version"]}

    def type_of(name):
        return onnx.TensorProto.STRING if name == "string" else helper.np_dtype_to_tensor_dtype(
            np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name))

    first = inputs[2 if node["operator"] == "OneHot" else 0]
    result_type = type_of(first[0] if isinstance(first, tuple) else first.dtype.name)
    graph = helper.make_graph(
        [helper.make_node(node["operator"], names, ["y"], name="n", domain=domain, **node["attributes"])], "g",
        [helper.make_tensor_value_info(name, type_of(given[0]), [None if dim < 0 else dim for dim in given[1]])
         for name, given in zip(names, inputs) if isinstance(given, tuple)],
        [helper.make_tensor_value_info("y", result_type, None)],
        [onnx.numpy_helper.from_array(given, name) for name, given in zip(names, inputs) if not isinstance(given, tuple)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(*item) for item in opsets.items()], ir_version=8)
    path = folder / "model.onnx"
    onnx.save(model, path)
    # onnx's checker requires a rank for outputs.
    shape = windrow.load(path).infer()["y"].shape
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", result_type, shape and [None] * len(shape)))
    onnx.save(model, path)
    return path


def _type_of(given):
    return _IR_TYPES[given[0] if isinstance(given, tuple) else given.dtype.name]


def _dims_of(given):
    return given[1] if isinstance(given, tuple) else given.shape


def _port(number, given, names=""):
    precision = _PRECISIONS.get(_type_of(given), _type_of(given).upper())
    dims = _dims_of(given)
    return f'<port id="{number}" precision="{precision}"{names}>' + "".join(f"<dim>{dim}</dim>" for dim in dims) + "</port>"


def _write_ir(node, inputs, folder):
    layers, edges, content = [], [], b""
    for number, given in enumerate(inputs):
        is_input = isinstance(given, tuple)
        shape = ",".join("?" if dim < 0 else str(dim) for dim in _dims_of(given))
        data = f'shape="{shape}" element_type="{_type_of(given)}"'
        if not is_input:
            data_bytes = given.tobytes() if given.dtype.name != "int4" else bytes([int(given) & 15])
            data += f' offset="{len(content)}" size="{len(data_bytes)}"'
            content += data_bytes + b"\0" * (-len(data_bytes) % 8)
        kind = "Parameter" if is_input else "Const"
        layers.append(f'<layer id="{number}" name="in{number}" type="{kind}" version="opset1"><data {data}/><output>'
                      + _port(0, given, f' names="in{number}"') + "</output></layer>")
        edges.append(f'<edge from-layer="{number}" from-port="0" to-layer="{len(inputs)}" to-port="{number}"/>')
    count = len(inputs)
    opset = _OPSETS.get((node["operator"], node["version"]), node["version"])
    attributes = "".join(f" {name}={quoteattr(str(value).lower() if isinstance(value, bool) else str(value))}"
                         for name, value in node["attributes"].items())
    ports = "".join(_port(number, given) for number, given in enumerate(inputs))
    result = _port(count, (_NUMPY_NAMES[_type_of(inputs[0])], [])).replace(" precision", ' names="y" precision')
    layers.append(f'<layer id="{count}" name="n" type="{node["operator"]}" version="opset{opset}"><data{attributes}/>'
                  f'<input>{ports}</input><output>{result}</output></layer>')
    layers.append(f'<layer id="{count + 1}" name="r" type="Result" version="opset1"><input>{_port(0, inputs[0])}</input></layer>')
    edges.append(f'<edge from-layer="{count}" from-port="{count}" to-layer="{count + 1}" to-port="0"/>')
    path = folder / "model.xml"
    path.write_text(f'<?xml version="1.0"?><net name="g" version="11"><layers>{"".join(layers)}</layers>'
                    f'<edges>{"".join(edges)}</edges></net>')
    path.with_suffix(".bin").write_bytes(content)
    return path
