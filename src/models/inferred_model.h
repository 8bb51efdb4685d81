#ifndef WINDROW_MODELS_INFERRED_MODEL_H_
#define WINDROW_MODELS_INFERRED_MODEL_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "src/models/inferred_graph.h"
#include "src/models/node_operator.h"
#include "src/models/numbered_graph.h"
#include "src/models/walk_model.h"
#include "windrow/models.h"

namespace windrow::internal {

// What is declared about the inputs of a main graph: its own lists, or the same values with other
// names of their dimensions.
struct DeclaredInputs {
  const std::vector<ValueInfo>& inputs;
  const std::vector<ValueInfo>& default_inputs;
};

// What inference knows about the graphs of a model, which must outlive the object.
class InferredModel {
 public:
  // Errors: those of Model::infer.
  static Result<InferredModel> of(const Model& model, const InferOptions& options) {
    return of(model, {model.inputs, model.default_inputs}, options);
  }
  // The same with other declarations of the inputs; `options.infer_others` gets the model itself.
  static Result<InferredModel> of(const Model& model, const DeclaredInputs& declared,
                                  const InferOptions& options);

  // A main graph or a function, with the bodies in it.
  struct Root {
    NumberedGraph numbers;
    NodeOperators operators;
    std::unique_ptr<InferredGraph> graph = nullptr;
  };
  // The main graph, then the functions.
  std::vector<std::unique_ptr<Root>>& roots() noexcept { return roots_; }
  const std::vector<std::unique_ptr<Root>>& roots() const noexcept { return roots_; }

  // At most the first `most`.
  Findings findings(std::size_t most = static_cast<std::size_t>(-1)) const;
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  InferredModel() = default;
  Status number(const Model& model);
  Status infer(const Model& model, const DeclaredInputs& declared, const InferOptions& options);
  const Model* model_ = nullptr;
  std::vector<std::unique_ptr<Root>> roots_;
  std::vector<std::string> notes_;
  std::size_t fault_count_ = 0;  // that the graphs hold
};

// A walk over a model that knows the InferredGraph of each graph that it comes to.
class InferredWalk : public ModelWalk {
 public:
  explicit InferredWalk(const InferredModel& inferred) : inferred_(inferred) {}
  void enter(const std::string& path, const Graph& graph) override;
  void leave() override { graphs_.pop_back(); }

 protected:
  const InferredGraph& graph() const { return *graphs_.back().graph; }
  InferredModel::Root& root() const { return *inferred_.roots()[roots_ - 1]; }

 private:
  struct Entered {
    const InferredGraph* graph;
    std::size_t bodies = 0;  // that were entered from here
  };
  const InferredModel& inferred_;
  std::size_t roots_ = 0;  // that were entered
  std::vector<Entered> graphs_;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFERRED_MODEL_H_
