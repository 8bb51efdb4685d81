#include "tools/windrow/check_formats.h"
#include "tools/windrow/fields_json.h"

namespace windrow::tool {

Json check_json(const CheckedModel& checked) {
  Json document = {{"model", checked.model}};
  document.update(field_json(checked.report));
  if (checked.fixes) document["fixes"] = field_json(*checked.fixes);
  return document;
}

}  // namespace windrow::tool
