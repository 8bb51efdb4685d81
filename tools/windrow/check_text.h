#ifndef WINDROW_TOOLS_WINDROW_CHECK_TEXT_H_
#define WINDROW_TOOLS_WINDROW_CHECK_TEXT_H_

#include <string>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "windrow/models.h"

namespace windrow::tool {

// Options that let inference ask `hooks` about other operators. Without a hook, a note says which
// program has one.
InferOptions infer_options(const Model& model, const CommandHooks& hooks, const std::string& words);

// A node's path as it is shown: without "main/".
std::string shown_path(const std::string& path);

// Broken rules, contradictions and notes, if there are any.
void print_findings(Console& console, const Inference& found);
Json findings_json(const Findings& findings);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_TEXT_H_
