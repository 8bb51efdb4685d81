#include "tools/windrow/model_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/node_operator.h"
#include "tools/windrow/ops.h"
#include "tools/windrow/output_files.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

bool lacks_type(const ValueInfo& value) { return value.dtype == DType::kAbsent; }

// The types of a model's values, as far as they are known or an operator's rules say them. Values
// have numbers, so that no name is looked up twice; those that Identity nodes hand on share one.
class Types {
 public:
  explicit Types(const Model& model) : model_(model), origins_(origins_of(model, false)) {
    for (const ValueInfo& input : model.inputs) number_of(input.name);
    for (const ModelNode& node : model.nodes) add_node(node);
    for (const auto& [name, value] : model.infer().value().values()) {
      const auto known = numbers_.find(origin_of(origins_, name));
      if (known != numbers_.end() && !lacks_type(value)) types_[known->second] = value.dtype;
    }
    sort_readers();
  }

  // Until nothing is added: a type that one node fixes may fix another at a node before or behind
  // it. A value gets its type once, so that each node is looked at as often as it has values.
  void complete() {
    std::vector<std::size_t> open;
    for (std::size_t node = nodes_.size(); node-- > 0;) open.push_back(node);
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      add_types(node, open);
    }
  }

  DType of(const std::string& name) const {
    const auto number = numbers_.find(origin_of(origins_, name));
    return number == numbers_.end() ? DType::kAbsent : types_[number->second];
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // An operator's node. Its values stand in values_ from `first` on: as many inputs as it and the
  // operator have, then the output; kNone for those that are left out.
  struct Node {
    const OperatorInfo* info;
    std::size_t first;
    std::size_t inputs;
  };

  std::size_t number_of(const std::string& name) {
    if (name.empty()) return kNone;
    const auto [known, is_new] = numbers_.emplace(origin_of(origins_, name), types_.size());
    if (is_new) types_.push_back(DType::kAbsent);
    return known->second;
  }

  void add_node(const ModelNode& node) {
    const OperatorInfo* const info = operators_.find(node);
    if (info == nullptr) return;
    const std::size_t inputs = std::min(info->inputs.size(), node.inputs.size());
    nodes_.push_back({info, values_.size(), inputs});
    for (std::size_t i = 0; i < inputs; ++i) values_.push_back(number_of(node.inputs[i]));
    values_.push_back(node.outputs.empty() ? kNone : number_of(node.outputs[0]));
  }

  // The nodes of each value, one value after another.
  void sort_readers() {
    reader_starts_.assign(types_.size() + 1, 0);
    for (const std::size_t value : values_)
      if (value != kNone) ++reader_starts_[value + 1];
    for (std::size_t value = 0; value < types_.size(); ++value)
      reader_starts_[value + 1] += reader_starts_[value];
    readers_.resize(reader_starts_.back());
    std::vector<std::size_t> next(reader_starts_.begin(), reader_starts_.end() - 1);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      for (std::size_t i = 0; i <= nodes_[node].inputs; ++i)
        if (value(node, i) != kNone) readers_[next[value(node, i)]++] = node;
  }

  std::size_t value(std::size_t node, std::size_t position) const {
    return values_[nodes_[node].first + position];
  }
  DType type(std::size_t node, std::size_t position) const {
    const std::size_t number = value(node, position);
    return number == kNone ? DType::kAbsent : types_[number];
  }

  // What the operator's rules say of the values of a node. The nodes of each value of which nothing
  // was known become open.
  void add_types(std::size_t node, std::vector<std::size_t>& open) {
    const auto& [info, first, inputs] = nodes_[node];
    for (std::size_t i = 0; i < inputs; ++i) {
      const OperatorInput& input = info->inputs[i];
      set(values_[first + i],
          input.dtypes.size() == 1 ? input.dtypes.front() : of_group(node, input.type_group), open);
    }
    set(values_[first + inputs], of_group(node, "T"), open);
  }

  // The type of the first tensor of the group whose type is known. The result belongs to group T.
  DType of_group(std::size_t node, std::string_view group) const {
    const auto& [info, first, inputs] = nodes_[node];
    for (std::size_t i = 0; i < inputs; ++i)
      if (info->inputs[i].type_group == group && type(node, i) != DType::kAbsent)
        return type(node, i);
    return group == "T" ? type(node, inputs) : DType::kAbsent;
  }

  void set(std::size_t value, DType type, std::vector<std::size_t>& open) {
    if (value == kNone || type == DType::kAbsent || types_[value] != DType::kAbsent) return;
    types_[value] = type;
    for (std::size_t i = reader_starts_[value]; i < reader_starts_[value + 1]; ++i)
      open.push_back(readers_[i]);
  }

  const Model& model_;
  NodeOperators operators_{model_};
  Origins origins_;
  std::unordered_map<std::string_view, std::size_t> numbers_;  // by the first name of a value
  std::vector<DType> types_;                                   // by number
  std::vector<Node> nodes_;
  std::vector<std::size_t> values_;
  std::vector<std::size_t> readers_;
  std::vector<std::size_t> reader_starts_;  // by number: where its readers begin
};

}  // namespace

