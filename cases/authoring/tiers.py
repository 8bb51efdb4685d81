"""The tier of every rule: whether the specification's text decides it, or this project does where the text leaves room.

A rule is a label of docs/operators/. The tier follows from the letter and number of the label; DECISIONS lists the
labels whose tier is another one than that of their kind. `write` joins this with the sentences of the pages into
cases/rules.json.
"""

import re
from pathlib import Path

PAGES = {"onnx": "CALL|ONNX", "openvino": "OPENVINO", "tensorrt": "TENSORRT", "array": "ARRAY"}
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "operators"

_OPTION = "an option beyond the specification"
RANK = "a limit of 32 axes; the text has none"
_OFF_AXIS = "the text has no rule; that of the runtimes and of torch.gather holds"
_UNDER_ERROR = "the operator refuses no index; the option out_of_range asks for it"
_ATTRIBUTES = "the text says what the attributes are, not what becomes of others; one that does not exist is an error"
_TYPES = "NumPy casts; nothing is cast here"
_ANY_TYPE = "the text allows any type, or any numeric one; the list is this project's"
_NO_TEXT = "neither NumPy nor the Array API has such a function"
_NO_RANGE = "the text does not say what becomes of an index outside the table"
_DEFAULT_RANGE = "the text says that negative numbers do not count from the end, not what becomes of them and of others outside"
_OFFSETS = "the text says that no offset is above the number of indices, not what becomes of such offsets, and of some that fall"
_BROADCASTS = "numpy.add.at takes indices of any rank and broadcasts updates"

# What is decided, and why, by kind: the aspects of a result (V) and the rules that only options bring (S, D).
KINDS = {
    "V3": "the text of this version does not speak of negative indices, or leaves them undefined; the newest version that does, or the"
          " vendor's own code, decides",
    "V5": "the text of this version does not say what an index outside gives; the vendor's own code decides",
    "V7": "the text leaves open which of several updates of one cell stays: the last one in row-major order",
    "V8": "the text leaves the order and the rounding of a fold open: row-major, from the left, rounded to the type at every step",
    "V9": "the text does not speak of overflow: integers are folded modulo 2^bits",
    "V10": "the text does not speak of NaN: it propagates through min and max, and a computed NaN has the type's canonical bits",
    "V11": "the text does not speak of the sign of zeros: IEEE 754 for sums and products; of two equal operands min and max take the"
           " update",
    "V12": "the text allows the type and does not say what the reduction means for it",
    "V13": "the text does not speak of bits: elements that are only moved keep theirs",
    "V14": "the text does not speak of such shapes, lengths and numbers",
    "V15": _OPTION,
    "V17": "the text does not say in what type codes become numbers: the product is rounded to float32 and then to the type of the result;"
           " NaN, infinities and zeros are those of IEEE 754",
    "V16": "beyond what the text of this version allows",
    "S": _OPTION,
    "D": _OPTION,
}
DECISIONS = {
    "CALL-I2": "sizes are limited to 63 bits", "CALL-O1": _OPTION, "CALL-O2": _OPTION,
    "CALL-O3": _OPTION, "CALL-O4": _OPTION,
    **dict.fromkeys(["ONNX-Gather-C2", "ONNX-GatherND-C4", "ONNX-OneHot-C2", "ONNX-ArrayFeatureExtractor-C1",
                     "OPENVINO-Gather-C3", "OPENVINO-GatherND-C4", "OPENVINO-OneHot-C2", "TENSORRT-Gather-C4", "TENSORRT-OneHot-C2",
                     "ONNX-GatherBlockQuantized-C2", "ARRAY-Take-C2", "ARRAY-TakeQuantized-C2"], RANK),
    **dict.fromkeys(["ONNX-GatherElements-C2", "ONNX-Scatter-C3", "ONNX-ScatterElements-C3"], _OFF_AXIS),
    "ONNX-GatherBlockQuantized-C1": "the text takes rank 1, ONNX Runtime's code does not",
    **{f"ARRAY-TakeQuantized-{rule}": _NO_TEXT for rule in ("A1", "A3", "A4", "A5", "A6", "C1", "C3", "C4", "C5")},
    **dict.fromkeys(["ONNX-OneHot-C4", "ONNX-GatherBlockQuantized-C6", "OPENVINO-Gather-C4", "OPENVINO-OneHot-C4", "TENSORRT-Gather-C5", "TENSORRT-Scatter-C4", "TENSORRT-OneHot-C4",
                     "TENSORRT-KVCacheUpdate-C4"], _UNDER_ERROR),
    **{f"ARRAY-{op}-C{number}": _BROADCASTS for op in ("IndexAdd", "IndexReduce") for number in (2, 3)},
    **{f"ARRAY-SegmentReduce-C{number}": _NO_TEXT for number in (1, 2, 3, 4, 5)},
    **{f"ARRAY-EmbeddingBag-{rule}": _NO_TEXT for rule in ("A3", "A4", "A5", "C1", "C2", "C3", "C4", "C5", "C6")},
    **{f"OPENVINO-Embedding{op}": _NO_RANGE for op in ("BagOffsetsSum-C7", "BagOffsets-C7", "BagPackedSum-C4", "BagPacked-C4",
                                                      "SegmentsSum-C8")},
    **{f"OPENVINO-Embedding{op}": _DEFAULT_RANGE for op in ("BagOffsetsSum-C6", "BagOffsets-C6", "SegmentsSum-C7")},
    **{f"OPENVINO-Embedding{op}-C5": _OFFSETS for op in ("BagOffsetsSum", "BagOffsets")},
    "OPENVINO-EmbeddingSegmentsSum-C6": "the text says that ids should be sorted, not what becomes of others, and of ids without a segment",
    "OPENVINO-GatherTree-C5": "the text does not say what becomes of a parent that is no beam",
    "ONNX-ScatterND-C4": "the text expects indices in the range and does not say what becomes of others",
    "OPENVINO-GatherND-C5": "the text gives the legal range and leaves open what becomes of other indices",
    "OPENVINO-OneHot-A3": "the text writes ignore-negative; OpenVINO's code and IR files, ignore_negative",
    "ARRAY-Take-C1": "NumPy takes data of rank 0 as one element",
    "TENSORRT-Scatter-S3": "the documents leave such indices undefined", "TENSORRT-OneHot-S3": "the documents leave such indices undefined",
}
# The same for a kind of rule in all operators of a dialect.
IN_DIALECTS = {
    **dict.fromkeys(["OPENVINO-A2", "TENSORRT-A2", "ARRAY-A2"], _ATTRIBUTES),
    **dict.fromkeys(["ARRAY-T1", "ARRAY-T2", "ARRAY-T3"], _TYPES),
    "OPENVINO-T1": _ANY_TYPE,
}
# What TensorRT itself refuses without being asked; here the option strict asks for it.
SPECIFIED = {
    f"TENSORRT-{op}-{rule}" for op,
    rule in (
        ("Gather",
        "S1"),
        ("Gather",
        "S2"),
        ("Scatter",
        "S1"),
        ("Scatter",
        "S2"),
        ("OneHot",
        "S1"),
        ("OneHot",
        "S2"),
        ("KVCacheUpdate",
         "S2"))}


