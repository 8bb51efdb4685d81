#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tests/conformance/case_files.h"
#include "tests/conformance/check_case.h"
#include "tests/support/kernel_sets.h"

namespace windrow::tests {
namespace {

using nlohmann::json;

// The outcomes of the records of one file.
struct Tally {
  int records = 0;                     // that ran
  int runs = 0;                        // records times versions
  std::map<std::string, int> skipped;  // by reason
};

std::set<std::pair<std::string, std::string>> known_operators() {
  std::set<std::pair<std::string, std::string>> known;
  for (const OperatorInfo& info : list_operators()) known.emplace(info.dialect, info.name);
  return known;
}

// Why a record is skipped in this run; empty if it is not.
std::string skip_reason(const json& record) {
  static const auto known = known_operators();
  const auto dialect = record.at("dialect").get<std::string>();
  const auto op = record.at("op").get<std::string>();
  if (known.count({dialect, op}) == 0) return dialect + "." + op + " is not in the library";
  if (record.value("error_kind", "") == "unsupported") return "unsupported by its own runtime";
  return {};
}

void run_record(const json& record, Tally& tally) {
  const std::string reason = skip_reason(record);
  if (!reason.empty()) {
    ++tally.skipped[reason];
    return;
  }
  const CaseRecord parsed = parse_case(record);
  ++tally.records;
  for (const std::optional<int>& version : parsed.versions) {
    ++tally.runs;
    const std::string difference = check_case(parsed, version);
    EXPECT_EQ(difference, "") << parsed.name << ", " << parsed.dialect << "." << parsed.op
                              << " version " << (version ? std::to_string(*version) : "newest");
  }
}

void print(const std::string& file, const Tally& tally) {
  std::cout << file << ": " << tally.records << " records ran (" << tally.runs
            << " runs, each by every witness)\n";
  for (const auto& [reason, count] : tally.skipped)
    std::cout << "  " << count << " skipped: " << reason << "\n";
}

TEST(Conformance, EveryRecordOfEveryFile) {
  std::cout << describe_kernel_sets() << "\n";
  Tally total;
  for (const auto& file : list_case_files(case_folders())) {
    Tally tally;
    for (const json& record : read_case_file(file)) {
      SCOPED_TRACE(file.string());
      ASSERT_NO_THROW(run_record(record, tally)) << record.value("name", "without a name");
    }
    print(file.string(), tally);
    total.records += tally.records;
    total.runs += tally.runs;
    for (const auto& [reason, count] : tally.skipped) total.skipped[reason] += count;
  }
  print("all files", total);
  RecordProperty("records", total.records);
  EXPECT_GT(total.records, 0);
}

}  // namespace
}  // namespace windrow::tests
