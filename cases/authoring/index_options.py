"""Records of the options `negative` and `padding_index`, the same for every operator: what each makes of one list of indices.

A call is made of five indices of an axis of extent 4, in the operator's own shapes.
"""

from . import results
from .messages_of_shapes import names_of
from .operators import ATTRIBUTES, GATHERS, SEGMENTS
from .plain import plain_inputs
from .records import count, f32, fault, i64
from .semantics import tensor

EXTENT = 4
FOUR, ROWS, CACHE = count("int32", [4], 1), count("int32", [4, 2], 1), count("int32", [5, 4], 1)
NEW, NEW_ROWS = count("int32", [5], 100), count("int32", [5, 2], 100)
# Bags of two, no and three samples; segments of two, one, no and two.
OFFSETS, IDS = i64([3], 0, 2, 2), i64([5], 0, 0, 1, 3, 3)
OFF_ON = f32([2], 0.0, 1.0)
# A table of four rows of codes, and its scales.
CODES, BYTES, SCALES = count("int4", [4, 2], -3), tensor("uint8", [4, 1], [0x21, 0x43, 0x65, 0x87]), f32([4, 1], 0.5, 1.0, 2.0, 4.0)
# The order in which the indices of a list stand; ids of segments ascend.
ORDER = [3, 0, 4, 1, 2]


def _scalar(value):
    return i64([], value)


def _column(indices):
    return {**indices, "shape": [5, 1]}


def _four_axes(source, length):
    return {**source, "shape": [5, 1, length, 1]}


