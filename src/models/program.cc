#include "src/models/program.h"

#include <algorithm>
#include <new>
#include <utility>

#include "src/models/check_inputs.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// The number of operators that a message names.
constexpr std::size_t kShownOperators = 20;

Status check_supported(const Model& model) {
  const std::vector<std::string> unsupported = model.unsupported();
  if (unsupported.empty()) return {};
  return unsupported_error(
      "the model has operators that can't run here: ", listed(unsupported, "; ", kShownOperators),
      "; a gather or scatter node can run alone, by its name");
}

}  // namespace

Result<std::shared_ptr<const Program>> Program::of(std::shared_ptr<const Model> model) {
  Result<NumberedGraph> graph = NumberedGraph::of(*model, *model);
  if (!graph) return graph.error();
  if (Status status = check_supported(*model); !status) return status;
  const std::shared_ptr<Program> program(new Program(std::move(model), *std::move(graph)));
  if (Status status = program->read(); !status) return status;
  return std::shared_ptr<const Program>(program);
}

Status Program::read() {
  same_as_.resize(graph_.value_count());
  for (std::size_t i = 0; i < same_as_.size(); ++i) same_as_[i] = static_cast<ValueNumber>(i);
  add_given();
  Constants constants(graph_.value_count());
  if (Status status = add_constants(constants); !status) return status;
  steps_.reserve(model_->nodes.size());
  for (std::size_t i = 0; i < model_->nodes.size(); ++i) {
    Status status = add_node(i, constants);
    if (!status) return status.with_context("node '" + model_->nodes[i].name + "'");
  }
  for (const ValueInfo& output : model_->outputs)
    outputs_.push_back(resolved(graph_.find(output.name)));
  note_uses();
  for (std::size_t i = 0; i < constants.size(); ++i)
    if (constants[i] != nullptr && last_use_[i] != kNever)
      constants_.emplace_back(static_cast<ValueNumber>(i), std::move(constants[i]));
  return check_opaque();
}

// Inputs come first, since a run may replace a constant that is an input.
void Program::add_given() {
  for (const ValueInfo& input : model_->inputs)
    given_.push_back({input.name, graph_.find(input.name), nullptr, nullptr});
  for (const ValueInfo& input : model_->default_inputs) {
    const OpaqueConstant* const opaque = find_in(model_->opaque_constants, input.name);
    given_.push_back({input.name, graph_.find(input.name), find_in(model_->constants, input.name),
                      opaque == nullptr ? nullptr : &opaque->why});
  }
  std::sort(given_.begin(), given_.end(),
            [](const GivenInput& a, const GivenInput& b) { return a.name < b.name; });
}

// Only constants that something reads are loaded: others may be arbitrarily large.
Status Program::add_constants(Constants& constants) {
  std::vector<bool> is_read(graph_.value_count());
  for (std::size_t i = 0; i < model_->nodes.size(); ++i)
    for (const ValueNumber input : graph_.inputs(i))
      if (input != kNoValue) is_read[input] = true;
  for (const ValueInfo& output : model_->outputs) is_read[graph_.find(output.name)] = true;
  for (const GivenInput& given : given_) is_read[given.value] = false;
  ValueNumber value = 0;
  for (const auto& [name, constant] : model_->constants) {
    if (is_read[value]) {
      Result<std::shared_ptr<const Tensor>> tensor = constant.tensor();
      if (!tensor) return tensor.error().with_context("constant '" + name + "'");
      constants[value] = *std::move(tensor);
    }
    ++value;
  }
  return {};
}

Status Program::add_node(std::size_t position, Constants& constants) {
  const ModelNode& node = model_->nodes[position];
  const std::span<const ValueNumber> inputs = graph_.inputs(position);
  const ValueNumber output =
      graph_.outputs(position).empty() ? kNoValue : graph_.outputs(position).front();
  if (is_constant(node)) {
    if (Status status = check_arity(node, 0, 1); !status) return status;
    const Result<int> opset = opset_of(*model_, node.domain);
    if (!opset) return opset.error();
    Result<std::shared_ptr<const Tensor>> value = constant_value(node, *opset);
    if (!value) return value.error();
    constants[output] = *std::move(value);
    return {};
  }
  if (is_identity(node)) {
    if (Status status = check_arity(node, 1, 1); !status) return status;
    same_as_[output] = resolved(inputs.front());
    return {};
  }
  if (is_convert(*model_, node)) {
    if (Status status = check_arity(node, 1, 1); !status) return status;
    return add_conversion(node, resolved(inputs.front()), output, constants);
  }
  const Result<const NodeOperator*> op = operators_.find(node);
  if (!op) return op.error();
  steps_.push_back({&node, *op, DType::kAbsent, output, inputs_.size()});
  for (const ValueNumber input : inputs) inputs_.push_back(resolved(input));
  return {};
}

Status Program::add_conversion(const ModelNode& node, ValueNumber input, ValueNumber output,
                               Constants& constants) {
  const Result<DType> type = convert_type(node);
  if (!type) return type.error();
  if (constants[input] != nullptr) {
    Result<Tensor> converted = convert(constants[input]->view(), *type);
    if (!converted) return converted.error();
    constants[output] = std::make_shared<const Tensor>(*std::move(converted));
    return {};
  }
  steps_.push_back({&node, nullptr, *type, output, inputs_.size()});
  inputs_.push_back(input);
  return {};
}

