#ifndef WINDROW_PYTHON_TEXTS_H_
#define WINDROW_PYTHON_TEXTS_H_

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "python/src/text.h"

namespace windrow::python {

// A list of the texts, each as text_from() gives it.
inline nanobind::list texts_to_python(const std::vector<std::string>& texts) {
  nanobind::list list;
  for (const std::string& text : texts) list.append(text_from(text));
  return list;
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_TEXTS_H_
