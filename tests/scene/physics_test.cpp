// What of a scene a snapshot belongs to, and how a difference is told.
#include "engine/scene/physics.h"

#include <gtest/gtest.h>

namespace meniscus {
namespace {

TEST(Physics, DifferencesAreToldByTheirKeys) {
  const std::string before = R"({"fluids": [{"name": "w", "carve": true, "spacing": 0.1, "gravity": [0, 0, -1]}], "duration": 1})";
  const auto now = [&](const std::string& what, const std::string& with) {
    std::string text = before;
    return firstDifference(text.replace(text.find(what), what.size(), with), before);
  };
  EXPECT_EQ(firstDifference(before, before), "");
  EXPECT_EQ(now("\"carve\"", "\"density\": 900.0, \"carve\""), "fluids[0].density 900.0 instead of the default");
  EXPECT_EQ(now("\"carve\": true, ", ""), "fluids[0].carve the default instead of true");
  EXPECT_EQ(now("0.1", "0.2"), "fluids[0].spacing 0.2 instead of 0.1");
  EXPECT_EQ(now("-1]", "-2]"), "fluids[0].gravity [0,0,-2] instead of [0,0,-1]");
  EXPECT_EQ(now("1}", "2}"), "duration 2 instead of 1");
}

}  // namespace
}  // namespace meniscus
