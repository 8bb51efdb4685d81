#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "src/arrow/place_ids.h"

namespace windrow::arrow {
namespace {

std::string value_text(const IdOutcome& outcome) {
  return outcome.is_uint64 ? std::to_string(static_cast<std::uint64_t>(outcome.value))
                           : std::to_string(outcome.value);
}

std::string legal_text(const IdRule& rule) {
  const std::int64_t lowest = rule.negative == NegativeIndex::kFromEnd ? -rule.extent : 0;
  const std::string range = rule.extent == 0 ? "no id is legal"
                                             : "legal: " + std::to_string(lowest) + " to " +
                                                   std::to_string(rule.extent - 1);
  return range + (rule.padding ? ", padding: " + std::to_string(*rule.padding) : "");
}

}  // namespace

Status bad_id(const IdOutcome& outcome, const IdRule& rule, std::int64_t total,
              const std::string& place) {
  auto fault = std::make_shared<IndexFault>();
  fault->input = "ids";
  fault->position = {outcome.first};
  fault->value = outcome.is_uint64 && outcome.value < 0 ? std::numeric_limits<std::int64_t>::max()
                                                        : outcome.value;
  fault->value_text = value_text(outcome);
  fault->extent = rule.extent;
  fault->count = outcome.bad;
  fault->listed = {"ids", 1, outcome.positions, outcome.values, outcome.is_uint64};
  const bool refuses_negative = rule.negative == NegativeIndex::kError;
  const bool refused = refuses_negative && !outcome.is_uint64 && outcome.value < 0;
  ErrorInfo info;
  info.code = ErrorCode::kIndexOutOfRange;
  info.message =
      "ids[" + std::to_string(outcome.first) + "] is " + fault->value_text +
      (refused ? ", negative, and the call says negative=error"
               : ", out of range for " + place + " with " + std::to_string(rule.extent) +
                     (rule.extent == 1 ? " row (" : " rows (") + legal_text(rule) + ")") +
      "; " + std::to_string(outcome.bad) + " of " + std::to_string(total) +
      (total == 1 ? " id " : " ids ") + (outcome.bad == 1 ? "is" : "are") +
      (refuses_negative ? " refused" : " out of range");
  info.index_fault = std::move(fault);
  return Status(std::move(info));
}

}  // namespace windrow::arrow
