#include "src/models/numbered_graph.h"

#include <sys/auxv.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

__extension__ using Product = unsigned __int128;

// The prime 2^61 - 1.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

// a * b + c modulo 2^61 - 1, where a and b are below 2^61 and c is below 2^56.
std::uint64_t multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) noexcept {
  const Product product = Product{a} * b + c;
  const std::uint64_t sum =
      (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

// The point at which names are evaluated as polynomials, from the 16 random bytes that the kernel
// gives to each process.
std::uint64_t choose_point() noexcept {
  std::uint64_t point = 0x9e3779b97f4a7c15;
  if (const unsigned long random = ::getauxval(AT_RANDOM); random != 0)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives the address as a number
    std::memcpy(&point, reinterpret_cast<const void*>(random), sizeof(point));
  return point % (kPrime - 2) + 2;
}

}  // namespace

std::uint64_t hash_name(std::string_view name) noexcept {
  static const std::uint64_t point = choose_point();
  constexpr std::size_t kBytes = 7;
  std::uint64_t hash = name.size() + 1;
  while (!name.empty()) {
    std::uint64_t digits = 0;
    const std::size_t count = std::min(name.size(), kBytes);
    std::memcpy(&digits, name.data(), count);
    hash = multiply_add(hash, point, digits);
    name.remove_prefix(count);
  }
  return multiply_add(hash, point, 0);
}

void ValueNames::reserve(std::size_t count) {
  names_.reserve(count);
  grow(std::bit_ceil(2 * count + 2));
}

void ValueNames::grow(std::size_t slots) {
  if (slots <= slots_.size()) return;
  slots_.assign(slots, Slot());
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::uint64_t hash = hash_name(names_[i]);
    slots_[find_slot(names_[i], hash)] = {static_cast<std::uint32_t>(hash),
                                          static_cast<ValueNumber>(i)};
  }
}

std::size_t ValueNames::find_slot(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = first_slot(hash);
  while (slots_[at].number != kNoValue &&
         (slots_[at].hash != static_cast<std::uint32_t>(hash) || names_[slots_[at].number] != name))
    at = (at + 1) & mask;
  return at;
}

ValueNumber ValueNames::add(std::string_view name) {
  if (2 * names_.size() >= slots_.size()) grow(std::bit_ceil(4 * names_.size() + 2));
  const std::uint64_t hash = hash_name(name);
  Slot& slot = slots_[find_slot(name, hash)];
  if (slot.number != kNoValue) return kNoValue;
  slot = {static_cast<std::uint32_t>(hash), static_cast<ValueNumber>(names_.size())};
  names_.push_back(name);
  return slot.number;
}

void ValueNames::prefetch(std::string_view name) const {
  if (!slots_.empty()) __builtin_prefetch(&slots_[first_slot(hash_name(name))]);
}

ValueNumber ValueNames::find(std::string_view name) const {
  return slots_.empty() ? kNoValue : slots_[find_slot(name, hash_name(name))].number;
}

bool NumberedGraph::is_defined(std::string_view name) const {
  const NumberedGraph* graph = this;
  while (graph != nullptr && graph->find(name) == kNoValue) graph = graph->scope_.around;
  return graph != nullptr;
}

Status NumberedGraph::define_given(const Graph& graph) {
  for (const auto& [name, tensor] : graph.constants) names_.add(name);
  for (const ValueInfo& input : graph.default_inputs) {
    if (names_.find(input.name) == kNoValue && !graph.opaque_constants.contains(input.name))
      return format_error("the input '", input.name, "' has no default");
  }
  for (const ValueInfo& input : graph.inputs) {
    if (names_.add(input.name) == kNoValue)
      return format_error("the input '", input.name, "' is defined a second time");
  }
  for (const auto& [name, constant] : graph.opaque_constants) names_.add(name);
  return {};
}

Status NumberedGraph::add_node(const ModelNode& node) {
  for (const std::string& input : node.inputs) {
    values_.push_back(input.empty() ? kNoValue : names_.find(input));
    if (values_.back() == kNoValue && !input.empty() && !is_defined(input))
      return format_error("input '", input, "' is not defined before the node");
  }
  ends_.push_back(values_.size());
  for (const NodeBody& body : node.bodies) {
    const bool is_closed = scope_.bodies_are_closed;
    Result<NumberedGraph> numbered = of(*body.graph, {is_closed ? nullptr : this, is_closed});
    if (!numbered) return numbered.error().with_context("'" + body.attribute + "'");
    bodies_.push_back(*std::move(numbered));
  }
  for (const std::string& output : node.outputs) {
    values_.push_back(output.empty() ? kNoValue : names_.add(output));
    if (values_.back() == kNoValue && !output.empty())
      return format_error("output '", output, "' is defined a second time");
  }
  ends_.push_back(values_.size());
  return {};
}

Result<NumberedGraph> NumberedGraph::of(const Graph& graph, const Scope& scope) {
  NumberedGraph numbered(scope);
  numbered.names_.reserve(graph.constants.size() + graph.inputs.size() + graph.nodes.size());
  numbered.ends_.reserve(2 * graph.nodes.size() + 1);
  if (Status status = numbered.define_given(graph); !status) return status;
  numbered.given_count_ = numbered.names_.size();
  constexpr std::size_t kAhead = 8;  // nodes whose outputs are fetched while one is added
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const bool has_later = i + kAhead < graph.nodes.size();
    if (has_later && !graph.nodes[i + kAhead].outputs.empty())
      numbered.names_.prefetch(graph.nodes[i + kAhead].outputs.front());
    const ModelNode& node = graph.nodes[i];
    if (Status status = numbered.add_node(node); !status)
      return status.with_context("node '" + node.name + "'");
  }
  for (const ValueInfo& output : graph.outputs) {
    if (!numbered.is_defined(output.name))
      return format_error("the output '", output.name, "' is not defined");
  }
  numbered.scope_.around = nullptr;
  return numbered;
}

Status check_graphs(const Model& model) {
  if (Status status = NumberedGraph::of(model, model).error(); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = NumberedGraph::of(model, function.graph).error();
    if (!status) return status.with_context("function '" + function.graph.name + "'");
  }
  return {};
}

}  // namespace windrow::internal
