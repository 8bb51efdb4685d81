#include "python/src/models.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/fields.h"
#include "python/src/foreign_array.h"
#include "python/src/plan_object.h"
#include "python/src/run_arrays.h"
#include "python/src/signals.h"
#include "windrow/models.h"
#include "windrow/tensor_archive.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The type that a model declares for an input; kAbsent if it declares none.
DType declared_type(const Model& model, const std::string& name) {
  const std::string& value = model.value_name(name);
  for (const std::vector<ValueInfo>* values : {&model.inputs, &model.default_inputs})
    for (const ValueInfo& input : *values)
      if (input.name == value) return input.dtype;
  return DType::kAbsent;
}

// The arrays of a run, which are held as long as the object lives.
struct RunInputs {
  RunInputs(const Model& model, const nb::dict& inputs) {
    for (const auto& [key, array] : inputs) {
      const std::string name = bytes_of(key.ptr(), "the name of an input");
      arrays.push_back(std::make_unique<InputArray>());
      arrays.back()->acquire(array.ptr(), {name.c_str(), declared_type(model, name), false},
                             views[name]);
    }
  }

  NamedViews views;
  std::vector<std::unique_ptr<InputArray>> arrays;
};

nb::tuple results_to_python(const NamedTensors& results, const std::vector<std::string>& notes) {
  nb::list outputs = new_list();
  for (const auto& [name, tensor] : results)
    outputs.append(nb::make_tuple(text_from(name), to_numpy(tensor)));
  nb::list texts = new_list();
  for (const std::string& note : notes) texts.append(text_from(note));
  return nb::make_tuple(outputs, texts);
}

nb::tuple run_prepared(const PreparedModel& model, const nb::dict& inputs,
                       const nb::object& threads, std::int64_t listed_indices) {
  const RunInputs given(model.model(), inputs);
  RunOptions options;
  options.listed_indices = listed_indices;
  options.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
  std::vector<std::string> notes;
  const auto keep_note = [&notes](const std::string& note) { notes.push_back(note); };
  const Result<NamedTensors> results =
      without_gil(options, [&] { return model.run(given.views, options, keep_note); });
  return results_to_python(results.value(), notes);
}

}  // namespace

nb::tuple run_reference(const Model& model, const nb::dict& inputs, const nb::dict& options) {
  const RunInputs given(model, inputs);
  ModelRunOptions run_options;
  run_options.call = options_of(options);
  run_options.reference = true;
  const Result<NamedTensors> results =
      without_gil(run_options.run, [&] { return model.run(given.views, run_options); });
  return results_to_python(results.value(), {});
}

PreparedModel prepare(const Model& model, const nb::dict& options) {
  PrepareOptions prepare_options;
  prepare_options.call = options_of(options);
  const GilRelease released;
  return model.prepare(prepare_options).value();
}

void bind_prepared_models(nb::module_& module) {
  nb::class_<PreparedModel>(module, "PreparedModel", nb::is_weak_referenceable())
      .def("run", &run_prepared, nb::arg("inputs"), nb::arg("threads").none(),
           nb::arg("listed_indices") = 0);
}

}  // namespace windrow::python

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object dim_to_python(const Dim& dim) {
  if (dim.is_known()) return nb::int_(dim.value);
  return dim.symbol.empty() ? nb::none() : text_from(dim.symbol);
}

// (name, dtype or None, dims or None, basis)
nb::tuple value_to_python(const ValueInfo& value) {
  nb::object dtype = nb::none();
  if (value.dtype != DType::kAbsent) dtype = text_from(dtype_name(value.dtype));
  if (!value.other_type.empty()) dtype = text_from(value.other_type);
  nb::object shape = nb::none();
  if (value.dims) {
    nb::list dims = new_list();
    for (const Dim& dim : *value.dims) dims.append(dim_to_python(dim));
    shape = nb::tuple(dims);
  }
  return nb::make_tuple(text_from(value.name), dtype, shape, text_from(basis_name(value.basis)));
}

