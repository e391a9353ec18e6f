// Scenes as text, for the tests of building: a domain of 1 m each way and the parts given.
#pragma once

#include <gtest/gtest.h>

#include "engine/scene/generate.h"
#include "engine/scene/load.h"
#include "engine/world/build.h"
#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus::build_scene {

inline const testing::TemporaryFolder& folder() {
  static const testing::TemporaryFolder f;
  return f;
}

inline World build(const std::string& parts, std::vector<std::string>* notes = nullptr) {
  SceneDef s;
  const Diagnostics d = checkSceneText("{\"meniscus\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n" + parts + "}",
                                       folder() / "s.json", &s);
  EXPECT_EQ(formatAll(d), "");
  Exec exec(1);
  return buildWorld(s, exec, notes);
}

inline std::string refusal(const std::string& parts) {
  return testing::errorOf([&] { build(parts); });
}

inline void writeOff(const std::string& name, const SurfaceMesh& m) {
  std::string s = "OFF\n" + std::to_string(m.x.size()) + " " + std::to_string(m.tri.size() / 3) + " 0\n";
  for (const Vec3d& p : m.x) s += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  for (std::size_t t = 0; t < m.tri.size(); t += 3)
    s += "3 " + std::to_string(m.tri[t]) + " " + std::to_string(m.tri[t + 1]) + " " + std::to_string(m.tri[t + 2]) + "\n";
  testing::writeText(folder() / name, s);
}

inline const std::string kWater =
    "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"relax\": false, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
    "[1, 1, 0.5]}}]}]";

inline const std::string kFluidOnly =
    "\"fluids\": [{\"name\": \"w\", \"spacing\": 0.05}], \"emitters\": [{\"name\": \"tap\", "
    "\"fluid\": \"w\", \"position\": [0.5, 0.5, 0.9], \"direction\": [0, 0, -1], ";

}  // namespace meniscus::build_scene
