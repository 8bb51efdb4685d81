#include "tools/windrow/host_models.h"

#include <cstddef>
#include <utility>

namespace windrow::tool {
namespace {

constexpr char kNever[] = "never";
constexpr char kAdvice[] =
    "; python -m windrow has the same subcommands and runs the whole model in an installed ONNX "
    "Runtime or OpenVINO";

}  // namespace

void HostModels::add_options_to(CLI::App& subcommand, const RunInHost& run_in_host) {
  run_in_host_ = &run_in_host;
  if (!run_in_host) return;
  subcommand
      .add_option("--host", host_,
                  "The runtime for models with operators that windrow does not run: onnxruntime, "
                  "openvino, or never (the first that is installed)")
      ->type_name("NAME");
}

bool HostModels::takes(const Model& model) const {
  if (run_in_host_ == nullptr || !*run_in_host_ || host_ == kNever) return false;
  return !host_.empty() || !model.unsupported().empty();
}

Result<NamedTensors> HostModels::run(const Model& model, const std::string& path,
                                     const NamedViews& inputs, const ModelRunOptions& options,
                                     const CallFlags& flags) const {
  if (!takes(model)) {
    Result<NamedTensors> outputs = model.run(inputs, options);
    if (outputs || model.unsupported().empty() || host_ == kNever) return outputs;
    return Status(outputs.error().code(), outputs.error().message() + kAdvice);
  }
  if (options.reference || flags.change_options() || options.run.listed_indices > 0) {
    return Status(ErrorCode::kInvalidArgument,
                  "the model runs in a host, where --out-of-range, --strict, --duplicates, "
                  "--kernels, --reference and --all-bad have no meaning");
  }
  Result<NamedTensors> outputs = (*run_in_host_)(path, host_, inputs, flags.thread_count());
  if (!outputs) return outputs;
  // A host may know an output of an IR by another one of its names.
  for (std::size_t i = 0; i < outputs->size() && i < model.outputs.size(); ++i)
    (*outputs)[i].first = model.outputs[i].name;
  return outputs;
}

}  // namespace windrow::tool