# {(dialect, op): its calls, by name: (attributes, what makes the inputs of the indices)}.
CALLS = {
    ("onnx", "Gather"): {"": ({}, lambda i: [ROWS, i])},
    ("onnx", "GatherElements"): {"": ({}, lambda i: [FOUR, i])},
    ("onnx", "GatherND"): {"": ({}, lambda i: [ROWS, _column(i)])},
    ("onnx", "Scatter"): {"": ({}, lambda i: [FOUR, i, NEW])},
    ("onnx", "ScatterElements"): {"": ({}, lambda i: [FOUR, i, NEW]), "add_": ({"reduction": "add"}, lambda i: [FOUR, i, NEW])},
    ("onnx", "ScatterND"): {"": ({}, lambda i: [ROWS, _column(i), NEW_ROWS]),
                            "add_": ({"reduction": "add"}, lambda i: [ROWS, _column(i), NEW_ROWS])},
    ("onnx", "TensorScatter"): {"": ({"axis": 1}, lambda i: [CACHE, {**NEW, "shape": [5, 1]}, i]),
                                "circular_": ({"axis": 1, "mode": "circular"}, lambda i: [CACHE, NEW_ROWS, i])},
    ("onnx", "OneHot"): {"": ({}, lambda i: [i, _scalar(EXTENT), OFF_ON])},
    ("onnx", "ArrayFeatureExtractor"): {"": ({}, lambda i: [count("int32", [2, 4], 1), i])},
    ("onnx", "GatherBlockQuantized"): {"": ({}, lambda i: [CODES, i, SCALES]), "packed_": ({"bits": 4}, lambda i: [BYTES, i, SCALES])},
    ("openvino", "Gather"): {"": ({}, lambda i: [ROWS, i, _scalar(0)])},
    ("openvino", "GatherElements"): {"": ({"axis": 0}, lambda i: [FOUR, i])},
    ("openvino", "GatherND"): {"": ({}, lambda i: [ROWS, _column(i)])},
    ("openvino", "ScatterUpdate"): {"": ({}, lambda i: [ROWS, i, NEW_ROWS, _scalar(0)])},
    ("openvino", "ScatterElementsUpdate"): {
        "": ({}, lambda i: [FOUR, i, NEW, _scalar(0)]),
        "mean_": ({"reduction": "mean", "use_init_val": False}, lambda i: [FOUR, i, NEW, _scalar(0)])},
    ("openvino", "ScatterNDUpdate"): {"": ({}, lambda i: [ROWS, _column(i), NEW_ROWS]),
                                      "sub_": ({"reduction": "sub"}, lambda i: [ROWS, _column(i), NEW_ROWS])},
    ("openvino", "OneHot"): {"": ({"axis": -1}, lambda i: [i, _scalar(EXTENT), f32([], 1.0), f32([], 0.0)])},
    **dict.fromkeys((("openvino", "EmbeddingBagOffsetsSum"), ("openvino", "EmbeddingBagOffsets")), {
        "": ({}, lambda i: [ROWS, i, OFFSETS]), "weighted_": ({}, lambda i: [ROWS, i, OFFSETS, _scalar(3), NEW])}),
    **dict.fromkeys((("openvino", "EmbeddingBagPackedSum"), ("openvino", "EmbeddingBagPacked")), {
        "": ({}, lambda i: [ROWS, _column(i)]), "weighted_": ({}, lambda i: [ROWS, _column(i), {**NEW, "shape": [5, 1]}])}),
    ("openvino", "EmbeddingSegmentsSum"): {
        "": ({}, lambda i: [ROWS, i, IDS, _scalar(4)]), "weighted_": ({}, lambda i: [ROWS, i, IDS, _scalar(4), _scalar(3), NEW])},
    ("openvino", "SegmentMax"): {"": ({"fill_mode": "ZERO"}, lambda i: [NEW_ROWS, i, _scalar(EXTENT)])},
    ("tensorrt", "Gather"): {"": ({}, lambda i: [ROWS, i]), "element_": ({"mode": "ELEMENT"}, lambda i: [FOUR, i]),
                             "nd_": ({"mode": "ND"}, lambda i: [ROWS, _column(i)])},
    ("tensorrt", "Scatter"): {"": ({"mode": "ELEMENT"}, lambda i: [FOUR, i, NEW]),
                              "nd_": ({"mode": "ND"}, lambda i: [ROWS, _column(i), NEW_ROWS])},
    ("tensorrt", "OneHot"): {"": ({}, lambda i: [i, OFF_ON, _scalar(EXTENT)])},
    ("tensorrt", "KVCacheUpdate"): {"": ({}, lambda i: [_four_axes(count("float32", [20], 1), 4),
                                                        _four_axes(count("float32", [5], 100), 1), i])},
    ("array", "Take"): {"": ({}, lambda i: [ROWS, i])},
    ("array", "TakeAlongAxis"): {"": ({}, lambda i: [FOUR, i])},
    ("array", "PutAlongAxis"): {"": ({}, lambda i: [FOUR, i, NEW])},
    ("array", "IndexAdd"): {"": ({}, lambda i: [ROWS, i, NEW_ROWS])},
    ("array", "IndexReduce"): {"": ({"reduction": "max"}, lambda i: [ROWS, i, NEW_ROWS]),
                               "mean_": ({"reduction": "mean", "use_init_val": False}, lambda i: [ROWS, i, NEW_ROWS])},
    ("array", "TakeQuantized"): {"": ({}, lambda i: [CODES, i, SCALES]), "packed_": ({"bits": 4}, lambda i: [BYTES, i, SCALES])},
    ("array", "SegmentReduce"): {"": ({"num_segments": 4}, lambda i: [NEW_ROWS, i])},
    ("array", "EmbeddingBag"): {"": ({}, lambda i: [ROWS, i, OFFSETS]), "mean_": ({"reduction": "mean"}, lambda i: [ROWS, _column(i)]),
                                "max_": ({"reduction": "max"}, lambda i: [ROWS, i, OFFSETS]),
                                "weighted_": ({}, lambda i: [ROWS, i, OFFSETS, NEW])},
}
# Calls whose indices address two axes or none, by name; a padding index is refused there.
_PAIRS = i64([2, 2], 1, -1, -3, 0)
_TWO, _NONE = count("int32", [2], 100), tensor("int64", [2, 0], [])
_NONE_OF_SLICES = i64([0])
OTHERS = {
    ("onnx", "GatherND"): {"two": ({}, [ROWS, _PAIRS])},
    ("onnx", "ScatterND"): {"two": ({}, [ROWS, _PAIRS, _TWO]), "no": ({}, [ROWS, _NONE, count("int32", [2, 4, 2])])},
    ("onnx", "TensorScatter"): {"no": ({"axis": 1}, [CACHE, {**NEW, "shape": [5, 1]}])},
    ("openvino", "GatherND"): {"two": ({}, [ROWS, _PAIRS]), "no": ({}, [ROWS, _NONE])},
    ("openvino", "ScatterNDUpdate"): {"two": ({}, [ROWS, _PAIRS, _TWO])},
    ("openvino", "SliceScatter"): {"no": ({}, [ROWS, ROWS, *[_NONE_OF_SLICES] * 3])},
    ("tensorrt", "Gather"): {"two": ({"mode": "ND"}, [ROWS, _PAIRS])},
    ("tensorrt", "Scatter"): {"two": ({"mode": "ND"}, [ROWS, _PAIRS, _TWO])},
}


