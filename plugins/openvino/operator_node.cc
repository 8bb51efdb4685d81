#include "plugins/openvino/operator_node.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <openvino/op/constant.hpp>
#include <openvino/op/op.hpp>
#include <optional>
#include <stdexcept>

#include "windrow/c_threads.h"

namespace windrow::openvino_plugin {

windrow_dtype to_windrow(const ov::element::Type& type) noexcept {
  using ov::element::Type_t;
  switch (Type_t(type)) {
    case Type_t::boolean:
      return WINDROW_BOOL;
    case Type_t::i4:
      return WINDROW_INT4;
    case Type_t::i8:
      return WINDROW_INT8;
    case Type_t::i16:
      return WINDROW_INT16;
    case Type_t::i32:
      return WINDROW_INT32;
    case Type_t::i64:
      return WINDROW_INT64;
    case Type_t::u2:
      return WINDROW_UINT2;
    case Type_t::u4:
      return WINDROW_UINT4;
    case Type_t::u8:
      return WINDROW_UINT8;
    case Type_t::u16:
      return WINDROW_UINT16;
    case Type_t::u32:
      return WINDROW_UINT32;
    case Type_t::u64:
      return WINDROW_UINT64;
    case Type_t::f16:
      return WINDROW_FLOAT16;
    case Type_t::bf16:
      return WINDROW_BFLOAT16;
    case Type_t::f32:
      return WINDROW_FLOAT32;
    case Type_t::f64:
      return WINDROW_FLOAT64;
    case Type_t::f8e4m3:
      return WINDROW_FLOAT8_E4M3FN;
    case Type_t::f8e5m2:
      return WINDROW_FLOAT8_E5M2;
    case Type_t::f8e8m0:
      return WINDROW_FLOAT8_E8M0FNU;
    case Type_t::f4e2m1:
      return WINDROW_FLOAT4_E2M1FN;
    case Type_t::nf4:
      return WINDROW_NF4;
    default:
      return WINDROW_ABSENT;
  }
}

namespace {

// The most axes of a tensor, and the most elements of an input on whose value a plan depends.
constexpr size_t kMostAxes = 32;

// The operator set of Windrow's operators, as files of the host name it.
constexpr const char* kOperatorSet = "windrow";

OperatorRow read_row(size_t number, const windrow_operator& known) {
  OperatorRow row;
  row.number = number;
  row.known = known;
  windrow_operator_input input{};
  for (size_t i = 0; windrow_operator_input_at(number, i, &input) == 1; ++i)
    row.inputs.push_back(input);
  windrow_operator_attribute attribute{};
  for (size_t i = 0; windrow_operator_attribute_at(number, i, &attribute) == 1; ++i)
    row.attributes.push_back(attribute);
  row.type_name =
      std::string(known.dialect) + "." + known.name + "-" + std::to_string(known.since_version);
  return row;
}

std::vector<OperatorRow> read_rows() {
  std::vector<OperatorRow> rows;
  windrow_operator known{};
  for (size_t number = 0; windrow_operator_at(number, &known) == 1; ++number) {
    OperatorRow row = read_row(number, known);
    const bool is_table = row.known.name == std::string(kTableLookUp);
    if (row.is_of("onnx") || row.is_of("openvino") || is_table) rows.push_back(std::move(row));
  }
  // Only after the last move, because the types refer to the names.
  for (OperatorRow& row : rows) {
    row.type = ov::DiscreteTypeInfo(row.type_name.c_str(), kOperatorSet,
                                    &ov::op::Op::get_type_info_static());
    row.type.hash();
  }
  return rows;
}

}  // namespace

const std::vector<OperatorRow>& operator_rows() {
  // Never destroyed: at the end of the process the host may still hold nodes.
  static const auto* const rows = new std::vector<OperatorRow>(read_rows());
  return *rows;
}

namespace {

bool takes(const windrow_operator_input& input, windrow_dtype dtype) {
  return std::find(input.dtypes, input.dtypes + input.dtype_count, dtype) !=
         input.dtypes + input.dtype_count;
}

}  // namespace

windrow_dtype accepted_type(const windrow_operator_input& input, const ov::element::Type& type) {
  const windrow_dtype own = to_windrow(type);
  if (takes(input, own)) return own;
  return own == WINDROW_INT32 && takes(input, WINDROW_INT64) ? WINDROW_INT64 : WINDROW_ABSENT;
}

const std::int64_t* extents_of(const ov::Shape& shape) {
  static_assert(sizeof(ov::Shape::value_type) == sizeof(std::int64_t));
  return reinterpret_cast<const std::int64_t*>(shape.data());
}

CallInputs::CallInputs(const OperatorRow& row, const ov::TensorVector& tensors) : row_(row) {
  const size_t count = std::min(tensors.size(), row.inputs.size());
  tensors_.reserve(count);
  for (size_t i = 0; i < count; ++i) add(row.inputs[i], tensors[i]);
}

void CallInputs::add(const windrow_operator_input& input, const ov::Tensor& tensor) {
  const ov::Shape& shape = tensor.get_shape();
  const windrow_dtype dtype = accepted_type(input, tensor.get_element_type());
  // Inputs are only read.
  tensors_.push_back({dtype, static_cast<int32_t>(shape.size()), extents_of(shape), nullptr,
                      const_cast<void*>(static_cast<const void*>(tensor.data()))});
  if (dtype == WINDROW_INT64 && tensor.get_element_type() == ov::element::i32) return widen(tensor);
  if (tensor.is_continuous()) return;
  const ov::Strides strides = tensor.get_strides();
  tensors_.back().byte_strides = numbers_.emplace_back(strides.begin(), strides.end()).data();
}

void CallInputs::widen(const ov::Tensor& tensor) {
  ov::Tensor dense = tensor;
  if (!tensor.is_continuous()) {
    dense = ov::Tensor(ov::element::i32, tensor.get_shape());
    tensor.copy_to(dense);
  }
  const auto* from = dense.data<std::int32_t>();
  tensors_.back().data = numbers_.emplace_back(from, from + dense.get_size()).data();
}

CallKey CallInputs::key() const {
  CallKey key;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const windrow_tensor& tensor = tensors_[i];
    key.add(tensor.dtype);
    key.add(tensor.rank);
    key.add(tensor.shape, static_cast<size_t>(tensor.rank));
    if (!row_.inputs[i].value_at_compile || tensor.data == nullptr) continue;
    const std::int64_t count = std::accumulate(tensor.shape, tensor.shape + tensor.rank,
                                               std::int64_t{1}, std::multiplies<>());
    if (count > static_cast<std::int64_t>(kMostAxes) ||
        (count != 1 && tensor.byte_strides != nullptr)) {
      key.refuse();
      continue;
    }
    const std::int64_t bytes = (count * windrow_dtype_bits(tensor.dtype) + 7) / 8;
    key.add(std::string_view(static_cast<const char*>(tensor.data), static_cast<size_t>(bytes)));
  }
  for (size_t i = tensors_.size(); i < row_.inputs.size(); ++i)
    if (row_.inputs[i].counted_input >= 0)
      add_last(tensors_[static_cast<size_t>(row_.inputs[i].counted_input)], key);
  return key;
}

