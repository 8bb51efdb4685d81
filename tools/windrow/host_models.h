#ifndef WINDROW_TOOLS_WINDROW_HOST_MODELS_H_
#define WINDROW_TOOLS_WINDROW_HOST_MODELS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "tools/windrow/call_flags.h"
#include "tools/windrow/command.h"
#include "windrow/models.h"

namespace windrow::tool {

// Runs models for a subcommand. One with operators that Windrow does not have runs in a host, if
// the program that contains the command offers one; otherwise `run_in_host` is empty.
class HostModels {
 public:
  // Adds --host if there are hosts. `run_in_host` must outlive this object.
  void add_options_to(CLI::App& subcommand, const RunInHost& run_in_host);

  // Whether a host runs this model: because of its operators, or because --host names one.
  bool takes(const Model& model) const;

  // Runs the model of the file `path`, in a host if one takes it. Outputs in the graph's order.
  // `flags` are those that `options` were made of. Errors: those of Model::run; kUnsupported
  // without a host, kInvalidArgument with a host's own message or for flags that hosts do not have.
  Result<NamedTensors> run(const Model& model, const std::string& path, const NamedViews& inputs,
                           const ModelRunOptions& options, const CallFlags& flags) const;

 private:
  std::string host_;
  const RunInHost* run_in_host_ = nullptr;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_HOST_MODELS_H_
