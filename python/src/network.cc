#include "python/src/network.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <string>

#include "python/src/network_builder.h"
#include "python/src/network_layers.h"
#include "python/src/network_logger.h"
#include "python/src/network_types.h"
#include "python/src/network_weights.h"
#include "windrow/nvinfer.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::DataType;
using nvinfer1::IConstantLayer;
using nvinfer1::INetworkDefinition;
using nvinfer1::ITensor;

INetworkDefinition& network_in(nb::handle self) { return *nb::cast<INetworkDefinition*>(self); }

ITensor* add_input(INetworkDefinition& network, const std::string& name, DataType dtype,
                   nb::handle shape) {
  return network.addInput(c_text(name), dtype, dims_of(shape));
}

nb::object add_constant(nb::handle self, nb::handle shape, nb::handle weights) {
  auto kept = std::make_unique<KeptWeights>(weights);
  IConstantLayer* layer = network_in(self).addConstant(dims_of(shape), kept->weights());
  if (layer == nullptr) return nb::none();
  keep_weights(self, std::move(kept));
  register_constant(self, *layer);
  return to_python(layer, self);
}

nb::object get_layer(nb::handle self, std::int32_t index) {
  return to_python(network_in(self).getLayer(index), self);
}

// Indexes as a list does.
nb::object item(nb::handle self, std::int64_t index) {
  const std::int32_t count = network_in(self).getNbLayers();
  const std::int64_t position = index < 0 ? index + count : index;
  if (position < 0 || position >= count)
    throw nb::index_error(("there is no layer " + std::to_string(index) + ", the network has " +
                           std::to_string(count))
                              .c_str());
  return get_layer(self, static_cast<std::int32_t>(position));
}

// The error for a missing member; it lists the functions that add layers.
void refuse_member(nb::handle self, const std::string& name) {
  std::string text = "INetworkDefinition has no " + name;
  if (name.rfind("add_", 0) == 0) {
    text += " here; there are:";
    for (const nb::handle member : nb::steal<nb::list>(PyObject_Dir(self.type().ptr()))) {
      const auto known = nb::cast<std::string>(member);
      if (known.rfind("add_", 0) == 0) text += " " + known;
    }
  }
  throw nb::attribute_error(text.c_str());
}

using Class = nb::class_<INetworkDefinition>;

void bind_additions(Class& network) {
  const auto internal = nb::rv_policy::reference_internal;
  const auto mode = nb::arg("mode").noconvert();
  network
      .def("add_input", &add_input, nb::arg("name"), nb::arg("dtype").noconvert(), nb::arg("shape"),
           internal, "An ITensor. -1 in shape: an extent known at run time.")
      .def("add_constant", &add_constant, nb::arg("shape"), nb::arg("weights"),
           "An IConstantLayer. weights: an array or Weights, of any shape with that number of "
           "elements.\n"
           "The network keeps it and reads its memory when it runs (elements of another order or\n"
           "of 4 bits are copied now). Raises windrow.DTypeError for types outside of TensorRT's.")
      .def("add_gather", &INetworkDefinition::addGather, nb::arg("input"), nb::arg("indices"),
           nb::arg("axis"), internal, "An IGatherLayer of mode DEFAULT.")
      .def("add_gather_v2", &INetworkDefinition::addGatherV2, nb::arg("input"), nb::arg("indices"),
           mode, internal, "An IGatherLayer of any mode, axis 0, num_elementwise_dims 0.")
      .def("add_scatter", &INetworkDefinition::addScatter, nb::arg("data"), nb::arg("indices"),
           nb::arg("updates"), mode, internal, "An IScatterLayer, axis 0.")
      .def("add_one_hot", &INetworkDefinition::addOneHot, nb::arg("indices"), nb::arg("values"),
           nb::arg("depth"), nb::arg("axis"), internal, "An IOneHotLayer.")
      .def("add_cast", &INetworkDefinition::addCast, nb::arg("input"),
           nb::arg("to_type").noconvert(), internal, "An ICastLayer.")
      .def("add_kv_cache_update", &INetworkDefinition::addKVCacheUpdate, nb::arg("cache"),
           nb::arg("update"), nb::arg("write_indices"), nb::arg("cache_mode").noconvert(), internal,
           "An IKVCacheUpdateLayer.")
      .def("__getattr__", &refuse_member, nb::arg("name"));
}

void bind_contents(Class& network) {
  const auto internal = nb::rv_policy::reference_internal;
  network.def_prop_ro("num_layers", &INetworkDefinition::getNbLayers)
      .def_prop_ro("num_inputs", &INetworkDefinition::getNbInputs)
      .def_prop_ro("num_outputs", &INetworkDefinition::getNbOutputs)
      .def("__len__", &INetworkDefinition::getNbLayers)
      .def("__getitem__", &item, nb::arg("index"), "A layer; raises IndexError.")
      .def("get_layer", &get_layer, nb::arg("index"),
           "The layer, or None if there is none of that number.")
      .def("get_input", &INetworkDefinition::getInput, nb::arg("index"), internal,
           "The ITensor, or None if there is none of that number.")
      .def("get_output", &INetworkDefinition::getOutput, nb::arg("index"), internal,
           "The ITensor, or None if there is none of that number.")
      .def("mark_output", &INetworkDefinition::markOutput, nb::arg("tensor"),
           "Makes a tensor an output, which an input can't be.")
      .def("unmark_output", &INetworkDefinition::unmarkOutput, nb::arg("tensor"));
}

void bind_settings(Class& network) {
  network
      .def_prop_rw(
          "name", &INetworkDefinition::getName,
          [](INetworkDefinition& self, const std::string& name) { self.setName(c_text(name)); })
      .def_prop_ro("flags", &INetworkDefinition::getFlags)
      .def("get_flag", &INetworkDefinition::getFlag, nb::arg("flag").noconvert())
      .def_prop_ro("builder", &INetworkDefinition::getBuilder, nb::rv_policy::reference);
}

}  // namespace

void bind_network(nb::module_& module) {
  nb::module_ network = module.def_submodule("network");
  // The module name that the classes show, which is where users find them.
  network.attr("__name__") = "windrow.trt";
  bind_network_types(network);
  bind_logger(network);
  bind_layers(network);
  Class definition(network, "INetworkDefinition", nb::is_weak_referenceable(),
                   "Layers and the tensors between them, made by Builder.create_network(). A\n"
                   "failing add_* gives None, and the logger gets one line that says why.");
  bind_additions(definition);
  bind_contents(definition);
  bind_settings(definition);
  bind_context(definition);
  bind_builder(network);
  network.def(
      "to_model", [](const INetworkDefinition& self) { return nvinfer1::to_model(self).value(); },
      nb::arg("network"), nb::keep_alive<0, 1>(),
      "The Model that the network is now; its constants are the network's memory.");
}

}  // namespace windrow::python