// Adds the last of the ids, from which the value of an omitted input follows.
void CallInputs::add_last(const windrow_tensor& ids, CallKey& key) {
  if (ids.rank != 1 || ids.byte_strides != nullptr) return key.refuse();
  if (ids.shape[0] == 0 || ids.data == nullptr) return;
  const std::int64_t bytes = windrow_dtype_bits(ids.dtype) / 8;
  const char* const last = static_cast<const char*>(ids.data) + (ids.shape[0] - 1) * bytes;
  key.add(std::string_view(last, static_cast<size_t>(bytes)));
}

namespace {

// A pool with the number of threads that the nodes may use: the number given by the environment, or
// the process's allowed cores.
windrow_thread_pool* make_pool() {
  const char* const chosen = std::getenv("WINDROW_OPENVINO_THREADS");
  const int count = chosen != nullptr ? std::atoi(chosen) : 0;
  return windrow_thread_pool_make(count);
}

// Shared by all nodes of the process; null if the system refuses them.
const windrow_threads* shared_threads() {
  // Never freed: at the end of the process its threads may already be gone.
  static windrow_thread_pool* const pool = make_pool();
  return pool != nullptr ? windrow_thread_pool_threads(pool) : nullptr;
}

std::vector<AttributeSlot> default_attributes(const OperatorRow& row) {
  std::vector<AttributeSlot> slots;
  for (const windrow_operator_attribute& attribute : row.attributes) {
    const windrow_attribute& value = attribute.value;
    AttributeSlot& slot = slots.emplace_back();
    slot.number = value.int_value;
    slot.real = value.float_value;
    if (value.kind == WINDROW_ATTRIBUTE_STRING) slot.text = value.string_value;
    if (value.kind == WINDROW_ATTRIBUTE_INTS)
      slot.numbers.assign(value.ints, value.ints + value.ints_count);
  }
  return slots;
}

// The elements of a constant integer input, if the host knows them and there are few enough for a
// plan to depend on them. The shape of a longer one is refused whatever its elements are.
std::vector<std::int64_t> known_values(const ov::Output<const ov::Node>& input) {
  const auto* constant = dynamic_cast<const ov::op::v0::Constant*>(input.get_node());
  if (constant == nullptr || !constant->get_element_type().is_integral_number()) return {};
  if (ov::shape_size(constant->get_shape()) > kMostAxes) return {};
  return constant->cast_vector<std::int64_t>();
}

std::vector<std::int64_t> known_extents(const ov::PartialShape& shape) {
  std::vector<std::int64_t> extents;
  if (shape.rank().is_dynamic()) return extents;
  for (const ov::Dimension& extent : shape)
    extents.push_back(extent.is_static() ? extent.get_length() : -1);
  return extents;
}

}  // namespace