void Program::note_uses() {
  last_use_.assign(graph_.value_count(), kNever);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    for (const ValueNumber input : inputs(i))
      if (input != kNoValue) last_use_[input] = i;
  for (const ValueNumber output : outputs_) last_use_[output] = kAtTheEnd;
}

std::size_t Program::position_of(std::string_view name) const {
  const auto found = std::lower_bound(
      given_.begin(), given_.end(), name,
      [](const GivenInput& input, std::string_view wanted) { return input.name < wanted; });
  if (found == given_.end() || found->name != name) return given_.size();
  return static_cast<std::size_t>(found - given_.begin());
}

// A constant that cannot be represented does no harm as long as nothing reads it or a run may
// replace it.
Status Program::check_opaque() const {
  for (const auto& [name, constant] : model_->opaque_constants) {
    const bool may_be_given = position_of(name) < given_.size();
    if (!may_be_given && last_use_[graph_.find(name)] != kNever)
      return unsupported_error("the constant '", name, "' can't be used here: ", constant.why);
  }
  return {};
}

namespace {

// More elements than any shape has dimensions; larger tensors are data.
constexpr std::int64_t kMaxElements = 64;

// The largest number of an integer type; for types of 64 bits the largest of int64.
std::int64_t largest(DType type) {
  const int bits = std::min(
      63, dtype_kind(type) == DTypeKind::kSigned ? dtype_bits(type) - 1 : dtype_bits(type));
  return static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
}

bool holds(DType type, std::int64_t value) {
  const std::int64_t lowest = dtype_kind(type) == DTypeKind::kSigned ? -largest(type) - 1 : 0;
  return lowest <= value && value <= largest(type);
}

}  // namespace

bool may_have_known_elements(DType dtype, const Shape& shape) noexcept {
  return is_integer(dtype) && shape.rank() <= 1 &&
         element_count(shape).value_or(kMaxElements + 1) <= kMaxElements;
}

KnownElements known_elements(const Tensor& tensor) {
  if (!may_have_known_elements(tensor.dtype(), tensor.shape())) return std::nullopt;
  const Result<Tensor> wide = convert(tensor, DType::kInt64);
  // Fails like every container: returning "not known" would change the meaning of the model.
  if (wide.error().code() == ErrorCode::kOutOfMemory) throw std::bad_alloc();
  if (!wide) return std::nullopt;
  KnownElements elements(std::in_place);
  for (const std::int64_t value : wide->values<std::int64_t>()) {
    if (!holds(tensor.dtype(), value)) return std::nullopt;  // a uint64 beyond int64
    elements->push_back({value, {}});
  }
  return elements;
}

KnownElements converted_elements(const KnownElements& elements, DType type) {
  if (!elements || !is_integer(type)) return std::nullopt;
  const bool fit = std::all_of(elements->begin(), elements->end(), [type](const auto& element) {
    return !element.value || holds(type, *element.value);
  });
  return fit ? elements : std::nullopt;
}

std::optional<std::vector<std::int64_t>> known_numbers(const ValueInfo& value) {
  if (!value.elements) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const KnownElement& element : *value.elements) {
    if (!element.value) return std::nullopt;
    numbers.push_back(*element.value);
  }
  return numbers;
}

std::optional<std::int64_t> known_value(const ValueInfo& value) {
  if (!value.elements || value.elements->size() != 1) return std::nullopt;
  return value.elements->front().value;
}

KnownElements shape_elements(const std::vector<Dim>& dims, std::int64_t start, std::int64_t end) {
  const auto rank = static_cast<std::int64_t>(dims.size());
  start = std::clamp<std::int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<std::int64_t>(end < 0 ? end + rank : end, 0, rank);
  KnownElements elements(std::in_place);
  for (std::int64_t axis = start; axis < end; ++axis) {
    const Dim& dim = dims[static_cast<std::size_t>(axis)];
    if (dim.is_known()) {
      elements->push_back({dim.value, {}});
    } else {
      elements->push_back({std::nullopt, dim.symbol});
    }
  }
  return elements;
}

KnownElements gather_elements(const ValueInfo& data, const ValueInfo& indices, std::int64_t axis) {
  const bool one_axis = data.dims && data.dims->size() == 1 && (axis == 0 || axis == -1);
  const bool small_rank = indices.dims && indices.dims->size() <= 1;
  if (!one_axis || !small_rank || !data.elements || !indices.elements || indices.elements->empty())
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(data.elements->size());
  KnownElements elements(std::in_place);
  for (const KnownElement& index : *indices.elements) {
    if (!index.value || *index.value < -count || *index.value >= count) return std::nullopt;
    const std::int64_t at = *index.value < 0 ? *index.value + count : *index.value;
    elements->push_back((*data.elements)[static_cast<std::size_t>(at)]);
  }
  return elements;
}

}  // namespace windrow::internal
