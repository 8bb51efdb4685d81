#ifndef WINDROW_NEAREST_NAME_H_
#define WINDROW_NEAREST_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// Finds the known name that was probably meant by an unknown one: the name with the fewest changes
// of single letters, ignoring case, if they are at most half of the letters. Names of more than 256
// bytes are not compared. The work is bounded: among very many names, the last ones are not
// compared.
class NearestName {
 public:
  WINDROW_EXPORT explicit NearestName(std::string_view name);

  // Compares a known name, which is not kept.
  WINDROW_EXPORT void consider(std::string_view known);

  // The nearest known name, the first one of several; empty if none is near.
  const std::string& name() const noexcept { return nearest_; }
  // "; did you mean GatherND?", as messages end; empty if none is near.
  WINDROW_EXPORT std::string hint() const;

 private:
  std::string name_;  // in lower case
  std::string nearest_;
  std::size_t best_;   // a nearer name must need fewer changes
  std::int64_t left_;  // pairs of letters that may still be compared
};

// The hint for `name` among the names of a range.
template <class Names>
std::string nearest_hint(std::string_view name, const Names& known) {
  NearestName nearest(name);
  for (const auto& each : known) nearest.consider(each);
  return nearest.hint();
}

}  // namespace windrow

#endif  // WINDROW_NEAREST_NAME_H_
