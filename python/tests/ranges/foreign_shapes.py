"""Models for which onnx's shape inference gives other extents than ONNX Runtime.

Each is (opset, inputs and nodes in onnx's text format), and its value y is the one in question.
"""

import onnx
import onnx.parser

POOLED = "(float[1, 8, 7, 7] x) => (y) { y = "
CEILED = "<kernel_shape = [2, 2], strides = [3, 3], pads = [1, 1, 1, 1], ceil_mode = 1>(x) }"
CONSTANT = "(float[{}] x) => (y) {{ shape = Shape(x) {} wide = Cast<to = 7>(narrow) y = ConstantOfShape(wide) }}"
SCALES = "scales = Constant<value = float[4] {1.0, 1.0, 0.7, 1.1}>()"

FALSE = {
    "MaxPool with ceil_mode": (17, POOLED + "MaxPool" + CEILED),
    "AveragePool with ceil_mode": (17, POOLED + "AveragePool" + CEILED),
    "LpPool with ceil_mode": (18, POOLED + "LpPool" + CEILED),
    "MaxPool with SAME and dilations": (
        17, POOLED + 'MaxPool<kernel_shape = [3, 3], strides = [2, 2], dilations = [2, 2], auto_pad = "SAME_LOWER">(x) }'),
    "MaxPool with VALID and pads": (17, POOLED + 'MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1], auto_pad = "VALID">(x) }'),
    "ConvTranspose with SAME and output_padding": (
        17, "(float[1, 1, 5, 5] x, float[1, 1, 3, 3] w) => (y) "
        '{ y = ConvTranspose<strides = [2, 2], output_padding = [1, 1], auto_pad = "SAME_LOWER">(x, w) }'),
    "Einsum of an extent 1": (17, '(float[1, 3] x, float[4, 3] w) => (y) { y = Einsum<equation = "ij,ij->ij">(x, w) }'),
    "PRelu with crossed broadcasting": (17, "(float[1, 3] x, float[4, 3] w) => (y) { y = PRelu(x, w) }"),
    "Resize with scales": (
        17, "(float[1, 1, 10, 10] x) => (y) { " + SCALES + " none = Constant<value = float[0] {}>() y = Resize(x, none, scales) }"),
    "Resize with scales at opset 10": (10, "(float[1, 1, 10, 10] x) => (y) { " + SCALES + " y = Resize(x, scales) }"),
    "a shape through int8": (17, CONSTANT.format(300, "narrow = Cast<to = 3>(shape)")),
    "a shape through float16": (17, CONSTANT.format(2049, "narrow = Cast<to = 10>(shape)")),
    "a shape through bool": (17, CONSTANT.format(5, "narrow = Cast<to = 9>(shape)")),
    "a shape through float8": (19, CONSTANT.format(17, "byte = Cast<to = 17>(shape) narrow = Cast<to = 1>(byte)")),
    "a sum of uint8": (17, CONSTANT.format(200, "byte = Cast<to = 2>(shape) narrow = Add(byte, byte)")),
    "a product of uint8": (17, CONSTANT.format(20, "byte = Cast<to = 2>(shape) narrow = Mul(byte, byte)")),
    "an unknown extent through int8": (17, CONSTANT.format("n", "narrow = Cast<to = 3>(shape)")),
    "a size through int8": (
        17, "(float[300] x) => (y) { size = Size(x) narrow = Cast<to = 3>(size) wide = Cast<to = 7>(narrow) "
        "zero = Constant<value = int64[1] {0}>() list = Unsqueeze(wide, zero) y = ConstantOfShape(list) }"),
    "Expand to a shape through uint8": (
        17, "(float[300] x, float[1] w) => (y) { shape = Shape(x) narrow = Cast<to = 2>(shape) wide = Cast<to = 7>(narrow) y = Expand(w, wide) }"),
    "Reshape to a shape through uint8": (
        17, "(float[300] x, float[44] w) => (y) { shape = Shape(x) narrow = Cast<to = 2>(shape) wide = Cast<to = 7>(narrow) y = Reshape(w, wide) }"),
    "Resize to sizes through uint8": (
        17, "(float[1, 300] x) => (y) { shape = Shape(x) narrow = Cast<to = 2>(shape) wide = Cast<to = 7>(narrow) "
        "none = Constant<value = float[0] {}>() y = Resize(x, none, none, wide) }"),
}


def model_of(opset, text):
    """The model, with nothing said of y but that it is a value of floats."""
    text = text.replace("=> (y)", "=> (float y)")
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> example {text}')
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


def with_gather(model, axis, index):
    """The model with a Gather of one slice of y."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.graph.initializer.append(onnx.helper.make_tensor("picked", onnx.TensorProto.INT64, [1], [index]))
    copy.graph.node.append(onnx.helper.make_node("Gather", ["y", "picked"], ["z"], name="gather", axis=axis))
    copy.graph.output.append(onnx.helper.make_tensor_value_info("z", onnx.TensorProto.FLOAT, None))
    return copy
