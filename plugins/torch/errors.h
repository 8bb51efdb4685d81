#ifndef WINDROW_PLUGINS_TORCH_ERRORS_H_
#define WINDROW_PLUGINS_TORCH_ERRORS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "windrow/c.h"

// Errors reach torch as std::runtime_error, the one kind that its stable interface knows; Python
// sees RuntimeError. registration.cc puts the operator's name in front.
namespace windrow::torch_plugin {

[[noreturn]] void fail(const std::string& text);

// "(2, 3)"
std::string shape_text(std::span<const int64_t> shape);

// Where an index is outside its range, in torch's terms.
struct BadIndex {
  std::string_view input;  // the argument's name
  std::span<const int64_t> position;
  int64_t value;
  int64_t dim;
  int64_t first;  // the smallest legal index: 0, or -extent
  int64_t extent;
  int64_t count;  // how many are outside
  std::string_view rule;
};
[[noreturn]] void fail(const BadIndex& bad);

// Throws what *error says and frees it. index_name: torch's name of the index tensor; index_rank:
// its rank as torch sees it; first_is_negative: whether indices may count from the end.
[[noreturn]] void fail(windrow_error* error, std::string_view index_name, int64_t index_rank,
                       bool first_is_negative);

}  // namespace windrow::torch_plugin

#endif  // WINDROW_PLUGINS_TORCH_ERRORS_H_
