"""The one table of known differences between Windrow and OpenVINO 2026.4.1. Nothing else may differ."""

import dataclasses
from collections.abc import Callable

from element_values import PACKED

EVALUATE, CPU, BOTH = ("evaluate",), ("cpu",), ("evaluate", "cpu")
ARITHMETIC = ("sum", "sub", "prod", "mean")


@dataclasses.dataclass(frozen=True)
class Row:
    """`applies` takes a Comparison that is not "same" and says whether this row explains it; the texts say where it
    shows, what OpenVINO does, what its specification says, and what Windrow does."""

    where: str
    runtimes: tuple
    applies: Callable
    openvino: str
    specification: str
    windrow: str


SPECIFIED = "as specified"
RUNS = "computes the result"

GATHERS = [
    Row("Gather-1, -7 with a negative index", CPU,
        lambda c: c.is_of("Gather-1", "Gather-7") and c.probe.has_negative() and c.ran_both(),
        "0 (evaluate counts from the end)", "indices are in [0, s-1]", "counts from the end; `strict` refuses"),
    Row("Gather of 1-D data of at most 64 elements, an index out of range", CPU,
        lambda c: c.is_of("Gather") and c.probe.data.ndim == 1 and c.probe.data.size <= 64 and c.probe.has_outside(),
        "reads outside data", "Gather-8: 0; before: not defined", "0"),
    Row("Gather with an extent of 0 in data or indices", CPU,
        lambda c: c.is_of("Gather") and c.is_empty("data", "indices"),
        "divides by zero (SIGFPE), or reads outside data", "nothing excludes it", "computes the result"),
    Row("Gather-1, indices of a type that is no integer", CPU,
        lambda c: c.is_of("Gather-1") and c.rule == "T2",
        "converts them", "int32 or int64", "error T2"),
    Row("Gather, the axis not a constant", CPU,
        lambda c: c.is_of("Gather") and c.run_time_axis() and c.agreement in ("refused there", "died", "differs"),
        "throws \"axis value is not set\"; Gather-1 uses an axis that was never read",
        "axis may be computed at run time", RUNS),
    Row("Gather, an axis outside the rank of data (a scalar has none) that is not a constant", EVALUATE,
        lambda c: c.is_of("Gather") and c.run_time_axis() and c.rule in ("A1", "C1"),
        "not checked: reads outside data", "axis is in [-r, r-1]", "error A1"),
    Row("Gather with batch_dims, every batch extent 1", CPU,
        lambda c: c.is_of("Gather") and c.probe.batch_dims > 0 and c.agreement in ("died", "differs")
        and set(c.probe.data.shape[:c.probe.batch_dims]) == {1},
        "other values than data has, or reads outside its tensors (SIGSEGV)", "allowed", RUNS),
    Row("Gather with batch_dims below -rank(data) or -rank(indices)", BOTH,
        lambda c: c.is_of("Gather") and c.rule == "A4" and c.probe.attributes["batch_dims"] < 0,
        "not checked; runs, or reads outside data", "batch_dims is in [-min(r, q), min(r, q)]", "error A4"),
    Row("GatherND with an index out of range", CPU,
        lambda c: c.is_of("GatherND") and c.index_refused(),
        "reads outside data", "not defined", "error C5"),
    Row("GatherND, indices of unknown shape", CPU,
        lambda c: c.is_of("GatherND") and "GatherND operation with dynamic rank" in c.text,
        "refused: the result's rank is unknown", "dynamic shapes are allowed", RUNS),
    Row("GatherND with empty tuples (indices.shape[-1] = 0)", CPU,
        lambda c: c.is_of("GatherND") and c.empty_tuples(),
        "values that are not those of data", "output[j] is the whole slice", SPECIFIED),
    Row("GatherND-8, batch extents of which one is 1", BOTH,
        lambda c: c.is_of("GatherND-8") and "Batch dimensions of data and indices must be the same" in c.text,
        "refused when the operator is created", "\"broadcastable (equal or one of them 1)\"", "broadcasts"),
    Row("GatherElements, data with an extent of 0 on the axis", CPU,
        lambda c: c.is_of("GatherElements") and c.is_empty("data") and c.index_refused(),
        "reads outside data", "every index is out of range", "error C3"),
]

