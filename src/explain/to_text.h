#ifndef WINDROW_EXPLAIN_TO_TEXT_H_
#define WINDROW_EXPLAIN_TO_TEXT_H_

#include <string>
#include <vector>

#include "src/explain/scene.h"
#include "src/reference/element.h"
#include "windrow/attributes.h"

namespace windrow::internal {

// An element for people, in one line: "true", "-3", the shortest decimal number that is the same
// float, "1+2j"; a string in quotes, cut after 40 characters.
std::string element_text(const reference::Element& element);

// The texts and signs of scenes, which all pictures share.

// The first characters of an element's text, as a cell shows it.
std::string shortened(const std::string& text);

// "axis=1"; a long value is "..".
std::string attribute_text(const std::string& name, const AttributeValue& value);

// "float32 [3, 4, 2]"
std::string type_text(const ExplainedTensor& tensor);

// "a", "b", .., "z", "aa", ..
std::string group_letters(int group);

// The letters of a cell's groups: "a b"; empty if it has none.
std::string letters_of(const SceneCell& cell);

// The signs of a cell's marks, a blank before each: " !"; empty if it has none.
std::string signs_of(const SceneMarks& marks);

// The description of a cell for the reader: "output[1, 0] = 22, group a, out of range".
std::string cell_label(const SceneGrid& grid, std::size_t slice, std::size_t cell);

// The position of a cell in its tensor.
Dims cell_position(const SceneGrid& grid, std::size_t slice, std::size_t cell);

// Whether positions before the i-th shown one of an axis are left out.
bool has_gap(const std::vector<std::int64_t>& positions, std::size_t i);

// A sign of SceneMarks with its meaning.
struct MarkMeaning {
  std::string sign;
  std::string name;  // of its class in style sheets: "negative"
  std::string meaning;
};

// The marks that are set.
std::vector<MarkMeaning> meanings_of(const SceneMarks& marks);

// Sentences on the meaning of the letters and the marks of a scene; empty if it has none.
std::string legend_of(const Scene& scene);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_TO_TEXT_H_
