#ifndef WINDROW_DIALECTS_SYMBOLIC_TEST_SUPPORT_H_
#define WINDROW_DIALECTS_SYMBOLIC_TEST_SUPPORT_H_

#include <sstream>
#include <string>
#include <vector>

#include "windrow/dim.h"

// Shapes with unknown dimensions as text, for tests of shape inference.
namespace windrow::internal {

// "2 N ?" -> the dims 2, the symbol N and an unknown one; "-" -> an unknown rank.
inline SymbolicShape symbolic(const std::string& text) {
  if (text == "-") return std::nullopt;
  std::vector<Dim> dims;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool is_number = word[0] >= '0' && word[0] <= '9';
    if (is_number) {
      dims.push_back({std::stoll(word), {}});
    } else {
      dims.push_back({-1, word == "?" ? "" : word});
    }
  }
  return dims;
}

inline std::string to_words(const SymbolicShape& dims) {
  if (!dims) return "-";
  std::string result;
  for (const Dim& dim : *dims) {
    if (!result.empty()) result += ' ';
    result += dim.is_known() ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return result;
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_SYMBOLIC_TEST_SUPPORT_H_
