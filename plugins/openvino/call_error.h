#ifndef WINDROW_PLUGINS_OPENVINO_CALL_ERROR_H_
#define WINDROW_PLUGINS_OPENVINO_CALL_ERROR_H_

#include <stdexcept>
#include <string>

#include "windrow/c.h"

namespace windrow::openvino_plugin {

// Calls call(&error), a function of the C interface. A failure becomes an Exception whose text is
// `where` followed by the library's text.
template <class Exception, class Call>
void throw_on_error(const std::string& where, Call call) {
  windrow_error* error = nullptr;
  if (call(&error) == WINDROW_OK) return;
  const std::string text = where + ": " + windrow_error_message(error);
  windrow_error_free(error);
  throw Exception(text);
}

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_CALL_ERROR_H_
