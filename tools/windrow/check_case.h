#ifndef WINDROW_TOOLS_WINDROW_CHECK_CASE_H_
#define WINDROW_TOOLS_WINDROW_CHECK_CASE_H_

#include <string>
#include <vector>

#include "tools/windrow/call_flags.h"
#include "tools/windrow/cases.h"
#include "tools/windrow/compare.h"
#include "tools/windrow/host_models.h"
#include "windrow/models.h"

namespace windrow::tool {

enum class Outcome { kPass, kFail, kSkip };

struct CaseResult {
  Outcome outcome = Outcome::kPass;
  std::string reason;                    // why it failed or was skipped, one line
  std::vector<std::string> unsupported;  // of a skipped case: the operators that can't be run
  Json details;                          // of a failed comparison, else null
  ErrorSizes sizes = {};                 // of the elements that were compared
};

// How the models of cases run: `options` were made of `flags`.
struct CaseRuns {
  const ModelRunOptions& options;
  const CallFlags& flags;
  const HostModels& hosts;
};

// Runs the model of a case on its inputs and compares what it gives with the expected outputs. A
// model that can't be run because of its operators or features, or for which there is no host, is
// skipped; anything else that goes wrong is a failure.
CaseResult check_case(const Case& test, const CaseRuns& runs, const Tolerance& tolerance);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CHECK_CASE_H_