Model with_fixed_types(Model model, const TensorsByName& given) {
  for (ValueInfo& input : model.inputs) {
    const auto tensor = given.find(input.name);
    if (lacks_type(input) && tensor != given.end()) input.dtype = tensor->second.dtype();
  }
  if (std::none_of(model.inputs.begin(), model.inputs.end(), lacks_type)) return model;
  Types types(model);
  types.complete();
  for (ValueInfo& input : model.inputs) {
    if (lacks_type(input)) input.dtype = types.of(input.name);
  }
  return model;
}

namespace {

// What the model has, and the nearest to `wanted`.
std::string input_names(const Model& model, const std::string& wanted = {}) {
  std::string names;
  NearestName nearest(wanted);
  for (const ValueInfo& input : model.inputs) {
    names += (names.empty() ? "" : ", ") + input.name;
    nearest.consider(input.name);
  }
  return names.empty() ? "it has none" : "its inputs: " + names + nearest.hint();
}

struct InputText {
  const ValueInfo* input;
  std::string file;
};

const ValueInfo* find_input(const Model& model, const std::string& name) {
  const std::string& value = model.value_name(name);
  for (const auto* inputs : {&model.inputs, &model.default_inputs})
    for (const ValueInfo& input : *inputs)
      if (input.name == value) return &input;
  return nullptr;
}

// The input that "NAME=FILE" names; nothing if the text is a file alone. Names may hold '='
// themselves, so the model's own names decide where a name ends.
std::optional<InputText> named_input(const Model& model, const std::string& text) {
  for (std::size_t end = text.find('='); end != std::string::npos; end = text.find('=', end + 1)) {
    const ValueInfo* input = find_input(model, text.substr(0, end));
    if (input != nullptr) return InputText{input, text.substr(end + 1)};
  }
  return std::nullopt;
}

[[noreturn]] void refuse_input(const Model& model, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    fail(ErrorCode::kInvalidArgument, fmt::format("--input {}: say which input it is, NAME={}; {}",
                                                  text, text, input_names(model)));
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--input {}: the model has no input '{}'; {}", text, text.substr(0, equals),
                   input_names(model, text.substr(0, equals))));
}

void bind_symbol(SymbolValues& symbols, const std::string& symbol, std::int64_t value,
                 const std::string& input) {
  const auto [entry, is_new] = symbols.emplace(symbol, value);
  if (!is_new && entry->second != value) {
    fail(ErrorCode::kShape, fmt::format("dimension '{}' is {}, but input '{}' has {} there", symbol,
                                        entry->second, input, value));
  }
}

// The symbols that the given tensors show, added to `symbols`; dimensions without a name take the
// tensors' own.
void bind_given(Model& model, const TensorsByName& given, SymbolValues& symbols) {
  for (ValueInfo& input : model.inputs) {
    const auto tensor = given.find(input.name);
    if (tensor == given.end() || !input.dims) continue;
    const Shape& shape = tensor->second.shape();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (static_cast<std::size_t>(axis) >= input.dims->size()) break;
      Dim& dim = (*input.dims)[static_cast<std::size_t>(axis)];
      if (!dim.symbol.empty()) bind_symbol(symbols, dim.symbol, shape[axis], input.name);
      const bool fits = dim.low <= shape[axis] && shape[axis] <= dim.high;
      if (!dim.is_known() && dim.symbol.empty() && fits) dim = {shape[axis], {}};
    }
  }
}

