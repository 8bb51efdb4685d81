#include "python/src/network_layers.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>

#include "python/src/network_types.h"
#include "python/src/network_weights.h"

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
