#include "src/pooling/bag_bounds.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "src/access/evaluate.h"
#include "src/base/integers.h"

namespace windrow::internal {
namespace {

// Copies numbers that lie side by side. Returns whether the copies never fall and are in [0, most].
template <class Number>
bool copy_ascending(const void* from, std::span<std::int64_t> to, std::int64_t most) {
  bool ascend = true;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    Number number;
    std::memcpy(&number, static_cast<const std::byte*>(from) + i * sizeof number, sizeof number);
    to[i] = number;
    ascend &= before <= number;
    before = number;
  }
  return ascend && before <= most;
}

// The same for the elements of a dense tensor; false for other tensors, and types that are rare.
bool copy_ascending(const TensorView& view, std::span<std::int64_t> to, std::int64_t most) {
  if (!view.is_dense()) return false;
  if (view.dtype == DType::kInt64) return copy_ascending<std::int64_t>(view.data, to, most);
  return view.dtype == DType::kInt32 && copy_ascending<std::int32_t>(view.data, to, most);
}

}  // namespace

// A tensor of rank 1 or 0 whose elements are numbers of samples, bags or rows.
struct BagBounds::Numbers {
  const Operation& operation;
  int input;
  const TensorView& view;
  const std::string& constraint;
  std::int64_t listed;

  const std::string& name() const { return operation.input_names[static_cast<std::size_t>(input)]; }
  std::int64_t count() const { return view.shape.empty() ? 1 : view.shape[0]; }

  // An element: its value, at most 2^63-1, and its bytes.
  struct Number {
    std::int64_t value = 0;
    std::uint64_t bits = 0;
  };

  // An element, which is copied before it is looked at.
  Number read(std::int64_t position) const {
    Number number;
    const std::int64_t offset = view.shape.empty() ? 0 : position * view.strides[0];
    std::memcpy(&number.bits, static_cast<const std::byte*>(view.data) + offset,
                static_cast<std::size_t>(dtype_bits(view.dtype) / 8));
    number.value = read_index(view.dtype, &number.bits);
    return number;
  }

  std::string text(const Number& number) const { return index_text(view.dtype, &number.bits); }

  ErrorInfo error(ErrorCode code, std::int64_t position, const Number& number) const {
    ErrorInfo info;
    info.code = code;
    info.operator_name = operation.operator_name;
    info.constraint = constraint;
    info.message = operation.operator_name + " [" + constraint + "]: " + name() +
                   (view.shape.empty() ? "" : "[" + std::to_string(position) + "]") + " is " +
                   text(number);
    return info;
  }

  // "offsets[2] is 7, must be in [0, 4]; 1 of 3 is out of range". `extent`: of what they number.
  Status outside(std::int64_t position, const Number& number, std::int64_t low, std::int64_t high,
                 std::int64_t extent) const {
    auto fault = std::make_shared<IndexFault>();
    fault->input = name();
    if (!view.shape.empty()) fault->position = {position};
    fault->value = number.value;
    fault->value_text = text(number);
    fault->extent = extent;
    add_others({position, low, high}, number.value, *fault);
    ErrorInfo info = error(ErrorCode::kIndexOutOfRange, position, number);
    info.message += ", must be in [" + std::to_string(low) + ", " + std::to_string(high) + "]";
    if (!view.shape.empty())
      info.message += "; " + std::to_string(fault->count) + " of " + std::to_string(count()) +
                      (fault->count == 1 ? " is" : " are") + " out of range";
    info.index_fault = std::move(fault);
    return Status(std::move(info));
  }

  Status falls(std::int64_t position, const Number& number, std::int64_t before) const {
    ErrorInfo info = error(ErrorCode::kInvalidArgument, position, number);
    info.message += " after " + std::to_string(before) + ", must not be smaller";
    return Status(std::move(info));
  }

  Status not_zero(std::int64_t position, const Number& number) const {
    ErrorInfo info = error(ErrorCode::kInvalidArgument, position, number);
    info.message += ", must be 0";
    return Status(std::move(info));
  }

 private:
  struct First {
    std::int64_t position;
    std::int64_t low;
    std::int64_t high;
  };

  // Counts and lists the bad ones from the first one on, which has been read.
  void add_others(const First& first, std::int64_t value, IndexFault& fault) const {
    fault.listed.input = name();
    fault.listed.rank = view.shape.rank();
    for (std::int64_t position = first.position; position < count(); ++position) {
      const std::int64_t number = position == first.position ? value : read(position).value;
      if (first.low <= number && number <= first.high) continue;
      if (fault.count++ >= listed) continue;
      if (!view.shape.empty()) fault.listed.positions.push_back(position);
      fault.listed.values.push_back(number);
    }
    if (listed == 0) fault.listed = {};
  }
};

