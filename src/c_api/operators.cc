#include "windrow/operators.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "src/base/memory.h"
#include "src/c_api/error.h"
#include "src/c_api/tensors.h"
#include "src/operators/operator_row.h"
#include "windrow/c.h"
#include "windrow/c_operators.h"

namespace windrow::internal {
namespace {

// A row and the memory that C callers read.
struct Row {
  OperatorInfo info;
  std::vector<std::vector<windrow_dtype>> dtypes;  // of each input
  std::vector<windrow_operator_attribute> attributes;
};

windrow_attribute to_c(const std::string& name, const AttributeValue& value) {
  windrow_attribute result{};
  result.name = name.c_str();
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::int64_t> || std::is_same_v<Held, bool>) {
          result.kind = WINDROW_ATTRIBUTE_INT;
          result.int_value = held;
        } else if constexpr (std::is_same_v<Held, double>) {
          result.kind = WINDROW_ATTRIBUTE_FLOAT;
          result.float_value = held;
        } else if constexpr (std::is_same_v<Held, std::string>) {
          result.kind = WINDROW_ATTRIBUTE_STRING;
          result.string_value = held.c_str();
        } else if constexpr (std::is_same_v<Held, std::vector<std::int64_t>>) {
          result.kind = WINDROW_ATTRIBUTE_INTS;
          result.ints = held.data();
          result.ints_count = held.size();
        }
      },
      value);
  return result;
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  for (OperatorInfo& info : list_operators()) rows.push_back({std::move(info), {}, {}});
  for (Row& row : rows) {
    for (const OperatorInput& input : row.info.inputs) {
      auto& dtypes = row.dtypes.emplace_back();
      for (const DType dtype : input.dtypes) dtypes.push_back(internal::to_c(dtype));
    }
    for (const OperatorAttribute& attribute : row.info.attributes)
      row.attributes.push_back(
          {to_c(attribute.name, attribute.default_value), attribute.required ? 1 : 0});
  }
  return rows;
}

// The row with that number. Returns null if there is none or memory runs out.
const Row* row_at(std::size_t number) noexcept {
  try {
    static const std::vector<Row> rows = make_rows();
    return number < rows.size() ? &rows[number] : nullptr;
  } catch (...) {
    return nullptr;
  }
}

[[maybe_unused]] const bool kForkSafe =
    internal::fill_before_fork([] { static_cast<void>(row_at(0)); });

Result<SymbolicShape> read_partial_shape(const windrow_partial_shape& shape) {
  if (shape.rank < WINDROW_OMITTED_INPUT)
    return invalid_argument("rank is " + std::to_string(shape.rank) + ", must be at least -2");
  if (shape.rank < 0) return SymbolicShape();
  if (shape.rank > kMaxRank)
    return Status(ErrorCode::kShape, "rank is " + std::to_string(shape.rank) +
                                         ", must be at most " + std::to_string(kMaxRank));
  if (shape.rank > 0 && shape.extents == nullptr) return invalid_argument("extents is null");
  std::vector<Dim> dims(static_cast<std::size_t>(shape.rank));
  for (std::size_t axis = 0; axis < dims.size(); ++axis) dims[axis].value = shape.extents[axis];
  return SymbolicShape(std::move(dims));
}

struct InferArguments {
  const windrow_attribute* attributes;
  std::size_t attribute_count;
  const windrow_partial_shape* inputs;
  const std::int64_t* const* values;
  std::size_t input_count;
};

// The number of integers in the value of an input of that shape.
std::int64_t value_count(const SymbolicShape& shape) {
  const std::optional<Dim> count = shape ? product(*shape) : std::nullopt;
  return count && count->is_known() && count->value <= kMostFixed ? count->value : 1;
}

Result<SymbolicShape> infer_from_c(const OperatorInfo& info, const InferArguments& arguments) {
  if (arguments.inputs == nullptr && arguments.input_count > 0)
    return invalid_argument("inputs is null");
  Result<Attributes> attributes = read_attributes(arguments.attributes, arguments.attribute_count);
  if (!attributes) return attributes.error();
  std::vector<SymbolicShape> shapes;
  std::vector<KnownValue> values(arguments.input_count);
  std::vector<OperandType> given(info.inputs.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    given[i].is_given = i < arguments.input_count
                            ? arguments.inputs[i].rank != WINDROW_OMITTED_INPUT
                            : !info.inputs[i].optional;
  for (std::size_t i = 0; i < arguments.input_count; ++i) {
    Result<SymbolicShape> shape = read_partial_shape(arguments.inputs[i]);
    if (!shape) return shape.error().with_context("inputs[" + std::to_string(i) + "]");
    shapes.push_back(*std::move(shape));
    if (arguments.values != nullptr && arguments.values[i] != nullptr)
      values[i].emplace(arguments.values[i], arguments.values[i] + value_count(shapes.back()));
  }
  return infer_shape({info.dialect, info.name, info.since_version}, *attributes, shapes, values,
                     given);
}

}  // namespace
}  // namespace windrow::internal

