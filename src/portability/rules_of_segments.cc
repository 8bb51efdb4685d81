#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

constexpr const char* kKeepSegmentsInRange =
    "Keep the indices in range before the node, with Clip, Max and Min or a check in the caller.";

}  // namespace

// Pooled look-ups, beams, segments and slices of OpenVINO.
std::vector<RuleRow> rules_of_segments() {
  using enum Severity;
  return {
      {.label = "embedding-bag-index-range",
       .sentence = "An index of OpenVINO's EmbeddingBagOffsetsSum, EmbeddingBagPackedSum, "
                   "EmbeddingSegmentsSum or their newer forms is outside [0, s-1].",
       .fix = kKeepSegmentsInRange,
       .provocation = "",
       .example = {"openvino.EmbeddingBagPackedSum-3",
                   R"(["float32", [4, 3]], ["int32", [1, 2], [0, 9]])"},
       .families = kEmbeddingBag,
       .dialects = kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("openvino:cpu", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "gather-tree-index-range",
       .sentence = "A parent of OpenVINO's GatherTree is outside [0, s-1].",
       .fix = kKeepSegmentsInRange,
       .provocation = "",
       .example = {"openvino.GatherTree-1",
                   R"(["int32", [2, 1, 2]], ["int32", [2, 1, 2], [0, 0, 9, 0]], )"
                   R"(["int32", [1], [2]], ["int32", [], [9]])"},
       .families = kGatherTree,
       .dialects = kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("openvino:cpu", kFails, kError)},
       .specification = "calls it an error"},
      {.label = "embedding-bag-offset-range",
       .sentence = "An offset of EmbeddingBagOffsets(Sum) is outside [0, n-1]; n, the number of "
                   "indices, is legal.",
       .fix = "Leave out empty bags at the end, and pad the result.",
       .provocation = "",
       .example = {"openvino.EmbeddingBagOffsetsSum-3",
                   R"(["float32", [4, 3]], ["int32", [3], [0, 1, 2]], ["int32", [2], [0, 3]])"},
       .families = kBagOffsets,
       .dialects = kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("openvino:cpu", kFails,
                       "ends the run with an error; may read outside of indices above n")}},
      {.label = "embedding-default-index-range",
       .sentence = "The default_index of EmbeddingBagOffsets(Sum) is outside [-1, s-1], or that of "
                   "EmbeddingSegmentsSum outside [0, s-1].",
       .fix = "Leave default_index out where empty bags are to give zeros.",
       .provocation = "",
       .example = {"openvino.EmbeddingSegmentsSum-3",
                   R"(["float32", [4, 3]], ["int32", [2], [0, 1]], ["int32", [2], [0, 0]], )"
                   R"(["int32", [], [2]], ["int32", [], [9]])"},
       .families = kDefaultIndex,
       .dialects = kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("openvino:cpu", kFails,
                       "ends the run with an error if a bag is empty, else does not read it")},
       .specification = "calls it an error"},
      {.label = "embedding-segment-range",
       .sentence = "A segment id of EmbeddingSegmentsSum is outside [0, num_segments-1].",
       .fix = "Check the ids in the caller.",
       .provocation = "",
       .example = {"openvino.EmbeddingSegmentsSum-3",
                   R"(["float32", [4, 3]], ["int32", [2], [0, 1]], ["int32", [2], [0, 9]], )"
                   R"(["int32", [], [2]])"},
       .families = kSegmentIds,
       .dialects = kOpenvino,
       .judge = judge_foreign_index,
       .effects = {ran("openvino:cpu", kSilent, "leaves the row out")},
       .specification = "calls it an error"},
      {.label = "segment-max-negative",
       .sentence = "A segment id of SegmentMax is negative.",
       .fix = "Check the ids in the caller.",
       .provocation = "",
       .example = {"openvino.SegmentMax-16",
                   R"(["float32", [2, 3]], ["int32", [2], [-1, 0]], ["int32", [], [2]])",
                   R"("fill_mode": "ZERO")"},
       .families = kSegmentMax,
       .dialects = kOpenvino,
       .judge = judge_negative_index,
       .effects = {ran("openvino:cpu", kFails, "writes outside of its memory: a crash")},
       .specification = "calls it an error"},
      {.label = "segment-order",
       .sentence = "A segment id of SegmentMax or EmbeddingSegmentsSum, or an offset of "
                   "EmbeddingBagOffsets(Sum), is below the one before it.",
       .fix = "Sort the rows by their segments.",
       .provocation = "",
       .example = {"openvino.SegmentMax-16",
                   R"(["float32", [2, 3]], ["int32", [2], [1, 0]], ["int32", [], [2]])",
                   R"("fill_mode": "ZERO")"},
       .families = kSegmentMax | kSegmentIds | kBagOffsets,
       .dialects = kOpenvino,
       .judge = judge_falling,
       .effects = {ran("openvino:cpu", kFails,
                       "refuses it; EmbeddingSegmentsSum, and SegmentMax by ids of a run where all "
                       "shapes are known, take each row for the segment of its id")},
       .specification = "calls it an error"},
      {.label = "slices-of-a-run",
       .sentence = "The run decides start, stop, step or axes of a SliceScatter all of whose "
                   "shapes are known.",
       .fix = "Write them as constants, or leave an extent open.",
       .provocation = "",
       .example = {"openvino.SliceScatter-15",
                   R"(["float32", [6]], ["float32", [2]], ["int64", [1]], ["int64", [1], [5]], )"
                   R"(["int64", [1], [2]], ["int64", [1], [0]])"},
       .families = kSliceScatter,
       .dialects = kOpenvino,
       .judge = judge_slices_of_a_run,
       .effects = {ran("openvino:cpu", kSilent,
                       "leaves data as it is, writes another slice, reads outside of updates, or "
                       "crashes")}},
      {.label = "slices-of-4-bits",
       .sentence = "The start, stop, step or axes of SliceScatter are a constant of type i4 or u4 "
                   "that is negative or has several elements.",
       .fix = "Write it as i32 or i64.",
       .provocation = "",
       .example = {"openvino.SliceScatter-15",
                   R"(["float32", [6]], ["float32", [2]], ["int64", [1], [1]], )"
                   R"(["int64", [1], [5]], ["int64", [1], [2]], ["int4", [1], [-1]])"},
       .families = kSliceScatter,
       .dialects = kOpenvino,
       .judge = judge_narrow_slices,
       .effects = {ran("openvino:cpu", kFails,
                       "reads other numbers: refuses the model, or writes another slice")}},
  };
}

}  // namespace windrow::internal
