#ifndef WINDROW_PORTABILITY_FRESH_NAMES_H_
#define WINDROW_PORTABILITY_FRESH_NAMES_H_

#include <string>
#include <string_view>

#include "windrow/models.h"

namespace windrow::internal {

// What the names of all changes begin with, before a number.
inline constexpr std::string_view kFixedNames = "windrow_fix";

// Names for new nodes and values. They begin with a prefix that no name in the model begins with.
class FreshNames {
 public:
  explicit FreshNames(const Model& model);

  // "windrow_fix1_7_less"; every call returns a new name.
  std::string make(std::string_view what);

 private:
  std::string beginning_;
  int count_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_FRESH_NAMES_H_
