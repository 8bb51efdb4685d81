#include "tools/windrow/fields_json.h"

#include <type_traits>
#include <variant>

namespace windrow::tool {

Json field_json(const Attributes& attributes) {
  Json object = Json::object();
  for (const auto& [name, value] : attributes)
    object.emplace(
        name, std::visit(
                  [](const auto& held) -> Json {
                    using Held = std::decay_t<decltype(held)>;
                    if constexpr (std::is_arithmetic_v<Held> || std::is_same_v<Held, std::string>)
                      return held;
                    return nullptr;
                  },
                  value));
  return object;
}

}  // namespace windrow::tool
