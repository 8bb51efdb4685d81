// ONNX's operators that sum products: the type and the shape of their results.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/ranges/production.h"

namespace windrow::internal {
namespace {

void give(Production& p, DType type, SymbolicShape dims) {
  p.output().dtype = type;
  p.output().dims = std::move(dims);
}

// The shape of a product of matrices; nothing if a rank is not known.
SymbolicShape product_of(Production& p, const SymbolicShape& a, const SymbolicShape& b) {
  if (!a || !b || a->empty() || b->empty()) return std::nullopt;
  const auto outer = [](const std::vector<Dim>& dims) {
    const std::size_t inner = dims.size() < 2 ? dims.size() : 2;
    return SymbolicShape(std::vector<Dim>(dims.begin(), dims.end() - static_cast<int>(inner)));
  };
  const SymbolicShape first = outer(*a);
  const SymbolicShape second = outer(*b);
  SymbolicShape dims = p.broadcast_shape({&first, &second});
  if (a->size() > 1) dims->push_back((*a)[a->size() - 2]);
  if (b->size() > 1) dims->push_back(b->back());
  return dims;
}

void matmul(Production& p) {
  give(p, p.given(0).dtype, product_of(p, p.given(0).dims, p.given(1).dims));
}
void matmul_integer(Production& p) {
  give(p, DType::kInt32, product_of(p, p.given(0).dims, p.given(1).dims));
}
void qlinear_matmul(Production& p) {
  give(p, p.given(7).dtype, product_of(p, p.given(0).dims, p.given(3).dims));
}

void gemm(Production& p) {
  const SymbolicShape& a = p.given(0).dims;
  const SymbolicShape& b = p.given(1).dims;
  SymbolicShape dims;
  if (a && b && a->size() == 2 && b->size() == 2) {
    const std::size_t row = p.attribute("transA", 0) != 0 ? 1 : 0;
    const std::size_t column = p.attribute("transB", 0) != 0 ? 0 : 1;
    dims = std::vector{(*a)[row], (*b)[column]};
  }
  give(p, p.given(0).dtype, std::move(dims));
}

// The letters of each operand and of the result of an equation; nothing for one with an ellipsis
// or with other characters.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

// Without a result the letters that occur once, in their order.
std::string implied_result(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  for (const std::string& operand : operands)
    for (const char letter : operand) ++counts[letter];
  std::string result;
  for (const auto& [letter, count] : counts)
    if (count == 1) result += letter;
  return result;
}

std::optional<Equation> equation_of(std::string text) {
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const std::string_view left = std::string_view(text).substr(0, arrow);
  Equation equation{{""}, {}};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const char c : left) {
    if (c == ',') {
      equation.operands.emplace_back();
    } else if (is_letter(c)) {
      equation.operands.back() += c;
    } else {
      return std::nullopt;
    }
  }
  equation.result =
      arrow == std::string::npos ? implied_result(equation.operands) : text.substr(arrow + 2);
  return std::all_of(equation.result.begin(), equation.result.end(), is_letter)
             ? std::optional(equation)
             : std::nullopt;
}

// A letter that stands for 1 and another extent has the other one, as in broadcasting.
SymbolicShape einsum_shape(const Production& p) {
  const auto equation = equation_of(p.text("equation", "."));
  if (!equation || equation->operands.size() != p.input_count()) return std::nullopt;
  std::map<char, SymbolicShape> extents;
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    const std::string& letters = equation->operands[i];
    const SymbolicShape& dims = p.given(i).dims;
    if (!dims || dims->size() != letters.size()) return std::nullopt;
    for (std::size_t axis = 0; axis < letters.size(); ++axis) {
      const SymbolicShape one = std::vector{(*dims)[axis]};
      SymbolicShape& extent = extents.try_emplace(letters[axis], one).first->second;
      const SymbolicShape* const both[] = {&extent, &one};
      extent = broadcast(both);
    }
  }
  SymbolicShape dims = std::vector<Dim>();
  for (const char letter : equation->result) {
    const auto found = extents.find(letter);
    if (found == extents.end()) return std::nullopt;
    dims->push_back(found->second->front());
  }
  return dims;
}

void einsum(Production& p) { give(p, p.given(0).dtype, einsum_shape(p)); }

constexpr ProducerRow kRows[] = {
    {{"MatMul"}, {}, matmul},
    {{"MatMulInteger"}, {}, matmul_integer},
    {{"QLinearMatMul"}, {}, qlinear_matmul},
    {{"Gemm", 7}, {}, gemm},
    {{"Einsum"}, {}, einsum},
};

}  // namespace

std::span<const ProducerRow> contraction_producers() { return kRows; }

}  // namespace windrow::internal
