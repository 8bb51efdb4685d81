#ifndef WINDROW_PORTABILITY_NOT_JUDGED_H_
#define WINDROW_PORTABILITY_NOT_JUDGED_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/portability/indexing_operators.h"
#include "src/ranges/ranges.h"
#include "windrow/check.h"

namespace windrow::internal {

// Collects what a check leaves out of the nodes that the library does not compute.
class NotJudged {
 public:
  // `model` must not change.
  explicit NotJudged(const Model& model) : model_(model) {}

  void add(const NodeFacts& facts);

  // In the order in which their first nodes were added; at most 1000.
  const std::vector<UnjudgedOperator>& operators() const noexcept { return operators_; }
  // About operators of other domains that are not known and have an input named like an index.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  bool is_function(const ModelNode& node) const;
  void count(const std::string& name, const IndexingOperator& row, std::string_view why,
             const std::string& path);

  const Model& model_;
  std::vector<UnjudgedOperator> operators_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // by operator and input
  std::vector<std::string> notes_;
  std::map<std::string, std::size_t, std::less<>> noted_;  // nodes of unknown operators
};

// Whether a value of this name is called after an index: "indices", "token_ids", "model/pos.1".
bool is_named_like_index(std::string_view value);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NOT_JUDGED_H_
