"""What each release of TensorRT has, and `strict` takes: its element types, and ranks up to 8."""

from ..semantics import tensor

RELEASES = [8, 9, 10, 11]
MOST = 8
_SCATTER = ["int8", "int32", "float16", "float32"]
_GATHER = [*_SCATTER, "bool"]
_WIDE = ["int64", "bfloat16"]
# The types of data by layer and release.
TYPES = {
    "Gather": {8: _GATHER, 9: [*_GATHER, *_WIDE], **dict.fromkeys((10, 11), [*_GATHER, *_WIDE, "int4", "float8_e4m3fn"])},
    "Scatter": {8: _SCATTER, **dict.fromkeys((9, 10), [*_SCATTER, *_WIDE]),
                11: ["int32", "int64", "bool", "float16", "float32", "bfloat16"]},
    "OneHot": {8: _GATHER, **dict.fromkeys((9, 10, 11), [*_GATHER, *_WIDE])},
    "KVCacheUpdate": dict.fromkeys((10, 11), ["float32", "float16", "bfloat16"]),
}


def types_of(layer, release):
    return TYPES[layer][release]


def index_types_of(layer, release):
    return ["int32"] if layer == "OneHot" or release < 9 else ["int32", "int64"]


def add_types(cases, of_data, every, inputs):
    """`of_data`: data's types by release; `inputs(dtype, index)` are a call's, of any data and index type."""
    strict = {"options": {"strict": True}}
    for dtype in every:
        good = [release for release in cases.versions if dtype in of_data[release]]
        bad = [release for release in cases.versions if dtype not in of_data[release]]
        if good:
            cases.ok(f"strict_type_{dtype}", inputs(dtype, "int32"), versions=good, **strict)
        if bad:
            cases.error(f"strict_refuses_type_{dtype}", "type", "S2", inputs(dtype, "int32"), versions=bad, **strict,
                        note=None if good else "an extension: no release has this type here")
    of_indices = [release for release in cases.versions if release >= 9]
    cases.ok("strict_indices_of_type_int64", inputs("float32", "int64"), versions=of_indices, **strict)
    if RELEASES[0] in cases.versions:
        cases.error("strict_refuses_indices_of_type_int64", "type", "S2", inputs("float32", "int64"),
                    versions=[RELEASES[0]], **strict, note="int64 indices since release 9")


def add_rank(cases, name, shapes, attrs, *, legal):
    """One call of float32 tensors with these shapes (indices, of int32, come second), without and with `strict`."""
    def whole(number, shape):
        assert set(shape) <= {1}
        return tensor("int32", shape, [0]) if number == 1 else tensor("float32", shape, [float(number)])

    inputs = [whole(number, shape) for number, shape in enumerate(shapes)]
    cases.ok(name, inputs, attrs)
    if legal:
        cases.ok(f"{name}_strict", inputs, attrs, options={"strict": True})
    else:
        cases.error(f"{name}_strict", "shape", "S1", inputs, attrs, options={"strict": True},
                    note=f"a rank above {MOST}")