SCATTERS = [
    Row("ScatterUpdate of i4, u4, nf4, f4e2m1, u2, u1", BOTH,
        lambda c: c.is_of("ScatterUpdate") and c.probe.type in PACKED and c.is_evaluated(),
        "takes an element for a byte: wrong values, writes outside its tensors; the CPU plugin where it folds constants",
        "T is any numeric type", SPECIFIED),
    Row("ScatterUpdate, updates with an extent of 1 behind the axis", EVALUATE,
        lambda c: c.is_of("ScatterUpdate") and c.probe.axis is not None
        and 1 in c.probe.inputs["updates"].values.shape[c.probe.axis + 1:] and c.ran_both(),
        "counts such an extent as one of indices and takes other updates",
        "data[.., indices[j], ..] = updates[.., j, ..]", SPECIFIED),
    Row("ScatterUpdate, the axis not a constant, updates of another shape", BOTH,
        lambda c: c.is_of("ScatterUpdate") and c.run_time_axis() and c.rule == "C2",
        "checks only the rank: runs, or reads outside updates", "the shape that data, indices and axis give",
        "error C2"),
    Row("ScatterUpdate with scalar indices", BOTH,
        lambda c: c.is_of("ScatterUpdate") and c.probe.indices.ndim == 0 and c.agreement == "refused there",
        "refused by the CPU plugin; by evaluate where updates are a scalar too", "indices of any rank", RUNS),
    Row("ScatterUpdate of 1-D data of at most 64 elements, an index out of range", CPU,
        lambda c: c.is_of("ScatterUpdate") and c.probe.data.ndim == 1 and c.index_refused(),
        "writes outside data", "an exception", "error C3"),
    Row("ScatterElementsUpdate with an index below -s", CPU,
        lambda c: c.is_of("ScatterElementsUpdate") and c.index_refused(),
        "writes outside data", "an exception", "error C4"),
    Row("a scatter with an extent of 0 in data or indices", BOTH,
        lambda c: c.probe.is_scatter and c.agreement == "refused here" and c.is_empty("data", "indices"),
        "nothing is checked: the result is data", "indices outside the axis, and an axis outside the rank, are errors",
        "error"),
    Row("ScatterElementsUpdate, indices longer than data off the axis", BOTH,
        lambda c: c.is_of("ScatterElementsUpdate") and c.rule == "C3",
        "not checked: writes outside data", "no longer than data", "error C3"),
    Row("ScatterElementsUpdate, indices of type boolean", CPU,
        lambda c: c.is_of("ScatterElementsUpdate") and c.input_is("indices", "boolean") and c.rule == "T2",
        "taken as 0 and 1", "any integer type", "error T2"),
    Row("ScatterElementsUpdate, an axis tensor of no or several elements", BOTH,
        lambda c: c.is_of("ScatterElementsUpdate") and c.rule == "A1" and c.probe.inputs["axis"].values.size != 1,
        "reads the first, or where it would stand (SIGSEGV)", "a scalar or one element", "error A1"),
    Row("ScatterNDUpdate, one tuple that addresses one element", BOTH,
        lambda c: c.tuples_reach_elements() and c.rule == "C3",
        "updates of any shape: the first element is taken, even of none (the CPU plugin where it folds constants)",
        "updates of one element", "error C3"),
    Row("ScatterNDUpdate, one tuple that addresses one element", CPU,
        lambda c: c.tuples_reach_elements() and "matched tensor rank relationship" in c.text,
        "updates of rank 1 and more are refused", "a one-element tensor of any rank", RUNS),
    Row("ScatterNDUpdate with empty tuples (indices.shape[-1] = 0)", CPU,
        lambda c: c.is_of("ScatterNDUpdate") and c.empty_tuples() and c.ran_both(),
        "the result is data", "every update is of the whole tensor", SPECIFIED),
    Row("ScatterNDUpdate, ScatterUpdate without a reduction, a cell written twice", CPU,
        lambda c: c.is_of("ScatterNDUpdate", "ScatterUpdate") and c.probe.reduction == "none"
        and c.probe.has_duplicates() and c.ran_both(),
        "any of the updates: they are copied in parallel", "not defined", "the last update in row-major order"),
]