Result<BagBounds> BagBounds::read(const Operation& operation, std::span<const TensorView> inputs,
                                  std::int64_t listed) {
  const Bags& bags = operation.bags ? *operation.bags : *operation.segments;
  const auto numbers = [&](int input, const std::string& constraint) {
    return Numbers{operation, input, inputs[static_cast<std::size_t>(input)], constraint, listed};
  };
  BagBounds bounds;
  bounds.bags_ = operation.result_shape[0];
  const IndexTerm& term = operation.map.axes.front().terms.front();
  const Shape& indices = inputs[static_cast<std::size_t>(term.input)].shape;
  bounds.samples_ =
      operation.segments ? operation.map.loops[0] : element_count(indices).value_or(0);
  Status status;
  if (bags.bounds == Bags::Bounds::kRows)
    bounds.each_ = indices[1];
  else if (bags.bounds == Bags::Bounds::kOffsets)
    status = bounds.read_offsets(numbers(bags.bounds_input, bags.bounds_constraint), bags);
  else
    status = bounds.read_segments(numbers(bags.bounds_input, bags.bounds_constraint));
  if (status && bags.default_input >= 0)
    status = bounds.read_default(numbers(bags.default_input, bags.default_constraint),
                                 operation.map.axes.front().extent);
  if (!status) return status;
  return bounds;
}

Status BagBounds::allocate_starts() {
  auto memory = Tensor::allocate(DType::kInt64, {bags_ + 1});
  if (!memory) return memory.error();
  memory_ = *std::move(memory);
  starts_ = {static_cast<std::int64_t*>(memory_.data()), static_cast<std::size_t>(bags_ + 1)};
  return {};
}

Status BagBounds::read_offsets(const Numbers& offsets, const Bags& bags) {
  if (Status status = allocate_starts(); !status) return status;
  starts_[static_cast<std::size_t>(bags_)] = samples_;
  const std::int64_t count = bags_ + (bags.has_end ? 1 : 0);
  const auto starts = starts_.first(static_cast<std::size_t>(count));
  if (copy_ascending(offsets.view, starts, samples_) &&
      (!bags.first_is_zero || count == 0 || starts[0] == 0))
    return {};
  // The one that is wrong is found, and all are read again, one by one.
  std::int64_t before = 0;
  for (std::int64_t bag = 0; bag < count; ++bag) {
    const Numbers::Number number = offsets.read(bag);
    const std::int64_t offset = number.value;
    if (offset < 0 || offset > samples_) return offsets.outside(bag, number, 0, samples_, samples_);
    if (offset < before) return offsets.falls(bag, number, before);
    if (bags.first_is_zero && bag == 0 && offset != 0) return offsets.not_zero(bag, number);
    starts_[static_cast<std::size_t>(bag)] = before = offset;
  }
  return {};
}

Status BagBounds::read_segments(const Numbers& ids) {
  if (Status status = allocate_starts(); !status) return status;
  std::int64_t before = 0;
  std::int64_t next = 0;  // the first bag whose beginning is not known yet
  for (std::int64_t sample = 0; sample < samples_; ++sample) {
    const Numbers::Number number = ids.read(sample);
    const std::int64_t id = number.value;
    if (id < 0 || id >= bags_) return ids.outside(sample, number, 0, bags_ - 1, bags_);
    if (id < before) return ids.falls(sample, number, before);
    for (; next <= id; ++next) starts_[static_cast<std::size_t>(next)] = sample;
    before = id;
  }
  for (; next <= bags_; ++next) starts_[static_cast<std::size_t>(next)] = samples_;
  return {};
}

Status BagBounds::read_default(const Numbers& index, std::int64_t rows) {
  const Numbers::Number number = index.read(0);
  const std::int64_t row = number.value;
  if (row < -1 || row >= rows) return index.outside(0, number, -1, rows - 1, rows);
  if (row >= 0) default_row_ = row;
  return {};
}

Result<Tensor> segments_by_offsets(const Operation& operation, std::span<const TensorView> inputs,
                                   std::int64_t listed) {
  const auto bounds = BagBounds::read(operation, inputs, listed);
  if (!bounds) return bounds.error();
  Result<Tensor> ids = Tensor::allocate(DType::kInt64, {bounds->samples()});
  if (!ids) return ids;
  auto* const numbers = static_cast<std::int64_t*>(ids->data());
  const std::int64_t bags = bounds->bags();
  std::fill(numbers, numbers + bounds->begin(0), -1);
  for (std::int64_t bag = 0; bag < bags; ++bag)
    std::fill(numbers + bounds->begin(bag), numbers + bounds->begin(bag + 1), bag);
  std::fill(numbers + bounds->begin(bags), numbers + bounds->samples(), bags);
  return ids;
}

}  // namespace windrow::internal