using windrow::internal::guarded;
using windrow::internal::row_at;

int windrow_operator_input_at(size_t row, size_t index, windrow_operator_input* input) {
  const auto* found = row_at(row);
  if (input == nullptr || found == nullptr || index >= found->info.inputs.size()) return 0;
  const windrow::OperatorInput& known = found->info.inputs[index];
  const auto& dtypes = found->dtypes[index];
  *input = {known.name.c_str(),
            dtypes.data(),
            dtypes.size(),
            known.optional ? 1 : 0,
            known.type_group == "T" ? 1 : 0,
            known.value_at_compile ? 1 : 0,
            known.counted_input};
  return 1;
}

int windrow_operator_attribute_at(size_t row, size_t index, windrow_operator_attribute* attribute) {
  const auto* found = row_at(row);
  if (attribute == nullptr || found == nullptr || index >= found->attributes.size()) return 0;
  *attribute = found->attributes[index];
  return 1;
}

windrow_code windrow_infer_shape(size_t row, const windrow_attribute* attributes,
                                 size_t attribute_count, const windrow_partial_shape* inputs,
                                 const int64_t* const* values, size_t input_count, int32_t* rank,
                                 int64_t* extents, windrow_error** error) {
  return guarded(error, [&]() -> windrow::Status {
    if (rank == nullptr) return windrow::internal::invalid_argument("rank is null");
    if (extents == nullptr) return windrow::internal::invalid_argument("extents is null");
    const auto* found = row_at(row);
    if (found == nullptr)
      return {windrow::ErrorCode::kUnsupported, "there is no row " + std::to_string(row)};
    const auto shape = windrow::internal::infer_from_c(
        found->info, {attributes, attribute_count, inputs, values, input_count});
    if (!shape) return shape.error();
    if (shape->has_value() && (*shape)->size() > windrow::kMaxRank)
      return {windrow::ErrorCode::kShape,
              "the result's rank is " + std::to_string((*shape)->size()) + ", must be at most " +
                  std::to_string(windrow::kMaxRank)};
    *rank = shape->has_value() ? static_cast<int32_t>((*shape)->size()) : -1;
    if (shape->has_value())
      std::transform((*shape)->begin(), (*shape)->end(), extents,
                     [](const windrow::Dim& dim) { return dim.value; });
    return {};
  });
}

namespace {

// Made by the first call and kept, because callers hold pointers into it. Empty if memory runs out.
template <class Row>
const std::vector<Row>& kept(std::vector<Row> (*list)()) noexcept {
  static const std::vector<Row> none;
  try {
    static const std::vector<Row> rows = list();
    return rows;
  } catch (...) {
    return none;
  }
}

const std::vector<windrow::OperatorInfo>& operators() noexcept {
  return kept(&windrow::list_operators);
}

const std::vector<windrow::KernelSet>& kernel_sets() noexcept {
  return kept(&windrow::list_kernel_sets);
}

[[maybe_unused]] const bool kForkSafe = windrow::internal::fill_before_fork([] {
  operators();
  kernel_sets();
});

}  // namespace

// A literal, which is zero-terminated.
const char* windrow_version(void) { return windrow::version().data(); }

size_t windrow_operator_count(void) { return operators().size(); }

int windrow_operator_at(size_t index, windrow_operator* row) {
  if (row == nullptr || index >= operators().size()) return 0;
  const windrow::OperatorInfo& known = operators()[index];
  *row = {known.dialect.c_str(), known.domain.c_str(), known.name.c_str(),
          known.since_version,   known.until_version,  known.deprecated ? 1 : 0,
          known.scatter ? 1 : 0};
  return 1;
}

size_t windrow_kernel_set_count(void) { return kernel_sets().size(); }

const char* windrow_kernel_set_at(size_t index, int* supported) {
  if (index >= kernel_sets().size()) return nullptr;
  const windrow::KernelSet& set = kernel_sets()[index];
  if (supported != nullptr) *supported = set.supported ? 1 : 0;
  return set.name.c_str();
}
