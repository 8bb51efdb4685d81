#include "tools/windrow/findings.h"

#include <fmt/core.h>

namespace windrow::tool {
namespace {

const char* kind_name(Finding::Kind kind) {
  return kind == Finding::Kind::kBrokenRule ? "broken rule" : "contradiction";
}

}  // namespace

InferOptions infer_options(const Model& model, const CommandHooks& hooks,
                           const std::string& words) {
  InferOptions options;
  if (model.dialect != "onnx") return options;
  options.infer_others = hooks.infer_others;
  if (!options.infer_others) {
    const std::string lack = fmt::format(
        "this is the native command, which does not infer types and shapes of other "
        "operators, so that findings may stay open; with the package onnx, "
        "python -m windrow {} infers them",
        words);
    options.infer_others = [lack](const Model&) -> Result<GraphValueInfos> {
      return Status(ErrorCode::kUnsupported, lack);
    };
  }
  return options;
}

std::string shown_path(const std::string& path) {
  return path.starts_with("main/") ? path.substr(5) : path;
}

void print_findings(Console& console, const Inference& found) {
  const Findings& findings = found.findings;
  if (!findings.list.empty()) {
    console.print_line("");
    console.print_line({Paint::kHeading, "broken rules and contradictions:"});
  }
  for (const Finding& finding : findings.list) console.print_line({"  ", to_string(finding)});
  if (findings.left_out > 0) console.print_line(fmt::format("  and {} more", findings.left_out));
  if (!found.notes.empty()) console.print_line("");
  for (const std::string& note : found.notes) console.print_line({"note: ", note});
}

Json findings_json(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings.list) {
    list.push_back({{"kind", kind_name(finding.kind)},
                    {"graph", finding.graph},
                    {"node", finding.node},
                    {"value", finding.value},
                    {"label", finding.status.constraint()},
                    {"message", finding.status.message()},
                    {"claim", finding.claim}});
  }
  return list;
}

}  // namespace windrow::tool
