#ifndef WINDROW_PLUGINS_TORCH_ERRORS_H_
#define WINDROW_PLUGINS_TORCH_ERRORS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "windrow/c.h"

// Errors reach torch as std::runtime_error, the only kind that its stable interface has; Python
// sees RuntimeError. registration.cc puts the operator's name in front.
namespace windrow::torch_plugin {

[[noreturn]] void fail(const std::string& text);

// A shape as text: "(2, 3)".
std::string shape_text(std::span<const int64_t> shape);

// An index that is out of range, in torch's terms.
struct BadIndex {
  std::string_view input;  // the argument's name
  std::span<const int64_t> position;
  int64_t value;
  int64_t dim;
  int64_t first;  // the smallest legal index: 0, or -extent
  int64_t extent;
  int64_t count;  // number of indices that are out of range
  std::string_view rule;
};
[[noreturn]] void fail(const BadIndex& bad);

// Throws the text of *error and frees it. index_name: torch's name of the index tensor; index_rank:
// its rank in torch; first_is_negative: whether indices may count from the end.
[[noreturn]] void fail(windrow_error* error, std::string_view index_name, int64_t index_rank,
                       bool first_is_negative);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_ERRORS_H_
