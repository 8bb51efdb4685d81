#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/random/call_digest.h"
#include "tests/random/recorded_digests.h"
#include "tests/support/kernel_sets.h"

namespace windrow::tests {
namespace {

constexpr std::uint64_t kCalls = 2000;

bool records() { return std::getenv("WINDROW_DIGEST_RECORD") != nullptr; }

std::uint64_t wanted_calls() {
  if (records()) return kRecordedCounts.back();
  const char* text = std::getenv("WINDROW_DIGEST_CALLS");
  return text == nullptr ? kCalls : std::strtoull(text, nullptr, 10);
}

// The digests of the first calls: of the calls, and of their results by each kernel set.
class DigestRun {
 public:
  DigestRun() : sets_(supported_kernel_sets()), results_(sets_.size()) {}

  void run_next() {
    const RandomCall call = make_random_call(++calls_);
    add_call(call, drawn_);
    for (std::size_t i = 0; i < sets_.size(); ++i) add_outcome(call, sets_[i], results_[i]);
  }
  const std::vector<std::string>& sets() const { return sets_; }
  DigestRow row(std::size_t set) const { return {calls_, drawn_.value(), results_[set].value()}; }

 private:
  std::uint64_t calls_ = 0;
  std::vector<std::string> sets_;
  Digest drawn_;
  std::vector<Digest> results_;
};

// The rows of each kernel set at every number of calls that is recorded, as far as `calls` goes.
// Writes the last set's row after every call to the file that WINDROW_DIGEST_LOG names: where two
// machines differ, so do the files from the first such call on.
std::vector<std::vector<DigestRow>> run_calls(DigestRun& run, std::uint64_t calls) {
  std::vector<std::vector<DigestRow>> rows(run.sets().size());
  std::ofstream log;
  if (const char* file = std::getenv("WINDROW_DIGEST_LOG")) log.open(file);
  for (std::uint64_t call = 1; call <= calls; ++call) {
    run.run_next();
    if (log.is_open()) log << run.row(rows.size() - 1) << std::endl;
    if (std::find(kRecordedCounts.begin(), kRecordedCounts.end(), call) == kRecordedCounts.end())
      continue;
    for (std::size_t set = 0; set < rows.size(); ++set) rows[set].push_back(run.row(set));
  }
  return rows;
}

TEST(RandomDigest, EveryKernelSetGivesTheRecordedResults) {
  DigestRun run;
  const std::vector<std::vector<DigestRow>> seen = run_calls(run, wanted_calls());
  ASSERT_FALSE(seen.front().empty()) << "fewer calls than any that is recorded";
  const std::string reached = std::to_string(seen.front().back().calls);
  RecordProperty("random_calls", reached);
  std::cout << "random calls with a digest: " << reached << "; " << describe_kernel_sets() << "\n"
            << seen.front().back() << "\n";
  std::vector<DigestRow> recorded = records() ? seen.front() : read_recorded_digests();
  ASSERT_GE(recorded.size(), seen.front().size());
  recorded.resize(seen.front().size());
  for (std::size_t set = 0; set < seen.size(); ++set)
    EXPECT_EQ(seen[set], recorded)
        << run.sets()[set] << ": if the operators, their messages or what is drawn were meant to "
        << "change, ./dev generate records new digests; if not, WINDROW_DIGEST_LOG finds the call";
  if (records() && !HasFailure()) write_recorded_digests(recorded);
}

std::uint64_t digest_of(std::string_view bytes) {
  Digest digest;
  digest.add_bytes(bytes);
  return digest.value();
}

// The values of the hash's authors; the last is of a byte that is negative as a signed char.
TEST(Digest, IsFnv1a) {
  EXPECT_EQ(digest_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(digest_of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(digest_of("foobar"), 0x85944171f73967e8U);
  EXPECT_EQ(digest_of("\xff"), 0xaf64724c8602eb6eU);
}

std::uint64_t digest_of(const TensorView& tensor) {
  Digest digest;
  add_tensor(tensor, digest);
  return digest.value();
}

TEST(Digest, OfATensorDependsOnTypeShapeAndEveryBit) {
  const Tensor tensor = Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  const std::uint64_t digest = digest_of(tensor.view());
  EXPECT_EQ(digest, digest_of(Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4}).view()));
  EXPECT_NE(digest, digest_of(Tensor::of<std::int32_t>({4}, {1, 2, 3, 4}).view()));
  EXPECT_NE(digest, digest_of(Tensor::of<std::uint32_t>({2, 2}, {1, 2, 3, 4}).view()));
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto last = static_cast<std::int32_t>(4U ^ (1U << bit));
    EXPECT_NE(digest, digest_of(Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, last}).view())) << bit;
  }
}

TEST(Digest, OfATensorDoesNotDependOnItsStrides) {
  const std::int32_t memory[] = {1, 2, 3, 4};
  const TensorView columns(DType::kInt32, {2, 2}, Strides{4, 8}, memory);
  EXPECT_EQ(digest_of(columns), digest_of(Tensor::of<std::int32_t>({2, 2}, {1, 3, 2, 4}).view()));
}

TEST(Digest, OfAnErrorDependsOnItsMessageAndLabel) {
  const auto of = [](const std::string& message, const std::string& label) {
    Digest digest;
    add_error(Status(ErrorInfo{ErrorCode::kShape, message, "onnx.Gather-13", label, nullptr}),
              digest);
    return digest.value();
  };
  EXPECT_EQ(of("a", "C1"), of("a", "C1"));
  EXPECT_NE(of("a", "C1"), of("b", "C1"));
  EXPECT_NE(of("a", "C1"), of("a", "C2"));
}

}  // namespace
}  // namespace windrow::tests
