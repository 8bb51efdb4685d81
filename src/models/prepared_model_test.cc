#include "windrow/prepared_model.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "windrow/models.h"

// One long file: the tests share the models that they prepare.
namespace windrow {
namespace {

using Names = std::vector<std::string>;

std::shared_ptr<const Tensor> shared(Tensor tensor) {
  return std::make_shared<const Tensor>(std::move(tensor));
}

ValueInfo untyped(const std::string& name) { return {name, DType::kAbsent, std::nullopt}; }

ModelNode node(const std::string& op, const Names& inputs, const std::string& output,
               Attributes attributes = {}) {
  return {"node_" + output, "", op, inputs, {output}, std::move(attributes), ""};
}

Model model_of(const Names& inputs, std::vector<ModelNode> nodes, const Names& outputs) {
  Model model;
  model.opset_imports[""] = 18;
  for (const std::string& name : inputs) model.inputs.push_back(untyped(name));
  for (const std::string& name : outputs) model.outputs.push_back(untyped(name));
  model.nodes = std::move(nodes);
  return model;
}

Tensor floats(const Shape& shape, float first) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, shape).value();
  auto* const values = static_cast<float*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    values[i] = first + static_cast<float>(i);
  return tensor;
}

Tensor indices(const Shape& shape, std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>(shape, values);
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_count())) == 0;
}

// The results of a prepared run beside those of the slow witness, three times.
void expect_right(const PreparedModel& prepared, const NamedViews& inputs) {
  const NamedTensors expected = prepared.model().run(inputs, {.reference = true}).value();
  for (int i = 0; i < 3; ++i) {
    const Result<NamedTensors> found = prepared.run(inputs);
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_EQ(found->size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ((*found)[k].first, expected[k].first);
      EXPECT_TRUE(same_bits((*found)[k].second, expected[k].second))
          << "run " << i << ", output " << expected[k].first;
    }
  }
}

// rows = Gather(table, ids); changed = ScatterElements(rows, places, updates); y = Gather(changed)
Model chain() {
  Model model = model_of({"table", "ids", "places", "updates"},
                         {node("Gather", {"table", "ids"}, "rows"),
                          node("ScatterElements", {"rows", "places", "updates"}, "changed"),
                          node("ScatterElements", {"changed", "places", "updates"}, "again",
                               {{"reduction", std::string("add")}}),
                          node("Gather", {"again", "last"}, "y")},
                         {"y", "again"});
  model.constants["last"] = shared(indices({1}, {-1}));
  return model;
}

struct ChainInputs {
  Tensor table = floats({10, 4}, 0);
  Tensor ids = indices({3}, {1, -1, 5});
  Tensor places = indices({1, 4}, {2, 1, 0, 2});
  Tensor updates = floats({1, 4}, 100);
  NamedViews views() const {
    return {{"table", table}, {"ids", ids}, {"places", places}, {"updates", updates}};
  }
};

TEST(PreparedModel, RunsAsTheWitnessDoes) {
  const PreparedModel prepared = chain().prepare().value();
  ChainInputs inputs;
  expect_right(prepared, inputs.views());
  inputs.table = floats({10, 4}, 7);
  inputs.ids = indices({3}, {0, 0, 9});
  expect_right(prepared, inputs.views());
}

TEST(PreparedModel, TakesNewShapesAtAnyTime) {
  const PreparedModel prepared = chain().prepare().value();
  for (const std::int64_t rows : {3, 40, 5, 3, 40, 1000, 3}) {
    ChainInputs inputs;
    inputs.table = floats({rows + 6, 4}, static_cast<float>(rows));
    expect_right(prepared, inputs.views());
  }
}

TEST(PreparedModel, TakesInputsByPosition) {
  const PreparedModel prepared = chain().prepare().value();
  const ChainInputs inputs;
  const NamedTensors expected = chain().run(inputs.views()).value();
  const std::vector<TensorView> views = {inputs.table, inputs.ids, inputs.places, inputs.updates};
  for (int i = 0; i < 3; ++i) {
    const std::vector<Tensor> found = prepared.run(views).value();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(same_bits(found[0], expected[0].second));
    EXPECT_TRUE(same_bits(found[1], expected[1].second));
  }
  EXPECT_EQ(prepared.run(std::vector<TensorView>(5)).error().message(),
            "5 inputs are given, the model takes 4");
  EXPECT_EQ(prepared.run(std::span(views).first(3)).error().message(),
            chain()
                .run({{"table", inputs.table}, {"ids", inputs.ids}, {"places", inputs.places}})
                .error()
                .message());
}