def _policies(cases):
    """The policies of an operator beside "error"."""
    drops = "zero" if cases.op in GATHERS else "skip"
    return [drops] if cases.op in SEGMENTS else [drops, "clamp", "modulo"]


def _ok(cases, name, inputs, attrs, options, versions=None):
    record = {"dialect": cases.dialect, "op": cases.op, "attrs": attrs, "inputs": inputs, "options": options}
    cases.ok(name, inputs, attrs, versions=versions, options=options, read=plain_inputs(record))


class _Maker:
    """Adds records of one call of an operator."""

    def __init__(self, cases, name, attrs, inputs):
        self.cases, self.name, self.attrs, self.inputs = cases, name, attrs, inputs
        first = [ATTRIBUTES[cases.dialect, cases.op][attribute] for attribute in attrs]
        self.versions = cases.since(max(first, default=0))

    def _given(self, ascending):
        order = range(5) if self.cases.op in SEGMENTS else ORDER
        return self.inputs(i64([5], *(ascending[place] for place in order)))

    def ok(self, name, ascending, options):
        _ok(self.cases, f"{self.name}{name}", self._given(ascending), self.attrs, options, self.versions)

    def refused(self, name, ascending, options, bad, is_negative=False):
        """`bad`: the indices of the list that are refused; the label is CALL-O3 if the first of them is negative."""
        given = self._given(ascending)
        record = {"dialect": self.cases.dialect, "op": self.cases.op, "attrs": self.attrs, "inputs": given}
        indices = results.indices_of(record)
        places = [place for place, value in enumerate(indices["data"]) if value in bad]
        input_name = names_of(record)[results.index_input(record)]
        like = next(other for other in self.cases.records if other.get("error_kind") == "index" and not other["constraint"].startswith("CALL")
                    and other["fault"]["input"] == input_name and other["constraint"].rsplit("-", 1)[1].startswith("C"))
        axis, extent = results.extents_of(record)[places[0]]
        fault = {"input": like["fault"]["input"], "position": [places[0], 0][:len(indices["shape"])],
                 "value": indices["data"][places[0]], "axis": axis, "extent": extent, "count": len(places)}
        label = "CALL-O3" if is_negative else like["constraint"].rsplit("-", 1)[1]
        self.cases.error(f"{self.name}{name}", "index", label, given, self.attrs, versions=self.versions, options=options, bad=fault)


def _padding(make):
    make.ok("padding_that_counts_from_the_end", [-1, -1, 0, 2, 3], {"padding_index": -1})
    make.ok("padding_that_is_legal", [0, 1, 1, 2, 3], {"padding_index": 1})
    make.ok("padding_beyond_the_axis", [0, 1, 3, 100, 100], {"padding_index": 100})
    make.ok("padding_far_below", [-2**63, -2**63, 0, 1, 3], {"padding_index": -2**63})
    make.ok("padding_alone", [-1] * 5, {"padding_index": -1})
    make.ok("padding_nowhere", [0, 1, 2, 2, 3], {"padding_index": -1})
    # A negative id of SegmentMax is an error under every policy.
    below = -1 if make.cases.op == "SegmentMax" else -9
    for policy in _policies(make.cases):
        make.ok(f"padding_and_{policy}", [below, -1, 0, 3, 7], {"padding_index": -1, "out_of_range": policy})
        make.ok(f"padding_is_the_last_index_and_{policy}", [-9, -1, 0, 3, 7], {"padding_index": 3, "negative": "from_end", "out_of_range": policy})
    for negative in ("from_end", "out_of_range"):
        policy = _policies(make.cases)[0]
        make.ok(f"padding_and_negative_{negative}", [-2, -1, -1, 0, 3],
                {"padding_index": -1, "negative": negative, "out_of_range": policy})
    make.ok("padding_is_no_negative_index", [-1, -1, 0, 2, 3], {"padding_index": -1, "negative": "error"})
    if make.cases.op not in GATHERS and make.name != "circular_":
        make.ok("padding_is_no_duplicate", [-1, -1, 0, 2, 3], {"padding_index": -1, "duplicates": "error"})
    if make.name != "circular_":
        make.refused("padding_beside_a_bad_index", [-1, -1, 0, 2, 4], {"padding_index": -1, "out_of_range": "error"}, [4])


