#include "python/src/network_layers.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "python/src/fields.h"
#include "python/src/models.h"
#include "python/src/numpy_array.h"
#include "python/src/run_arrays.h"
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
  nb::list extents = new_list();
  for (std::int32_t axis = 0; axis < dims.nbDims; ++axis) extents.append(dims.d[axis]);
  return dims_class()(extents);
}

const char* c_text(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    throw nb::value_error("the text has a zero byte, which TensorRT's interface cannot take");
  return text.c_str();
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::IConstantLayer;

struct Constant {
  const IConstantLayer* layer;
  PyObject* network;  // borrowed: the constant's memory belongs to the network
};

std::unordered_map<const IConstantLayer*, PyObject*>& networks_of_constants() {
  static std::unordered_map<const IConstantLayer*, PyObject*> networks;
  return networks;
}

// Called when the network is destroyed. Later another network may have a constant at the same
// address.
void forget_constant(void* payload) noexcept {
  const std::unique_ptr<Constant> constant(static_cast<Constant*>(payload));
  auto& networks = networks_of_constants();
  const auto found = networks.find(constant->layer);
  if (found != networks.end() && found->second == constant->network) networks.erase(found);
}

}  // namespace

struct KeptWeights::Owner {
  nb::object object;
  InputArray array;
  Tensor copy;
};

KeptWeights::KeptWeights(nb::handle weights) : owner_(std::make_unique<Owner>()) {
  const nb::object own_class = nb::module_::import_("windrow.trt._weights").attr("Weights");
  owner_->object = nb::isinstance(weights, own_class) ? nb::object(weights.attr("numpy")())
                                                      : nb::borrow(weights);
  TensorView view;
  owner_->array.acquire(owner_->object.ptr(), {"weights"}, view);
  weights_.type = data_type_of(view.dtype, "weights");
  if (!view.is_dense()) {
    owner_->copy = Tensor::copy_of(view).value();
    view = owner_->copy.view();
  }
  weights_.values = view.data;
  weights_.count = element_count(view.shape).value_or(0);
}

KeptWeights::~KeptWeights() = default;

void keep_weights(nb::handle network, std::unique_ptr<KeptWeights> weights) {
  nb::keep_alive_cb(network, weights.release(),
                    [](void* kept) noexcept { delete static_cast<KeptWeights*>(kept); });
}

void register_constant(nb::handle network, const IConstantLayer& layer) {
  networks_of_constants()[&layer] = network.ptr();
  nb::keep_alive_cb(network, new Constant{&layer, network.ptr()}, &forget_constant);
}

nb::object network_of(const IConstantLayer& layer) {
  return nb::borrow(networks_of_constants().at(&layer));
}

