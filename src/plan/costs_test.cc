#include "src/plan/costs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

namespace windrow::internal {
namespace {

// A file with the presets, in which `from` is replaced by `to`.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = costs_text(MachineCosts(), "a processor");
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

void expect_refused(const std::string& text, const std::string& message) {
  const Result<MachineCosts> costs = parse_costs(text, "costs.txt");
  ASSERT_FALSE(costs) << message;
  EXPECT_EQ(costs.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(costs.error().message(), "'costs.txt': " + message);
}

// A file in the folder of temporary files that goes away again.
class CostFolder {
 public:
  CostFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "costs-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  CostFolder(const CostFolder&) = delete;
  CostFolder& operator=(const CostFolder&) = delete;
  ~CostFolder() { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

TEST(Costs, HaveNamesOfTheirOwnAndPresetsWithinTheBounds) {
  std::set<std::string_view> names;
  for (const CostRow& row : kCostRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(MachineCosts().*row.cost, row.preset) << row.name;
    EXPECT_GE(row.preset, kLeastCost);
    EXPECT_LE(row.preset, kMostCost);
  }
}

TEST(Costs, WhatIsWrittenIsReadAgain) {
  MachineCosts costs;
  double next = 0.1;
  for (const CostRow& row : kCostRows) costs.*row.cost = next *= 1.7;
  const MachineCosts read = parse_costs(costs_text(costs, "x\ny\x1b"), "f").value();
  for (const CostRow& row : kCostRows) EXPECT_EQ(read.*row.cost, costs.*row.cost) << row.name;
}

TEST(Costs, CommentsBlanksAndLineEndsDoNotMatter) {
  const MachineCosts costs =
      parse_costs(changed("row_byte 0.04", " \t row_byte \t 7e-2# ten\r\n\n  # row 5"), "f")
          .value();
  EXPECT_EQ(costs.row_byte, 0.07);
  EXPECT_EQ(costs.row, MachineCosts().row);
}

TEST(Costs, ValuesAreNumbersWithinTheBounds) {
  for (const char* value :
       {"nan", "-1", "0", "inf", "1e10", "1e-7", "1e999", "1,5", "0x1", "2 ns", "+1", "--1", "one"})
    expect_refused(
        changed("row_byte 0.04", "row_byte " + std::string(value)),
        "line 11: row_byte is '" + std::string(value) + "', must be a number from 1e-06 to 1e+09");
  expect_refused(changed("row_byte 0.04", "row_byte"),
                 "line 11: row_byte is '', must be a number from 1e-06 to 1e+09");
  expect_refused(changed("row_byte 0.04", "row_byte " + std::string(60, '9')),
                 "line 11: row_byte is '" + std::string(40, '9') +
                     "..', must be a number from 1e-06 to 1e+09");
}

TEST(Costs, EachNameStandsOnce) {
  expect_refused(changed("row_byte", "row_bite"),
                 "line 11: there is no cost 'row_bite'; did you mean row_byte?");
  expect_refused(changed("row_byte", "row"), "line 11: row already stands in line 10");
  expect_refused(changed("row_byte", "# row_byte"),
                 "the cost row_byte is missing; a file names every cost");
}

TEST(Costs, TheFirstLineNamesTheVersion) {
  const std::string rule = ", must begin with 'windrow costs 1', the version of the format";
  expect_refused(changed("costs 1", "costs 2"),
                 "line 1: is 'windrow costs 2, measured on a processor'" + rule);
  expect_refused(changed("costs 1", "costs 12"),
                 "line 1: is 'windrow costs 12, measured on a processo..'" + rule);
  expect_refused("", "line 1: is ''" + rule);
  expect_refused(std::string("\0\xff\n", 3), "line 1: is '\\0\\xff'" + rule);
}

TEST(Costs, FilesAreOrdinaryAndSmall) {
  const CostFolder folder;
  EXPECT_EQ(load_costs(folder.write("good", changed("row 0.75", "row 3"))).value().row, 3);
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const std::string huge(kMostCostBytes + 1, '\n');
  const struct {
    std::string path;
    std::string message;
  } cases[] = {{folder.path("absent"), "No such file or directory"},
               {folder.path(""), "is not an ordinary file"},
               {folder.path("pipe"), "is not an ordinary file"},
               {"/dev/zero", "is not an ordinary file"},
               {folder.write("huge", costs_text({}, "p") + huge), "has more than 65536 bytes"}};
  for (const auto& each : cases) {
    const Result<MachineCosts> costs = load_costs(each.path);
    ASSERT_FALSE(costs) << each.path;
    EXPECT_EQ(costs.error().code(), ErrorCode::kIo);
    EXPECT_EQ(costs.error().message(), "'" + each.path + "': " + each.message);
  }
}

// Runs `check` in a process of its own, for which WINDROW_COSTS names the file. That process makes
// the file again, in a folder that is removed here.
void in_process_with(const std::string& path, void (*check)()) {
  EXPECT_EXIT(
      {
        setenv("WINDROW_COSTS", path.c_str(), 1);
        check();
        std::filesystem::remove_all(std::filesystem::path(path).parent_path());
        _exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Costs, AProcessReadsItsFileOnce) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const CostFolder folder;
  in_process_with(folder.write("costs", changed("row 0.75", "row 3")), [] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([] { EXPECT_EQ(machine_costs().row, 3); });
    for (std::thread& thread : threads) thread.join();
    std::ofstream(std::getenv("WINDROW_COSTS")) << "no longer costs";
    EXPECT_EQ(machine_costs().row, 3);
    EXPECT_TRUE(chosen_costs());
  });
}

TEST(Costs, AChildHasTheCostsThatItsParentHad) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const CostFolder folder;
  in_process_with(folder.write("costs", changed("row 0.75", "row 3")), [] {
    const pid_t child = fork();
    if (child == 0) {
      unsetenv("WINDROW_COSTS");
      _exit(machine_costs().row == 3 ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(machine_costs().row, 3);
  });
}

TEST(Costs, ABadFileIsAnErrorAndLeavesThePresets) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const CostFolder folder;
  in_process_with(folder.write("costs", changed("row 0.75", "row nan")), [] {
    ASSERT_FALSE(chosen_costs());
    const std::string message = chosen_costs().error().message();
    EXPECT_EQ(message.rfind("WINDROW_COSTS: '", 0), 0U) << message;
    EXPECT_EQ(machine_costs().row, MachineCosts().row);
  });
}

}  // namespace
}  // namespace windrow::internal
