#ifndef WINDROW_TOOLS_WINDROW_INSPECT_PAGE_H_
#define WINDROW_TOOLS_WINDROW_INSPECT_PAGE_H_

#include <string>

#include "tools/windrow/html_text.h"
#include "tools/windrow/plan_texts.h"
#include "windrow/models.h"

namespace windrow::tool {

// The page of `windrow inspect --html`: one HTML document without scripts that loads nothing. Its
// size is bounded, whatever the model's is. `model` must outlive it.
class InspectPage {
 public:
  // `title`: the name of the model's file.
  InspectPage(const Model& model, std::string title);

  void add(const NodeReport& report);
  // What inference found besides.
  void add(const Inference& found);
  // The document, once all reports are added.
  std::string html() const;

 private:
  const Model& model_;
  std::string title_;
  PlanTexts plans_;
  HtmlTable nodes_;
  HtmlTable warnings_;
  HtmlTable findings_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INSPECT_PAGE_H_
