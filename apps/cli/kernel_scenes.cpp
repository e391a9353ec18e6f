// The scenes that the micro-benchmarks step.
#include <cmath>

#include "apps/cli/kernel_run.h"

namespace meniscus::cli {
namespace {

SceneDef emptyScene(const Vec3d& min, const Vec3d& max, double dt) {
  SceneDef s;
  s.domain.min = min;
  s.domain.max = max;
  s.solver.dt = dt;
  return s;
}

void addBox(SceneDef& s, double spacing, const Vec3d& size, const Vec3d& centre, double jitter) {
  FluidDef water;
  water.name = "water";
  water.spacing = spacing;
  water.jitter = jitter;
  water.relax = false;
  ShapeDef box;
  box.size = size;
  water.shapes.push_back(box);
  water.transforms.push_back({centre});
  s.fluids.push_back(water);
}

SolidDef sheet(double edge, double cells, double height) {
  SolidDef d;
  d.name = "sheet";
  d.kind = SolidKind::cloth;
  d.shape.kind = ShapeKind::sheet;
  d.shape.size = {edge, edge, 0};
  d.shape.resolution = edge / cells;
  d.transform.translate = {0, 0, height};
  d.material.arealDensity = 0.3;
  d.pins.resize(1);
  d.pins[0].select = PinDef::Select::rim;
  return d;
}

}  // namespace

SceneDef cubeScene(int edge, double support) {
  const double dx = 0.02, size = edge * dx;
  SceneDef s = emptyScene({-size, -size, -size}, {size, size, size}, 0.001);
  s.gravity = {};
  s.solver.support = support;
  addBox(s, dx, {size, size, size}, {}, 0.3);
  return s;
}

SceneDef tankScene(int particles) {
  const double width = 0.5, dx = std::cbrt(2 * width * width * width / particles), cells = std::round(width / dx);
  const double spacing = width / cells;
  SceneDef s = emptyScene({0, 0, 0}, {width, width, 1.2}, 0.1 * spacing);
  addBox(s, spacing, {width, width, 2 * width}, {width / 2, width / 2, width}, 0.15);
  return s;
}

SceneDef clothScene() {
  SceneDef s = emptyScene({-1, -1, -1}, {1, 1, 1}, 0.005);
  s.solids.push_back(sheet(1, 58, 0));
  return s;
}

SceneDef wetClothScene() {
  SceneDef s = emptyScene({-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4}, 0.002);
  s.solids.push_back(sheet(0.6, 40, 0));
  addBox(s, 0.0125, {0.45, 0.45, 0.19}, {0, 0, 0.1}, 0);
  return s;
}

}  // namespace meniscus::cli
