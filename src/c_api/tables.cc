#include <string>
#include <vector>

#include "src/base/fill_before_fork.h"
#include "windrow/c.h"
#include "windrow/operators.h"

namespace {

// Made by the first call and kept, because callers hold pointers into it. Empty if memory runs out.
template <class Row>
const std::vector<Row>& kept(std::vector<Row> (*list)()) noexcept {
  static const std::vector<Row> none;
  try {
    static const std::vector<Row> rows = list();
    return rows;
  } catch (...) {
    return none;
  }
}

const std::vector<windrow::OperatorInfo>& operators() noexcept {
  return kept(&windrow::list_operators);
}

const std::vector<windrow::KernelSet>& kernel_sets() noexcept {
  return kept(&windrow::list_kernel_sets);
}

[[maybe_unused]] const bool kForkSafe = windrow::internal::fill_before_fork([] {
  operators();
  kernel_sets();
});

}  // namespace

// A literal, which is zero-terminated.
const char* windrow_version(void) { return windrow::version().data(); }

size_t windrow_operator_count(void) { return operators().size(); }

int windrow_operator_at(size_t index, windrow_operator* row) {
  if (row == nullptr || index >= operators().size()) return 0;
  const windrow::OperatorInfo& known = operators()[index];
  *row = {known.dialect.c_str(), known.domain.c_str(), known.name.c_str(),
          known.since_version,   known.until_version,  known.deprecated ? 1 : 0,
          known.scatter ? 1 : 0};
  return 1;
}

size_t windrow_kernel_set_count(void) { return kernel_sets().size(); }

const char* windrow_kernel_set_at(size_t index, int* supported) {
  if (index >= kernel_sets().size()) return nullptr;
  const windrow::KernelSet& set = kernel_sets()[index];
  if (supported != nullptr) *supported = set.supported ? 1 : 0;
  return set.name.c_str();
}
