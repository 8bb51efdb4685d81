#ifndef WINDROW_PORTABILITY_ROWS_H_
#define WINDROW_PORTABILITY_ROWS_H_

#include <string>
#include <vector>

#include "src/portability/judges.h"
#include "src/portability/rule.h"

// The rows of the rules, a file for each part, and the words in which they are written.
namespace windrow::internal {

// An effect that was seen here. `runtime`: "onnxruntime:cpu", of the release that is installed.
RuleEffect ran(const char* runtime, Severity severity, const char* effect);
// An effect that `source` tells. Versions as in RuleEffect.
RuleEffect read(const char* runtime, Severity severity, const char* effect, const char* source,
                const char* since = "", const char* until = "");

std::vector<RuleRow> index_rows();

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_ROWS_H_
