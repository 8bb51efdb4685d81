#ifndef WINDROW_TOOLS_WINDROW_TYPE_LIST_H_
#define WINDROW_TOOLS_WINDROW_TYPE_LIST_H_

#include <string>
#include <vector>

#include "windrow/dtype.h"

namespace windrow::tool {

// "bool int8-64 float16-64 string": complete families of types are written as one.
std::string type_list(const std::vector<DType>& types);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TYPE_LIST_H_