ONE_HOT = [
    Row("OneHot of i4, u4, nf4, f4e2m1, u2, u1", BOTH,
        lambda c: c.is_of("OneHot") and c.probe.type in PACKED and c.is_evaluated(),
        "takes an element for a byte: wrong values, writes outside its tensors; the CPU plugin where it folds constants",
        "any type", SPECIFIED),
    Row("OneHot of string", BOTH,
        lambda c: c.is_of("OneHot") and c.probe.type == "string" and c.agreement in ("died", "differs"),
        "copies the bytes of text objects: wrong texts, frees memory twice (SIGABRT)", "any type", SPECIFIED),
    Row("OneHot with scalar indices, the depth not a constant", CPU,
        lambda c: c.is_of("OneHot") and "incorrect number of input/output dimensions" in c.text,
        "refused", "indices may be 0D; depth may be computed at run time", RUNS),
    Row("OneHot, indices or depth of integers that are not int32 or int64", BOTH,
        lambda c: c.is_of("OneHot") and c.rule in ("T2", "T4") and c.agreement == "refused here",
        "taken as depth; as indices taken where there are none, or the result has no elements", "int32 or int64",
        "error T2 or T4"),
]

# The inputs of SliceScatter that say what is sliced.
VECTORS = ("start", "stop", "step", "axes")

SEGMENT_MAX = [
    Row("SegmentMax of a negative id", BOTH,
        lambda c: c.is_of("SegmentMax") and c.rule == "C5",
        "not checked: writes outside its memory (SIGSEGV)", "sorted non-negative numbers", "error C5"),
    Row("SegmentMax of ids that fall", BOTH,
        lambda c: c.is_of("SegmentMax") and c.rule == "C4",
        "refused only where they are constants", "sorted non-negative numbers", "error C4"),
    Row("SegmentMax without rows, or without elements in a row", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.is_empty("data"),
        "the result is what its memory held", "fill_mode says what such segments hold", SPECIFIED),
    Row("SegmentMax without rows, shapes or num_segments not known before the run", CPU,
        lambda c: c.is_of("SegmentMax") and c.is_empty("data") and "ptr is Null" in c.text,
        "refused", "fill_mode says what such segments hold", RUNS),
    Row("SegmentMax without rows and without num_segments", BOTH,
        lambda c: c.is_of("SegmentMax") and c.is_empty("segment_ids") and "num_segments" not in c.probe.inputs,
        "reads outside its memory (SIGSEGV)", "num_segments is inferred from segment_ids", "a result without segments"),
    Row("SegmentMax of f8e4m3, f8e5m2", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.holds("f8e4m3", "f8e5m2"),
        "other values than data has", "any numerical type", SPECIFIED),
    Row("SegmentMax with NaN", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.has_nan(),
        "a NaN is left out", "does not say", "NaN stays and is taken"),
    Row("SegmentMax of zeros of both signs", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.has_both_zeros(),
        "of two equal numbers the first stays", "does not say", "the last is taken"),
    Row("SegmentMax of a segment of minus infinity", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.has_minus_infinity(),
        "the lowest finite number", "the maximum of the segment", SPECIFIED),
    Row("SegmentMax with fill_mode LOWEST of i4, i16, i64, u32, u64, f16, f64", CPU,
        lambda c: c.is_of("SegmentMax") and c.ran_both() and c.holds("i4", "i16", "i64", "u32", "u64", "f16", "f64"),
        "the lowest number of i32, f32 or another type in which it computes; minus infinity in f16",
        "the lowest number of the type",
        SPECIFIED),
    Row("SegmentMax of types that are not numerical here", CPU,
        lambda c: c.is_of("SegmentMax") and c.rule in ("T1", "T2", "T4") and c.agreement == "refused here",
        "u1, u2, nf4, f4e2m1, f8e8m0 and text are taken, and ids and num_segments of any integers", "numerical types, int32 and int64",
        "error T1, T2 or T4"),
]

