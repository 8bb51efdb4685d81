"""The operators for which calls are drawn. A row per operator, or per mode of one."""

from dataclasses import replace

from .. import gather, gather_elements, gather_nd, one_hot, reductions, scatter_elements, scatter_nd, tensor_scatter, types
from .. import array_feature_extractor, gather_block_quantized
from ..array import embedding_bag, index_add, index_reduce, put_along_axis, segment_reduce, take, take_along_axis, take_quantized
from ..array import reductions as of_arrays
from ..openvino import bags as ov_bags
from ..openvino import gather as ov_gather
from ..openvino import gather_elements as ov_gather_elements
from ..openvino import gather_nd as ov_gather_nd
from ..openvino import one_hot as ov_one_hot
from ..openvino import reductions as of_openvino
from ..openvino import scatter_elements_update, scatter_nd_update, scatter_update, segment_max
from ..tensorrt import gather as trt_gather
from ..tensorrt import kv_cache_update
from ..tensorrt import one_hot as trt_one_hot
from ..tensorrt import scatter as trt_scatter
from . import families
from .spec import Spec

GATHER = ("zero", "clamp", "modulo", "strict")
SCATTER = ("skip", "clamp", "modulo", "strict", "no duplicates")
COMMON = {"inputs": "CALL-I1", "policy": "CALL-O1", "attribute": "A2", "data_type": "T1", "index_type": "T2"}
WRITES = {**COMMON, "updates_type": "T3", "duplicates": "D1"}
DATA, ALL_ROLES = ("data", "indices"), ("data", "indices", "updates")
AXIS = ("data", "indices", "axis")
TIMES = {"add": 16, "mul": 16, "max": 18, "min": 18, "none": 11}


def _onnx(since):
    """The types of data by version: bfloat16 since one of them."""
    return {version: types.T16 if version >= 13 else types.T15 for version in since}


_REFUSED = ("float8_e4m3fn", "float8_e5m2", "int4", "uint4", "float4_e2m1fn")
_ONNX = {"index_types": types.I2, "refused": _REFUSED}
_SINCE_12 = {name: 12 for name in ("sum", "prod", "min", "max", "mean")}
_SINCE_15 = {name: 15 for name in ("sum", "sub", "prod", "min", "max")}
_ROWS = dict.fromkeys(("sum", "prod", "min", "max", "mean"), 1)

ONNX = [
    Spec(gather.cases, families.rows, _onnx([1, 11, 13]), **_ONNX, policies=GATHER, roles=DATA, faults={**COMMON,
         "axis": "A1", "data_rank": "C1", "bad_index": "C3", "strict_index": "S1"}),
    Spec(gather_elements.cases, families.elements, _onnx([11, 13]), **_ONNX, policies=GATHER, roles=DATA,
         faults={**COMMON, "axis": "A1", "ranks": "C1", "off_axis": "C2", "bad_index": "C3"}),
    Spec(gather_nd.cases, families.tuples, _onnx([11, 12, 13]), ["int64"], refused=_REFUSED, policies=GATHER,
         roles=DATA, axis=None, batches=(0, 1, 2), batch_name="batch_dims", since={"batch_dims": 12}, faults={**COMMON,
         "batch": "A1", "either_rank": "C1", "leading": "C2", "short_tuples": "C3", "bad_index": "C5"}),
    Spec(scatter_elements.scatter, families.elements, dict.fromkeys((9, 11), types.T15), **_ONNX, policies=SCATTER,
         roles=ALL_ROLES, scatters=True, faults={**WRITES, "axis": "A1", "ranks": "C1", "updates_shape": "C2",
         "off_axis": "C3", "bad_index": "C4", "strict_index": "S1"}),
    Spec(scatter_elements.cases, families.elements, _onnx([11, 13, 16, 18]), **_ONNX, policies=SCATTER, roles=ALL_ROLES,
         scatters=True, reductions=TIMES, since={"reduction": 16}, has=lambda dtype, name: name == "none" or
         reductions.has(dtype, name), faults={**WRITES, "axis": "A1", "reduction": "A3", "ranks": "C1",
         "updates_shape": "C2", "off_axis": "C3", "bad_index": "C4"}),
    Spec(scatter_nd.cases, families.tuples, _onnx([11, 13, 16, 18]), ["int64"], refused=_REFUSED, policies=SCATTER,
         roles=ALL_ROLES, axis=None, scatters=True, reductions=TIMES, since={"reduction": 16}, has=lambda dtype, name:
         name == "none" or reductions.has(dtype, name), faults={**WRITES, "reduction": "A3", "either_rank": "C1",
         "long_tuples": "C2", "updates_shape": "C3", "bad_index": "C4"}),
    Spec(tensor_scatter.cases, families.caches, {24: types.T24}, ["int64"], refused=("uint1",), policies=SCATTER,
         axis="cache", roles=("data", "updates", "indices"), scatters=True, negatives=False, ranks=(2, 3, 4, 5),
         faults={**COMMON, "updates_type": "T3", "cache_axis": "A1", "mode": "A3", "cache_ranks": "C1",
         "cache_extents": "C2", "cache_length": "C3", "vector_length": "C4", "bad_index": "C5"}),
    Spec(one_hot.cases, families.one_hot, {9: types.T15, 11: types.T15, 28: types.T16}, types.N11, roles=("indices",
         "depth", "data"), refused=_REFUSED, policies=("error", "skip", "clamp", "modulo"), outside="skip",
         scatters=True, ranks=(0, 1, 2, 3, 4, 5), fits=lambda version, row: version >= 11 or row.get("negative") !=
         "yes" and row["bounds"] != "below", faults={**COMMON, "other_type": "T4", "axis": "A1", "pair": "C1",
         "depth": "C3", "bad_index": "C4"}),
    Spec(array_feature_extractor.cases, families.features, {1: types.T5}, ["int64"], refused=("int8", "float16",
         "bool"), policies=GATHER, roles=DATA, axis=None, negatives=False, faults={**COMMON, "data_rank": "C1",
         "bad_index": "C2"}),
]

