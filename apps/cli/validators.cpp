#include "apps/cli/validators.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace meniscus::cli {

CLI::Validator number(bool zero) {
  return CLI::Validator(
      [zero](const std::string& text) {
        char* end = nullptr;
        const double v = std::strtod(text.c_str(), &end);
        const bool right = end != text.c_str() && *end == 0 && std::isfinite(v) && (zero ? v >= 0 : v > 0);
        return right ? std::string() : fmt::format("{} is not a finite number {} 0", text, zero ? ">=" : ">");
      },
      zero ? ">=0" : ">0");
}

CLI::Validator notEmpty() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? std::string("is empty; give a name") : std::string(); },
                        "");
}

}  // namespace meniscus::cli
