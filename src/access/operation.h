#ifndef WINDROW_ACCESS_OPERATION_H_
#define WINDROW_ACCESS_OPERATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/access/access_map.h"
#include "windrow/dtype.h"
#include "windrow/shape.h"

namespace windrow::internal {

// How a scatter combines a cell with an update. kMean folds a sum; at the end each cell that was
// written is divided by the number of its updates, with which its own value is counted if the fold
// started with it.
enum class Combine : std::uint8_t { kAssign, kAdd, kSub, kMul, kMin, kMax, kMean };

// What an operator's builder makes of attributes and input specs: everything the plan needs.
struct Operation {
  AccessMap map;
  bool scatter = false;
  // Gather: the indirect tensor; scatter: what the output starts as; negative: a reduction whose
  // cells all start with its identity, written or not, where from_data must be false.
  int data_input = 0;
  int updates_input = 0;  // scatter: the direct tensor
  // The updates have another shape than the loops, to which they broadcast by NumPy's rules.
  bool updates_broadcast = false;
  Combine combine = Combine::kAssign;
  // A reduction starts with the cell of data; else with the reduction's neutral value, and a mean
  // does not count the cell.
  bool from_data = true;
  bool refuse_duplicates = false;
  DType dtype = DType::kAbsent;  // of data, updates and result
  Shape result_shape;            // may regroup the direct shape (gather)
  // A scatter whose output starts as one element of data everywhere, and whose points all take one
  // element of updates (OneHot's values); negative: the tensors themselves.
  std::int64_t data_element = -1;
  std::int64_t updates_element = -1;
  int ascending_input = -1;  // an index tensor of rank 1 whose values must not fall; negative: none
  // Inputs whose value the addresses depend on: a run must give the value of their spec.
  std::vector<int> fixed_inputs;
  std::vector<std::string> notes;
  std::vector<std::string> input_names;  // the specification's, for messages
  std::string operator_name;             // "onnx.Gather-13"
  std::string index_constraint;          // label of the rule that a bad index breaks
  std::string duplicate_constraint;      // label of the rule that a duplicate breaks
  std::string order_constraint;          // label of the rule that a falling index breaks
};

// Whether the output of a scatter starts as its data, so that it may run in place.
inline bool starts_as_data(const Operation& operation) noexcept {
  return operation.scatter && operation.data_input >= 0 && operation.data_element < 0;
}

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_OPERATION_H_
