#include "tests/support/kernel_sets.h"

#include <cstdlib>
#include <stdexcept>

#include "windrow/operators.h"

namespace windrow::tests {
namespace {

// Whether this machine can run the set and WINDROW_TEST_KERNELS, if it is there, names it.
bool is_wanted(const KernelSet& set) {
  const char* const named = std::getenv("WINDROW_TEST_KERNELS");
  if (!set.supported || named == nullptr) return set.supported;
  return ("," + std::string(named) + ",").find("," + set.name + ",") != std::string::npos;
}

std::vector<std::string> kernel_sets(bool wanted) {
  std::vector<std::string> names;
  for (const KernelSet& set : list_kernel_sets())
    if (is_wanted(set) == wanted) names.push_back(set.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace

std::vector<std::string> supported_kernel_sets() {
  std::vector<std::string> names = kernel_sets(true);
  if (names.empty())
    throw std::invalid_argument(
        "WINDROW_TEST_KERNELS names no kernel set that this machine can run");
  return names;
}

std::string describe_kernel_sets() {
  const std::vector<std::string> missing = kernel_sets(false);
  std::string text = "kernel sets: " + joined(supported_kernel_sets());
  if (!missing.empty())
    text += "; skipped, as the machine lacks them or WINDROW_TEST_KERNELS leaves them out: " +
            joined(missing);
  return text;
}

}  // namespace windrow::tests
