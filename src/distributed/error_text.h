#ifndef WINDROW_DISTRIBUTED_ERROR_TEXT_H_
#define WINDROW_DISTRIBUTED_ERROR_TEXT_H_

#include <string>
#include <string_view>

#include "windrow/status.h"

namespace windrow::internal {

// An error as bytes that another rank of the same build can read, without IndexFault::listed.
std::string encode_error(const Status& error);
// The error that encode_error() gave these bytes. An error of code kInternal if it gave others.
Status decode_error(std::string_view bytes);

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_ERROR_TEXT_H_
