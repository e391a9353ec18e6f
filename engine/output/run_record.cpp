#include "engine/output/run_record.h"

#include <algorithm>

namespace meniscus {
std::vector<std::pair<std::string, double>> addStages(std::vector<std::pair<std::string, double>> a,
                                                      const std::vector<std::pair<std::string, double>>& b) {
  for (const auto& [name, seconds] : b) {
    const auto same = std::find_if(a.begin(), a.end(), [&n = name](const auto& stage) { return stage.first == n; });
    if (same == a.end())
      a.emplace_back(name, seconds);
    else
      same->second += seconds;
  }
  return a;
}

}  // namespace meniscus
