#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "tests/conformance/case_files.h"
#include "tests/conformance/network_case.h"
#include "windrow/tensorrt.h"

namespace windrow::tests {
namespace {

using nlohmann::json;

bool runs_at_the_newest_release(const CaseRecord& record) {
  return std::any_of(record.versions.begin(), record.versions.end(), [](const auto& version) {
    return version.value_or(tensorrt::kNewestRelease) == tensorrt::kNewestRelease;
  });
}

// What is wrong with the outcome; empty if nothing.
std::string difference(const CaseRecord& record, const Result<Tensor>& outcome) {
  if (record.is_error != !outcome.ok())
    return outcome.ok() ? "succeeds" : "fails: " + outcome.error().message();
  if (outcome.ok()) return first_difference(record.output, *outcome, record.closeness);
  const bool fits = record.constraint.empty() || outcome.error().constraint() == record.constraint;
  return fits ? "" : "fails for another reason: " + outcome.error().message();
}

// The records of TensorRT's layers, each by TensorRT's network interface.
TEST(NetworkConformance, EveryRecordOfEveryFile) {
  int ran = 0;
  std::map<std::string, int> skipped;
  for (const auto& file : list_case_files(case_folders())) {
    for (const json& json_record : read_case_file(file)) {
      if (json_record.at("dialect") != "tensorrt") continue;
      const CaseRecord record = parse_case(json_record);
      if (!runs_at_the_newest_release(record)) continue;
      const Result<Tensor> outcome = run_as_network(record);
      if (!outcome && outcome.error().code() == ErrorCode::kUnsupported) {
        ++skipped[outcome.error().message()];
        continue;
      }
      ++ran;
      EXPECT_EQ(difference(record, outcome), "") << file << ": " << record.name;
    }
  }
  std::cout << ran << " records ran\n";
  for (const auto& [what, count] : skipped)
    std::cout << "  " << count << " skipped: the interface can't say " << what << "\n";
  EXPECT_GT(ran, 0);
}

}  // namespace
}  // namespace windrow::tests
