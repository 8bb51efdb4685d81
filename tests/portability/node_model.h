#ifndef WINDROW_TESTS_PORTABILITY_NODE_MODEL_H_
#define WINDROW_TESTS_PORTABILITY_NODE_MODEL_H_

#include <nlohmann/json.hpp>

#include "windrow/models.h"

namespace windrow::tests {

// A model of one node in the notation of PortabilityRule::example: inputs with values are
// constants, others are inputs "input_0", ..., whose extents of -1 are not fixed. Throws if the
// text is not in that notation.
Model model_of_node(const nlohmann::json& node);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_PORTABILITY_NODE_MODEL_H_
