#ifndef WINDROW_TESTS_RANDOM_RECORDED_DIGESTS_H_
#define WINDROW_TESTS_RANDOM_RECORDED_DIGESTS_H_

#include <array>
#include <cstdint>
#include <ostream>
#include <vector>

namespace windrow::tests {

// What the calls of the seeds 1 to `calls` add up to.
struct DigestRow {
  std::uint64_t calls = 0;
  std::uint64_t drawn = 0;    // of the calls, add_call() one after another
  std::uint64_t results = 0;  // of their outcomes by one kernel set, add_outcome() likewise

  bool operator==(const DigestRow&) const = default;
};

// The row as a line of digests.txt.
std::ostream& operator<<(std::ostream& out, const DigestRow& row);

// The numbers of calls that have a row in digests.txt, ascending.
inline constexpr std::array<std::uint64_t, 9> kRecordedCounts = {10,   100,  200,   500,  1000,
                                                                 2000, 5000, 10000, 20000};

// The rows of digests.txt beside this file, which holds the recorded digests for every processor
// and every kernel set. Throws std::runtime_error if it cannot be read.
std::vector<DigestRow> read_recorded_digests();

// Writes digests.txt anew. Throws std::runtime_error if it cannot be written.
void write_recorded_digests(const std::vector<DigestRow>& rows);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RECORDED_DIGESTS_H_