nb::list values_to_python(const std::vector<ValueInfo>& values) {
  nb::list list = new_list();
  for (const ValueInfo& value : values) list.append(value_to_python(value));
  return list;
}

nb::dict node_to_python(const Model& model, const ModelNode& node) {
  nb::dict row = new_dict();
  row["name"] = text_from(node.name);
  row["domain"] = text_from(node.domain);
  row["op_type"] = text_from(node.op_type);
  row["inputs"] = texts_to_python(node.inputs);
  row["outputs"] = texts_to_python(node.outputs);
  row["attributes"] = attributes_to_python(node.attributes);
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
  nb::list list = new_list();
  for (const ModelNode& node : model.nodes) list.append(node_to_python(model, node));
  return list;
}

// The elements of an initializer of the main graph; None if there is none with this name.
nb::object constant(const Model& model, const nb::str& name) {
  const auto found = model.constants.find(bytes_of(name.ptr(), "name"));
  if (found == model.constants.end()) return nb::none();
  const std::shared_ptr<const Tensor> tensor = [&found] {
    const GilRelease released;
    return found->second.tensor().value();
  }();
  return to_numpy(*tensor);
}

// Type, shape and size in bytes of an initializer, which is not read for this; None if there is
// none.
nb::object constant_spec(const Model& model, const nb::str& name) {
  const auto found = model.constants.find(bytes_of(name.ptr(), "name"));
  if (found == model.constants.end()) return nb::none();
  nb::list extents = new_list();
  for (const std::int64_t extent : found->second.shape()) extents.append(extent);
  return nb::make_tuple(text_from(dtype_name(found->second.dtype())), nb::tuple(extents),
                        found->second.byte_count());
}

nb::tuple numbers_to_python(const std::vector<std::int64_t>& numbers) {
  nb::list list = new_list();
  for (const std::int64_t number : numbers) list.append(number);
  return nb::tuple(list);
}

nb::dict report_to_python(const NodeReport& report) {
  nb::dict row = new_dict();
  row["node"] = text_from(report.node);
  row["path"] = text_from(report.path);
  row["operator"] = text_from(report.operator_name);
  row["inputs"] = values_to_python(report.inputs);
  row["outputs"] = values_to_python(report.outputs);
  row["axis"] = text_from(to_string(report.axis));
  row["axes"] = nb::none();
  if (report.axis.axes) row["axes"] = numbers_to_python(*report.axis.axes);
  row["rank"] = nb::none();
  if (report.axis.rank) row["rank"] = *report.axis.rank;
  row["batch_dims"] = report.axis.batch_dims;
  row["out_of_range"] = text_from(report.policy);
  row["notes"] = texts_to_python(report.notes);
  row["plan"] = nb::none();
  if (report.plan != nullptr) row["plan"] = description_to_python(*report.plan);
  row["no_plan"] = text_from(report.no_plan);
  return row;
}

nb::dict finding_to_python(const Finding& finding) {
  const bool is_rule = finding.kind == Finding::Kind::kBrokenRule;
  nb::dict row = new_dict();
  row["kind"] = is_rule ? "broken rule" : "contradiction";
  row["graph"] = text_from(finding.graph);
  row["node"] = text_from(finding.node);
  row["value"] = text_from(finding.value);
  row["label"] = text_from(finding.status.constraint());
  row["message"] = text_from(finding.status.message());
  row["claim"] = text_from(finding.claim);
  row["text"] = text_from(to_string(finding));
  return row;
}

// What inference found apart from the values of graphs.
nb::dict rest_to_python(const Inference& inference) {
  nb::list findings = new_list();
  for (const Finding& finding : inference.findings.list)
    findings.append(finding_to_python(finding));
  nb::dict rest = new_dict();
  rest["findings"] = findings;
  rest["left_out"] = inference.findings.left_out;
  rest["notes"] = texts_to_python(inference.notes);
  return rest;
}

