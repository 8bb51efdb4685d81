#include "tools/windrow/check_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tools/windrow/model_inputs.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

// The files' tensors by the names of the model's values: the name in the file where the model has
// it, else the value at the file's place.
TensorsByName load_values(const std::vector<fs::path>& files,
                          const std::vector<ValueInfo>& values) {
  TensorsByName tensors;
  for (std::size_t i = 0; i < files.size(); ++i) {
    NamedTensor file = load_named_tensor(files[i]).value();
    const auto is_it = [&](const ValueInfo& value) { return value.name == file.name; };
    std::string name = file.name;
    if (std::none_of(values.begin(), values.end(), is_it)) {
      if (i >= values.size()) {
        fail(ErrorCode::kInvalidArgument,
             fmt::format("{}: the model has no value for it", files[i].filename().string()));
      }
      name = values[i].name;
    }
    if (!tensors.emplace(name, std::move(file.tensor)).second) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("{}: a second tensor for '{}'", files[i].filename().string(), name));
    }
  }
  return tensors;
}

CaseResult skipped(std::string reason, std::vector<std::string> unsupported = {}) {
  return {Outcome::kSkip, std::move(reason), std::move(unsupported), nullptr};
}

CaseResult failed(std::string reason, Json details = nullptr) {
  return {Outcome::kFail, std::move(reason), {}, std::move(details)};
}

CaseResult compare_outputs(const NamedTensors& got, const TensorsByName& expected,
                           const Tolerance& tolerance) {
  for (const auto& [name, tensor] : got) {
    const auto wanted = expected.find(name);
    if (wanted == expected.end()) continue;
    if (auto mismatch = compare(tensor, wanted->second, tolerance)) {
      Json details = {{"output", name}};
      details.update(mismatch->details);
      return failed(fmt::format("output '{}' {}", name, mismatch->text), std::move(details));
    }
  }
  return {};
}

CaseResult run_case(const Case& test, const Model& model, const ModelRunOptions& options,
                    const Tolerance& tolerance) {
  const TensorsByName inputs = load_values(test.inputs, model.inputs);
  const TensorsByName expected = load_values(test.outputs, model.outputs);
  if (expected.empty()) return failed("it has no expected output");
  const Result<NamedTensors> got = model.run(NamedViews(inputs.begin(), inputs.end()), options);
  if (!got) return failed(got.error().message());
  return compare_outputs(*got, expected, tolerance);
}

}  // namespace

CaseResult check_case(const Case& test, const ModelRunOptions& options,
                      const Tolerance& tolerance) {
  const Result<Model> model = load_model(test.model);
  if (!model && model.error().code() == ErrorCode::kUnsupported) {
    return skipped(model.error().message());
  }
  if (!model) return failed(model.error().message());
  if (const std::vector<std::string> unsupported = model->unsupported(); !unsupported.empty()) {
    std::string list;
    for (const std::string& entry : unsupported) list += (list.empty() ? "" : "; ") + entry;
    return skipped("operators that are not run here: " + list, unsupported);
  }
  for (const ValueInfo& input : model->inputs) {
    // Sequences and optional values are no tensors; the model then has no element type for them.
    if (input.dtype == DType::kAbsent) {
      return skipped(fmt::format("input '{}' is not known to be a tensor", input.name));
    }
  }
  try {
    return run_case(test, *model, options, tolerance);
  } catch (const Error& error) {
    return failed(error.status().message());
  }
}

}  // namespace windrow::tool
