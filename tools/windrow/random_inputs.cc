#include "tools/windrow/random_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tools/windrow/console.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/node_operator.h"
#include "windrow/small_float.h"

namespace windrow::tool {
namespace {

using Extents = std::vector<std::int64_t>;

// The specifications' names of inputs that are indices, or an axis.
bool is_index_input(std::string_view operator_name, std::string_view input) {
  if (operator_name == "ArrayFeatureExtractor") return input == "Y";
  return input == "indices" || input == "write_indices" || input == "axis" ||
         input == "segment_ids";
}

// The positions of the inputs that hold indices, where the node gives them.
std::vector<std::size_t> index_positions(const ModelNode& node, const OperatorInfo& info) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < std::min(info.inputs.size(), node.inputs.size()); ++i) {
    const bool given = !node.inputs[i].empty();
    if (given && is_index_input(info.name, info.inputs[i].name)) positions.push_back(i);
  }
  return positions;
}

// One node with what the operator table says of it.
class IndexReader {
 public:
  IndexReader(const Model& model, const ValueInfos& values, const ModelNode& node,
              const OperatorInfo& info)
      : model_(model), values_(values), node_(node), info_(info) {}

  IndexLimits limits(std::size_t index_position) const {
    const Extents data = extents(0);
    if (info_.inputs[index_position].name == "axis") {
      return {static_cast<std::int64_t>(data.size())};
    }
    if (info_.name == "SegmentMax") return {1};  // ids that are all 0 do not fall
    if (info_.name.find("ND") != std::string::npos) {
      const std::size_t first = static_cast<std::size_t>(integer("batch_dims", 0));
      const Extents indices = extents(index_position);
      const std::size_t count = indices.empty() ? 0 : static_cast<std::size_t>(indices.back());
      if (first > data.size() || count > data.size() - first) unknown("the indices do not fit");
      const auto begin = data.begin() + static_cast<std::ptrdiff_t>(first);
      return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }
    if (has_unknown_axis()) {  // an index that is legal on every axis
      if (data.empty()) unknown("the data has no axis");
      return {*std::min_element(data.begin(), data.end())};
    }
    const std::int64_t extent = data[axis(data.size())];
    if (info_.name != "TensorScatter" || text("mode", "linear") == "circular") return {extent};
    return {extent - extents(1)[axis(data.size())] + 1};
  }

 private:
  [[noreturn]] void unknown(std::string_view why) const {
    fail(ErrorCode::kShape,
         fmt::format("node '{}': can't choose legal random indices: {}; give them with --input",
                     node_.name, why));
  }

  Extents extents(std::size_t position) const {
    const std::string& name = node_.inputs[position];
    if (const auto constant = model_.constants.find(name); constant != model_.constants.end()) {
      return {constant->second.shape().begin(), constant->second.shape().end()};
    }
    const auto value = values_.find(name);
    if (value == values_.end() || !value->second.dims) {
      unknown(fmt::format("the shape of '{}' is unknown", name));
    }
    Extents result;
    for (const Dim& dim : *value->second.dims) {
      if (!dim.is_known()) unknown(fmt::format("the shape of '{}' is unknown", name));
      result.push_back(dim.value);
    }
    return result;
  }

  const AttributeValue* attribute(std::string_view name) const {
    if (const auto given = node_.attributes.find(name); given != node_.attributes.end()) {
      return &given->second;
    }
    for (const OperatorAttribute& known : info_.attributes) {
      if (known.name == name) return &known.default_value;
    }
    return nullptr;
  }

  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    const AttributeValue* value = attribute(name);
    const std::int64_t* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number == nullptr ? otherwise : *number;
  }

  std::string text(std::string_view name, std::string_view otherwise) const {
    const AttributeValue* value = attribute(name);
    const std::string* string = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return string == nullptr ? std::string(otherwise) : *string;
  }

  // The position of the input that is the axis; as many as there are inputs if it is none.
  std::size_t axis_input() const {
    const auto is_axis = [](const OperatorInput& input) { return input.name == "axis"; };
    return static_cast<std::size_t>(
        std::find_if(info_.inputs.begin(), info_.inputs.end(), is_axis) - info_.inputs.begin());
  }

  std::optional<std::int64_t> axis_value() const {
    const auto value = values_.find(node_.inputs[axis_input()]);
    if (value == values_.end() || !value->second.elements || value->second.elements->size() != 1)
      return std::nullopt;
    return value->second.elements->front().value;
  }

  // Whether the axis comes with the run.
  bool has_unknown_axis() const { return axis_input() < node_.inputs.size() && !axis_value(); }

  // The indexed axis; the last one for operators without such an attribute or input.
  std::size_t axis(std::size_t rank) const {
    const std::int64_t signed_rank = static_cast<std::int64_t>(rank);
    const std::int64_t given =
        axis_input() < node_.inputs.size() ? *axis_value() : integer("axis", -1);
    const std::int64_t result = given < 0 ? given + signed_rank : given;
    if (result < 0 || result >= signed_rank) unknown(fmt::format("there is no axis {}", given));
    return static_cast<std::size_t>(result);
  }

  const Model& model_;
  const ValueInfos& values_;
  const ModelNode& node_;
  const OperatorInfo& info_;
};