def _negative(make):
    first = _policies(make.cases)[0]
    is_circular = make.name == "circular_"
    for policy in _policies(make.cases):
        for negative in ("from_end", "out_of_range"):
            make.ok(f"negative_{negative}_and_{policy}", [-5, -4, -1, 1, 4], {"negative": negative, "out_of_range": policy})
    if make.cases.op not in SEGMENTS:
        # Ids of segments ascend before they are read.
        make.ok("negative_from_end_and_error", [-4, -3, -1, 1, 2], {"negative": "from_end", "out_of_range": "error"})
    make.ok("negative_error_and_none_is", [0, 1, 1, 2, 3], {"negative": "error", "out_of_range": first})
    for policy in ("error", first):
        bad = [-2, -1, 4] if policy == "error" and not is_circular else [-2, -1]
        make.refused(f"negative_error_and_{policy}", [-2, -1, 0, 1, 4], {"negative": "error", "out_of_range": policy}, bad,
                     is_negative=True)
    if not is_circular:
        make.refused("negative_out_of_range_and_error", [-1, 0, 1, 2, 4], {"negative": "out_of_range", "out_of_range": "error"}, [-1, 4])


def _of_other_indices(cases, calls):
    for name, (attrs, inputs) in calls.items():
        if name == "two":
            _ok(cases, "negative_in_tuples", inputs, attrs, {"negative": "from_end"})
            policy = _policies(cases)[0]
            _ok(cases, f"negative_in_tuples_and_{policy}", inputs, attrs, {"negative": "out_of_range", "out_of_range": policy})
        cases.error(f"padding_where_{name}_axes_are_indexed", "argument", "CALL-O4", inputs, attrs, options={"padding_index": -1})


def _by_hand(by_key):
    gather, add, one_hot, take = (by_key[key] for key in (("onnx", "Gather"), ("array", "IndexAdd"), ("onnx", "OneHot"), ("array", "Take")))
    empty, padded, padding = f32([0, 2]), i64([2], -1, -1), {"padding_index": -1}
    for policy in ("error", "clamp", "modulo"):
        options = {**padding, "out_of_range": policy}
        _ok(gather, f"padding_on_an_empty_axis_{policy}", [empty, padded], {}, options)
        gather.error(f"padding_beside_an_index_of_an_empty_axis_{policy}", "index", "C3", [empty, i64([2], -1, 0)],
                     options=options, bad=fault("indices", [1], 0, 0, 0))
        _ok(add, f"padding_on_an_empty_axis_{policy}", [empty, padded, f32([2, 2], 1.0, 2.0, 3.0, 4.0)], {}, options)
    _ok(gather, "padding_outranks_strict", [ROWS, i64([2], 1, -1)], {}, {**padding, "strict": True}, [1])
    _ok(gather, "padding_gives_empty_texts", [tensor("string", [2], ["a", "b"]), i64([3], 1, -1, 0)], {}, padding)
    _ok(gather, "padding_gives_false", [tensor("bool", [2], [True, True]), i64([3], 1, -1, 0)], {}, padding)
    for policy in ("zero", "clamp", "modulo"):
        large = tensor("uint64", [3], [2**64 - 1, 2**63 - 1, 1])
        for value in (-1, 2**63 - 1):
            _ok(take, f"padding_{value}_of_uint64_and_{policy}", [FOUR, large], {}, {"padding_index": value, "out_of_range": policy})
    _ok(one_hot, "padding_of_numbers_with_a_fraction", [f32([4], -1.75, 1.5, -0.5, 3.0), _scalar(EXTENT), OFF_ON], {}, padding, one_hot.since(11))


def add_cases(files):
    """Adds the records to the lists of their operators."""
    by_key = {(cases.dialect, cases.op): cases for cases in files.values()}
    for key, calls in CALLS.items():
        for name, (attrs, inputs) in calls.items():
            make = _Maker(by_key[key], name, attrs, inputs)
            _padding(make)
            _negative(make)
    for key, calls in OTHERS.items():
        _of_other_indices(by_key[key], calls)
    _by_hand(by_key)
