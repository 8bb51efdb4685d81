#include "python/src/network_types.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "windrow/status.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::BuilderFlag;
using nvinfer1::DataType;
using nvinfer1::GatherMode;
using nvinfer1::KVCacheMode;
using nvinfer1::LayerType;
using nvinfer1::MemoryPoolType;
using nvinfer1::NetworkDefinitionCreationFlag;
using nvinfer1::ProfilingVerbosity;
using nvinfer1::ScatterMode;

constexpr std::array<std::pair<DataType, DType>, 12> kTypes = {{
    {DataType::kFLOAT, DType::kFloat32},
    {DataType::kHALF, DType::kFloat16},
    {DataType::kINT8, DType::kInt8},
    {DataType::kINT32, DType::kInt32},
    {DataType::kBOOL, DType::kBool},
    {DataType::kUINT8, DType::kUint8},
    {DataType::kFP8, DType::kFloat8E4M3FN},
    {DataType::kBF16, DType::kBFloat16},
    {DataType::kINT64, DType::kInt64},
    {DataType::kINT4, DType::kInt4},
    {DataType::kFP4, DType::kFloat4E2M1},
    {DataType::kE8M0, DType::kFloat8E8M0},
}};

// Size in bytes: an integer, or 0.5.
nb::object item_size(DataType type) {
  const int bits = dtype_bits(dtype_of(type));
  if (bits % 8 == 0) return nb::int_(bits / 8);
  return nb::float_(bits / 8.0);
}

void bind_data_type(nb::module_& module) {
  nb::enum_<DataType>(module, "DataType", nb::is_arithmetic(), "The type of a tensor's elements.")
      .value("FLOAT", DataType::kFLOAT, "32-bit floating point")
      .value("HALF", DataType::kHALF, "16-bit floating point")
      .value("INT8", DataType::kINT8, "8-bit integer")
      .value("INT32", DataType::kINT32, "32-bit integer")
      .value("BOOL", DataType::kBOOL, "a byte, 0 or 1")
      .value("UINT8", DataType::kUINT8, "8-bit unsigned integer")
      .value("FP8", DataType::kFP8, "8-bit floating point, E4M3")
      .value("BF16", DataType::kBF16, "brain floating point")
      .value("INT64", DataType::kINT64, "64-bit integer")
      .value("INT4", DataType::kINT4, "4-bit integer, two to a byte")
      .value("FP4", DataType::kFP4, "4-bit floating point, E2M1, two to a byte; only a cast has it")
      .value("E8M0", DataType::kE8M0, "8-bit exponent; only a cast has it")
      .def_prop_ro("itemsize", &item_size, "Bytes of an element; 0.5 of the 4-bit types.");
  module.def(
      "type_name", [](DataType type) { return std::string(dtype_name(dtype_of(type))); },
      nb::arg("type"), "The name of a type in NumPy or ml_dtypes.");
}

void bind_modes(nb::module_& module) {
  nb::enum_<GatherMode>(module, "GatherMode", nb::is_arithmetic(), "What a gather layer computes.")
      .value("DEFAULT", GatherMode::kDEFAULT, "as ONNX Gather")
      .value("ELEMENT", GatherMode::kELEMENT, "as ONNX GatherElements")
      .value("ND", GatherMode::kND, "as ONNX GatherND");
  nb::enum_<ScatterMode>(module, "ScatterMode", nb::is_arithmetic(),
                         "What a scatter layer computes.")
      .value("ELEMENT", ScatterMode::kELEMENT, "as ONNX ScatterElements")
      .value("ND", ScatterMode::kND, "as ONNX ScatterND");
  nb::enum_<KVCacheMode>(module, "KVCacheMode", nb::is_arithmetic(), "How a cache is written.")
      .value("LINEAR", KVCacheMode::kLINEAR, "positions beyond the end are dropped");
  nb::enum_<LayerType>(module, "LayerType", nb::is_arithmetic(), "The layers that there are.")
      .value("CAST", LayerType::kCAST)
      .value("GATHER", LayerType::kGATHER)
      .value("CONSTANT", LayerType::kCONSTANT)
      .value("SCATTER", LayerType::kSCATTER)
      .value("ONE_HOT", LayerType::kONE_HOT)
      .value("KVCACHE_UPDATE", LayerType::kKVCACHE_UPDATE);
}

