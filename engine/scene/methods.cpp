#include "engine/scene/methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/scene/scene.h"

namespace meniscus {

const std::vector<std::string>& methodNames() {
  static const std::vector<std::string> names = {"isph-pbd", "partitioned", "iqn-ils", "xpm", "monolithic"};
  return names;
}

bool isGridMethod(const std::string& method) {
  const std::vector<std::string>& names = methodNames();
  return std::find(names.begin() + 1, names.end(), method) != names.end();
}

void refuseGridScene(const SceneDef& scene) {
  if (!isGridMethod(scene.solver.method)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}:{}:{}: the method \"{}\" works offline on a grid: run the scene with `meniscus run`, "
                          "or look at it with `meniscus render` or meniscus-viewer; here only particles (isph-pbd) are simulated",
                          scene.file, scene.solver.where.line, scene.solver.where.column, scene.solver.method));
}

}  // namespace meniscus
