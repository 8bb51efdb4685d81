#include "src/explain/translate_call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/access/access_map.h"
#include "src/access/evaluate.h"
#include "src/explain/explain_point.h"
#include "src/reference/element.h"
#include "windrow/explain.h"

namespace windrow::internal {
namespace {

// "i0, i1 = np.ogrid[:2, :3]; ": with these counters the equation's indices broadcast to the loops.
std::string counters(std::span<const ExplainedAxis> axes) {
  if (axes.empty()) return {};
  std::string names;
  std::string extents;
  for (const ExplainedAxis& axis : axes) {
    names += (names.empty() ? "" : ", ") + axis.name;
    extents += (extents.empty() ? ":" : ", :") + std::to_string(axis.extent);
  }
  const std::string one = axes.size() == 1 ? "," : "";  // a tuple of one in Python
  return names + one + " = np.ogrid[" + extents + one + "]; ";
}

// A shape as Python's tuple.
std::string tuple_of(const Shape& shape) {
  std::string text = "(";
  for (const std::int64_t extent : shape) text += std::to_string(extent) + ", ";
  if (shape.rank() > 1) text.resize(text.size() - 2);
  if (shape.rank() == 1) text.pop_back();
  return text + ")";
}

bool is_numpy_number(DType dtype) {
  const bool small = is_packed(dtype) || dtype_bits(dtype) < 16;
  return is_integer(dtype) ? !is_packed(dtype)
                           : !small && dtype != DType::kBFloat16 && dtype != DType::kString;
}

// Whether elements are taken, or cells are reached, more than once.
bool has_repeats(std::span<const ExplainedAxis> axes) {
  return std::any_of(axes.begin(), axes.end(), [](const ExplainedAxis& axis) {
    return axis.origin == AxisOrigin::kRepeat && axis.extent != 1;
  });
}

// The text of a position in the indirect tensor, axis by axis.
class PositionText {
 public:
  // Returns false if NumPy's indexing cannot express the operation's indices.
  bool make(const Operation& operation, std::span<const TensorView> inputs) {
    for (std::size_t a = 0; a < operation.map.axes.size(); ++a)
      if (!add(operation, inputs, a)) return false;
    return true;
  }

  const std::string& statements() const { return statements_; }  // "k0 = ..; "
  const std::string& mask() const {
    return mask_;
  }  // true where the position is inside; empty if it always is
  std::string list() const {
    std::string text;
    for (const std::string& coordinate : coordinates_)
      text += (text.empty() ? "" : ", ") + coordinate;
    return text;
  }

 private:
  bool add(const Operation& operation, std::span<const TensorView> inputs, std::size_t a) {
    const AxisMap& axis = operation.map.axes[a];
    const std::string sum = sum_text(axis, operation);
    coordinates_.push_back(sum);
    if (axis.terms.empty()) return true;
    if (axis.terms.size() > 1) return false;
    const IndexTerm& term = axis.terms[0];
    const DType type = inputs[static_cast<std::size_t>(term.input)].dtype;
    if (!is_integer(type) || is_packed(type)) return false;
    const bool alone = axis.base == 0 && axis.loops.empty();
    const std::optional<std::int64_t> padding = padding_of(term, type);
    if (padding)
      return alone && axis.extent > 0 && add_padded(axis, *padding, operation, inputs, a);
    if (alone && axis.policy == OutOfRange::kError) return true;  // as NumPy has it
    const bool wraps = term.normalise == Normalise::kNegativeWraps;
    if (!alone && !may_be_summed(axis, type, wraps)) return false;
    if (axis.policy == OutOfRange::kError) return true;  // a sum that is inside
    if (axis.extent == 0) return false;
    name_coordinate(axis, operation, a, type, wraps);
    return true;
  }

