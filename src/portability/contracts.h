#ifndef WINDROW_PORTABILITY_CONTRACTS_H_
#define WINDROW_PORTABILITY_CONTRACTS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/portability/rule.h"

namespace windrow::internal {

// The demands on the inputs of a model, joined over the rules that make them.
class Contracts {
 public:
  // Adds a demand that `rule` makes at the node `path` on the elements of a model's input.
  void add(const std::string& input, const Demand& demand, const std::string& rule,
           const std::string& path);

  // One contract for each input with demands, in the order of `inputs`.
  std::vector<InputContract> list(const std::vector<ValueInfo>& inputs) const;

 private:
  struct Bounds {
    std::vector<Bound> lows;  // all must hold; at most one is a number
    std::vector<Bound> highs;
    void add(const std::optional<Bound>& low, const std::optional<Bound>& high);
    // "0", "max(-4, -table.shape[0])"; empty without bounds.
    std::string low() const;
    std::string high() const;
  };
  struct Joined {
    Bounds bounds;  // of all elements
    // Of the columns along the last axis, by the number of columns.
    std::map<std::size_t, std::vector<Bounds>> columns;
    std::vector<std::string> words;
    std::vector<std::string> rules;
    std::vector<std::string> nodes;
  };
  static std::string columns_text(const Joined& joined, std::vector<Bounds> columns);
  static InputContract contract_of(const std::string& input, const Joined& joined);

  std::map<std::string, Joined, std::less<>> by_input_;
};

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CONTRACTS_H_
