#ifndef WINDROW_TESTS_ATTACK_ATTACKED_CALLS_H_
#define WINDROW_TESTS_ATTACK_ATTACKED_CALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/operators.h"

namespace windrow::tests {

// The indices of a call before they change.
enum class Begin : std::uint8_t { kRandom, kAscending, kConstantRows, kDistinct };

// An input of integers that does not change, with one value everywhere; kAbsent: it is not given.
struct FixedInput {
  DType dtype = DType::kInt64;
  Shape shape;
  std::int64_t value = 0;
};

// A call under attack: its inputs are data, indices and, of a scatter, updates. A row for each way
// in which a run reads indices; a new way joins by a row.
struct AttackedCall {
  std::string name;
  OperatorId id;
  Attributes attributes = {};
  DType dtype = DType::kFloat32;
  Shape data;
  DType index_dtype = DType::kInt64;
  Shape indices;
  Shape updates = {};       // of scatters
  std::string levers = "";  // behind the kernel set's name
  int tasks = 1;            // of a run on several threads, one after the other
  std::int64_t extent = 0;  // legal indices are [-extent, extent)
  bool in_place = false;
  Begin begin = Begin::kRandom;
  CallOptions options = {};
  // What bags and beams have between data and the attacked numbers, and behind these.
  std::vector<FixedInput> between = {};
  std::vector<FixedInput> behind = {};
};

std::vector<AttackedCall> attacked_calls();

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_ATTACK_ATTACKED_CALLS_H_