// Returns the reports and the rest.
nb::tuple inspect(const Model& model, const nb::dict& options, const nb::object& ask) {
  nb::list list = new_list();
  const CallOptions call = options_of(options);
  const Inference found = with_others(ask, [&](const InferOptions& infer_options) {
    return model.inspect(call, infer_options, [&list](const NodeReport& report) {
      list.append(report_to_python(report));
    });
  });
  return nb::make_tuple(list, rest_to_python(found));
}

// Returns (path, values by name) of each graph, and the rest.
nb::tuple infer(const Model& model, const nb::object& ask) {
  const Inference found =
      with_others(ask, [&](const InferOptions& options) { return model.infer(options); });
  nb::list graphs = new_list();
  for (const GraphInference& graph : found.graphs) {
    nb::dict values = new_dict();
    for (const auto& [name, value] : graph.values) values[text_from(name)] = value_to_python(value);
    graphs.append(nb::make_tuple(text_from(graph.path), values));
  }
  return nb::make_tuple(graphs, rest_to_python(found));
}

std::filesystem::path path_of(const nb::str& text) {
  const std::string path = bytes_of(text.ptr(), "path");
  // The system would use the part before it.
  if (path.find('\0') != std::string::npos) throw wrong_argument("path has a NUL character");
  return path;
}

// `bytes` is an immutable Python object, so that it may be read without the GIL.
Model parse(const nb::bytes& bytes, const nb::str& folder) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const std::filesystem::path beside = path_of(folder);
  const GilRelease released;
  return parse_model(view, beside).value();
}

Model load(const nb::str& path) {
  const std::filesystem::path file = path_of(path);
  const GilRelease released;
  return load_model(file).value();
}

// The tensors of an archive by name.
nb::dict load_archive(const nb::str& path) {
  const std::filesystem::path file = path_of(path);
  NamedTensors tensors;
  {
    const GilRelease released;
    const TensorArchive archive = TensorArchive::open(file).value();
    for (const std::string& name : archive.names())
      tensors.emplace_back(name, archive.load(name).value());
  }
  nb::dict arrays = new_dict();
  for (const auto& [name, tensor] : tensors) arrays[text_from(name)] = to_numpy(tensor);
  return arrays;
}

void save(const Model& model, const nb::str& path, const nb::str& external_data) {
  const std::filesystem::path file = path_of(path);
  const std::string data = bytes_of(external_data.ptr(), "external_data");
  const GilRelease released;
  if (Status status = save_model(model, file, data); !status) throw Error(status);
}

}  // namespace

void bind_models(nb::module_& module) {
  bind_prepared_models(module);
  nb::class_<Model>(module, "Model", nb::is_weak_referenceable())
      .def_ro("dialect", &Model::dialect)
      .def("inputs", [](const Model& model) { return values_to_python(model.inputs); })
      .def("default_inputs",
           [](const Model& model) { return values_to_python(model.default_inputs); })
      .def("outputs", [](const Model& model) { return values_to_python(model.outputs); })
      .def("nodes", &nodes_to_python)
      .def("constant", &constant)
      .def("constant_spec", &constant_spec)
      .def("unsupported", [](const Model& model) { return texts_to_python(model.unsupported()); })
      .def("infer", &infer, nb::arg("ask").none())
      .def("inspect", &inspect, nb::arg("options"), nb::arg("ask").none())
      .def("run_reference", &run_reference)
      .def("prepare", &prepare)
      .def("only_node",
           [](const Model& model, const nb::str& name) {
             return model.only_node(bytes_of(name.ptr(), "name")).value();
           })
      .def("save", &save);
  module.def("load_model", &load);
  module.def("load_archive", &load_archive);
  module.def("parse_model", &parse);
}

}  // namespace windrow::python