void replace_symbols(std::vector<ValueInfo>& values, const SymbolValues& symbols) {
  for (ValueInfo& value : values) {
    if (!value.dims) continue;
    for (Dim& dim : *value.dims) {
      const auto known = symbols.find(dim.symbol);
      if (!dim.symbol.empty() && known != symbols.end()) dim = {known->second, {}};
    }
  }
}

// The dimension that "INPUT.AXIS" names, if it is one without a name of its own; else null.
Dim* find_unnamed(Model& model, const std::string& text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos) return nullptr;
  const std::string& name = model.value_name(text.substr(0, dot));
  const auto axis = parse_number<std::size_t>(std::string_view(text).substr(dot + 1));
  if (!axis) return nullptr;
  for (ValueInfo& input : model.inputs) {
    if (input.name != name || !input.dims || *axis >= input.dims->size()) continue;
    Dim& dim = (*input.dims)[*axis];
    return dim.is_known() || !dim.symbol.empty() ? nullptr : &dim;
  }
  return nullptr;
}

void set_unnamed(Dim& dim, const std::string& text, std::int64_t value) {
  if (value < dim.low || value > dim.high) {
    const std::string high = dim.high == Dim().high ? "" : std::to_string(dim.high);
    fail(ErrorCode::kShape, fmt::format("--dim {}: {} is not in {}..{}, as the model declares it",
                                        text, value, dim.low, high));
  }
  dim = {value, {}};
}

// Sets the dimensions without a name that `symbols` names by their places, and takes them out.
void set_unnamed_dims(Model& model, SymbolValues& symbols) {
  for (auto symbol = symbols.begin(); symbol != symbols.end();) {
    Dim* const dim = find_unnamed(model, symbol->first);
    if (dim == nullptr) {
      ++symbol;
    } else {
      set_unnamed(*dim, symbol->first, symbol->second);
      symbol = symbols.erase(symbol);
    }
  }
}

// "b (ids.0, mask.0), s (ids.1), mask.2": every dimension of an input that --dim can set, once,
// with its places. Empty if there is none.
std::string settable_dims(const Model& model) {
  std::vector<std::pair<std::string, std::string>> dims;  // a name and its places
  for (const ValueInfo& input : model.inputs) {
    for (std::size_t axis = 0; input.dims && axis < input.dims->size(); ++axis) {
      const Dim& dim = (*input.dims)[axis];
      if (dim.is_known()) continue;
      const std::string place = fmt::format("{}.{}", input.name, axis);
      const auto known = std::find_if(dims.begin(), dims.end(), [&](const auto& entry) {
        return !dim.symbol.empty() && entry.first == dim.symbol;
      });
      if (known != dims.end()) {
        known->second += ", " + place;
      } else {
        dims.emplace_back(dim.symbol.empty() ? place : dim.symbol, dim.symbol.empty() ? "" : place);
      }
    }
  }
  std::string text;
  for (const auto& [name, places] : dims) {
    text += (text.empty() ? "" : ", ") + name;
    if (!places.empty()) text += fmt::format(" ({})", places);
  }
  return text;
}

void require_symbol(const Model& model, const std::string& symbol) {
  NearestName nearest(symbol);
  for (const ValueInfo& input : model.inputs) {
    if (!input.dims) continue;
    for (const Dim& dim : *input.dims) {
      if (dim.symbol == symbol) return;
      nearest.consider(dim.symbol);
    }
  }
  const std::string known = settable_dims(model);
  fail(ErrorCode::kInvalidArgument,
       fmt::format("--dim {}: no input of the model has a dimension of that name; {}{}", symbol,
                   known.empty() ? "all are numbers" : "there are " + known, nearest.hint()));
}

// `option` is the option with its value, as in "--input x=x.npy".
void add_input(const std::string& option, const ValueInfo& input, Tensor tensor,
               TensorsByName& tensors) {
  if (!tensors.emplace(input.name, std::move(tensor)).second)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("{}: input '{}' is given twice", option, input.name));
}