# What a rule is about, by the letter of its label; a group of rules of calls has the kind of its members.
ABOUT = {"T": "type", "A": "attribute", "C": "constraint", "S": "strict", "D": "duplicates", "V": "result", "I": "inputs", "O": "option"}
# Rules whose kind is another one than that of their letter.
ABOUT_OTHERS = {"CALL-I2": "size"}


def kind_of(label):
    """What the rule is about: the kind in its row of cases/rules.json."""
    return ABOUT_OTHERS.get(label) or ABOUT[label.rsplit("-", 1)[1][0]]


def why_decided(label):
    """Why the rule is a decision; None where the specification's text decides."""
    if label in SPECIFIED:
        return None
    dialect, *_, kind = label.split("-")
    return DECISIONS.get(label) or IN_DIALECTS.get(f"{dialect}-{kind}") or KINDS.get(kind) or KINDS.get(kind[0])


def sentences():
    """{label: what the rule says} of all pages, in their order."""
    result = {}
    for dialect, beginning in PAGES.items():
        page = (FOLDER / f"{dialect}.md").read_text(encoding="utf-8")
        for label, sentence in re.findall(rf"^\| ((?:{beginning})-\S+) \| (.*) \|$", page, re.MULTILINE):
            result[label] = sentence
    return result


def table():
    """The rows of cases/rules.json."""
    rows = []
    for label, sentence in sentences().items():
        why = why_decided(label)
        rows.append({"label": label, "kind": kind_of(label), "tier": "decision" if why else "specification", "rule": sentence,
                     **({"because": why} if why else {})})
    return rows