_V_REFUSED = ("float8_e4m3fnuz", "float8_e5m2fnuz", "complex64", "complex128")
# The types of OpenVINO that a row of LATER draws by themselves, and those without them.
_LATER_TYPES = ("uint2", "float4_e2m1fn", "float8_e8m0fnu")
_T19 = [dtype for dtype in types.T22 if dtype not in _LATER_TYPES]
_T20 = [dtype for dtype in types.T23 if dtype not in _LATER_TYPES]
OPENVINO = [
    Spec(ov_gather.cases, families.rows, dict.fromkeys((1, 7, 8), _T20), types.I10, refused=_V_REFUSED,
         outside="zero", policies=("error", *GATHER), roles=AXIS, axis="input", batches=(0, 1, 2),
         batch_name="batch_dims", since={"batch_dims": 7}, faults={**COMMON, "other_type": "T4", "axis": "A1",
         "batch": "A4", "data_rank": "C1", "leading": "C2", "bad_index": "C4", "strict_index": "S1"}),
    Spec(ov_gather_elements.cases, families.elements, {6: _T20}, types.I2, refused=_V_REFUSED, policies=GATHER,
         roles=DATA, off_axis="equal", faults={**COMMON, "axis": "A1", "ranks": "C1", "off_axis": "C2",
         "bad_index": "C3"}),
    Spec(ov_gather_nd.cases, families.tuples, dict.fromkeys((5, 8), _T20), types.I10, refused=_V_REFUSED,
         policies=GATHER, roles=DATA, axis=None, batches=(0, 1, 2), batch_name="batch_dims",
         off_axis="leading broadcast", fits=lambda version, row: version == 8 or row.get("batch", 0) < 2,
         faults={**COMMON, "batch": "A4", "either_rank": "C1", "leading": "C2", "long_tuples": "C3", "bad_index": "C5",
         "strict_index": "S1"}),
    Spec(scatter_update.cases, families.rows, {3: _T19}, types.I10, refused=(*_V_REFUSED, "string"),
         policies=SCATTER, roles=(*ALL_ROLES, "axis"), axis="input", scatters=True, negatives=False, faults={**WRITES,
         "other_type": "T4", "axis": "A1", "data_rank": "C1", "updates_shape": "C2", "bad_index": "C3"}),
    Spec(scatter_elements_update.cases, families.elements, {3: _T19, 12: _T20}, types.I10, refused=_V_REFUSED,
         policies=SCATTER, roles=(*ALL_ROLES, "axis"), axis="input", scatters=True, reductions={"none": 3, **_SINCE_12},
         since={"reduction": 12, "use_init_val": 12}, initial=True, has=lambda dtype, name: name == "none" or
         of_openvino.has(dtype, name), faults={**WRITES, "other_type": "T4", "axis": "A1", "reduction": "A3",
         "ranks": "C1", "updates_shape": "C2", "off_axis": "C3", "bad_index": "C4", "strict_index": "S1"}),
    Spec(scatter_nd_update.cases, families.tuples, {3: _T19, 15: _T20}, types.I2, refused=_V_REFUSED,
         policies=SCATTER, roles=ALL_ROLES, axis=None, scatters=True, reductions={"none": 3, **_SINCE_15},
         since={"reduction": 15}, has=lambda dtype, name: name == "none" or of_openvino.has(dtype, name),
         faults={**WRITES, "reduction": "A3", "either_rank": "C1", "long_tuples": "C2", "updates_shape": "C3",
         "bad_index": "C4", "strict_index": "S1"}),
]

