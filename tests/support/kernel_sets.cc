#include "tests/support/kernel_sets.h"

#include "windrow/operators.h"

namespace windrow::tests {
namespace {

std::vector<std::string> kernel_sets(bool supported) {
  std::vector<std::string> names;
  for (const KernelSet& set : list_kernel_sets())
    if (set.supported == supported) names.push_back(set.name);
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

std::vector<std::string> supported_kernel_sets() { return kernel_sets(true); }

std::string describe_kernel_sets() {
  const std::vector<std::string> missing = kernel_sets(false);
  std::string text = "kernel sets: " + joined(supported_kernel_sets());
  if (!missing.empty()) text += "; skipped, as the machine lacks them: " + joined(missing);
  return text;
}

}  // namespace windrow::tests