// Both limits hold.
IndexLimits combine(const IndexLimits& a, const IndexLimits& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  IndexLimits result(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::min(a[std::min(i, a.size() - 1)], b[std::min(i, b.size() - 1)]);
  }
  return result;
}

// A node and those of its inputs that hold indices and come from inputs of the model.
struct IndexNode {
  const ModelNode* node;
  const OperatorInfo* info;
  std::vector<std::pair<std::size_t, std::string_view>> uses;  // position, input of the model
};

// The nodes that read some of `inputs` as indices, perhaps by way of Identity and Convert nodes.
class IndexNodes {
 public:
  IndexNodes(const Model& model, const std::set<std::string, std::less<>>& inputs)
      : operators_(model) {
    for (const std::string& input : inputs) origin_.emplace(input, input);
    for (const ModelNode& node : model.nodes) add(node);
  }

  const std::vector<IndexNode>& nodes() const noexcept { return nodes_; }

 private:
  void add(const ModelNode& node) {
    const auto is_reached = [&](const std::string& name) { return origin_.contains(name); };
    if (std::none_of(node.inputs.begin(), node.inputs.end(), is_reached)) return;
    const bool hands_on = node.op_type == "Identity" || node.op_type == "Convert";
    if (hands_on && node.inputs.size() == 1 && node.outputs.size() == 1) {
      origin_.emplace(node.outputs[0], origin_.find(node.inputs[0])->second);
      return;
    }
    const OperatorInfo* info = operators_.find(node);
    if (info == nullptr) return;
    IndexNode found{&node, info, {}};
    for (const std::size_t position : index_positions(node, *info)) {
      const auto origin = origin_.find(node.inputs[position]);
      if (origin != origin_.end()) found.uses.emplace_back(position, origin->second);
    }
    if (!found.uses.empty()) nodes_.push_back(std::move(found));
  }

  NodeOperators operators_;                              // the infos of the nodes live here
  std::map<std::string_view, std::string_view> origin_;  // values that inputs of the model become
  std::vector<IndexNode> nodes_;
};

}  // namespace

std::map<std::string, IndexLimits, std::less<>> index_limits(
    const Model& model, const std::set<std::string, std::less<>>& inputs) {
  std::map<std::string, IndexLimits, std::less<>> result;
  const IndexNodes found(model, inputs);
  if (found.nodes().empty()) return result;
  const ValueInfos values = model.infer().value().values();
  for (const IndexNode& use : found.nodes()) {
    const IndexReader reader(model, values, *use.node, *use.info);
    for (const auto& [position, name] : use.uses) {
      const IndexLimits limits = reader.limits(position);
      const auto [entry, is_new] = result.emplace(std::string(name), limits);
      if (!is_new) entry->second = combine(entry->second, limits);
    }
  }
  return result;
}

namespace {

constexpr std::int64_t kLargestInteger = 100;  // of inputs that are not indices

// SplitMix64: the standard distributions differ between C++ libraries, this does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // In [0, limit). The bias is below limit / 2^64.
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(limit));
  }

  // Mean 0, variance 1: the sum of four uniform parts of one draw.
  double normal() {
    const std::uint64_t draw = bits();
    const std::uint64_t sum =
        (draw & 0xffff) + (draw >> 16 & 0xffff) + (draw >> 32 & 0xffff) + (draw >> 48);
    constexpr double kMean = 2 * 65535.0;
    constexpr double kDeviation = 65535.0 * 0.57735026918962576;  // sqrt(4 / 12)
    return (static_cast<double>(sum) - kMean) / kDeviation;
  }

 private:
  std::uint64_t state_;
};

template <class T, class Make>
void fill(Tensor& tensor, Make make) {
  T* elements = static_cast<T*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) elements[i] = make(i);
}

