#ifndef WINDROW_NEAREST_NAME_H_
#define WINDROW_NEAREST_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// Finds the name that was probably meant by one that is not known: that of the fewest changes of
// single letters, letter case aside, if they are no more than half of the letters. Names of more
// than 256 bytes are not compared. The work is bounded, however many names are considered: of very
// many, the last are not compared.
class NearestName {
 public:
  WINDROW_EXPORT explicit NearestName(std::string_view name);

  // Compares a known name, which need not live on.
  WINDROW_EXPORT void consider(std::string_view known);

  // The nearest of them, the first of several; empty if none is near.
  const std::string& name() const noexcept { return nearest_; }
  // "; did you mean GatherND?", as messages end; empty if none is near.
  WINDROW_EXPORT std::string hint() const;

 private:
  std::string name_;  // in lower case
  std::string nearest_;
  std::size_t best_;   // changes that a nearer name must be below
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