void add_archive(const Model& model, const TensorArchive& archive, const std::string& option,
                 TensorsByName& tensors) {
  for (const std::string& name : archive.names()) {
    const ValueInfo* const input = find_input(model, name);
    if (input == nullptr)
      fail(ErrorCode::kInvalidArgument, fmt::format("{}: the model has no input '{}'; {}", option,
                                                    name, input_names(model, name)));
    add_input(option, *input, archive.load(name, input->dtype).value(), tensors);
  }
}

TensorArchive open_inputs(const std::string& text, InputFiles& files) {
  std::optional<TensorArchive> archive = files.open_archive(text);
  if (!archive)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--inputs {}: must be an .npz or .safetensors file; the tensor of one input "
                     "is given by --input NAME=FILE",
                     text));
  return *std::move(archive);
}

void add_text(const Model& model, const std::string& text, InputFiles& files,
              TensorsByName& tensors) {
  std::optional<InputText> named = named_input(model, text);
  if (!named) {
    const std::optional<TensorArchive> archive = files.open_archive(text);
    const bool is_one = !archive || archive->names().size() == 1;
    if (archive && (model.inputs.size() != 1 || !is_one))
      return add_archive(model, *archive, "--input " + text, tensors);
    if (model.inputs.size() != 1 || text.find('=') != std::string::npos) refuse_input(model, text);
    named = InputText{&model.inputs[0], text};
  }
  const ValueInfo& input = *named->input;
  add_input("--input " + text, input, files.load_tensor(named->file, input.name, input.dtype),
            tensors);
}

bool names_other(const Model& model, const Model& part, const TensorArchive& archive) {
  const std::vector<std::string>& names = archive.names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return find_input(part, name) == nullptr && find_input(model, name) != nullptr;
  });
}

}  // namespace

CLI::Option* add_input_options(CLI::App& subcommand, InputTexts& texts,
                               const std::string& purpose) {
  subcommand.add_option("--input", texts.each, "A tensor for an input; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  return subcommand
      .add_option("--inputs", texts.archive,
                  "The tensors of this .npz or .safetensors file for " + purpose)
      ->check(refuse_empty_name)
      ->type_name("FILE");
}

TensorsByName load_inputs(const Model& model, const InputTexts& texts, InputFiles& files) {
  TensorsByName tensors;
  if (!texts.archive.empty())
    add_archive(model, open_inputs(texts.archive, files), "--inputs " + texts.archive, tensors);
  for (const std::string& text : texts.each) add_text(model, text, files, tensors);
  return tensors;
}

bool name_other_inputs(const Model& model, const Model& part, const InputTexts& texts,
                       InputFiles& files) {
  if (!texts.archive.empty() && names_other(model, part, open_inputs(texts.archive, files)))
    return true;
  return std::any_of(texts.each.begin(), texts.each.end(), [&](const std::string& text) {
    if (named_input(part, text)) return false;
    if (named_input(model, text)) return true;
    const std::optional<TensorArchive> archive = files.open_archive(text);
    return archive && names_other(model, part, *archive);
  });
}

SymbolValues parse_symbols(const std::vector<std::string>& texts) {
  SymbolValues symbols;
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const std::string_view number = equals == std::string::npos
                                        ? std::string_view()
                                        : std::string_view(text).substr(equals + 1);
    const std::int64_t value = parse_number<std::int64_t>(number).value_or(-1);
    if (value < 0 || equals == 0) {
      fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--dim {}: must be NAME=NUMBER with a number of at least 0, as in --dim {}=8",
                      text, text.empty() || equals == 0 ? "batch" : text.substr(0, equals)));
    }
    if (!symbols.emplace(text.substr(0, equals), value).second) {
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--dim {}: '{}' is given twice", text, text.substr(0, equals)));
    }
  }
  return symbols;
}

Model with_known_dims(Model model, const TensorsByName& given, SymbolValues symbols) {
  set_unnamed_dims(model, symbols);
  for (const auto& [symbol, value] : symbols) require_symbol(model, symbol);
  bind_given(model, given, symbols);
  replace_symbols(model.inputs, symbols);
  replace_symbols(model.outputs, symbols);
  replace_symbols(model.values, symbols);
  return model;
}

}  // namespace windrow::tool
