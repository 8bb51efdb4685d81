"""Combinations of properties that have bitten somebody, each with the records that show it."""

# What, where somebody was bitten, and whether a record shows it: (operator, record, its properties).
TRIPLES = []


def triple(text, where):
    def add(goes):
        TRIPLES.append((text, where, goes))
        return goes
    return add


@triple("Gather, short 1-D data of int32 or int64, an index outside", "OpenVINO's CPU plugin reads beyond the data")
def _(key, record, found):
    return key == ("openvino", "Gather") and "1" in found["rank"] and found["type"] & {
                   "int32", "int64"} and "far" in found.get("bounds", ())


@triple("GatherND, an index outside, int32 or int64 data", "OpenVINO's evaluate and CPU plugin read outside the data")
def _(key, record, found):
    return key == (
    "openvino",
    "GatherND") and found["type"] & {
        "int32",
        "int64"} and found.get(
            "bounds",
            set()) & {
                "far",
                 "just above"}


@triple("Gather, int64 data beyond 32 bits", "OpenVINO's CPU plugin cuts 64-bit data")
def _(key, record, found):
    return key == ("openvino", "Gather") and found["type"] == {"int64"} and "outputs" in record and any(
        isinstance(value, int) and abs(value) >= 2**31 for value in record["inputs"][0]["data"])


@triple("Gather, float64 data that float32 does not hold", "OpenVINO's CPU plugin computes in float32")
def _(key, record, found):
    return key == ("openvino", "Gather") and found["type"] == {"float64"} and "outputs" in record


@triple("an int64 index that is legal modulo 2^32", "TensorRT and OpenVINO narrow indices to 32 bits")
def _(key, record, found):
    return "beyond 32 bits" in found.get("bounds", ()) and "int64" in found["index type"]


@triple("ScatterND, add, duplicates", "ONNX Runtime races")
def _(key, record, found):
    return key == ("onnx", "ScatterND") and found["reduction"] == {"add"} and "yes" in found.get("duplicates", ())


@triple("scatter, no reduction, duplicates", "ONNX Runtime, OpenVINO and torch do not keep the last one")
def _(key, record, found):
    return found["reduction"] == {"none"} and "yes" in found.get("duplicates", ()) and "outputs" in record


@triple("scatter, min or max, NaN in the cell or in the update",
     "ONNX Runtime, OpenVINO and ONNX's reference lose one of them")
def _(key, record, found):
    return found["reduction"] & {"min", "max"} and "NaN" in found["values"]


@triple("scatter, add or mul, float16 or bfloat16", "ONNX Runtime has no kernel; OpenVINO sums in float32")
def _(key, record, found):
    return found["reduction"] & {
    "add", "mul", "sum", "prod"} and found["type"] & {
        "float16", "bfloat16"} and "outputs" in record


@triple("ScatterElementsUpdate, mean, negative integers", "OpenVINO's CPU plugin rounds toward zero")
def _(key, record, found):
    data = record["inputs"][0]["data"]
    return key == ("openvino", "ScatterElementsUpdate") and found["reduction"] == {
                   "mean"} and "outputs" in record and any( isinstance(value, int) and value < 0 for value in data)


@triple("GatherND, batch extents that differ", "ONNX Runtime takes them where they divide")
def _(key, record, found):
    return record.get("constraint") == "ONNX-GatherND-C2"


@triple("GatherElements, an index just outside", "ONNX's reference wraps it")
def _(key, record, found):
    return key == ("onnx", "GatherElements") and "index" == record.get("error_kind") and "just above" in found["bounds"]


@triple("scatter, an unknown reduction", "ONNX Runtime and ONNX's reference take it as none")
def _(key, record, found):
    return record.get("constraint", "").endswith(
        ("ScatterElements-A3", "ScatterND-A3")) and record["error_kind"] == "argument"


@triple("scatter of elements, indices longer than data along the axis", "TensorRT's parser refuses them")
def _(key, record, found):
    return key in (("onnx", "ScatterElements"), ("tensorrt", "Scatter")) and "outputs" in record and record["attrs"].get(
        "mode") != "ND" and any(mine > own for mine, own in zip(record["inputs"][1]["shape"], record["inputs"][0]["shape"], strict=True))


@triple("TensorScatter, circular, more entries of the batch than of the sequence",
        "ONNX's pseudo code took the modulo of all axes")
def _(key, record, found):
    data = record["inputs"][0]["shape"]
    return key == ("onnx", "TensorScatter") and record["attrs"].get("mode") == "circular" and "outputs" in record and len(
        data) > 2 and data[0] > data[record["attrs"].get("axis", -2)]


@triple("ScatterND, tuples of length 0", "runtimes leave data unchanged or undefined")
def _(key, record, found):
    return key[1] in ("ScatterND", "ScatterNDUpdate") and "outputs" in record and record["inputs"][1]["shape"][-1] == 0


@triple("Gather, an empty tensor of indices", "engines of TensorRT break")
def _(key, record, found):
    return key[1] == "Gather" and "indices" in found.get("empty", ()) and "outputs" in record


@triple("ScatterND, an explicit reduction none", "TensorRT's parser refuses the attribute")
def _(key, record, found):
    return key == ("onnx", "ScatterND") and record["attrs"].get("reduction") == "none"


@triple("GatherND, batch extents 1 and n", "OpenVINO's shape inference refuses the broadcast")
def _(key, record, found):
    b = record["attrs"].get("batch_dims", 0)
    if key != ("openvino", "GatherND"):
        return False
    data, inner = record["inputs"][0]["shape"], record["inputs"][1]["shape"] if len(record["inputs"]) > 1 else []
    return "outputs" in record and data[:b] != inner[:b]


@triple("ScatterNDUpdate, a coordinate outside whose flat offset is inside", "OpenVINO wrote the flat offset until 2025")
def _(key, record, found):
    fault = record.get("fault", {})
    return key == ("openvino", "ScatterNDUpdate") and fault.get("axis", 0) > 0


@triple("scatter into slots, -1 for none", "servers of language models overwrote the last slot of the cache")
def _(key, record, found):
    return key[1] in ("ScatterND", "TensorScatter") and record.get("options", {}).get("padding_index") == -1 and "outputs" in record
