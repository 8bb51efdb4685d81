#ifndef WINDROW_TOOLS_WINDROW_INSPECT_JSON_H_
#define WINDROW_TOOLS_WINDROW_INSPECT_JSON_H_

#include <string>

#include "tools/windrow/console.h"
#include "tools/windrow/plan_texts.h"
#include "windrow/models.h"

namespace windrow::tool {

// The document of `windrow inspect --json`, printed as it grows, one line per report: a model
// may have a million nodes. `model` and `console` must outlive it.
class InspectDocument {
 public:
  InspectDocument(Console& console, const Model& model);

  void add(const NodeReport& report);
  // The end of the document. `found`: what inference found besides; `page`: the HTML file that was
  // written; empty: none.
  void finish(const Inference& found, const std::string& page);

 private:
  void begin();

  Console& console_;
  const Model& model_;
  PlanTexts plans_;
  bool begun_ = false;
  bool has_nodes_ = false;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INSPECT_JSON_H_