nb::object to_python(const nvinfer1::Weights& weights) {
  // The values are only read.
  void* const values = const_cast<void*>(weights.values);
  return to_numpy(Tensor::adopt(dtype_of(weights.type), Shape{weights.count}, values, nullptr));
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::DataType;
using nvinfer1::ICastLayer;
using nvinfer1::IConstantLayer;
using nvinfer1::IGatherLayer;
using nvinfer1::IKVCacheUpdateLayer;
using nvinfer1::ILayer;
using nvinfer1::IOneHotLayer;
using nvinfer1::IScatterLayer;
using nvinfer1::ITensor;
using nvinfer1::LayerType;

// Takes enumerators of this enumeration only, neither those of others nor plain numbers.
auto exactly(const char* name) { return nb::for_setter(nb::arg(name).noconvert()); }

template <class Named>
void set_name(Named& named, const std::string& name) {
  named.setName(c_text(name));
}

void set_dimension_name(ITensor& tensor, std::int32_t index,
                        const std::optional<std::string>& name) {
  tensor.setDimensionName(index, name ? c_text(*name) : nullptr);
}

void bind_tensor(nb::module_& module) {
  nb::class_<ITensor>(module, "ITensor", nb::is_weak_referenceable(), "A value of a network.")
      .def_prop_rw("name", &ITensor::getName, &set_name<ITensor>,
                   "At most 4095 bytes; inputs and outputs of a run are told apart by it.")
      .def_prop_rw(
          "shape", [](const ITensor& tensor) { return to_python(tensor.getDimensions()); },
          [](ITensor& tensor, nb::handle shape) { tensor.setDimensions(dims_of(shape)); },
          "A Dims: -1 is an extent that is known at run time. Of a network input it can be set.\n"
          "Where a layer's rules are broken, the log says which, and the Dims have no length.")
      .def_prop_ro("dtype", &ITensor::getType, "The elements' DataType.")
      .def_prop_ro("is_network_input", &ITensor::isNetworkInput)
      .def_prop_ro("is_network_output", &ITensor::isNetworkOutput)
      .def("set_dimension_name", &set_dimension_name, nb::arg("index"), nb::arg("name").none(),
           "Of a network input: dimensions of one name are equal in a run. None takes it away.")
      .def("get_dimension_name", &ITensor::getDimensionName, nb::arg("index"),
           "The name of a dimension, or None.");
}

void bind_layer(nb::module_& module) {
  nb::class_<ILayer>(
      module, "ILayer", nb::is_weak_referenceable(),
      "A layer. Its rules are checked when a shape is asked for and when the network runs.")
      .def_prop_rw("name", &ILayer::getName, &set_name<ILayer>)
      .def_prop_rw(
          "metadata", &ILayer::getMetadata,
          [](ILayer& layer, const std::string& text) { layer.setMetadata(c_text(text)); },
          "Any text, kept.")
      .def_prop_ro("type", &ILayer::getType, "Its LayerType.")
      .def_prop_ro("num_inputs", &ILayer::getNbInputs)
      .def_prop_ro("num_outputs", &ILayer::getNbOutputs)
      .def("get_input", &ILayer::getInput, nb::arg("index"), nb::rv_policy::reference_internal,
           "The ITensor, or None if there is none of that number.")
      .def("get_output", &ILayer::getOutput, nb::arg("index"), nb::rv_policy::reference_internal,
           "The ITensor, or None if there is none of that number.")
      .def("set_input", &ILayer::setInput, nb::arg("index"), nb::arg("tensor"),
           "Takes another tensor of the network as an input.")
      .def("get_output_type", &ILayer::getOutputType, nb::arg("index"), "The output's DataType.");
}

void bind_gather_and_scatter(nb::module_& module) {
  nb::class_<IGatherLayer, ILayer>(module, "IGatherLayer", "docs/operators/tensorrt.md#gather")
      .def_prop_rw("axis", &IGatherLayer::getGatherAxis, &IGatherLayer::setGatherAxis,
                   "What is gathered along; ND ignores it.")
      .def_prop_rw("num_elementwise_dims", &IGatherLayer::getNbElementWiseDims,
                   &IGatherLayer::setNbElementWiseDims,
                   "Leading dimensions that input and indices are walked along together.")
      .def_prop_rw("mode", &IGatherLayer::getMode, &IGatherLayer::setMode, exactly("mode"),
                   "Its GatherMode.");
  nb::class_<IScatterLayer, ILayer>(module, "IScatterLayer", "docs/operators/tensorrt.md#scatter")
      .def_prop_rw("axis", &IScatterLayer::getAxis, &IScatterLayer::setAxis,
                   "What is written along; ND ignores it.")
      .def_prop_rw("mode", &IScatterLayer::getMode, &IScatterLayer::setMode, exactly("mode"),
                   "Its ScatterMode.");
}

void set_weights(IConstantLayer& layer, nb::handle weights) {
  auto kept = std::make_unique<KeptWeights>(weights);
  layer.setWeights(kept->weights());
  keep_weights(network_of(layer), std::move(kept));
}

void bind_other_layers(nb::module_& module) {
  nb::class_<IOneHotLayer, ILayer>(module, "IOneHotLayer", "docs/operators/tensorrt.md#onehot")
      .def_prop_rw("axis", &IOneHotLayer::getAxis, &IOneHotLayer::setAxis,
                   "Of the result; a negative one counts from its end.");
  nb::class_<IKVCacheUpdateLayer, ILayer>(
      module, "IKVCacheUpdateLayer",
      "docs/operators/tensorrt.md#kvcacheupdate. A run leaves the cache as it is and gives the\n"
      "updated one as an output.")
      .def_prop_rw("cache_mode", &IKVCacheUpdateLayer::getCacheMode,
                   &IKVCacheUpdateLayer::setCacheMode, exactly("cache_mode"), "Its KVCacheMode.");
  nb::class_<ICastLayer, ILayer>(
      module, "ICastLayer",
      "What becomes of each element: \"Convert\" in docs/formats/openvino_ir.md.")
      .def_prop_rw("to_type", &ICastLayer::getToType, &ICastLayer::setToType, exactly("to_type"),
                   "The result's DataType.");
  nb::class_<IConstantLayer, ILayer>(module, "IConstantLayer",
                                     "Weights in a shape; they must fit when they are used.")
      .def_prop_rw(
          "weights", [](const IConstantLayer& layer) { return to_python(layer.getWeights()); },
          &set_weights, "A copy, of one axis. To be set: as for add_constant().")
      .def_prop_rw(
          "shape", [](const IConstantLayer& layer) { return to_python(layer.getDimensions()); },
          [](IConstantLayer& layer, nb::handle shape) { layer.setDimensions(dims_of(shape)); },
          "A Dims.");
}

template <class Layer>
nb::object cast_to(ILayer* layer, nb::handle network) {
  return nb::cast(static_cast<Layer*>(layer), nb::rv_policy::reference_internal, network);
}

}  // namespace

void bind_layers(nb::module_& module) {
  bind_tensor(module);
  bind_layer(module);
  bind_gather_and_scatter(module);
  bind_other_layers(module);
}

nb::object to_python(ILayer* layer, nb::handle network) {
  if (layer == nullptr) return nb::none();
  switch (layer->getType()) {
    case LayerType::kCAST:
      return cast_to<ICastLayer>(layer, network);
    case LayerType::kGATHER:
      return cast_to<IGatherLayer>(layer, network);
    case LayerType::kCONSTANT:
      return cast_to<IConstantLayer>(layer, network);
    case LayerType::kSCATTER:
      return cast_to<IScatterLayer>(layer, network);
    case LayerType::kONE_HOT:
      return cast_to<IOneHotLayer>(layer, network);
    case LayerType::kKVCACHE_UPDATE:
      return cast_to<IKVCacheUpdateLayer>(layer, network);
  }
  return cast_to<ILayer>(layer, network);
}

}  // namespace windrow::python
