#include "python/src/network.h"

#include <nanobind/stl/string.h>
#include <nanobind/trampoline.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "python/src/fields.h"
#include "python/src/network_layers.h"
#include "windrow/nvinfer.h"
#include "windrow/status.h"

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
      .def("unmark_output", &INetworkDefinition::unmarkOutput, nb::arg("tensor"),
           "Makes an output an inner tensor again.");
}

void bind_settings(Class& network) {
  network
      .def_prop_rw(
          "name", &INetworkDefinition::getName,
          [](INetworkDefinition& self, const std::string& name) { self.setName(c_text(name)); })
      .def_prop_ro("flags", &INetworkDefinition::getFlags)
      .def("get_flag", &INetworkDefinition::getFlag, nb::arg("flag").noconvert(),
           "Whether a NetworkDefinitionCreationFlag was given to Builder.create_network().")
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

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::BuilderFlag;
using nvinfer1::IBuilder;
using nvinfer1::IBuilderConfig;
using nvinfer1::ILogger;
using nvinfer1::INetworkDefinition;
using nvinfer1::IOptimizationProfile;
using nvinfer1::OptProfileSelector;

void set_shape(IOptimizationProfile& profile, const std::string& input, nb::handle min,
               nb::handle opt, nb::handle max) {
  const char* name = c_text(input);
  const nvinfer1::Dims lowest = dims_of(min);
  const nvinfer1::Dims usual = dims_of(opt);
  const nvinfer1::Dims highest = dims_of(max);
  if (!profile.setDimensions(name, OptProfileSelector::kMIN, lowest) ||
      !profile.setDimensions(name, OptProfileSelector::kOPT, usual) ||
      !profile.setDimensions(name, OptProfileSelector::kMAX, highest))
    throw Error(
        Status(ErrorCode::kInvalidArgument,
               "the range of input '" + input + "' has dimensions that no tensor can have"));
}

nb::list get_shape(const IOptimizationProfile& profile, const std::string& input) {
  nb::list shapes = new_list();
  for (const OptProfileSelector select :
       {OptProfileSelector::kMIN, OptProfileSelector::kOPT, OptProfileSelector::kMAX}) {
    const nvinfer1::Dims dims = profile.getDimensions(c_text(input), select);
    if (dims.nbDims >= 0) shapes.append(to_python(dims));
  }
  return shapes;
}

void bind_profile(nb::module_& module) {
  nb::class_<IOptimizationProfile>(
      module, "IOptimizationProfile", nb::is_weak_referenceable(),
      "Ranges of dynamic dimensions, kept and given back; a run takes any extent.")
      .def("set_shape", &set_shape, nb::arg("input"), nb::arg("min"), nb::arg("opt"),
           nb::arg("max"), "Raises windrow.ArgumentError if an argument is not a shape.")
      .def("get_shape", &get_shape, nb::arg("input"), "[min, opt, max]; empty if they are not set.")
      .def("__bool__", &IOptimizationProfile::isValid,
           "Whether each input has all three, and none is below the one before it.");
}

void bind_config(nb::module_& module) {
  nb::class_<IBuilderConfig> config(module, "IBuilderConfig", nb::is_weak_referenceable(),
                                    "Settings of an engine's builder, kept and given back.");
  const auto flag = nb::arg("flag").noconvert();
  config.def_prop_rw("flags", &IBuilderConfig::getFlags, &IBuilderConfig::setFlags)
      .def("set_flag", &IBuilderConfig::setFlag, flag, "Sets a BuilderFlag.")
      .def("clear_flag", &IBuilderConfig::clearFlag, flag, "Clears a BuilderFlag.")
      .def("get_flag", &IBuilderConfig::getFlag, flag, "Whether a BuilderFlag is set.")
      .def("set_memory_pool_limit", &IBuilderConfig::setMemoryPoolLimit,
           nb::arg("pool").noconvert(), nb::arg("pool_size"),
           "Keeps the limit of a MemoryPoolType, in bytes.")
      .def("get_memory_pool_limit", &IBuilderConfig::getMemoryPoolLimit,
           nb::arg("pool").noconvert(), "Bytes; 0 unless it was set.")
      .def_prop_rw("builder_optimization_level", &IBuilderConfig::getBuilderOptimizationLevel,
                   &IBuilderConfig::setBuilderOptimizationLevel)
      .def_prop_rw("profiling_verbosity", &IBuilderConfig::getProfilingVerbosity,
                   &IBuilderConfig::setProfilingVerbosity)
      .def("add_optimization_profile", &IBuilderConfig::addOptimizationProfile, nb::arg("profile"),
           "The profile's number; -1 if it is not valid.")
      .def_prop_ro("num_optimization_profiles", &IBuilderConfig::getNbOptimizationProfiles);
  bind_context(config);
}

// Python receives None, which TensorRT returns if an engine cannot be built.
void refuse_engine(const IBuilder& builder, const char* call) {
  const std::string line = std::string("IBuilder::") + call +
                           ": there are no engines here; windrow.trt.testing.run(network, inputs) "
                           "runs the network";
  builder.getLogger()->log(ILogger::Severity::kERROR, line.c_str());
}

void build_serialized_network(const IBuilder& builder, const INetworkDefinition& /*network*/,
                              const IBuilderConfig& /*config*/) {
  refuse_engine(builder, "buildSerializedNetwork");
}

void build_engine(const IBuilder& builder, const INetworkDefinition& /*network*/,
                  const IBuilderConfig& /*config*/) {
  refuse_engine(builder, "buildEngineWithConfig");
}

void bind_builder_class(nb::module_& module) {
  nb::class_<IBuilder> builder(module, "Builder", nb::is_weak_referenceable(),
                               "Makes networks: Builder(logger).");
  builder
      .def(nb::new_([](ILogger& logger) { return nvinfer1::createInferBuilder(logger); }),
           nb::arg("logger"), nb::keep_alive<0, 2>())
      .def("create_network", &IBuilder::createNetworkV2, nb::arg("flags") = 0,
           nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(),
           "An empty INetworkDefinition. flags: bits numbered by NetworkDefinitionCreationFlag,\n"
           "without effect.")
      .def("create_builder_config", &IBuilder::createBuilderConfig, nb::rv_policy::take_ownership,
           nb::keep_alive<0, 1>(), "An IBuilderConfig.")
      .def("create_optimization_profile", &IBuilder::createOptimizationProfile,
           nb::rv_policy::reference_internal, "An IOptimizationProfile.")
      .def("build_serialized_network", &build_serialized_network, nb::arg("network"),
           nb::arg("config"),
           "Returns None: this library has no engine format. The log names the call that runs the "
           "network.")
      .def("build_engine_with_config", &build_engine, nb::arg("network"), nb::arg("config"),
           "Returns None: this library builds no engines. The log names the call that runs the "
           "network.")
      .def("is_network_supported", &IBuilder::isNetworkSupported, nb::arg("network"),
           nb::arg("config"),
           "Whether every layer's rules hold as far as that is known before a run; the log says\n"
           "which does not.")
      .def_prop_ro("logger", &IBuilder::getLogger, nb::rv_policy::reference);
  bind_context(builder);
}

}  // namespace