_T_REFUSED = ("float8_e4m3fnuz", "float4_e2m1fn", "complex64", "float8_e5m2", "float64", "int16", "uint16", "uint4",
              "string")
_LAYER = {"index_types": types.I2, "refused": _T_REFUSED, "takes_strict": False}
_T10 = dict.fromkeys((8, 9, 10, 11), types.T10)
TENSORRT = [
    Spec(trt_gather.cases, families.rows, _T10, **_LAYER, outside="zero", policies=("error", *GATHER), roles=DATA,
         axis="unsigned", batches=(0, 1), batch_name="num_elementwise_dims", off_axis="leading broadcast",
         prefix="default_", faults={**COMMON, "mode": "A3", "axis": "A1", "batch": "A4", "data_rank": "C1",
         "leading": "C2", "bad_index": "C5"}),
    Spec(trt_gather.cases, families.elements, _T10, **_LAYER, outside="zero", policies=("error", *GATHER), roles=DATA,
         axis="unsigned", attrs={"mode": "ELEMENT"}, prefix="element_", faults={**COMMON, "axis": "A1", "ranks": "C1",
         "off_axis": "C2", "bad_index": "C5"}),
    Spec(trt_gather.cases, families.tuples, _T10, **_LAYER, outside="zero", policies=("error", *GATHER), roles=DATA,
         axis=None, attrs={"mode": "ND"}, batches=(0, 1, 2), batch_name="num_elementwise_dims", prefix="nd_",
         faults={**COMMON, "batch": "A4", "either_rank": "C1", "leading": "C2", "short_tuples": "C3",
         "bad_index": "C5"}),
    Spec(trt_scatter.cases, families.elements, _T10, **_LAYER, outside="skip", policies=("error", *SCATTER),
         roles=ALL_ROLES, scatters=True, axis="unsigned", attrs={"mode": "ELEMENT"}, prefix="element_",
         faults={**WRITES, "mode": "A3", "axis": "A1", "ranks": "C1", "updates_shape": "C2", "off_axis": "C3",
         "bad_index": "C4"}),
    Spec(trt_scatter.cases, families.tuples, _T10, **_LAYER, outside="skip", policies=("error", *SCATTER),
         roles=ALL_ROLES, scatters=True, axis=None, attrs={"mode": "ND"}, prefix="nd_", faults={**WRITES,
         "either_rank": "C1", "short_tuples": "C2", "updates_shape": "C3", "bad_index": "C4"}),
    Spec(trt_one_hot.cases, families.one_hot, dict.fromkeys((8, 9, 10, 11), types.T9), types.I2, roles=("indices",
         "data", "depth"), refused=_T_REFUSED, policies=("error", "skip", "clamp", "modulo"), outside="skip",
         scatters=True, ranks=(0, 1, 2, 3, 4, 5), takes_strict=False, faults={**COMMON, "other_type": "T4",
         "axis": "A1", "pair": "C1", "depth": "C3", "bad_index": "C4"}),
    Spec(kv_cache_update.cases, families.caches, dict.fromkeys((10, 11), types.T8), **_LAYER, outside="skip", axis=None,
         policies=("error", *SCATTER), roles=("data", "updates", "indices"), scatters=True, negatives=False, ranks=(4,),
         attrs={"mode": "LINEAR"}, faults={**COMMON, "updates_type": "T3", "mode": "A3", "cache_ranks": "C1",
         "cache_extents": "C2", "vector_length": "C3", "bad_index": "C4"}),
]