// Any sign and mantissa with an exponent that puts the magnitude between 1/8 and 4.
std::uint16_t random_pattern(const SmallFloat& format, Random& random) {
  if (format.specials == Specials::kNone) return static_cast<std::uint16_t>(random.below(16));
  const std::int64_t exponent = format.bias - 3 + random.below(5);
  const std::int64_t mantissa = random.below(std::int64_t{1} << format.mantissa_bits);
  const std::int64_t sign = format.specials == Specials::kScale ? 0 : random.below(2);
  return static_cast<std::uint16_t>(
      ((sign << format.exponent_bits | exponent) << format.mantissa_bits) | mantissa);
}

template <class T>
void fill_integers(Tensor& tensor, Random& random) {
  const std::int64_t lowest = std::is_signed_v<T> ? -kLargestInteger : 0;
  fill<T>(tensor, [&](std::int64_t) {
    return static_cast<T>(lowest + random.below(kLargestInteger - lowest + 1));
  });
}

void fill_numbers(Tensor& tensor, Random& random) {
  const DType type = tensor.dtype();
  if (is_packed(type)) {  // every pattern is a value
    const auto bytes = static_cast<std::size_t>(tensor.byte_count());
    auto* data = static_cast<std::uint8_t*>(tensor.data());
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(random.below(256));
  } else if (const auto small = small_float_of(type)) {
    const auto pattern = [&](std::int64_t) { return random_pattern(*small, random); };
    if (dtype_bits(type) == 16) return fill<std::uint16_t>(tensor, pattern);
    fill<std::uint8_t>(tensor,
                       [&](std::int64_t i) { return static_cast<std::uint8_t>(pattern(i)); });
  } else if (type == DType::kFloat32 || type == DType::kComplex64) {
    const std::int64_t parts = type == DType::kComplex64 ? 2 : 1;
    auto* data = static_cast<float*>(tensor.data());
    for (std::int64_t i = 0; i < parts * tensor.element_count(); ++i) {
      data[i] = static_cast<float>(random.normal());
    }
  } else {
    const std::int64_t parts = type == DType::kComplex128 ? 2 : 1;
    auto* data = static_cast<double*>(tensor.data());
    for (std::int64_t i = 0; i < parts * tensor.element_count(); ++i) data[i] = random.normal();
  }
}

void fill_values(Tensor& tensor, Random& random) {
  switch (tensor.dtype()) {
    case DType::kBool:
      return fill<std::uint8_t>(
          tensor, [&](std::int64_t) { return static_cast<std::uint8_t>(random.below(2)); });
    case DType::kInt8:
      return fill_integers<std::int8_t>(tensor, random);
    case DType::kInt16:
      return fill_integers<std::int16_t>(tensor, random);
    case DType::kInt32:
      return fill_integers<std::int32_t>(tensor, random);
    case DType::kInt64:
      return fill_integers<std::int64_t>(tensor, random);
    case DType::kUint8:
      return fill_integers<std::uint8_t>(tensor, random);
    case DType::kUint16:
      return fill_integers<std::uint16_t>(tensor, random);
    case DType::kUint32:
      return fill_integers<std::uint32_t>(tensor, random);
    case DType::kUint64:
      return fill_integers<std::uint64_t>(tensor, random);
    case DType::kString:
      return fill<std::string>(
          tensor, [&](std::int64_t) { return fmt::format("s{}", random.below(kLargestInteger)); });
    default:
      return fill_numbers(tensor, random);
  }
}

// Two elements to a byte, the first in the low half.
template <class Make>
void fill_nibbles(Tensor& tensor, Make make) {
  auto* data = static_cast<std::uint8_t*>(tensor.data());
  const std::int64_t count = tensor.element_count();
  for (std::int64_t i = 0; i < count; i += 2) {
    const std::int64_t low = make(i);
    const std::int64_t high = i + 1 < count ? make(i + 1) : 0;
    data[i / 2] = static_cast<std::uint8_t>(low | high << 4);
  }
}