  // An axis whose coordinate is an index. The padded ones are out of range, wherever they would be.
  bool add_padded(const AxisMap& axis, std::int64_t padding, const Operation& operation,
                  std::span<const TensorView> inputs, std::size_t a) {
    const IndexTerm& term = axis.terms[0];
    const std::string index = coordinates_.back();
    const std::string number = std::to_string(padding);
    if (axis.policy == OutOfRange::kError) {
      const std::string name = "k" + std::to_string(a);
      statements_ += name + " = np.where(" + index + " == " + number + ", 0, " + index + "); ";
      coordinates_.back() = name;
    } else {
      name_coordinate(axis, operation, a, inputs[static_cast<std::size_t>(term.input)].dtype,
                      term.normalise == Normalise::kNegativeWraps);
    }
    mask_ += (mask_.empty() ? "(" : " & (") + index + " != " + number + ")";
    return true;
  }

  // Whether NumPy computes the same sum with an index, although it does not check for overflow.
  static bool may_be_summed(const AxisMap& axis, DType type, bool wraps) {
    if (type == DType::kUint64 || (wraps && axis.policy != OutOfRange::kModulo)) return false;
    if (axis.policy == OutOfRange::kError || axis.policy == OutOfRange::kModulo) return true;
    return dtype_bits(type) < 64 && !axis.loops.empty();
  }

  // Assigns the coordinate to a variable, to which the policy is applied.
  void name_coordinate(const AxisMap& axis, const Operation& operation, std::size_t a, DType type,
                       bool wraps) {
    const std::string name = "k" + std::to_string(a);
    const std::string extent = std::to_string(axis.extent);
    std::string& coordinate = coordinates_.back();
    // A narrow type might not hold the extent.
    const bool is_wide = type == DType::kInt64 || type == DType::kUint64;
    const bool alone = axis.base == 0 && axis.loops.empty();
    const std::string cast = is_wide || !alone ? "" : ".astype(int)";
    if (axis.policy == OutOfRange::kModulo) {
      AxisMap indices = axis;
      indices.base = 0;
      indices.loops.clear();
      AxisMap others = axis;
      others.terms.clear();
      // The remainder comes first, since a sum with a large index would overflow.
      statements_ += name + " = " + sum_text(indices, operation) + (is_wide ? "" : ".astype(int)") +
                     " % " + extent + "; ";
      coordinate =
          alone ? name : "(" + name + " + " + sum_text(others, operation) + ") % " + extent;
      return;
    }
    statements_ += name + " = " + coordinate + cast + "; ";
    if (wraps && dtype_kind(type) == DTypeKind::kSigned)
      statements_ +=
          name + " = np.where(" + name + " < 0, " + name + " + " + extent + ", " + name + "); ";
    if (axis.policy != OutOfRange::kClamp)
      mask_ +=
          (mask_.empty() ? "" : " & ") + ("(" + name + " >= 0) & (" + name + " < ") + extent + ")";
    coordinate = "np.clip(" + name + ", 0, " + std::to_string(axis.extent - 1) + ")";
  }

  std::string statements_;
  std::string mask_;
  std::vector<std::string> coordinates_;
};

// ---- Gathers

// Types that NumPy lacks get an array of zero bits, as the policy gives: float8_e8m0fnu has no
// zero, and converting 0 to it gives NaN.
std::string zero_text(DType dtype, const std::string& data) {
  return is_numpy_number(dtype) ? "0" : "np.zeros((), " + data + ".dtype)";
}

std::string gather_line(const Operation& operation, std::span<const ExplainedAxis> axes,
                        const PositionText& position) {
  const std::string& data = input_name(operation, operation.data_input);
  if (!position.mask().empty() && operation.dtype == DType::kString) return {};
  std::string value = data + "[" + (position.list().empty() ? "()" : position.list()) + "]";
  if (!position.mask().empty())
    value = "np.where(" + position.mask() + ", " + value + ", " + zero_text(operation.dtype, data) +
            ")";
  if (has_repeats(axes))
    value = "np.broadcast_to(" + value + ", " + tuple_of(operation.map.loops) + ")";
  if (operation.result_shape != operation.map.loops)
    value += ".reshape(" + tuple_of(operation.result_shape) + ")";
  return counters(axes) + position.statements() + "output = " + value;
}

// ---- Scatters

// NumPy's functions, indexed by Combine; an assignment and a mean have none.
constexpr std::array<std::string_view, 7> kFolds = {"",        "add",     "subtract", "multiply",
                                                    "minimum", "maximum", ""};

// The value with which a fold that leaves out data begins. `unbounded` selects infinities for
// floats.
std::string neutral_text(Combine combine, DType dtype, bool unbounded) {
  if (combine == Combine::kAdd || combine == Combine::kSub) return "0";
  if (combine == Combine::kMul) return "1";
  const bool is_min = combine == Combine::kMin;
  if (is_integer(dtype))
    return "np.iinfo(np." + std::string(dtype_name(dtype)) + ")." + (is_min ? "max" : "min");
  if (unbounded) return is_min ? "np.inf" : "-np.inf";
  return "np.finfo(np." + std::string(dtype_name(dtype)) + ")." + (is_min ? "max" : "min");
}

class ScatterLine {
 public:
  ScatterLine(const Operation& operation, std::span<const TensorView> inputs,
              const PositionText& position)
      : operation_(operation), inputs_(inputs), position_(position) {}

