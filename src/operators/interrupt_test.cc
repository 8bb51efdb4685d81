#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/windrow.h"

// Runs that their caller ends: for each way to run, at the first question and at a later one.
namespace windrow::internal {
namespace {

// Requests the interruption at one question.
class Interrupting final : public Interrupt {
 public:
  // 0: at no question.
  explicit Interrupting(int at) : at_(at) {}
  bool requested() noexcept override {
    ++asked_;
    elsewhere_ |= std::this_thread::get_id() != maker_;
    return asked_ == at_;
  }
  int asked() const { return asked_; }
  bool elsewhere() const { return elsewhere_; }

 private:
  const int at_;
  int asked_ = 0;
  bool elsewhere_ = false;
  const std::thread::id maker_ = std::this_thread::get_id();
};

// A call that moves, or reads, about ten times the bytes between two questions.
struct LongCall {
  const char* name;
  OperatorId id;
  Attributes attributes;
  Shape data;
  Shape indices;
  Shape updates = {};
  const char* levers = "";
  bool in_place = false;
  Duplicates duplicates = Duplicates::kAllow;
  enum class Indices : std::uint8_t { kRandom, kCounted, kConstantRows, kBadLast };
  Indices fill = Indices::kRandom;
};

const Attributes kAxis0 = {{"axis", std::int64_t{0}}};
const Attributes kAxis1 = {{"axis", std::int64_t{1}}};
const Attributes kAdd0 = {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}};
const Attributes kAdd = {{"reduction", std::string("add")}};
const Attributes kMean = {
    {"axis", std::int64_t{0}}, {"reduction", std::string("mean")}, {"use_init_val", false}};

constexpr std::int64_t kMany = std::int64_t{6} << 20;
constexpr auto kCounted = LongCall::Indices::kCounted;
constexpr auto kConstantRows = LongCall::Indices::kConstantRows;
constexpr auto kBadLast = LongCall::Indices::kBadLast;

const std::vector<LongCall>& long_calls() {
  static const OperatorId take = {"array", "Take", {}};
  static const OperatorId elements = {"onnx", "GatherElements", {}};
  static const OperatorId scatter = {"onnx", "ScatterElements", {}};
  static const OperatorId scatter_nd = {"onnx", "ScatterND", {}};
  static const OperatorId add = {"array", "IndexAdd", {}};
  static const OperatorId reduce = {"array", "IndexReduce", {}};
  static const std::vector<LongCall> all = {
      {"rows", take, kAxis0, {4000, 256}, {60000}, {}, ",straight=off"},
      {"a few wide rows", take, kAxis0, {3, 1 << 22}, {12}},
      {"straight", take, kAxis0, {4000}, {kMany}, {}, ",straight=on"},
      {"a last bad index", take, kAxis0, {4000}, {kMany}, {}, ",straight=off", false, {}, kBadLast},
      {"flat runs", elements, kAxis1, {kMany / 8, 9}, {kMany / 8, 8}, {}, ",flat-runs=on"},
      {"lanes", elements, kAxis0, {300, 64}, {kMany / 64, 64}, {}, ",pack=on,tile=64"},
      {"constant rows",
       elements,
       kAxis0,
       {300, 64},
       {kMany / 64, 64},
       {},
       ",constant-rows=on",
       false,
       {},
       kConstantRows},
      {"shared", take, kAxis1, {3000, 60}, {2000}, {}, ",straight=off"},
      {"copied first", scatter_nd, {}, {200000, 256}, {10, 1}, {10, 256}},
      {"pieces", scatter, kAxis1, {kMany / 64, 64}, {kMany / 64, 16}, {kMany / 64, 16}},
      {"added", add, kAxis0, {40, 64}, {kMany / 16}, {kMany / 16, 64}},
      {"added in place", add, kAxis0, {40}, {kMany}, {kMany}, "", true},
      {"no duplicates",
       scatter_nd,
       {},
       {kMany},
       {kMany, 1},
       {kMany},
       "",
       true,
       Duplicates::kError,
       kCounted},
      {"buckets", add, kAxis0, {9000}, {kMany}, {kMany}, ",buckets=on,tasks=2"},
      {"lanes added",
       scatter,
       kAdd0,
       {300, 64},
       {kMany / 64, 64},
       {kMany / 64, 64},
       ",pack=on,tile=64,constant-rows=off"},
      {"means", reduce, kMean, {3 * kMany}, {100}, {100}},
      {"means of rows", reduce, kMean, {64, 64}, {kMany / 64}, {kMany / 64, 64}},
      {"tuples added", scatter_nd, kAdd, {60, 60}, {kMany, 2}, {kMany}},
  };
  return all;
}

Tensor indices_of(const LongCall& call) {
  Tensor indices = counted<std::int64_t>(call.indices);
  if (call.fill == kCounted) return indices;
  const bool along_1 = call.attributes.contains("axis") && call.attributes == kAxis1;
  const std::int64_t extent = call.data[along_1 ? 1 : 0];
  const std::span<std::int64_t> values(static_cast<std::int64_t*>(indices.data()),
                                       static_cast<std::size_t>(indices.element_count()));
  const std::int64_t lanes = call.indices[call.indices.rank() - 1];
  std::uniform_int_distribution<std::int64_t> draw(0, extent - 1);
  std::mt19937_64 random(7);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        call.fill == kConstantRows ? static_cast<std::int64_t>(i) / lanes % extent : draw(random);
  if (call.fill == kBadLast) values.back() = extent;
  return indices;
}

class LongRun {
 public:
  explicit LongRun(const LongCall& call)
      : call_(call), data_(counted<float>(call.data)), indices_(indices_of(call)) {
    inputs_ = {data_.view(), indices_.view()};
    if (call.updates.rank() > 0) {
      updates_ = counted<float>(call.updates);
      inputs_.push_back(updates_.view());
    }
    std::vector<TensorSpec> specs;
    for (const TensorView& input : inputs_) specs.push_back(input.spec());
    CallOptions options;
    options.kernels = call.levers;
    options.duplicates = call.duplicates;
    plan_.emplace(compile(call.id, call.attributes, specs, options).value());
  }

