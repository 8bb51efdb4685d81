#ifndef WINDROW_ACCESS_OPERATION_H_
#define WINDROW_ACCESS_OPERATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/access/access_map.h"
#include "windrow/dtype.h"
#include "windrow/shape.h"

namespace windrow::internal {

// How a scatter combines a cell with an update.
enum class Combine : std::uint8_t { kAssign, kAdd, kMul, kMin, kMax };

// What an operator's builder makes of attributes and input specs: everything the plan needs.
struct Operation {
  AccessMap map;
  bool scatter = false;
  int data_input = 0;     // gather: the indirect tensor; scatter: what the output starts as
  int updates_input = 0;  // scatter: the direct tensor
  Combine combine = Combine::kAssign;
  bool refuse_duplicates = false;
  DType dtype = DType::kAbsent;  // of data, updates and result
  Shape result_shape;            // may regroup the direct shape (gather)
  std::vector<std::string> notes;
  std::vector<std::string> input_names;  // the specification's, for messages
  std::string operator_name;             // "onnx.Gather-13"
  std::string index_constraint;          // label of the rule that a bad index breaks
  std::string duplicate_constraint;      // label of the rule that a duplicate breaks
};

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_OPERATION_H_