TEST(PreparedModel, ErrorsAreThoseOfModelRun) {
  const PreparedModel prepared = chain().prepare().value();
  ChainInputs inputs;
  const auto expect_same = [&](const NamedViews& given) {
    const Status expected = prepared.model().run(given).error();
    ASSERT_FALSE(expected);
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(prepared.run(given).error().message(), expected.message());
    EXPECT_EQ(prepared.run(given).error().code(), expected.code());
  };
  for (const bool was_run : {false, true}) {
    if (was_run) expect_right(prepared, inputs.views());
    ChainInputs bad;
    bad.ids = indices({3}, {1, 10, 5});
    expect_same(bad.views());
    bad.ids = indices({3}, {1, 2, 5});
    bad.places = indices({1, 4}, {2, 1, 3, 2});
    expect_same(bad.views());
    expect_same({});
    NamedViews more = inputs.views();
    more["x"] = inputs.ids;
    expect_same(more);
    ChainInputs typed;
    typed.ids = floats({3}, 0);
    expect_same(typed.views());
  }
  expect_right(prepared, inputs.views());
}

TEST(PreparedModel, OutputsAreTheCallersOwn) {
  const PreparedModel prepared = chain().prepare().value();
  const ChainInputs inputs;
  std::vector<NamedTensors> kept;
  for (int i = 0; i < 3; ++i) kept.push_back(prepared.run(inputs.views()).value());
  const Tensor before = kept[0][1].second.clone().value();
  ChainInputs other;
  other.table = floats({10, 4}, 50);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(prepared.run(other.views()));
  EXPECT_TRUE(same_bits(kept[0][1].second, before));
  EXPECT_TRUE(same_bits(kept[2][1].second, before));
}

TEST(PreparedModel, InputsAndConstantsStayAsTheyAre) {
  // Each scatter's data is somebody else's: an input, a constant, an output, a value read again.
  Model model = model_of(
      {"data", "at", "u"},
      {node("ScatterND", {"data", "at", "u"}, "a"), node("ScatterND", {"fixed", "at", "u"}, "b"),
       node("ScatterND", {"b", "at", "u"}, "c"), node("ScatterND", {"c", "at", "u"}, "d"),
       node("ScatterND", {"c", "twice", "u"}, "e"), node("Identity", {"d"}, "f"),
       node("ScatterND", {"d", "twice", "u"}, "g")},
      {"a", "b", "e", "f", "g", "data", "fixed", "a"});
  model.constants["fixed"] = shared(floats({5}, 30));
  model.constants["twice"] = shared(indices({1, 1}, {2}));
  const PreparedModel prepared = model.prepare().value();
  const Tensor data = floats({5}, 1);
  const Tensor at = indices({1, 1}, {3});
  const Tensor update = floats({1}, -9);
  expect_right(prepared, {{"data", data}, {"at", at}, {"u", update}});
  EXPECT_TRUE(same_bits(data, floats({5}, 1)));
  EXPECT_TRUE(same_bits(*model.constants["fixed"].tensor().value(), floats({5}, 30)));
}

TEST(PreparedModel, DefaultsCanBeReplaced) {
  Model model = model_of({"data"}, {node("Gather", {"data", "ids"}, "y")}, {"y"});
  model.default_inputs = {untyped("ids")};
  model.constants["ids"] = shared(indices({2}, {0, 1}));
  const PreparedModel prepared = model.prepare().value();
  const Tensor data = floats({3, 2}, 0);
  const Tensor ids = indices({2}, {2, 2});
  for (int i = 0; i < 2; ++i) {
    expect_right(prepared, {{"data", data}});
    expect_right(prepared, {{"data", data}, {"ids", ids}});
  }
}

// An input of a plan's addresses, once given and once computed, may change from run to run.
TEST(PreparedModel, FollowsValuesThatPlansDependOn) {
  Model model;
  model.dialect = "openvino";
  for (const char* name : {"data", "ids", "axes", "which"}) model.inputs.push_back(untyped(name));
  const auto gather = [](const Names& inputs, const std::string& output) {
    ModelNode made = node("Gather", inputs, output);
    made.version = 8;
    return made;
  };
  model.constants["zero"] = shared(indices({}, {0}));
  model.nodes = {gather({"axes", "which", "zero"}, "axis"),
                 gather({"data", "ids", "axis"}, "computed"),
                 gather({"data", "ids", "which"}, "given")};
  model.outputs = {untyped("computed"), untyped("given")};
  const PreparedModel prepared = model.prepare().value();
  const Tensor data = floats({3, 4}, 0);
  const Tensor ids = indices({2}, {0, 2});
  const Tensor axes = indices({2}, {1, 0});
  const Tensor swapped = indices({2}, {0, 1});
  for (int i = 0; i < 2; ++i)
    for (const Tensor* map : {&axes, &swapped})
      for (const std::int64_t which : {0, 1, 0}) {
        const Tensor at = indices({}, {which});
        expect_right(prepared, {{"data", data}, {"ids", ids}, {"axes", *map}, {"which", at}});
      }
}

