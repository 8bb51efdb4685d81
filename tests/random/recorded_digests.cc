#include "tests/random/recorded_digests.h"

#include <fstream>
#include <iomanip>
#include <ios>
#include <sstream>
#include <stdexcept>
#include <string>

namespace windrow::tests {
namespace {

constexpr const char* kFile = WINDROW_RECORDED_DIGESTS;
constexpr const char* kHeading =
    "# Digests of random calls, which every processor and every kernel set must give.\n"
    "# Number of calls, from seed 1; 64-bit FNV-1a hash of the calls; that of their results.\n"
    "# Written by ./dev generate; compared by digest_test.cc.\n";

}  // namespace

std::ostream& operator<<(std::ostream& out, const DigestRow& row) {
  std::ostringstream text;  // so that `out` keeps its own format
  text << row.calls << std::hex << std::setfill('0') << " 0x" << std::setw(16) << row.drawn << " 0x"
       << std::setw(16) << row.results;
  return out << text.str();
}

std::vector<DigestRow> read_recorded_digests() {
  std::ifstream file(kFile);
  if (!file) throw std::runtime_error(std::string(kFile) + " cannot be opened");
  std::vector<DigestRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    DigestRow row;
    if (!(words >> row.calls >> std::hex >> row.drawn >> row.results))
      throw std::runtime_error(std::string(kFile) + ": expected three numbers: " + line);
    rows.push_back(row);
  }
  return rows;
}

void write_recorded_digests(const std::vector<DigestRow>& rows) {
  std::ofstream file(kFile);
  file << kHeading;
  for (const DigestRow& row : rows) file << row << "\n";
  if (!file.flush()) throw std::runtime_error(std::string(kFile) + " cannot be written");
}

}  // namespace windrow::tests