SLICE_SCATTER = [
    Row("SliceScatter by start, stop, step or axes that are not constants, all shapes known", CPU,
        lambda c: c.is_of("SliceScatter") and c.agreement in ("differs", "died") and not c.probe.dynamic
        and any(not c.probe.inputs[name].constant for name in VECTORS if name in c.probe.inputs),
        "never read in a run: data as it is, other slices, reads outside updates, SIGFPE", "the vectors are any inputs", SPECIFIED),
    Row("SliceScatter of updates without elements", CPU,
        lambda c: c.is_of("SliceScatter") and c.agreement == "died" and c.is_empty("updates"),
        "divides by zero (SIGFPE), or reads outside its memory (SIGSEGV)", "start and stop may leave nothing", RUNS),
    Row("SliceScatter by vectors without elements, not known before the run", CPU,
        lambda c: c.is_of("SliceScatter") and c.is_empty("start", "data") and "ptr" in c.text,
        "refused", "the vectors may have any length", RUNS),
    Row("SliceScatter with start, stop, step or axes of i4 or u4", BOTH,
        lambda c: c.is_of("SliceScatter") and any(c.input_is(name, "i4", "u4") for name in VECTORS)
        and c.agreement in ("refused there", "differs"),
        "read as other numbers", "any supported integer type", SPECIFIED),
    Row("SliceScatter with start, stop, step and axes of unlike types", CPU,
        lambda c: c.is_of("SliceScatter") and c.agreement != "same"
        and len({c.probe.inputs[name].type for name in VECTORS if name in c.probe.inputs}) > 1,
        "read as if they had one type: other slices, SIGFPE or SIGSEGV", "types T_IND and T_AXIS", "takes each by its type"),
    Row("SliceScatter backwards from before the first element", BOTH,
        lambda c: c.is_of("SliceScatter") and c.agreement in ("refused there", "refused here", "differs")
        and c.probe.goes_back_from_before_the_first(),
        "the slice has the first element", "NumPy's slice, which is empty", SPECIFIED),
    Row("SliceScatter with a stop or a step of u64 above 2^63", BOTH,
        lambda c: c.is_of("SliceScatter") and c.agreement in ("refused there", "differs")
        and any(c.input_is(name, "u64") and c.probe.inputs[name].values.size and c.probe.inputs[name].values.max() >= 2**63
                for name in VECTORS),
        "taken for a negative number", "a larger value than the dimension is clamped", SPECIFIED),
    Row("SliceScatter of updates of another type than data", BOTH,
        lambda c: c.is_of("SliceScatter") and c.rule == "T3" and c.agreement == "refused here",
        "taken", "both are of type T", "error T3"),
]

