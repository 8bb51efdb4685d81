#include "src/pooling/bag_bounds.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "src/access/evaluate.h"
#include "src/base/integers.h"

namespace windrow::internal {
namespace {

// A tensor of rank 1 or 0 whose elements are numbers of samples, bags or rows.
struct Numbers {
  const Operation& operation;
  int input;
  const TensorView& view;
  const std::string& constraint;

  const std::string& name() const { return operation.input_names[static_cast<std::size_t>(input)]; }
  std::int64_t count() const { return view.shape.empty() ? 1 : view.shape[0]; }

  // An element, which is copied before it is looked at.
  std::int64_t read(std::int64_t position) const {
    std::byte element[sizeof(std::int64_t)];
    const std::int64_t offset = view.shape.empty() ? 0 : position * view.strides[0];
    std::memcpy(element, static_cast<const std::byte*>(view.data) + offset,
                static_cast<std::size_t>(dtype_bits(view.dtype) / 8));
    return read_index(view.dtype, element);
  }

  ErrorInfo error(ErrorCode code, std::int64_t position, std::int64_t value) const {
    ErrorInfo info;
    info.code = code;
    info.operator_name = operation.operator_name;
    info.constraint = constraint;
    info.message = operation.operator_name + " [" + constraint + "]: " + name() +
                   (view.shape.empty() ? "" : "[" + std::to_string(position) + "]") + " is " +
                   std::to_string(value);
    return info;
  }

  // "offsets[2] is 7, must lie in 0 to 4, <what the last one means>"
  Status outside(std::int64_t position, std::int64_t value, std::int64_t low, std::int64_t high,
                 std::int64_t extent, const std::string& what) const {
    ErrorInfo info = error(ErrorCode::kIndexOutOfRange, position, value);
    info.message += high < low
                        ? ", and none is in range"
                        : ", must lie in " + std::to_string(low) + " to " + std::to_string(high);
    info.message += what;
    auto fault = std::make_shared<IndexFault>();
    fault->input = name();
    if (!view.shape.empty()) fault->position = {position};
    fault->value = value;
    fault->value_text = std::to_string(value);
    fault->extent = extent;
    fault->count = 1;
    info.index_fault = std::move(fault);
    return Status(std::move(info));
  }

  Status falls(std::int64_t position, std::int64_t value, std::int64_t before) const {
    ErrorInfo info = error(ErrorCode::kInvalidArgument, position, value);
    info.message += " after " + std::to_string(before) + ", must not be smaller";
    return Status(std::move(info));
  }
};

Numbers numbers(const Operation& operation, std::span<const TensorView> inputs, int input,
                const std::string& constraint) {
  return {operation, input, inputs[static_cast<std::size_t>(input)], constraint};
}

}  // namespace

Result<BagBounds> BagBounds::read(const Operation& operation, std::span<const TensorView> inputs) {
  const Bags& bags = *operation.bags;
  BagBounds bounds;
  bounds.bags_ = operation.result_shape[0];
  const IndexTerm& term = operation.map.axes.front().terms.front();
  const Shape& indices = inputs[static_cast<std::size_t>(term.input)].shape;
  bounds.samples_ = element_count(indices).value_or(0);
  Status status;
  if (bags.bounds == Bags::Bounds::kRows)
    bounds.each_ = indices[1];
  else if (bags.bounds == Bags::Bounds::kOffsets)
    status = bounds.read_offsets(operation, inputs);
  else
    status = bounds.read_segments(operation, inputs);
  if (status) status = bounds.read_default(operation, inputs);
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

Status BagBounds::read_offsets(const Operation& operation, std::span<const TensorView> inputs) {
  if (Status status = allocate_starts(); !status) return status;
  const Bags& bags = *operation.bags;
  const Numbers offsets = numbers(operation, inputs, bags.bounds_input, bags.bounds_constraint);
  std::int64_t before = 0;
  for (std::int64_t bag = 0; bag < bags_; ++bag) {
    const std::int64_t offset = offsets.read(bag);
    if (offset < 0 || offset > samples_)
      return offsets.outside(bag, offset, 0, samples_, samples_, ", the number of indices");
    if (offset < before) return offsets.falls(bag, offset, before);
    starts_[static_cast<std::size_t>(bag)] = before = offset;
  }
  starts_[static_cast<std::size_t>(bags_)] = samples_;
  return {};
}

Status BagBounds::read_segments(const Operation& operation, std::span<const TensorView> inputs) {
  if (Status status = allocate_starts(); !status) return status;
  const Bags& bags = *operation.bags;
  const Numbers ids = numbers(operation, inputs, bags.bounds_input, bags.bounds_constraint);
  std::int64_t before = 0;
  std::int64_t next = 0;  // the first bag whose beginning is not known yet
  for (std::int64_t sample = 0; sample < samples_; ++sample) {
    const std::int64_t id = ids.read(sample);
    if (id < 0 || id >= bags_)
      return ids.outside(sample, id, 0, bags_ - 1, bags_,
                         "; there are " + std::to_string(bags_) + " segments");
    if (id < before) return ids.falls(sample, id, before);
    for (; next <= id; ++next) starts_[static_cast<std::size_t>(next)] = sample;
    before = id;
  }
  for (; next <= bags_; ++next) starts_[static_cast<std::size_t>(next)] = samples_;
  return {};
}

Status BagBounds::read_default(const Operation& operation, std::span<const TensorView> inputs) {
  const Bags& bags = *operation.bags;
  const auto input = static_cast<std::size_t>(bags.default_input);
  if (bags.default_input < 0 || input >= inputs.size() || inputs[input].is_absent()) return {};
  const Numbers index = numbers(operation, inputs, bags.default_input, bags.default_constraint);
  const std::int64_t row = index.read(0);
  const std::int64_t rows = operation.map.axes.front().extent;
  if (row < -1 || row >= rows)
    return index.outside(0, row, -1, rows - 1, rows,
                         " (-1: zeros) for data of " + std::to_string(rows) + " rows");
  if (row >= 0) default_row_ = row;
  return {};
}

}  // namespace windrow::internal
