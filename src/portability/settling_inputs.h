#ifndef WINDROW_PORTABILITY_SETTLING_INPUTS_H_
#define WINDROW_PORTABILITY_SETTLING_INPUTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/check.h"
#include "windrow/models.h"

namespace windrow::internal {

// Follows values back to the inputs of a model from whose elements they are computed.
class InputTrace {
 public:
  // `model` must outlive the object.
  explicit InputTrace(const Model& model);

  // The integer inputs of the main graph from whose elements the value may be computed, the nearest
  // ones first; at most `most`. Values of the same name in several graphs count as one. The inputs
  // of a function lead nowhere.
  std::vector<std::string> inputs_of(const std::string& value, std::size_t most) const;

 private:
  void add_graph(const Graph& graph);

  std::map<std::string_view, bool> is_integer_;  // the inputs of the main graph
  // For each value, the names of those from whose elements it is computed.
  std::map<std::string_view, std::vector<std::string_view>> sources_;
};

// A finding of a report with indices of which nothing is known, and their value's name.
struct OpenFinding {
  std::size_t finding;
  std::string value;
};

// Adds to open findings which inputs of the model, and which option, would settle them:
// `check_with` gives the report under other options, which shows that they do. Findings with more
// than three such inputs stay as they are.
void name_settling_inputs(const Model& model, const CheckOptions& options,
                          const std::vector<OpenFinding>& open,
                          const std::function<Result<CheckReport>(const CheckOptions&)>& check_with,
                          CheckReport& report);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_SETTLING_INPUTS_H_