REDUCTIONS = [
    Row("sum, sub, prod, mean of f16 and bf16", EVALUATE,
        lambda c: c.probe.reduction in ARITHMETIC and c.holds("f16", "bf16") and c.ran_both(),
        "folds in f32 and rounds once; to bf16 it rounds up from the tie on where the bit kept last is 1, else down",
        "does not say", "rounds to the nearest, ties to even, after every step"),
    Row("sum, sub, prod, mean of f16, bf16, f8e4m3, f8e5m2", CPU,
        lambda c: c.probe.reduction in ARITHMETIC and c.holds("f16", "bf16", "f8e4m3", "f8e5m2")
        and c.ran_both(),
        "f16 and f8: folds in f32 and rounds once; bf16: rounds after every step, but as evaluate does",
        "does not say", "rounds to the nearest, ties to even, after every step"),
    Row("min, max with NaN, ScatterElementsUpdate", EVALUATE,
        lambda c: c.is_of("ScatterElementsUpdate") and c.folds_extremes() and c.has_nan(),
        "a NaN update is taken, a NaN cell is replaced", "does not say", "NaN stays and is taken"),
    Row("min, max with NaN", BOTH,
        lambda c: (c.is_of("ScatterNDUpdate") or c.runtime == "cpu") and c.folds_extremes() and c.has_nan(),
        "a NaN update is ignored, a NaN cell stays; ScatterElementsUpdate by evaluate: the row above", "does not say",
        "NaN stays and is taken"),
    Row("min, max of zeros of both signs", BOTH,
        lambda c: (c.is_of("ScatterNDUpdate") or c.runtime == "cpu") and c.folds_extremes() and c.has_both_zeros(),
        "of two equal numbers the cell stays; ScatterElementsUpdate by evaluate: the update is taken", "does not say",
        "the update is taken"),
    Row("mean of i64 and u64", EVALUATE,
        lambda c: c.probe.reduction == "mean" and c.holds("i64", "u64") and c.ran_both(),
        "divides in f64: beyond 2^53 other digits", "division, toward minus infinity", "exact"),
    Row("mean of integers", CPU,
        lambda c: c.probe.reduction == "mean" and c.probe.type[0] in "iu" and c.ran_both(),
        "rounds toward zero; adds i4, u4, i16 and u16 in a wider type", "toward minus infinity",
        "toward minus infinity, the sum wraps in its type"),
    Row("sub of boolean with several updates of a cell", CPU,
        lambda c: c.probe.reduction == "sub" and c.probe.type == "boolean" and c.ran_both(),
        "subtracts numbers: false after two true is true", "does not say", "exclusive or"),
]

GENERAL = [
    Row("element types that a runtime has no code for", BOTH,
        lambda c: c.agreement == "not implemented",
        "evaluate has no GatherElements and no GatherND, and takes some types only; the CPU plugin takes no u1 and no "
        "string in most operators", "all types", RUNS),
    Row("nf4, f4e2m1, u2, u1", CPU,
        lambda c: c.holds("nf4", "f4e2m1", "u2", "u1"),
        "other values than data has, reads and writes outside the tensors; refuses scatters of u2", "any type",
        "copies the elements"),
    Row("reductions of f8e8m0", CPU,
        lambda c: c.holds("f8e8m0") and c.rule == "A3",
        "folds in f32 and rounds once", "any type", "error A3"),
    Row("indices of type u1", CPU,
        lambda c: c.input_is("indices", "u1") and c.rule == "T2",
        "taken, and reads or writes outside the tensors (SIGABRT)", "int32 or int64", "error T2"),
    Row("i64, u64, u32 values that int32 lacks", CPU,
        lambda c: c.ran_both() and c.holds("i64", "u64", "u32")
        and (c.outside_int32() or c.probe.reduction != "none"),
        "narrows to int32: parameters keep the low 32 bits, constants saturate", "any type", "exact"),
    Row("f64", CPU,
        lambda c: c.ran_both() and c.holds("f64"),
        "narrows to f32", "any type", "exact"),
    Row("subnormal f32 numbers in a constant", CPU,
        lambda c: c.ran_both() and c.has_subnormal_constant(),
        "takes them for zero when the model is compiled", "any number", "exact"),
    Row("a negative axis of type i4", BOTH,
        lambda c: c.input_is("axis", "i4") and c.negative_axis(),
        "loses the sign: -1 is 15, refused or used unchecked", "any integer type, [-r, r-1]", "counts from the end"),
    Row("an axis of a type that is no integer", BOTH,
        lambda c: c.rule == "T4" and "axis" in c.probe.inputs,
        "converted to an integer", "any integer type", "error T4"),
    Row("shapes known only at run time that break a rule", BOTH,
        lambda c: c.probe.dynamic and c.shapes_refused(),
        "not checked again: runs, or reads and writes outside its tensors",
        "the shapes of the operator's page", "error"),
]

