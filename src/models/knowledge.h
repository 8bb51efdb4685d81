#ifndef WINDROW_MODELS_KNOWLEDGE_H_
#define WINDROW_MODELS_KNOWLEDGE_H_

#include <optional>
#include <string>

#include "windrow/inference.h"

// What is known about a value, without and with the claims of the file (docs/design/models.md).
namespace windrow::internal {

// The two views of what is known: without and with claims.
enum class View { kProven, kCompleted };

struct Knowledge {
  ValueInfo proven;  // its basis is never kClaimed
  // With claims, where they add something to `proven`.
  std::optional<ValueInfo> completed = std::nullopt;
  std::string claim = {};  // the value whose claim `completed` rests on

  const ValueInfo& in(View view) const {
    return view == View::kCompleted && completed ? *completed : proven;
  }
};

// The same for a value that is kept elsewhere.
struct KnowledgeRef {
  const ValueInfo* proven;
  const ValueInfo* completed;  // as `proven` where claims add nothing
  const std::string* claim;    // null then

  const ValueInfo& in(View view) const { return view == View::kCompleted ? *completed : *proven; }
  Knowledge copy() const;
};

// Whether type, shape and elements are the same; names may differ.
bool is_same(const ValueInfo& a, const ValueInfo& b);
bool is_same(const Knowledge& a, const Knowledge& b);

// Whether the element type is known, be it one that the library has or not.
inline bool has_type(const ValueInfo& value) {
  return value.dtype != DType::kAbsent || !value.other_type.empty();
}
inline bool is_same_type(const ValueInfo& a, const ValueInfo& b) {
  return a.dtype == b.dtype && a.other_type == b.other_type;
}

// The name of the type. Precondition: has_type(value).
std::string type_text(const ValueInfo& value);

// Whether neither type nor rank is known.
inline bool is_unknown(const ValueInfo& value) { return !has_type(value) && !value.dims; }

// Whether no value fits both.
bool contradicts(const ValueInfo& declared, const ValueInfo& found);

// Whether completed() says more than `found` does.
bool adds(const ValueInfo& declared, const ValueInfo& found);
// What was found, completed by what is declared. Precondition: they do not contradict each other.
ValueInfo completed(ValueInfo found, const ValueInfo& declared);

// What holds for a value that is one of two. The name is that of the first.
ValueInfo join(const ValueInfo& a, const ValueInfo& b);
Knowledge join(const Knowledge& a, const Knowledge& b);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_KNOWLEDGE_H_
