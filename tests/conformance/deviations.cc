#include "tests/conformance/deviations.h"

#include <map>

namespace windrow::tests {

std::string deviation_reason(const std::string& record) {
  static const std::map<std::string, std::string> kDeviations{};
  const auto found = kDeviations.find(record);
  return found == kDeviations.end() ? std::string() : found->second;
}

}  // namespace windrow::tests