TEST(PreparedModel, RunsConversionsAndStrings) {
  Model model;
  model.dialect = "openvino";
  for (const char* name : {"data", "ids"}) model.inputs.push_back(untyped(name));
  ModelNode convert = node("Convert", {"data"}, "wide", {{"destination_type", std::string("f64")}});
  ModelNode packed = node("Convert", {"picked"}, "y", {{"destination_type", std::string("i4")}});
  ModelNode gather = node("Gather", {"wide", "ids", "axis"}, "picked");
  gather.version = 8;
  model.constants["axis"] = shared(indices({}, {1}));
  model.nodes = {convert, gather, packed};
  model.outputs = {untyped("y")};
  const PreparedModel prepared = model.prepare().value();
  const Tensor data = floats({3, 4}, -5);
  const Tensor ids = indices({3}, {0, 2, 1});
  expect_right(prepared, {{"data", data}, {"ids", ids}});

  Model texts = model_of({"words", "ids"},
                         {node("Gather", {"words", "ids"}, "a"), node("Gather", {"a", "ids"}, "b"),
                          node("Gather", {"b", "ids"}, "c")},
                         {"c"});
  const PreparedModel ready = texts.prepare().value();
  const Tensor words =
      Tensor::of<std::string>({3}, {"a word that is long enough for memory", "two", ""});
  for (int i = 0; i < 3; ++i) {
    const NamedTensors found = ready.run({{"words", words}, {"ids", ids}}).value();
    const std::span<const std::string> strings = found[0].second.values<std::string>();
    EXPECT_EQ(std::vector<std::string>(strings.begin(), strings.end()),
              (std::vector<std::string>{words.values<std::string>()[0], "", "two"}));
  }
}

TEST(PreparedModel, ManyThreadsRunOne) {
  const PreparedModel prepared = chain().prepare().value();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&prepared, &wrong, t] {
      ChainInputs inputs;
      inputs.table = floats({10 + t % 3, 4}, static_cast<float>(t));
      const NamedTensors expected =
          prepared.model().run(inputs.views(), {.reference = true}).value();
      for (int i = 0; i < 200; ++i) {
        const Result<NamedTensors> found = prepared.run(inputs.views());
        if (!found || !same_bits((*found)[0].second, expected[0].second) ||
            !same_bits((*found)[1].second, expected[1].second))
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(PreparedModel, RunsWithoutKeepingAnything) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20'000}}) {
    PrepareOptions options;
    options.most_kept_bytes = bytes;
    const PreparedModel prepared = chain().prepare(options).value();
    ChainInputs inputs;
    inputs.table = floats({10, 1000}, 0);
    inputs.places = indices({1, 1}, {2});
    inputs.updates = floats({1, 1}, 4);
    expect_right(prepared, inputs.views());
  }
}

TEST(PreparedModel, IsNotTouchedByChangesOfTheModel) {
  Model model = chain();
  const PreparedModel prepared = model.prepare().value();
  model = Model();
  expect_right(prepared, ChainInputs().views());
}

TEST(PreparedModel, SaysWhatCannotBePrepared) {
  Model model = chain();
  model.nodes.push_back(node("Conv", {"y"}, "z"));
  EXPECT_EQ(model.prepare().error().message(), model.run({}).error().message());
  EXPECT_EQ(model.prepare().error().code(), ErrorCode::kUnsupported);
}

TEST(PreparedModel, NotesComeWithEveryRun) {
  Model model = model_of({"data", "ids", "u"}, {node("Scatter", {"data", "ids", "u"}, "y")}, {"y"});
  model.opset_imports[""] = 11;
  const PreparedModel prepared = model.prepare().value();
  const Tensor data = floats({3}, 0);
  const Tensor ids = indices({1}, {0});
  const Tensor update = floats({1}, 0);
  for (int i = 0; i < 3; ++i) {
    Names notes;
    ASSERT_TRUE(prepared.run({{"data", data}, {"ids", ids}, {"u", update}}, {},
                             [&](const std::string& note) { notes.push_back(note); }));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0],
              "node 'node_y': onnx.Scatter-11: Scatter is deprecated since opset 11; "
              "use ScatterElements");
  }
}

TEST(PreparedModel, CanBeInterrupted) {
  struct Always final : Interrupt {
    bool requested() noexcept override { return true; }
  } always;
  const PreparedModel prepared = chain().prepare().value();
  const ChainInputs inputs;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(prepared.run(inputs.views(), {.interrupt = &always}).error().code(),
              ErrorCode::kInterrupted);
    expect_right(prepared, inputs.views());
  }
}

}  // namespace
}  // namespace windrow