void bind_builder(nb::module_& module) {
  bind_profile(module);
  bind_config(module);
  bind_builder_class(module);
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::ILogger;
using Severity = ILogger::Severity;

// Passes each line to the method log of the Python class.
class PythonLogger final : public ILogger {
 public:
  NB_TRAMPOLINE(ILogger);

  void log(Severity severity, nvinfer1::AsciiChar const* msg) noexcept override {
    const nb::gil_scoped_acquire gil;
    try {
      call_python(severity, msg);
      return;
    } catch (nb::python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    PyErr_WriteUnraisable(nb_trampoline.base().ptr());
  }

 private:
  void call_python(Severity severity, nvinfer1::AsciiChar const* msg) {
    NB_OVERRIDE_PURE(log, severity, msg);
  }
};

void refuse(const ILogger& /*logger*/, Severity /*severity*/, nb::handle /*msg*/) {
  PyErr_SetString(PyExc_NotImplementedError, "a class derived from ILogger defines log()");
  throw nb::python_error();
}

}  // namespace

void bind_logger(nb::module_& module) {
  nb::class_<ILogger, PythonLogger> logger(
      module, "ILogger",
      "What a builder and its networks tell their messages to: derive a class and define\n"
      "log(self, severity, msg). An exception in log() goes to sys.unraisablehook.");
  nb::enum_<Severity>(logger, "Severity", nb::is_arithmetic(), "How serious a message is.")
      .value("INTERNAL_ERROR", Severity::kINTERNAL_ERROR)
      .value("ERROR", Severity::kERROR)
      .value("WARNING", Severity::kWARNING)
      .value("INFO", Severity::kINFO)
      .value("VERBOSE", Severity::kVERBOSE)
      .export_values();
  logger.def(nb::init<>());
  logger.def("log", &refuse, nb::arg("severity"), nb::arg("msg"), "Takes one message.");
}

}  // namespace windrow::python
