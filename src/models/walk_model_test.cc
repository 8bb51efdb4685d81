#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windrow/models.h"

namespace windrow {
namespace {

ModelNode named(const std::string& name) { return {name, "", "Identity", {"x"}, {}, {}, ""}; }

std::shared_ptr<const Graph> graph_of(const std::vector<ModelNode>& nodes) {
  Graph graph;
  graph.nodes = nodes;
  return std::make_shared<const Graph>(std::move(graph));
}

std::vector<std::string> paths_of(const Model& model) {
  std::vector<std::string> paths;
  model.visit_nodes([&](const NodePlace& place) {
    paths.push_back(place.path);
    EXPECT_EQ(&place.node,
              &place.graph.nodes[static_cast<std::size_t>(&place.node - place.graph.nodes.data())]);
  });
  return paths;
}

TEST(VisitNodes, GoesThroughBodiesAndFunctions) {
  Model model;
  model.nodes = {named("first"), named("loop"), named("last")};
  Graph body;
  body.nodes = {named("inner"), named("if")};
  body.nodes[1].bodies = {{"branches[1]", graph_of({named("inner")})}};
  model.nodes[1].bodies = {{"body", std::make_shared<const Graph>(body)}};
  model.functions.resize(2);
  model.functions[0].domain = "mine";
  model.functions[0].graph.name = "Twice";
  model.functions[0].graph.nodes = {named("once")};
  model.functions[1].graph.name = "Plain";
  model.functions[1].graph.nodes = {named("once")};
  EXPECT_EQ(paths_of(model), (std::vector<std::string>{
                                 "main/first", "main/loop", "main/loop.body/inner",
                                 "main/loop.body/if", "main/loop.body/if.branches[1]/inner",
                                 "main/last", "function mine.Twice/once", "function Plain/once"}));
}

TEST(VisitNodes, GivesEveryNodeAPathOfItsOwn) {
  Model model;
  model.nodes = {named("a"), named(""), named("a"), named(""), named("a#2"), named("a.body/b")};
  model.nodes[0].bodies = {{"body", graph_of({named("b")})}};
  EXPECT_EQ(paths_of(model),
            (std::vector<std::string>{"main/a", "main/a.body/b", "main/", "main/a#2", "main/#3",
                                      "main/a#2#4", "main/a.body/b#5"}));
}

TEST(VisitNodes, CutsLongNames) {
  Model model;
  const std::string name = std::string(199, 'a') + "\u00e9" + std::string(1 << 20, 'b');
  model.nodes = {named("first"), named(name), named(name)};
  const std::string cut = "main/" + std::string(199, 'a');
  EXPECT_EQ(paths_of(model), (std::vector<std::string>{"main/first", cut + "#1", cut + "#2"}));
}

}  // namespace
}  // namespace windrow