  // Empty if NumPy cannot express the scatter.
  std::string text(std::span<const ExplainedAxis> axes) {
    const bool folds = operation_.combine != Combine::kAssign;
    if (operation_.combine == Combine::kMean || (folds && !is_numpy_number(operation_.dtype)))
      return {};
    const bool masked = !position_.mask().empty();
    std::string line = counters(axes) + position_.statements();
    if (masked)
      line += "m = np.broadcast_to(" + position_.mask() + ", " + tuple_of(operation_.map.loops) +
              "); p = tuple(np.broadcast_to(k, m.shape)[m] for k in (" + position_.list() + ",)); ";
    line += "output = " + start_text() + "; ";
    const std::string place = masked ? "p" : position_.list();
    const std::string updates = updates_text(masked);
    if (!folds) return line + "output[" + place + "] = " + updates;
    const bool has_data = operation_.data_input >= 0;
    if (has_data ? !operation_.from_data : operation_.untouched != UntouchedCell::kIdentity)
      line += "output[" + place +
              "] = " + neutral_text(operation_.combine, operation_.dtype, !has_data) + "; ";
    const std::string tuple = masked ? "p" : "(" + place + ",)";
    return line + "np." + std::string(kFolds[static_cast<std::size_t>(operation_.combine)]) +
           ".at(output, " + tuple + ", " + updates + ")";
  }

 private:
  const std::string& name(int input) const { return input_name(operation_, input); }

  std::string start_text() const {
    if (starts_as_data(operation_)) return name(operation_.data_input) + ".copy()";
    const std::string shape = tuple_of(operation_.result_shape);
    if (operation_.data_element >= 0) {
      const std::string& values = name(operation_.data_input);
      return "np.full(" + shape + ", " + values +
             element_place(operation_, operation_.data_element) + ", " + values + ".dtype)";
    }
    const bool unbounded = operation_.untouched == UntouchedCell::kIdentity;
    const std::string start = operation_.untouched == UntouchedCell::kZero
                                  ? "0"
                                  : neutral_text(operation_.combine, operation_.dtype, unbounded);
    return "np.full(" + shape + ", " + start + ", " + name(operation_.updates_input) + ".dtype)";
  }

  std::string updates_text(bool masked) const {
    const std::string& updates = name(operation_.updates_input);
    if (operation_.updates_element >= 0)
      return updates + element_place(operation_, operation_.updates_element);
    const Shape& loops = operation_.map.loops;
    const Shape& shape = inputs_[static_cast<std::size_t>(operation_.updates_input)].shape;
    std::string text = updates;
    if (operation_.updates_broadcast)
      text = masked ? "np.broadcast_to(" + updates + ", " + tuple_of(loops) + ")" : updates;
    else if (shape != loops)
      text = updates + ".reshape(" + tuple_of(loops) + ")";
    return masked ? text + "[m]" : text;
  }

  const Operation& operation_;
  std::span<const TensorView> inputs_;
  const PositionText& position_;
};

}  // namespace

std::string numpy_line(const Operation& operation, std::span<const TensorView> inputs,
                       std::span<const ExplainedAxis> axes) {
  PositionText position;
  if (!position.make(operation, inputs)) return {};
  if (!operation.scatter) return gather_line(operation, axes, position);
  if (has_repeats(axes) || position.list().empty()) return {};
  return ScatterLine(operation, inputs, position).text(axes);
}

}  // namespace windrow::internal