// Precondition: no limit is below 1 where the tensor has elements.
void fill_indices(Tensor& tensor, const IndexLimits& limits, Random& random) {
  const auto columns = static_cast<std::int64_t>(limits.size());
  const auto index = [&](std::int64_t i) {
    return random.below(limits[static_cast<std::size_t>(i % columns)]);
  };
  // A prefix of the legal range is legal too.
  const int bits =
      dtype_bits(tensor.dtype()) - (dtype_kind(tensor.dtype()) == DTypeKind::kSigned ? 1 : 0);
  const std::int64_t largest = (std::int64_t{1} << std::min(bits, 62)) - 1;
  const auto held = [&](std::int64_t i) { return index(i) & largest; };
  switch (dtype_bits(tensor.dtype())) {
    case 4:
      return fill_nibbles(tensor, held);
    case 8:
      return fill<std::int8_t>(tensor, [&](auto i) { return static_cast<std::int8_t>(held(i)); });
    case 16:
      return fill<std::int16_t>(tensor, [&](auto i) { return static_cast<std::int16_t>(held(i)); });
    case 32:
      return fill<std::int32_t>(tensor, [&](auto i) { return static_cast<std::int32_t>(held(i)); });
    default:
      return fill<std::int64_t>(tensor, held);
  }
}

Shape known_shape(const ValueInfo& input) {
  if (input.dtype == DType::kAbsent || !input.dims) {
    fail(ErrorCode::kInvalidArgument,
         fmt::format(
             "--random: the model does not say the type and rank of input '{}'; give it with "
             "--input",
             input.name));
  }
  Shape shape;
  for (const Dim& dim : *input.dims) {
    if (!dim.symbol.empty()) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--random: input '{}' has the symbolic dimension '{}'; give its value with "
                       "--dim {}=NUMBER",
                       input.name, dim.symbol, dim.symbol));
    }
    if (!dim.is_known()) {
      fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--random: the model does not say dimension {1} of input '{0}'; give it with "
                      "--dim {0}.{1}=NUMBER or the tensor with --input",
                      input.name, shape.rank()));
    }
    if (!shape.push_back(dim.value)) {
      fail(ErrorCode::kUnsupported,
           fmt::format("--random: the rank of input '{}' is above {}", input.name, kMaxRank));
    }
  }
  return shape;
}

void require_legal_index(const std::string& input, const IndexLimits& limits) {
  for (const std::int64_t limit : limits) {
    if (limit >= 1) continue;
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--random: no index is legal in input '{}': the indexed axis is too short",
                     input));
  }
}

// The limits that hold when the given tensors of one element are constants: an axis among them
// decides which indices are legal.
std::map<std::string, IndexLimits, std::less<>> limits_of(
    const Model& model, const TensorsByName& given,
    const std::set<std::string, std::less<>>& missing) {
  const auto is_scalar = [&](const ValueInfo& input) {
    const auto tensor = given.find(input.name);
    return tensor != given.end() && tensor->second.element_count() == 1;
  };
  if (std::none_of(model.inputs.begin(), model.inputs.end(), is_scalar))
    return index_limits(model, missing);
  Model with_constants = model;
  std::erase_if(with_constants.inputs, [&](const ValueInfo& input) {
    if (!is_scalar(input)) return false;
    const Tensor& tensor = given.find(input.name)->second;
    with_constants.constants[input.name] = tensor.clone().value();
    return true;
  });
  return index_limits(with_constants, missing);
}

}  // namespace

void add_random_inputs(const Model& model, std::uint64_t seed, TensorsByName& tensors) {
  std::set<std::string, std::less<>> missing;
  for (const ValueInfo& input : model.inputs) {
    if (!tensors.contains(input.name)) missing.insert(input.name);
  }
  std::map<std::string, Shape, std::less<>> shapes;
  for (const ValueInfo& input : model.inputs) {
    if (missing.contains(input.name)) shapes.emplace(input.name, known_shape(input));
  }
  const auto limits = limits_of(model, tensors, missing);
  Random seeds(seed);
  for (const ValueInfo& input : model.inputs) {
    Random random(seeds.bits());  // one draw per input, so that given ones do not change the others
    if (!missing.contains(input.name)) continue;
    Tensor tensor = Tensor::allocate(input.dtype, shapes.find(input.name)->second).value();
    const auto limit = limits.find(input.name);
    if (limit == limits.end()) {
      fill_values(tensor, random);
    } else if (tensor.element_count() > 0) {
      require_legal_index(input.name, limit->second);
      fill_indices(tensor, limit->second, random);
    }
    tensors.emplace(input.name, std::move(tensor));
  }
}

TensorsByName inputs_of_run(Model& model, const InputTexts& texts,
                            const std::optional<std::uint64_t>& seed,
                            const std::vector<std::string>& dims, InputFiles& files) {
  TensorsByName tensors = load_inputs(model, texts, files);
  if (!seed) return tensors;
  model = with_known_dims(std::move(model), tensors, parse_symbols(dims));
  model = with_fixed_types(std::move(model), tensors);
  add_random_inputs(model, *seed, tensors);
  return tensors;
}

}  // namespace windrow::tool
