#ifndef WINDROW_TESTS_CONFORMANCE_CASE_RECORD_H_
#define WINDROW_TESTS_CONFORMANCE_CASE_RECORD_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/compare.h"
#include "windrow/operators.h"

namespace windrow::tests {

// A conformance case as tests run it; cases/README.md describes the file format.
struct CaseRecord {
  std::string name;
  std::string dialect;
  std::string op;
  std::vector<std::optional<int>> versions;  // each is run; nothing stands for the newest
  Attributes attributes;
  CallOptions options;
  std::vector<Tensor> inputs;  // absent tensors for omitted ones
  bool is_error = false;
  std::string error_kind;           // empty: any error
  std::string constraint;           // empty: any label
  std::optional<IndexFault> fault;  // what an index error must say
  std::string message;              // how the text behind operator and label begins
  Tensor output;                    // without an error
  Closeness closeness;

  std::vector<TensorView> views() const;
};

// Throws std::runtime_error for what the format does not allow, with the place in the record.
CaseRecord parse_case(const nlohmann::json& json);

// A tensor of a record; `exact`, if wanted, says which elements were given as bits.
Tensor parse_tensor(const nlohmann::json& json, std::vector<bool>* exact = nullptr);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_CASE_RECORD_H_