void bind_builder_flags(nb::module_& module) {
  nb::enum_<BuilderFlag>(module, "BuilderFlag", nb::is_arithmetic(),
                         "Settings of an engine's builder, without effect here.")
      .value("FP16", BuilderFlag::kFP16)
      .value("INT8", BuilderFlag::kINT8)
      .value("DEBUG", BuilderFlag::kDEBUG)
      .value("GPU_FALLBACK", BuilderFlag::kGPU_FALLBACK)
      .value("REFIT", BuilderFlag::kREFIT)
      .value("DISABLE_TIMING_CACHE", BuilderFlag::kDISABLE_TIMING_CACHE)
      .value("TF32", BuilderFlag::kTF32)
      .value("SPARSE_WEIGHTS", BuilderFlag::kSPARSE_WEIGHTS)
      .value("SAFETY_SCOPE", BuilderFlag::kSAFETY_SCOPE)
      .value("OBEY_PRECISION_CONSTRAINTS", BuilderFlag::kOBEY_PRECISION_CONSTRAINTS)
      .value("PREFER_PRECISION_CONSTRAINTS", BuilderFlag::kPREFER_PRECISION_CONSTRAINTS)
      .value("DIRECT_IO", BuilderFlag::kDIRECT_IO)
      .value("REJECT_EMPTY_ALGORITHMS", BuilderFlag::kREJECT_EMPTY_ALGORITHMS)
      .value("VERSION_COMPATIBLE", BuilderFlag::kVERSION_COMPATIBLE)
      .value("EXCLUDE_LEAN_RUNTIME", BuilderFlag::kEXCLUDE_LEAN_RUNTIME)
      .value("FP8", BuilderFlag::kFP8)
      .value("ERROR_ON_TIMING_CACHE_MISS", BuilderFlag::kERROR_ON_TIMING_CACHE_MISS)
      .value("BF16", BuilderFlag::kBF16)
      .value("DISABLE_COMPILATION_CACHE", BuilderFlag::kDISABLE_COMPILATION_CACHE)
      .value("STRIP_PLAN", BuilderFlag::kSTRIP_PLAN)
      .value("REFIT_IDENTICAL", BuilderFlag::kREFIT_IDENTICAL)
      .value("WEIGHT_STREAMING", BuilderFlag::kWEIGHT_STREAMING)
      .value("INT4", BuilderFlag::kINT4)
      .value("REFIT_INDIVIDUAL", BuilderFlag::kREFIT_INDIVIDUAL)
      .value("STRICT_NANS", BuilderFlag::kSTRICT_NANS)
      .value("MONITOR_MEMORY", BuilderFlag::kMONITOR_MEMORY)
      .value("FP4", BuilderFlag::kFP4)
      .value("EDITABLE_TIMING_CACHE", BuilderFlag::kEDITABLE_TIMING_CACHE)
      .value("DISTRIBUTIVE_INDEPENDENCE", BuilderFlag::kDISTRIBUTIVE_INDEPENDENCE);
}

void bind_settings(nb::module_& module) {
  using Flag = NetworkDefinitionCreationFlag;
  nb::enum_<Flag>(module, "NetworkDefinitionCreationFlag", nb::is_arithmetic(),
                  "Bit numbers for Builder.create_network(flags), without effect: every network "
                  "has explicit batch dimensions and types that follow from its inputs.")
      .value("EXPLICIT_BATCH", Flag::kEXPLICIT_BATCH)
      .value("STRONGLY_TYPED", Flag::kSTRONGLY_TYPED)
      .value("PREFER_JIT_PYTHON_PLUGINS", Flag::kPREFER_JIT_PYTHON_PLUGINS)
      .value("PREFER_AOT_PYTHON_PLUGINS", Flag::kPREFER_AOT_PYTHON_PLUGINS);
  nb::enum_<MemoryPoolType>(module, "MemoryPoolType", nb::is_arithmetic(),
                            "Memory of an engine's builder.")
      .value("WORKSPACE", MemoryPoolType::kWORKSPACE)
      .value("DLA_MANAGED_SRAM", MemoryPoolType::kDLA_MANAGED_SRAM)
      .value("DLA_LOCAL_DRAM", MemoryPoolType::kDLA_LOCAL_DRAM)
      .value("DLA_GLOBAL_DRAM", MemoryPoolType::kDLA_GLOBAL_DRAM)
      .value("TACTIC_DRAM", MemoryPoolType::kTACTIC_DRAM)
      .value("TACTIC_SHARED_MEMORY", MemoryPoolType::kTACTIC_SHARED_MEMORY);
  nb::enum_<ProfilingVerbosity>(module, "ProfilingVerbosity", nb::is_arithmetic(),
                                "What an engine tells of its layers.")
      .value("LAYER_NAMES_ONLY", ProfilingVerbosity::kLAYER_NAMES_ONLY)
      .value("NONE", ProfilingVerbosity::kNONE)
      .value("DETAILED", ProfilingVerbosity::kDETAILED);
}

nb::object dims_class() { return nb::module_::import_("windrow.trt._dims").attr("Dims"); }

}  // namespace

void bind_network_types(nb::module_& module) {
  bind_data_type(module);
  bind_modes(module);
  bind_builder_flags(module);
  bind_settings(module);
}

DType dtype_of(DataType type) noexcept {
  const auto* const row = std::find_if(kTypes.begin(), kTypes.end(),
                                       [type](const auto& entry) { return entry.first == type; });
  return row == kTypes.end() ? DType::kAbsent : row->second;
}

DataType data_type_of(DType type, const std::string& what) {
  for (const auto& [known, own] : kTypes)
    if (own == type) return known;
  throw Error(Status(ErrorCode::kType, what + " have type " + std::string(dtype_name(type)) +
                                           ", which TensorRT does not have"));
}

nvinfer1::Dims dims_of(nb::handle shape) {
  const nb::object extents = dims_class()(shape).attr("_extents");
  nvinfer1::Dims dims{-1, {}};
  if (extents.is_none()) return dims;
  dims.nbDims = 0;
  for (const nb::handle extent : extents) dims.d[dims.nbDims++] = nb::cast<std::int64_t>(extent);
  return dims;
}

nb::object to_python(const nvinfer1::Dims& dims) {
  if (dims.nbDims < 0) return dims_class().attr("without_rank")();
  nb::list extents;
  for (std::int32_t axis = 0; axis < dims.nbDims; ++axis) extents.append(dims.d[axis]);
  return dims_class()(extents);
}

const char* c_text(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    throw nb::value_error("the text has a zero byte, which TensorRT's interface cannot take");
  return text.c_str();
}

}  // namespace windrow::python