_A24, _A19 = {1: types.T24}, {1: types.R19}
_A_INDICES = {"index_types": list(types.INTEGERS)}
_PACKED = ("uint1", "nf4")
_UNFOLDED = [dtype for dtype in of_arrays.REFUSED if dtype not in _LATER_TYPES or dtype in types.T24]
_FOLDED = {**WRITES, "axis": "A1", "data_rank": "C1", "vector": "C2", "updates_shape": "C3", "bad_index": "C4"}
ARRAY = [
    Spec(take.cases, families.rows, _A24, **_A_INDICES, refused=_PACKED, policies=GATHER, roles=DATA, faults={**COMMON,
         "axis": "A1", "data_rank": "C1", "bad_index": "C3"}),
    Spec(take_along_axis.cases, families.elements, _A24, **_A_INDICES, refused=_PACKED, policies=GATHER, roles=DATA,
         off_axis="broadcast", faults={**COMMON, "axis": "A1", "ranks": "C1", "off_axis": "C2", "bad_index": "C3"}),
    Spec(put_along_axis.cases, families.elements, _A24, **_A_INDICES, refused=_PACKED, policies=SCATTER,
         roles=ALL_ROLES, off_axis="broadcast", scatters=True, faults={**WRITES, "axis": "A1", "ranks": "C1",
         "off_axis": "C2", "values_shape": "C3", "bad_index": "C4"}),
    Spec(index_add.cases, families.rows, _A19, **_A_INDICES, refused=_UNFOLDED, policies=SCATTER,
         roles=ALL_ROLES, off_axis="vector", scatters=True, faults=_FOLDED),
    Spec(index_reduce.cases, families.rows, _A19, **_A_INDICES, refused=_UNFOLDED, policies=SCATTER,
         roles=ALL_ROLES, off_axis="vector", scatters=True, reductions=_ROWS, has=of_arrays.has, initial=True,
         faults={**_FOLDED, "reduction": "A3"}),
    Spec(segment_reduce.cases, families.segments, _A19, **_A_INDICES, refused=_UNFOLDED,
         policies=("skip", "no duplicates"), roles=DATA, scatters=True, negatives=False, axis=None, reductions=_ROWS,
         has=of_arrays.has, faults={**COMMON, "duplicates": "D1", "segment_count": "A4", "reduction": "A3",
         "data_rank": "C1", "vector_length": "C2", "falling": "C3", "bad_index": "C4"}),
]

_HOT = {"index_types": types.I2, "refused": _V_REFUSED, "outside": "skip", "scatters": True, "axis": "required",
        "policies": ("error", "skip", "clamp", "modulo"), "ranks": (0, 1, 2, 3, 4, 5), "takes_strict": False,
        "roles": ("indices", "depth", "data", "updates")}
_HOT_FAULTS = {**COMMON, "updates_type": "T3", "other_type": "T4", "axis": "A1", "scalars": "C1", "depth": "C3",
               "bad_index": "C4"}
# What is drawn follows from a row's place: new rows stand last, so that the records of the others stay.
LATER = [
    Spec(ov_one_hot.cases, families.one_hot, dict.fromkeys((1, 16), _T20), **_HOT, negatives=False,
         faults=_HOT_FAULTS),
    Spec(ov_one_hot.cases, families.one_hot, {1: (), 16: _T20}, **_HOT, attrs={"negative_indices_mode": "normalize"},
         since={"negative_indices_mode": 16}, faults=_HOT_FAULTS),
    Spec(segment_max.cases, families.segments, {16: types.T17}, types.I2, refused=(*_V_REFUSED, "string", "uint1", "nf4"),
         outside="skip", policies=("error", "skip", "no duplicates"), roles=("data", "indices", "depth"), scatters=True,
         negatives=False, axis=None, takes_strict=False,
         limits=((("outcome", "bounds"), lambda outcome, bounds: bounds != "below" or outcome == "bad_index"),),
         faults={**COMMON, "other_type": "T4", "duplicates": "D1", "fill_mode": "A3", "data_rank": "C1",
                 "vector_length": "C2", "depth": "C3", "falling": "C4", "bad_index": "C5"}),
]

_BAG = {"index_types": types.I2, "refused": ("bool", "string", "uint1", "nf4", "complex64", "float8_e4m3fnuz"), "scatters": True,
        "axis": None, "negatives": False, "policies": ("skip", "clamp", "modulo", "strict", "no duplicates")}