OperatorNode::OperatorNode(const OperatorRow& row)
    : row_(row), attributes_(default_attributes(row)) {}

OperatorNode::OperatorNode(const OperatorRow& row, const ov::OutputVector& inputs,
                           std::vector<AttributeSlot> attributes)
    : Op(inputs), row_(row), attributes_(std::move(attributes)) {
  constructor_validate_and_infer_types();
}

bool OperatorNode::visit_attributes(ov::AttributeVisitor& visitor) {
  for (size_t i = 0; i < attributes_.size(); ++i) {
    const windrow_attribute& known = row_.attributes[i].value;
    AttributeSlot& slot = attributes_[i];
    if (known.kind == WINDROW_ATTRIBUTE_INT) visitor.on_attribute(known.name, slot.number);
    if (known.kind == WINDROW_ATTRIBUTE_FLOAT) visitor.on_attribute(known.name, slot.real);
    if (known.kind == WINDROW_ATTRIBUTE_STRING) visitor.on_attribute(known.name, slot.text);
    if (known.kind == WINDROW_ATTRIBUTE_INTS) visitor.on_attribute(known.name, slot.numbers);
  }
  return true;
}

std::int64_t OperatorNode::number(const std::string& name) const {
  for (size_t i = 0; i < attributes_.size(); ++i)
    if (row_.attributes[i].value.name == name) return attributes_[i].number;
  throw std::logic_error(row_.type_name + " has no attribute " + name);
}

std::shared_ptr<ov::Node> OperatorNode::clone_with_new_inputs(
    const ov::OutputVector& inputs) const {
  return std::make_shared<OperatorNode>(row_, inputs, attributes_);
}

std::vector<windrow_attribute> OperatorNode::attributes_for_c() const {
  std::vector<windrow_attribute> result;
  for (size_t i = 0; i < attributes_.size(); ++i) {
    const AttributeSlot& slot = attributes_[i];
    const windrow_attribute& known = row_.attributes[i].value;
    result.push_back({known.name, known.kind, slot.number, slot.real, slot.text.c_str(),
                      slot.numbers.data(), slot.numbers.size()});
  }
  return result;
}

void OperatorNode::check_types() const {
  if (get_input_size() > row_.inputs.size())
    throw std::invalid_argument(row_.type_name + ": " + std::to_string(get_input_size()) +
                                " inputs, at most " + std::to_string(row_.inputs.size()));
  for (size_t i = 0; i < row_.inputs.size(); ++i) {
    const windrow_operator_input& input = row_.inputs[i];
    if (i >= get_input_size()) {
      if (input.optional) continue;
      throw std::invalid_argument(row_.type_name + ": " + input.name + " is missing");
    }
    const ov::element::Type& type = get_input_element_type(i);
    if (type.is_static() && accepted_type(input, type) == WINDROW_ABSENT)
      throw std::invalid_argument(row_.type_name + ": " + input.name + ": " + type.to_string() +
                                  " is no element type that it takes here");
  }
}

ov::element::Type OperatorNode::result_type() const {
  for (size_t i = 0; i < get_input_size(); ++i)
    if (row_.inputs[i].result_type) return get_input_element_type(i);
  return ov::element::dynamic;
}

void OperatorNode::validate_and_infer_types() {
  check_types();
  const size_t count = get_input_size();
  std::vector<std::vector<std::int64_t>> extents(count);
  std::vector<windrow_partial_shape> shapes(count);
  std::vector<std::vector<std::int64_t>> known(count);
  std::vector<const std::int64_t*> values(count, nullptr);
  for (size_t i = 0; i < count; ++i) {
    const ov::PartialShape& shape = get_input_partial_shape(i);
    extents[i] = known_extents(shape);
    shapes[i] = {shape.rank().is_static() ? static_cast<int32_t>(extents[i].size()) : -1,
                 extents[i].data()};
    if (!row_.inputs[i].value_at_compile) continue;
    known[i] = known_values(std::as_const(*this).input_value(i));
    if (!known[i].empty()) values[i] = known[i].data();
  }
  const std::vector<windrow_attribute> attributes = attributes_for_c();
  int32_t rank = -1;
  std::int64_t result[kMostAxes];
  throw_on_error<std::invalid_argument>(get_friendly_name(), [&](windrow_error** error) {
    return windrow_infer_shape(row_.number, attributes.data(), attributes.size(), shapes.data(),
                               values.data(), count, &rank, result, error);
  });
  set_output_type(0, result_type(),
                  rank < 0 ? ov::PartialShape::dynamic()
                           : ov::PartialShape(std::vector<ov::Dimension>(result, result + rank)));
}