namespace windrow {
namespace {

// The names of one value in ONNX and in the other dialects.
constexpr std::array<std::array<std::string_view, 2>, 4> kValueNames = {
    {{"add", "sum"}, {"mul", "prod"}, {"linear", "LINEAR"}, {"circular", "CIRCULAR"}}};

std::string text_of(const OperatorInfo& info) {
  return info.dialect + "." + info.name + "-" + std::to_string(info.since_version);
}

Status homeless(const OperatorInfo& from, const OperatorInfo& to, const std::string& what) {
  return Status(ErrorCode::kInvalidArgument,
                what + " of " + text_of(from) + " has no place in " + text_of(to));
}

// The mode of TensorRT's layer for an operator of another dialect: "ND" for GatherND.
std::string_view mode_of(std::string_view name) {
  if (name.find("ND") != std::string_view::npos) return "ND";
  return name.find("Elements") != std::string_view::npos ? "ELEMENT" : "DEFAULT";
}

bool has_modes(const OperatorInfo& info) {
  return info.dialect == "tensorrt" && (info.name == "Gather" || info.name == "Scatter");
}

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Named& named) { return named.name == name; });
  return found == list.end() ? nullptr : &*found;
}

class Translation {
 public:
  Translation(const OperatorInfo& from, const OperatorInfo& to) : from_(from), to_(to) {
    call_.inputs.resize(to.inputs.size());
    filled_.resize(to.inputs.size(), false);
    call_.tensors.reserve(from.attributes.size() + from.inputs.size());
  }

  Status add(const Attributes& attributes, std::span<const TensorView> inputs,
             const Attributes& chosen) {
    call_.attributes = chosen;
    Status status = add_named_inputs(inputs);
    if (status) status = add_attributes(attributes);
    if (status) status = add_other_inputs();
    if (status && has_modes(to_) && !has_modes(from_))
      call_.attributes.emplace("mode", std::string(mode_of(from_.name)));
    return status;
  }

  TranslatedCall call() && { return std::move(call_); }