_BAG_FAULTS = {**COMMON, "bag_inputs": "CALL-I1", "updates_type": "T3", "data_rank": "C1", "bag_rank": "C2"}
del _BAG_FAULTS["inputs"]
_OFFSET_FAULTS = {**_BAG_FAULTS, "one_type": "T5", "default_rank": "C3", "weights_shape": "C4", "falling_bounds": "C5",
                  "bound_outside": "C5", "bad_default": "C6", "bad_index": "C7"}
_PACKED_FAULTS = {**_BAG_FAULTS, "weights_shape": "C3", "bad_index": "C4"}
_SEGMENT_FAULTS = {**_BAG_FAULTS, "other_type": "T4", "one_type": "T5", "segment_number": "C3", "default_rank": "C4", "weights_shape": "C5",
                   "falling_bounds": "C6", "bound_outside": "C6", "bad_default": "C7", "bad_index": "C8"}
_MEANS = {"reductions": {"sum": 15, "mean": 15}, "has": lambda dtype, name: True}
_OF_MEANS = {"reduction": "A3", "mean_of_weights": "A4"}
_OFFSETS, _M3, _M15 = ("data", "indices", "offsets", "default", "updates"), {3: types.M16}, {15: types.M16}
LATER += [
    Spec(ov_bags.offsets_sum, families.bags, _M3, **_BAG, roles=_OFFSETS, faults=_OFFSET_FAULTS),
    Spec(ov_bags.offsets, families.bags, _M15, **_BAG, **_MEANS, roles=_OFFSETS, faults={**_OFFSET_FAULTS, **_OF_MEANS}),
    Spec(ov_bags.packed_sum, families.bags, _M3, **_BAG, roles=ALL_ROLES, faults=_PACKED_FAULTS),
    Spec(ov_bags.packed, families.bags, _M15, **_BAG, **_MEANS, roles=ALL_ROLES, faults={**_PACKED_FAULTS, **_OF_MEANS}),
    Spec(ov_bags.segments_sum, families.bags, _M3, **_BAG, roles=("data", "indices", "segments", "count", "default", "updates"),
         faults=_SEGMENT_FAULTS),
]
_POOLED_FAULTS = {**_BAG_FAULTS, "reduction": "A3", "unknown_sum": "A4", "mean_of_weights": "A5", "no_end": "C3", "weights_shape": "C4", "falling_bounds": "C5",
                  "bound_outside": "C5", "bad_index": "C6"}
LATER += [
    Spec(embedding_bag.cases, families.bags, _A19, **_A_INDICES, refused=of_arrays.REFUSED, scatters=True, axis=None,
         policies=SCATTER, reductions=dict.fromkeys(("sum", "mean", "max"), 1), has=of_arrays.has,
         roles=("data", "indices", "offsets", "updates"), faults=_POOLED_FAULTS),
]

LATER += [replace(spec, data_types={version: known and _LATER_TYPES for version, known in spec.data_types.items()})
          for spec in [*OPENVINO, *LATER[:2]]]

_CODES = {**COMMON, "quantised_inputs": "CALL-I1", "zero_type": "T3", "axis": "A1", "quantised_axis": "A3", "block_size": "A4", "bits": "A5",
          "data_rank": "C1"}
del _CODES["inputs"]
_TABLE = ("data", "indices", "scales", "zero_points")


def _of_codes(outcome, dtype):
    """The rules that are of some types of codes."""
    return (outcome != "axes_of_bytes" or dtype == "uint8") and (outcome != "bits" or not dtype.startswith("float"))


QUANTISED = [
    Spec(gather_block_quantized.cases, families.quantised, {1: types.Q8}, types.I2, refused=("int8", "float16", "bool", "string"),
         outside="zero", policies=("error", *GATHER), roles=_TABLE, axis_name="gather_axis", ranks=(2, 3, 4, 5),
         limits=((("outcome", "dtype"), _of_codes),), faults={**_CODES, "axes_of_bytes": "C3", "scales_shape": "C4",
         "zeros_shape": "C5", "bad_index": "C6"}),
    Spec(take_quantized.cases, families.quantised, {1: types.Q9}, **_A_INDICES, refused=("int16", "float16", "bool", "string"),
         policies=GATHER, roles=_TABLE, faults={**_CODES, "result_type": "A6", "scales_shape": "C3", "zeros_shape": "C4",
         "bad_index": "C5"}),
]

SPECS = [*ONNX, *OPENVINO, *TENSORRT, *ARRAY, *LATER, *QUANTISED]