POOLED = [
    Row("The bags, an offset that is the number of indices", CPU,
        lambda c: c.probe.is_pooled and "offsetsData_" in c.text,
        "refused", "offsets cannot be greater than the number of indices", "an empty bag"),
    Row("The bags, EmbeddingSegmentsSum of f8e4m3, f8e5m2", CPU,
        lambda c: c.probe.is_pooled and c.holds("f8e4m3", "f8e5m2") and c.agreement == "refused there",
        "refused", "any numeric type", RUNS),
    Row("The bags, rows of no indices", CPU,
        lambda c: c.is_of("EmbeddingBagPacked", "EmbeddingBagPackedSum") and c.is_empty("indices"),
        "refused", "nothing excludes it", "0"),
    Row("The bags, EmbeddingSegmentsSum with weights, shapes not known before the run", CPU,
        lambda c: c.probe.is_pooled and "to_shape was called on a dynamic shape" in c.text,
        "refused, other types than f32", "dynamic shapes are allowed", RUNS),
    Row("The bags, EmbeddingSegmentsSum, a table or rows of extent 0", CPU,
        lambda c: c.probe.is_pooled and c.is_empty("emb_table"),
        "indices are not checked; the result is what the memory held", "zeros", "error where an index is outside; else zeros"),
    Row("The bags, EmbeddingSegmentsSum, an index outside that no bag has, or without bags", CPU,
        lambda c: c.probe.is_pooled and c.agreement == "refused here" and c.probe.has_outside_from_front(),
        "not checked", "nothing", "error, for every index"),
    Row("EmbeddingSegmentsSum with default_index -1", CPU,
        lambda c: c.is_of("EmbeddingSegmentsSum") and c.probe.default_index() == -1,
        "refused if a segment is empty", "a row like others", "zeros"),
    Row("The bags, EmbeddingSegmentsSum: sums of f16, bf16", CPU,
        lambda c: c.probe.is_pooled and c.ran_both() and c.holds("f16", "bf16"),
        "f16: folds in f32 and rounds once; bf16: products and sums in f32, rounded once", "nothing", "rounds after every step"),
    Row("The bags, EmbeddingSegmentsSum: sums of zeros alone", CPU,
        lambda c: c.probe.is_pooled and c.ran_both() and "got 0, expected -0" in c.detail,
        "begins with the first element: -0", "nothing", "begins with 0: +0"),
    Row("GatherTree of i8, u8, bf16", CPU,
        lambda c: c.is_of("GatherTree") and "incorrect input/output data precision" in c.text,
        "refused", "any numeric type", RUNS),
    Row("GatherTree, a length of 0 or less", CPU,
        lambda c: c.is_of("GatherTree") and c.ran_both() and (c.probe.inputs["max_seq_len"].values.astype(float) < 1).any(),
        "the result is what the memory held", "nothing", "end_token everywhere"),
]

SECTIONS = {"All operators": GENERAL, "Gathers": GATHERS, "Scatters": SCATTERS, "OneHot": ONE_HOT,
            "SegmentMax": SEGMENT_MAX, "SliceScatter": SLICE_SCATTER, "Pooled look-ups and GatherTree": POOLED,
            "Reductions": REDUCTIONS}
ROWS = [row for rows in SECTIONS.values() for row in rows]


def explain(comparison):
    """The first row that explains it; None if there is none. Nothing excuses Windrow from running a probe."""
    if comparison.agreement == "not run here":
        return None
    return next((row for row in ROWS if comparison.runtime in row.runtimes and row.applies(comparison)), None)
