"""What `strict` takes: the element types of each release, and ranks up to 8."""

from ..semantics import tensor
from .records import RELEASES

MOST = 8


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
