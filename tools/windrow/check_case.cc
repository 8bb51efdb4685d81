#include "tools/windrow/check_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "windrow/tensor_archive.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

// The number of a tensor that has only a name.
constexpr unsigned kNoNumber = std::numeric_limits<unsigned>::max();

// A .npy file has no name, and may need to be told the type of its bits.
NamedTensor load_file(const fs::path& path, DType expected) {
  if (path.extension() == ".npy") return {{}, load_tensor(path, expected).value()};
  return load_named_tensor(path).value();
}

// Tensors by the positions of the model's values.
using TensorsByPosition = std::map<std::size_t, Tensor>;

// The position of the value that a file is for: the one of the name in the file where the model has
// it, else the one of the file's number.
std::size_t position_of(const fs::path& path, unsigned number, const std::string& name,
                        const std::vector<ValueInfo>& values) {
  const auto is_it = [&](const ValueInfo& value) { return value.name == name; };
  const auto found = std::find_if(values.begin(), values.end(), is_it);
  if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
  if (number < values.size()) return number;
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{}: the model has no value for {}", path.filename().string(),
                   number == kNoNumber ? "'" + name + "'" : "it"));
}

void add_value(const fs::path& path, std::size_t position, const std::vector<ValueInfo>& values,
               Tensor tensor, TensorsByPosition& tensors) {
  if (!tensors.emplace(position, std::move(tensor)).second)
    fail(ErrorCode::kInvalidArgument, fmt::format("{}: a second tensor for '{}'",
                                                  path.filename().string(), values[position].name));
}

// The tensors of numbered files, and those of an archive by their names.
TensorsByPosition load_values(const std::map<unsigned, fs::path>& files, const fs::path& archive,
                              const std::vector<ValueInfo>& values) {
  TensorsByPosition tensors;
  for (const auto& [number, path] : files) {
    NamedTensor file =
        load_file(path, number < values.size() ? values[number].dtype : DType::kAbsent);
    const std::size_t position = position_of(path, number, file.name, values);
    add_value(path, position, values, std::move(file.tensor), tensors);
  }
  if (archive.empty()) return tensors;
  const TensorArchive named = TensorArchive::open(archive).value();
  for (const std::string& name : named.names()) {
    const std::size_t position = position_of(archive, kNoNumber, name, values);
    add_value(archive, position, values, named.load(name, values[position].dtype).value(), tensors);
  }
  return tensors;
}

CaseResult skipped(std::string reason, std::vector<std::string> unsupported = {}) {
  return {Outcome::kSkip, std::move(reason), std::move(unsupported), nullptr, {}};
}

// A lack of memory says nothing about the case, so it is an error of the command.
void require_memory(const Status& status) {
  if (status.code() == ErrorCode::kOutOfMemory) throw Error(status);
}

CaseResult failed(std::string reason) {
  return {Outcome::kFail, std::move(reason), {}, nullptr, {}};
}

CaseResult compare_outputs(const NamedTensors& got, const TensorsByPosition& expected,
                           const Tolerance& tolerance) {
  CaseResult result;
  for (const auto& [position, wanted] : expected) {
    const auto& [name, tensor] = got[position];
    const auto mismatch = compare(tensor, wanted, tolerance, result.sizes);
    if (!mismatch || result.outcome == Outcome::kFail) continue;
    result.outcome = Outcome::kFail;
    result.reason = fmt::format("output '{}' {}", name, mismatch->text);
    result.details = {{"output", name}};
    result.details.update(mismatch->details);
  }
  return result;
}

CaseResult run_case(const Case& test, const Model& model, const CaseRuns& runs,
                    const Tolerance& tolerance) {
  const TensorsByPosition given = load_values(test.inputs, test.input_archive, model.inputs);
  const TensorsByPosition expected = load_values(test.outputs, test.output_archive, model.outputs);
  if (expected.empty()) return failed("it has no expected output");
  NamedViews inputs;
  for (const auto& [position, tensor] : given) inputs.emplace(model.inputs[position].name, tensor);
  const Result<NamedTensors> got =
      runs.hosts.run(model, test.model.string(), inputs, runs.options, runs.flags);
  require_memory(got.error());
  if (!got && got.error().code() == ErrorCode::kUnsupported && runs.hosts.takes(model))
    return skipped(got.error().message(), model.unsupported());
  if (!got) return failed(got.error().message());
  return compare_outputs(*got, expected, tolerance);
}

}  // namespace

CaseResult check_case(const Case& test, const CaseRuns& runs, const Tolerance& tolerance) {
  const Result<Model> model = load_model(test.model);
  require_memory(model.error());
  if (!model && model.error().code() == ErrorCode::kUnsupported) {
    return skipped(model.error().message());
  }
  if (!model) return failed(model.error().message());
  const std::vector<std::string> unsupported = model->unsupported();
  const bool in_host = runs.hosts.takes(*model) && !runs.flags.change_options();
  if (!unsupported.empty() && !in_host) {
    std::string list;
    for (const std::string& entry : unsupported) list += (list.empty() ? "" : "; ") + entry;
    return skipped("operators that are not run here: " + list, unsupported);
  }
  for (const ValueInfo& input : model->inputs) {
    // Sequences and optional values are not tensors; the model then has no element type for them.
    if (input.dtype == DType::kAbsent) {
      return skipped(fmt::format("input '{}' is not known to be a tensor", input.name));
    }
  }
  try {
    return run_case(test, *model, runs, tolerance);
  } catch (const Error& error) {
    require_memory(error.status());
    return failed(error.status().message());
  }
}

}  // namespace windrow::tool
