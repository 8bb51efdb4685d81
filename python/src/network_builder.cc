#include "python/src/network_builder.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "python/src/network_types.h"
#include "windrow/nvinfer.h"
#include "windrow/status.h"

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
  nb::list shapes;
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
           nb::arg("max"), "Raises windrow.ArgumentError for what is no shape.")
      .def("get_shape", &get_shape, nb::arg("input"), "[min, opt, max]; empty if they are not set.")
      .def("__bool__", &IOptimizationProfile::isValid,
           "Whether each input has all three, and none is below the one before it.");
}

void bind_config(nb::module_& module) {
  nb::class_<IBuilderConfig> config(module, "IBuilderConfig", nb::is_weak_referenceable(),
                                    "Settings of an engine's builder, kept and given back.");
  const auto flag = nb::arg("flag").noconvert();
  config.def_prop_rw("flags", &IBuilderConfig::getFlags, &IBuilderConfig::setFlags)
      .def("set_flag", &IBuilderConfig::setFlag, flag)
      .def("clear_flag", &IBuilderConfig::clearFlag, flag)
      .def("get_flag", &IBuilderConfig::getFlag, flag)
      .def("set_memory_pool_limit", &IBuilderConfig::setMemoryPoolLimit,
           nb::arg("pool").noconvert(), nb::arg("pool_size"))
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
           "None: there is no engine format here. The log says what runs the network.")
      .def("build_engine_with_config", &build_engine, nb::arg("network"), nb::arg("config"),
           "None: there are no engines here. The log says what runs the network.")
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
