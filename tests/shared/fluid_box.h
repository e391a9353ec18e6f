// A disordered fluid in a box, if wanted around a rigid sphere, with the engine's lists of it and the same as the oracle sees it.
#pragma once

#include <random>

#include "engine/particle/cell_sort.h"
#include "engine/particle/kernel_diagonal.h"
#include "engine/solid/solid.h"
#include "tests/oracle/mirror_oracle.h"

namespace meniscus::testing {

struct FluidBoxDef {
  Vec3<int> cells{6, 6, 6};  // particles each way
  Vec3d room{};              // m, kept free on the far sides: the particles fill the rest
  double jitter = 0.7;       // spacings, each axis within half of it either way
  double sphereRadius = 0;   // m, in the middle of the box; particles nearer than half a spacing are left out
  double sphereDensity = 500;
  double plate = 0;  // m, thickness of a rigid plate that covers the whole bottom, free to fall by as much below it
  double plateDensity = 500;
  double support = 2.0;      // spacings
  double secondDensity = 0;  // kg/m^3: every third particle is of a second fluid
  unsigned seed = 1;
};

inline World fluidBox(const FluidBoxDef& def) {
  World w;
  w.dx = 0.02;
  w.particleVolume = w.dx * w.dx * w.dx;
  const Vec3d fill{def.cells.x * w.dx, def.cells.y * w.dx, def.cells.z * w.dx};
  w.scene.domain.min = {-0.3, 0.1, 0.2};
  w.scene.domain.max = w.scene.domain.min + fill + def.room;
  w.scene.solver.support = def.support;
  w.scene.fluids.resize(def.secondDensity > 0 ? 2 : 1);
  w.scene.fluids[0].density = 1000;
  if (def.secondDensity > 0) w.scene.fluids[1].density = def.secondDensity;
  const double lift = 2 * def.plate;
  w.scene.domain.max.z += lift;
  if (def.plate > 0) {
    SolidDef s;
    s.name = "plate";
    s.kind = SolidKind::rigid;
    s.shape.kind = ShapeKind::box;
    s.shape.size = {2 * fill.x, 2 * fill.y, def.plate};
    s.material.density = def.plateDensity;
    s.transform.translate = w.scene.domain.min + Vec3d{0.5 * fill.x, 0.5 * fill.y, 1.5 * def.plate};
    addRigid(w.solid, s, nullptr);
  }
  const Vec3d middle = (w.scene.domain.max - w.scene.domain.min) * 0.5;
  if (def.sphereRadius > 0) {
    SolidDef s;
    s.name = "sphere";
    s.kind = SolidKind::rigid;
    s.shape.kind = ShapeKind::sphere;
    s.shape.radius = def.sphereRadius;
    s.material.density = def.sphereDensity;
    s.transform.translate = w.scene.domain.min + middle;
    addRigid(w.solid, s, nullptr);
  }
  std::mt19937 rng(def.seed);
  std::uniform_real_distribution<double> U(-0.5 * def.jitter, 0.5 * def.jitter);
  FluidState& f = w.fluid;
  for (int z = 0; z < def.cells.z; ++z)
    for (int y = 0; y < def.cells.y; ++y)
      for (int x = 0; x < def.cells.x; ++x) {
        const Vec3d p = Vec3d{x + 0.5 + U(rng), y + 0.5 + U(rng), z + 0.5 + U(rng)} * w.dx + Vec3d{0, 0, lift};
        if (def.sphereRadius > 0 && norm(p - middle) < def.sphereRadius + 0.5 * w.dx) continue;
        f.x.push_back(Vec4f(Vec3f(p), 0.f));
        f.u.push_back({});
        f.p.push_back(0.f);
        f.id.push_back(w.nextId++);
        f.kind.push_back(def.secondDensity > 0 && w.nextId % 3 == 0);
        f.leaked.push_back(0);
        ++f.n;
      }
  f.capacity = f.n;
  return w;
}

// The stages of a sub-step up to the assembled system.
template <class System>
struct FluidLists {
  FluidLists(Exec& exec, World& w)
      : boundary(w, float(w.scene.solver.support * w.dx), float(0.25 * w.dx)), builder(w.dx, w.scene.solver.support * w.dx) {
    sorter.configure(w.scene.domain.max - w.scene.domain.min, float(w.scene.solver.support * w.dx));
    build(exec, w);
    system.configure(w, builder);
    system.assemble(exec, w, boundary, lists, false);
  }
  // The lists alone, of where the particles are by now.
  void build(Exec& exec, World& w) {
    sorter.sort(exec, w.fluid, {});
    boundary.update(exec, w, sorter.grid(), float(w.dx));
    boundary.findFeatures(exec, sorter.grid(), w.fluid.x.view());
    const Vec3f centre((w.scene.domain.max - w.scene.domain.min) * 0.5);
    builder.build(exec, sorter.grid(), boundary, w.fluid, centre, lists);
  }
  int features(Index i) const {
    const Index k = boundary.nearIndex()[i];
    return k < 0 ? 0 : boundary.featureCount()[k];
  }
  const Feature& feature(Index i, int f) const { return boundary.features()[boundary.slotBegin()[boundary.nearIndex()[i]] + f]; }

  CellSort sorter;
  Boundary boundary;
  PairBuilder builder;
  PairLists lists;
  System system;
};

template <class System>
oracle::Fluid oracleOf(const World& w, const FluidLists<System>& l) {
  std::vector<oracle::Particle> p;
  for (Index i = 0; i < w.fluid.n; ++i) {
    p.push_back({Vec3d(w.fluid.x[i].xyz()), {}});
    for (int f = 0; f < l.features(i); ++f) {
      const Feature& s = l.feature(i, f);
      p.back().features.push_back({Vec3d(s.n), s.d, s.w});
    }
  }
  return oracle::Fluid(std::move(p), w.scene.solver.support * w.dx, w.particleVolume);
}

}  // namespace meniscus::testing