SharedPlan OperatorNode::make_plan(const std::vector<windrow_tensor>& inputs) const {
  const std::vector<windrow_attribute> attributes = attributes_for_c();
  windrow_call_options options{};
  options.size = sizeof(options);
  // Stands for the operator of ONNX Runtime, which has this policy.
  if (row_.is_of("array")) options.out_of_range = WINDROW_OUT_OF_RANGE_ZERO;
  windrow_plan* plan = nullptr;
  throw_on_error<std::runtime_error>(get_friendly_name(), [&](windrow_error** error) {
    return windrow_compile(row_.known.dialect, row_.known.name, row_.known.since_version,
                           attributes.data(), attributes.size(), inputs.data(), inputs.size(),
                           &options, &plan, error);
  });
  return {plan, &windrow_plan_free};
}

void OperatorNode::check_look_up() const {
  if (get_input_partial_shape(0).rank().is_dynamic()) return;
  // A table of one element fits any blocks, and one index fits any table.
  const std::vector<std::int64_t> ones(kMostAxes, 1);
  const auto rank = static_cast<int32_t>(get_input_partial_shape(0).size());
  std::vector<windrow_tensor> tensors;
  for (size_t i = 0; i < get_input_size(); ++i) {
    const windrow_dtype dtype = accepted_type(row_.inputs[i], get_input_element_type(i));
    tensors.push_back({dtype, i == 1 ? 0 : rank, ones.data(), nullptr, nullptr});
  }
  make_plan(tensors);
}

SharedPlan OperatorNode::find_plan(const CallInputs& call) const {
  const CallKey key = call.key();
  if (std::optional<SharedPlan> known = plans_.find(key)) return *std::move(known);
  SharedPlan plan = make_plan(call.tensors());
  plans_.keep(key, plan);
  return plan;
}

bool OperatorNode::evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const {
  const CallInputs call(row_, inputs);
  const std::vector<windrow_tensor>& tensors = call.tensors();
  const SharedPlan plan = find_plan(call);
  windrow_tensor result{};
  windrow_plan_result(plan.get(), &result);
  const ov::Shape& present = outputs[0].get_shape();
  if (!std::equal(present.begin(), present.end(), result.shape, result.shape + result.rank,
                  [](size_t there, std::int64_t wanted) { return std::int64_t(there) == wanted; }))
    outputs[0].set_shape(ov::Shape(result.shape, result.shape + result.rank));
  result.data = outputs[0].data();
  windrow_run_options options{};
  options.size = sizeof(options);
  options.threads = shared_threads();
  throw_on_error<std::runtime_error>(get_friendly_name(), [&](windrow_error** error) {
    return windrow_plan_run(plan.get(), tensors.data(), tensors.size(), &result, &options, error);
  });
  return true;
}

bool OperatorNode::evaluate_lower(ov::TensorVector& outputs) const {
  return evaluate_bound(outputs, false);
}

bool OperatorNode::evaluate_upper(ov::TensorVector& outputs) const {
  return evaluate_bound(outputs, true);
}

namespace {

// Whether a result made of bounds of the first input bounds the result: where elements are taken as
// they are, but not where one ends a beam.
bool keeps_bounds(const OperatorRow& row) {
  return !row.known.scatter && row.known.name != std::string("GatherTree");
}

}  // namespace

bool OperatorNode::evaluate_bound(ov::TensorVector& outputs, bool upper) const {
  if (!keeps_bounds(row_)) return false;
  ov::TensorVector bounds;
  for (size_t i = 0; i < get_input_size(); ++i) {
    const ov::descriptor::Tensor& input = get_input_tensor(i);
    // The bounds of an unknown index are of no use.
    if (i > 0 && !input.has_and_set_bound()) return false;
    const ov::Tensor bound = upper ? input.get_upper_value() : input.get_lower_value();
    if (!bound) return false;
    bounds.push_back(bound);
  }
  try {
    return evaluate(outputs, bounds);
  } catch (const std::exception&) {
    return false;  // no bounds; the run will report the error
  }
}

}  // namespace windrow::openvino_plugin