  // Memory for a result; making it anew for each run would take longer than the runs.
  Tensor new_out() const {
    return Tensor::zeros(plan_->result().dtype, plan_->result().shape).value();
  }
  Status run(Interrupt* interrupt, Threads* threads, Tensor& out) const {
    std::vector<TensorView> inputs = inputs_;
    if (call_.in_place) {
      std::memcpy(out.data(), data_.data(),
                  static_cast<std::size_t>(data_.element_count()) * sizeof(float));
      inputs[0] = out.view();
    }
    RunOptions options;
    options.threads = threads;
    options.interrupt = interrupt;
    return plan_->run(inputs, out.mutable_view(), options);
  }

  const Tensor& data() const { return data_; }

 private:
  const LongCall& call_;
  Tensor data_;
  Tensor indices_;
  Tensor updates_;
  std::vector<TensorView> inputs_;
  std::optional<Plan> plan_;
};

// `whole` is what run() gave without interruptions, on the calling thread, and `result` its memory.
void expect_ends(const LongRun& run, Threads* threads, const Status& whole, const Tensor& result,
                 Tensor& out) {
  std::memset(out.data(), 0xee, static_cast<std::size_t>(out.element_count()) * sizeof(float));
  Interrupting never(0);
  const Status asking = run.run(&never, threads, out);
  EXPECT_EQ(asking.message(), whole.message());
  EXPECT_TRUE(!whole || same_bits(out, result));
  EXPECT_GE(never.asked(), 2);
  for (const int at : {1, never.asked()}) {
    Interrupting once(at);
    const Status status = run.run(&once, threads, out);
    EXPECT_EQ(status.code(), ErrorCode::kInterrupted) << status.message();
    EXPECT_EQ(once.asked(), at);
  }
}

TEST(Interrupt, EndsEveryWayToRunAndIsAskedOnTheCallingThreadOnly) {
  for (const LongCall& call : long_calls()) {
    SCOPED_TRACE(call.name);
    const LongRun run(call);
    Tensor result = run.new_out();
    Tensor out = run.new_out();
    const Status whole = run.run(nullptr, nullptr, result);
    expect_ends(run, nullptr, whole, result, out);
    ReverseThreads threads(3);
    expect_ends(run, &threads, whole, result, out);
    Interrupting never(0);
    EagerThreads eager(3);
    EXPECT_EQ(run.run(&never, &eager, out).message(), whole.message());
    EXPECT_FALSE(never.elsewhere()) << "asked on another thread than the calling one";
  }
}

TEST(Interrupt, AScatterInPlaceIsCheckedBeforeItWrites) {
  for (const LongCall& call : long_calls()) {
    if (!call.in_place) continue;
    SCOPED_TRACE(call.name);
    const LongRun run(call);
    Interrupting first(1);
    Tensor out = run.new_out();
    EXPECT_EQ(run.run(&first, nullptr, out).code(), ErrorCode::kInterrupted);
    EXPECT_TRUE(same_bits(out, run.data()));
  }
}

TEST(Interrupt, ShortRunsDoNotAsk) {
  const Tensor data = counted<float>({100, 4});
  const Tensor wanted = counted<std::int64_t>({90});
  const Plan plan = compile(onnx::Gather{}, {data.spec(), wanted.spec()}).value();
  Interrupting first(1);
  RunOptions options;
  options.interrupt = &first;
  EXPECT_TRUE(plan.run({data.view(), wanted.view()}, options));
  EXPECT_EQ(first.asked(), 0);
}

}  // namespace
}  // namespace windrow::internal