 private:
  // Adds the inputs whose name is that of an input or attribute of the other operator; keeps the
  // rest for add_other_inputs().
  Status add_named_inputs(std::span<const TensorView> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].is_absent()) continue;
      const std::string& name = from_.inputs[i].name;
      if (fill_named(name, inputs[i]) || add_on_and_off(name, inputs, i)) continue;
      if (find_named(to_.attributes, name) != nullptr) {
        if (element_count(inputs[i].shape) != 1 || inputs[i].data == nullptr)
          return homeless(from_, to_, "input '" + name + "' without one known value");
        call_.attributes.emplace(name, internal::reference::read_index(
                                           inputs[i], Dims::filled(inputs[i].shape.rank(), 0)));
      } else {
        waiting_.emplace_back(name, inputs[i]);
      }
    }
    return {};
  }

  // The values of OneHot, which are one input [off, on] or two scalars: makes one form of the
  // other.
  bool add_on_and_off(std::string_view name, std::span<const TensorView> inputs, std::size_t i) {
    if (name == "values" && find_named(to_.inputs, "on_value") != nullptr) {
      const TensorView& pair = inputs[i];
      if (pair.shape != Shape{2} || is_packed(pair.dtype)) return false;
      const auto* const off = static_cast<const std::byte*>(pair.data);
      fill_named("off_value", TensorView(pair.dtype, Shape(), off));
      return fill_named("on_value", TensorView(pair.dtype, Shape(),
                                               off == nullptr ? off : off + pair.strides[0]));
    }
    if (name == "off_value") return find_named(to_.inputs, "values") != nullptr;
    if (name != "on_value" || i + 1 >= inputs.size()) return false;
    return find_named(to_.inputs, "values") != nullptr && join(inputs[i], inputs[i + 1]);
  }

  // Fills `values` with [off, on]. False if these are not two scalars of one type with elements.
  bool join(const TensorView& on, const TensorView& off) {
    const auto is_scalar = [](const TensorView& view) {
      return view.shape.empty() && view.data != nullptr;
    };
    if (!is_scalar(on) || !is_scalar(off) || on.dtype != off.dtype) return false;
    Result<Tensor> pair = Tensor::zeros(on.dtype, {2});
    if (!pair) return false;
    internal::reference::write_element(*pair, {0}, internal::reference::read_element(off, {}));
    internal::reference::write_element(*pair, {1}, internal::reference::read_element(on, {}));
    call_.tensors.push_back(*std::move(pair));
    return fill_named("values", call_.tensors.back().view());
  }

  // Assigns the remaining inputs in their order to the free places.
  Status add_other_inputs() {
    for (const auto& [name, view] : waiting_) {
      const auto place = std::find(filled_.begin(), filled_.end(), false);
      if (place == filled_.end()) return homeless(from_, to_, "input '" + name + "'");
      fill(static_cast<std::size_t>(place - filled_.begin()), view);
    }
    return {};
  }

  Status add_attributes(const Attributes& attributes) {
    for (const OperatorAttribute& attribute : from_.attributes) {
      const auto given = attributes.find(attribute.name);
      const bool is_given = given != attributes.end();
      const AttributeValue& value = is_given ? given->second : attribute.default_value;
      if (has_modes(from_) != has_modes(to_) && attribute.name == "mode") continue;
      if (find_named(to_.attributes, renamed(attribute.name)) != nullptr) {
        call_.attributes.emplace(renamed(attribute.name), named_here(value));
      } else if (const OperatorInput* place = find_named(to_.inputs, attribute.name)) {
        const auto* const number = std::get_if<std::int64_t>(&value);
        if (number == nullptr) return homeless(from_, to_, "attribute '" + attribute.name + "'");
        call_.tensors.push_back(Tensor::of<std::int64_t>({}, {*number}));
        fill(static_cast<std::size_t>(place - to_.inputs.data()), call_.tensors.back().view());
      } else if (is_given && value != attribute.default_value) {
        return homeless(from_, to_, "attribute '" + attribute.name + "'");
      }
    }
    return {};
  }

  // The other operator's name of an attribute.
  std::string_view renamed(std::string_view name) const {
    if (has_modes(to_) && name == "batch_dims") return "num_elementwise_dims";
    if (has_modes(from_) && name == "num_elementwise_dims") return "batch_dims";
    return name;
  }

  // The other dialect's name of a value.
  AttributeValue named_here(const AttributeValue& value) const {
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) return value;
    for (const auto& names : kValueNames)
      if (std::find(names.begin(), names.end(), *text) != names.end())
        return std::string(names[to_.dialect == "onnx" ? 0 : 1]);
    return value;
  }

  // Whether the other operator has an input of that name, which is filled then.
  bool fill_named(std::string_view name, const TensorView& view) {
    const OperatorInput* const place = find_named(to_.inputs, name);
    if (place != nullptr) fill(static_cast<std::size_t>(place - to_.inputs.data()), view);
    return place != nullptr;
  }

  void fill(std::size_t place, const TensorView& view) {
    call_.inputs[place] = view;
    filled_[place] = true;
  }

  const OperatorInfo& from_;
  const OperatorInfo& to_;
  TranslatedCall call_;
  std::vector<bool> filled_;  // by input of the other operator
  std::vector<std::pair<std::string, TensorView>> waiting_;
};

}  // namespace

Result<TranslatedCall> translate_call(const OperatorId& from, const Attributes& attributes,
                                      std::span<const TensorView> inputs, const OperatorId& to,
                                      const Attributes& chosen) {
  const Result<OperatorInfo> source = find_operator(from);
  if (!source) return source.error();
  const Result<OperatorInfo> target = find_operator(to);
  if (!target) return target.error();
  try {
    Translation translation(*source, *target);
    if (inputs.size() > source->inputs.size())
      return Status(ErrorCode::kInvalidArgument,
                    text_of(*source) + " has " + std::to_string(source->inputs.size()) +
                        " inputs, not " + std::to_string(inputs.size()));
    if (Status status = translation.add(attributes, inputs, chosen); !status) return status;
    TranslatedCall call = std::move(translation).call();
    call.id = to;
    return call;
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, text_of(*target) + ": out of memory");
  }
}

}  // namespace windrow
