#ifndef WINDROW_TOOLS_WINDROW_PLAYGROUND_CALL_H_
#define WINDROW_TOOLS_WINDROW_PLAYGROUND_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/windrow/documents.h"
#include "tools/windrow/explain_words.h"
#include "windrow/attributes.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// Calls as the playground's page takes them: behind the '#' of its address, or inside the page.
// Everything here throws Error on bad input.
namespace windrow::tool {

// The largest number of elements of a tensor that a call for the page lists.
inline constexpr std::int64_t kMostListed = 4096;

// The call that the words name, as a question that playground/answer.h describes. Inputs that
// `read` takes are listed by their elements. `other`: the operator, without attributes, with which
// the page compares the result; empty: none.
Json playground_call(const ExplainWords& words, const CallOptions& options,
                     const std::string& other, const ReadTensor& read);

// A tensor as a word that reads back as the same elements, if it has the tensor's type: nested
// lists, "[[0,1],[2,-1]]"; its shape, "3x4", if the view is without memory or has no elements.
// Throws Error (kUnsupported) for more than kMostListed elements and for an element that no list
// holds: infinite ones, NaN, complex ones with an imaginary part, strings that are not UTF-8.
std::string word_of_tensor(const std::string& input, const TensorView& view);

// "NAME=VALUE" for each attribute.
std::vector<std::string> attribute_texts(const Attributes& attributes);

// The address "file:///..#.." of the page at `path`, which opens with `call`; null: with a call of
// its own. Throws Error (kUnsupported) if the page is not there.
std::string page_address(const std::string& path, const Json& call);

// The text of the page at `path` with `call` inside, so that the page opens with it where it has no
// address; null: as it is. Errors: as for page_address(); kIo; kFormat for a page without a place
// for a call.
std::string page_with_call(const std::string& path, const Json& call);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PLAYGROUND_CALL_H_
