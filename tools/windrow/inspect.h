#ifndef WINDROW_TOOLS_WINDROW_INSPECT_H_
#define WINDROW_TOOLS_WINDROW_INSPECT_H_

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/page.h"
#include "windrow/models.h"
#include "windrow/plan_description.h"

namespace windrow::tool {

// The texts of plans in one form, each made once for the nodes that share its plan.
class PlanTexts {
 public:
  explicit PlanTexts(std::function<std::string(const PlanDescription&)> text_of)
      : text_of_(std::move(text_of)) {}

  // Valid until the next call. `plan` is not null.
  const std::string& find(const std::shared_ptr<const PlanDescription>& plan);

 private:
  static constexpr std::size_t kMost = 256;  // texts that are kept at a time

  std::function<std::string(const PlanDescription&)> text_of_;
  std::map<std::shared_ptr<const PlanDescription>, std::string> texts_;
};

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

// "table float32[5, 3]": name and type, followed by "(claimed)" where only the file says so; a dash
// for an omitted input.
std::string value_text(const ValueInfo& value);

// The same for several values, separated by commas.
std::string values_text(const std::vector<ValueInfo>& values);

// Makes such texts for one list after another. A type is put into words once as long as it repeats:
// a model may have a million nodes.
class ValueTexts {
 public:
  std::string list(const std::vector<ValueInfo>& values);

 private:
  struct Known {
    ValueInfo value;  // without a name
    std::string type;
  };
  const std::string& type_of(const ValueInfo& value);

  std::array<Known, 4> known_;  // the most recent ones
  std::size_t next_ = 0;        // the one to be replaced next
};

// "opset ai.onnx 13, mine 1" or "OpenVINO IR"
std::string opsets_text(const Model& model);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INSPECT_H_
