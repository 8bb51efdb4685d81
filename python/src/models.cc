#include "python/src/models.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/gil.h"
#include "python/src/run_arrays.h"
#include "python/src/tables.h"
#include "python/src/thread_pools.h"
#include "windrow/models.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object dim_to_python(const Dim& dim) {
  if (dim.is_known()) return nb::int_(dim.value);
  return dim.symbol.empty() ? nb::none() : nb::object(nb::str(dim.symbol.c_str()));
}

// (name, dtype or None, dims or None)
nb::tuple value_to_python(const ValueInfo& value) {
  nb::object dtype = nb::none();
  if (value.dtype != DType::kAbsent) dtype = nb::str(std::string(dtype_name(value.dtype)).c_str());
  nb::object shape = nb::none();
  if (value.dims) {
    nb::list dims;
    for (const Dim& dim : *value.dims) dims.append(dim_to_python(dim));
    shape = nb::tuple(dims);
  }
  return nb::make_tuple(value.name, dtype, shape);
}

nb::list values_to_python(const std::vector<ValueInfo>& values) {
  nb::list list;
  for (const ValueInfo& value : values) list.append(value_to_python(value));
  return list;
}

nb::dict node_to_python(const Model& model, const ModelNode& node) {
  nb::dict attributes;
  for (const auto& [name, value] : node.attributes)
    attributes[nb::str(name.c_str())] = to_python(value);
  nb::dict row;
  row["name"] = node.name;
  row["domain"] = node.domain;
  row["op_type"] = node.op_type;
  row["inputs"] = nb::cast(node.inputs);
  row["outputs"] = nb::cast(node.outputs);
  row["attributes"] = attributes;
  const auto opset = model.opset_imports.find(node.domain);
  if (node.version) {
    row["version"] = *node.version;
  } else if (opset != model.opset_imports.end()) {
    row["version"] = opset->second;
  } else {
    row["version"] = nb::none();
  }
  return row;
}

nb::list nodes_to_python(const Model& model) {
  nb::list list;
  for (const ModelNode& node : model.nodes) list.append(node_to_python(model, node));
  return list;
}

nb::dict report_to_python(const NodeReport& report) {
  nb::dict row;
  row["node"] = report.node;
  row["operator"] = report.operator_name;
  row["inputs"] = values_to_python(report.inputs);
  row["outputs"] = values_to_python(report.outputs);
  row["axis"] = report.axis;
  row["out_of_range"] = report.policy;
  row["notes"] = nb::cast(report.notes);
  row["plan"] = report.plan;
  return row;
}

nb::list inspect(const Model& model, const nb::dict& options) {
  const Result<std::vector<NodeReport>> reports = model.inspect(options_of(options));
  nb::list list;
  for (const NodeReport& report : reports.value()) list.append(report_to_python(report));
  return list;
}

// The type that a model declares for an input; kAbsent: none.
DType declared_type(const Model& model, const std::string& name) {
  const std::string& value = model.value_name(name);
  for (const std::vector<ValueInfo>* values : {&model.inputs, &model.default_inputs})
    for (const ValueInfo& input : *values)
      if (input.name == value) return input.dtype;
  return DType::kAbsent;
}

// Gives (name, array) of each output, and the notes of the nodes' plans.
nb::tuple run(const Model& model, const nb::dict& inputs, const nb::dict& options,
              const nb::object& threads, bool reference) {
  NamedViews views;
  std::vector<std::unique_ptr<InputArray>> arrays;
  for (const auto& [key, array] : inputs) {
    const auto name = nb::cast<std::string>(key);
    arrays.push_back(std::make_unique<InputArray>());
    arrays.back()->acquire(array.ptr(), {name.c_str(), declared_type(model, name), false},
                           views[name]);
  }
  std::vector<std::string> notes;
  ModelRunOptions run_options;
  run_options.call = options_of(options);
  run_options.run.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
  run_options.on_note = [&](const std::string& note) { notes.push_back(note); };
  run_options.reference = reference;
  Result<NamedTensors> results = [&] {
    const GilRelease released;
    return model.run(views, run_options);
  }();
  nb::list outputs;
  for (const auto& [name, tensor] : results.value())
    outputs.append(nb::make_tuple(name, to_numpy(tensor)));
  return nb::make_tuple(outputs, notes);
}

Model load(const std::string& path) {
  const GilRelease released;
  return load_model(std::filesystem::path(path)).value();
}

// `bytes` is an immutable Python object, so that it may be read without the GIL.
Model parse(const nb::bytes& bytes, const std::string& folder) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const GilRelease released;
  return parse_model(view, std::filesystem::path(folder)).value();
}

void save(const Model& model, const std::string& path, const std::string& external_data) {
  const GilRelease released;
  if (Status status = save_model(model, std::filesystem::path(path), external_data); !status)
    throw Error(status);
}

nb::dict infer(const Model& model) {
  const auto inferred = model.infer();
  nb::dict values;
  for (const auto& [name, value] : inferred.value())
    values[nb::str(name.c_str())] = value_to_python(value);
  return values;
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_ro("dialect", &Model::dialect)
      .def("inputs", [](const Model& model) { return values_to_python(model.inputs); })
      .def("default_inputs",
           [](const Model& model) { return values_to_python(model.default_inputs); })
      .def("outputs", [](const Model& model) { return values_to_python(model.outputs); })
      .def("nodes", &nodes_to_python)
      .def("unsupported", &Model::unsupported)
      .def("infer", &infer)
      .def("inspect", &inspect)
      .def("run", &run, nb::arg("inputs"), nb::arg("options"), nb::arg("threads").none(),
           nb::arg("reference"))
      .def("only_node", [](const Model& model,
                           const std::string& name) { return model.only_node(name).value(); })
      .def("save", &save);
  module.def("load_model", &load);
  module.def("parse_model", &parse);
}

}  // namespace windrow::python
