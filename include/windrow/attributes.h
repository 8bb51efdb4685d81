#ifndef WINDROW_ATTRIBUTES_H_
#define WINDROW_ATTRIBUTES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "windrow/tensor.h"

namespace windrow {

// The value of an operator's attribute as a file or a command line gives it.
using AttributeValue =
    std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                 std::vector<std::string>, std::shared_ptr<const Tensor>, bool>;

// Attributes by the dialect's own names.
using Attributes = std::map<std::string, AttributeValue, std::less<>>;

}  // namespace windrow

#endif  // WINDROW_ATTRIBUTES_H_
