#ifndef WINDROW_PORTABILITY_CONTRACTS_H_
#define WINDROW_PORTABILITY_CONTRACTS_H_

#include <map>
#include <string>
#include <vector>

#include "src/portability/rule.h"

namespace windrow::internal {

// What the inputs of a model must keep to, joined over the rules that ask for it.
class Contracts {
 public:
  // Adds what `rule` at the node `path` asks of the elements of a model's input.
  void add(const std::string& input, const Demand& demand, const std::string& rule,
           const std::string& path);

  // One for each input, in the order of `inputs`.
  std::vector<InputContract> list(const std::vector<ValueInfo>& inputs) const;

 private:
  struct Joined {
    std::vector<Bound> lows;  // all of them hold, at most one of them a number
    std::vector<Bound> highs;
    std::vector<std::string> words;
    std::vector<std::string> rules;
    std::vector<std::string> nodes;
  };
  static InputContract contract_of(const std::string& input, const Joined& joined);

  std::map<std::string, Joined, std::less<>> by_input_;
};

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CONTRACTS_H_
