#ifndef WINDROW_OPERATORS_EVERY_WAY_FIXTURE_H_
#define WINDROW_OPERATORS_EVERY_WAY_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal {

// A call by every kernel set, without threads, with them and with the longest prefetch, gives what
// the reference gives; returns that, or the error.
inline Result<Tensor> call_every_way(const OperatorId& id, const Attributes& attributes,
                                     const std::vector<TensorView>& inputs,
                                     CallOptions options = {}) {
  Result<Tensor> witness = call_reference(id, attributes, inputs, options);
  EagerThreads threads(3);
  for (const KernelSet& set : list_kernel_sets()) {
    if (!set.supported) continue;
    for (const std::string& levers :
         {std::string(), std::string(",tasks=3"), std::string(",tasks=3,prefetch=128")}) {
      options.kernels = set.name + levers;
      RunOptions run;
      if (!levers.empty()) run.threads = &threads;
      const Result<Tensor> ours = call(id, attributes, inputs, options, run);
      EXPECT_EQ(ours.ok(), witness.ok()) << options.kernels;
      if (ours.ok() && witness.ok()) {
        EXPECT_TRUE(same_bits(*ours, *witness)) << options.kernels;
      } else if (!ours.ok() && !witness.ok()) {
        EXPECT_EQ(ours.error().code(), witness.error().code()) << ours.error().message();
        EXPECT_EQ(ours.error().constraint(), witness.error().constraint());
        const auto mine = ours.error().index_fault();
        const auto theirs = witness.error().index_fault();
        EXPECT_EQ(mine != nullptr, theirs != nullptr);
        if (mine == nullptr || theirs == nullptr) continue;
        EXPECT_EQ(mine->input, theirs->input);
        EXPECT_EQ(mine->position, theirs->position);
        EXPECT_EQ(mine->value, theirs->value);
        EXPECT_EQ(mine->count, theirs->count);
        EXPECT_EQ(mine->extent, theirs->extent);
      }
    }
  }
  return witness;
}

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_EVERY_WAY_FIXTURE_H_
