// What fluid and solids give one another is the same on both sides, to round-off and at any tolerance: by every method that ends on
// impulses, for a rigid body, a cloth and a block of tetrahedra, in smoke and in water.
#include <gtest/gtest.h>

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/solid/implicit/shell_model.h"
#include "tests/coupling/monolithic_methods.h"
#include "tests/coupling/wall_impulse.h"
#include "tests/coupling/water_boxes.h"

namespace meniscus::testing {
namespace {

constexpr const char* kMethods[] = {"monolithic", "xpm", "iqn-ils", "partitioned"};
constexpr double kRoundOff = 1e-12;  // of the sum of |impulses| of the faces

template <int D>
std::unique_ptr<Coupling> methodOf(const std::string& name, Exec& exec, double dx, double fraction) {
  if (name == "monolithic") return std::make_unique<Monolithic<D>>(monolithic<D>(exec, dx, fraction, 1e-12));
  StopRule stop = within(dx, fraction);
  stop.maxIterations = 200;
  if (name == "xpm") {
    XpmOptions o;
    o.stop = stop;
    return std::make_unique<Xpm>(o);
  }
  if (name == "iqn-ils") {
    IqnIlsOptions o;
    o.stop = stop;
    return std::make_unique<IqnIls>(o);
  }
  RelaxationOptions o;
  o.stop = stop;
  o.omega = 0.1;
  o.aitken = true;
  return std::make_unique<Relaxation>(o);
}

// A solid that nothing holds, with the shell that the fluid sees.
template <int D>
struct FreeSolid {
  std::string name;
  std::shared_ptr<implicit::ImplicitSolid> solid;
  std::function<VectorXd()> momentum;  // kg m/s, D of them
  ShellMesh<D> mesh;
  bool filled = false;
};

// density: of the matter [kg/m^D]; of cloth that of a layer of three tenths.
template <int D>
FreeSolid<D> rigidBall(const SmokeDomain<D>& domain, double density) {
  Point<D> centre;
  centre.fill(0.47);
  const TestShell<D> shell = ball<D>(centre, 0.2, D == 2 ? 40 : 2);
  implicit::RigidBodyDef def = ballBody<D>(domain, shell, centre, 0.2, density / domain.density);
  def.velocity = {0.3, -0.4, D == 3 ? 0.5 : 0};
  const auto body = std::make_shared<implicit::RigidBodies<D>>(std::vector<implicit::RigidBodyDef>{def}, Eigen::Vector3d(0, 0, 0));
  const double mass = def.mass;
  return {"ball", body, [body, mass] { return VectorXd(mass * body->pose(0).velocity.template head<D>()); }, shell.mesh, true};
}

template <int D>
FreeSolid<D> nodal(const std::string& name, const std::shared_ptr<implicit::NodalSolid<D>>& solid, const ShellMesh<D>& mesh,
                   bool filled) {
  VectorXd v = VectorXd::Zero(solid->size());
  for (Eigen::Index i = 0; i < v.size(); i += D) v[i] = 0.3, v[i + 1] = -0.2, v[i + D - 1] = -0.4;
  solid->setMotion(solid->position(), v);
  const auto momentum = [solid] {
    VectorXd sum = VectorXd::Zero(D);
    for (Eigen::Index i = 0; i < solid->size(); ++i) sum[i % D] += solid->mass()[i] * solid->velocity()[i];
    return sum;
  };
  return {name, solid, momentum, mesh, filled};
}

FreeSolid<2> cloth2(double density) {
  TestShell<2> s;
  s.mesh.nodes = 33;
  for (Index i = 0; i < 33; ++i) {
    s.x.push_back(0.23 + 0.5 * i / 32);
    s.x.push_back(0.47 + 0.05 * std::sin(6.0 * i / 32));
    if (i > 0) s.mesh.elements.push_back({i - 1, i});
  }
  const double sheet = 0.3 * density;
  const auto model = implicit::chainModel(vectorOf(s.x), false, {100 * sheet, 1e-3 * sheet, 0.1 * sheet});
  return nodal<2>("cloth", std::make_shared<implicit::NodalSolid<2>>(model, vectorOf(s.x), implicit::chainMass(*model, sheet)),
                  s.mesh, false);
}

FreeSolid<3> cloth3(double density) {
  constexpr Index n = 9;
  TestShell<3> s;
  s.mesh.nodes = n * n;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      for (const double c : {0.23 + 0.5 * i / (n - 1), 0.26 + 0.5 * j / (n - 1), 0.47 + 0.04 * std::sin(0.9 * (i + j))})
        s.x.push_back(c);
      if (i == 0 || j == 0) continue;
      const Index a = (j - 1) * n + i - 1;
      s.mesh.elements.push_back({a, a + 1, a + n});
      s.mesh.elements.push_back({a + 1, a + n + 1, a + n});
    }
  const double sheet = 0.3 * density;
  const std::vector<std::array<int, 3>> triangles(s.mesh.elements.begin(), s.mesh.elements.end());
  const auto model = implicit::sheetModel(vectorOf(s.x), triangles, {100 * sheet, 1e-3 * sheet, 0.1 * sheet});
  return nodal<3>(
      "cloth",
      std::make_shared<implicit::NodalSolid<3>>(model, vectorOf(s.x), implicit::sheetMass(vectorOf(s.x), triangles, sheet)), s.mesh,
      false);
}

FreeSolid<3> tets(double density) {
  const TetBlock block = tetBlock({3, 3, 2}, {0.31, 0.28, 0.4}, {0.4, 0.4, 0.22});
  const auto model =
      std::make_shared<implicit::CorotationalTets>(block.x, block.tets, implicit::TetParameters{200 * density, 0.3, 0.01});
  return nodal<3>("tets", std::make_shared<implicit::NodalSolid<3>>(model, block.x, model->mass(density)), block.surface, true);
}

template <int D>
std::vector<FreeSolid<D>> freeSolids(const SmokeDomain<D>& domain, double density) {
  if constexpr (D == 2)
    return {rigidBall<2>(domain, density), cloth2(density)};
  else
    return {rigidBall<3>(domain, density), cloth3(density), tets(density)};
}

// Neither free of divergence nor that of the solid: what the step has to mend.
template <int D>
Point<D> flow(const Point<D>& x) {
  Point<D> v{};
  v[0] = 0.5 * std::sin(4 * x[D - 1]);
  v[D - 1] = 0.5 * std::cos(7 * x[0]) - 0.3;
  return v;
}

// Of all fluid, along an axis: sum over the faces that are not given.
template <int D, class Mass>
double fluidMomentum(const SmokeDomain<D>& d, const Buffer<double>* u, int axis, const Mass& mass) {
  double sum = 0;
  const GivenFaces<D> given(d);
  for (Offset f = 0; f < d.grid.faces(axis); ++f)
    if (!given.given(axis, f)) sum += mass(axis, f) * u[axis][std::size_t(f)];
  return sum;
}

// One step: what the faces gave is what the solid took, and what the fluid lost, or the walls gave.
template <int D, class Fluid, class Mass>
void expectExchange(Coupling& method, const SmokeDomain<D>& domain, Fluid& fluid, const Buffer<double>& pressure, const Mass& mass,
                    FreeSolid<D>& free, const std::string& what) {
  ImplicitSolidsBox solid({free.solid});
  const VectorXd before = free.momentum();
  const Report report = method.advance(fluid, solid, 0.01);
  ASSERT_TRUE(report.converged()) << what << ": " << report.text();
  const VectorXd gained = free.momentum() - before;
  double size = 0, ofFaces[3] = {0, 0, 0};
  for (std::size_t r = 0; r < fluid.faceImpulses().size(); ++r) {
    size += std::abs(fluid.faceImpulses()[r]);
    ofFaces[fluid.faces().face[r].axis] += fluid.faceImpulses()[r];
  }
  ASSERT_GT(size, 1e-4 * domain.density) << what;
  for (int axis = 0; axis < D; ++axis) {
    EXPECT_NEAR(gained[axis], ofFaces[axis], kRoundOff * size) << what << ", axis " << axis;
    const double start = fluidMomentum<D>(domain, fluid.predicted(), axis, mass);
    EXPECT_NEAR(fluidMomentum<D>(domain, fluid.state().velocity, axis, mass) + gained[axis],
                start + wallImpulse<D>(domain, pressure, axis), kRoundOff * size)
        << what << ", axis " << axis;
  }
}

template <int D>
void exchangeInSmoke(Exec& exec, Index n, double density) {
  SmokeDomain<D> domain = box<D>(n, SideKind::wall);
  for (const char* name : kMethods)
    for (FreeSolid<D>& s : freeSolids<D>(domain, density * domain.density)) {
      SmokeFluidOptions options;
      if (s.filled) options.filled.assign(s.mesh.elements.size(), 1);
      SmokeFluidBox<D> fluid(exec, domain, s.mesh, options);
      ImplicitSolidsBox start({s.solid});
      fluid.setBoundary(start.motion());
      for (int axis = 0; axis < D; ++axis)
        for (Offset f = 0; f < domain.grid.faces(axis); ++f) {
          const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, domain.grid.origin};
          if (GivenFaces<D>(domain).given(axis, f)) continue;
          const Point<D> v = flow<D>(domain.grid.faceCentre(axis, faces.cellAt(f)));
          fluid.state().velocity[axis][std::size_t(f)] = v[std::size_t(axis)];
        }
      const auto mass = [&](int axis, Offset f) {
        const Index r = fluid.faces().row[axis][std::size_t(f)];
        if (r >= 0) return fluid.faceMasses()[std::size_t(r)];
        const MacGrid<D> faces{domain.grid.faceExtent(axis), domain.grid.dx, domain.grid.origin};
        const bool inside = !fluid.filledCells().empty() && fluid.filledCells()[std::size_t(domain.grid.cell(faces.cellAt(f)))];
        return inside ? 0.0 : domain.density * std::pow(domain.grid.dx, D);
      };
      const std::unique_ptr<Coupling> method = methodOf<D>(name, exec, domain.grid.dx, 0.05);
      expectExchange<D>(*method, domain, fluid, fluid.state().pressure, mass, s, std::string(name) + ", " + s.name + " in smoke");
    }
}

template <int D>
void exchangeInWater(Exec& exec, Index n, double density) {
  const SmokeDomain<D> domain = waterTank<D>(n, {});
  for (const char* name : kMethods)
    for (FreeSolid<D>& s : freeSolids<D>(domain, density * domain.density)) {
      WaterFluidBox<D> fluid(exec, domain, s.mesh, {});
      ImplicitSolidsBox start({s.solid});
      fluid.setBoundary(start.motion());
      fluid.fill([](const Point<D>& x) { return x[D - 1] - 0.83 + 0.05 * std::sin(5 * x[0]); });
      fluid.setVelocity(flow<D>);
      fluid.setBoundary(start.motion());
      const auto mass = [&](int axis, Offset f) { return fluid.faceMass(axis, f); };
      const std::unique_ptr<Coupling> method = methodOf<D>(name, exec, domain.grid.dx, 0.05);
      expectExchange<D>(*method, domain, fluid, fluid.state().pressure, mass, s, std::string(name) + ", " + s.name + " in water");
    }
}

TEST(Momentum, WhatSmokeGivesTheSolidsHave) {
  Exec exec(2);
  for (const double density : {0.5, 4.0}) exchangeInSmoke<2>(exec, 32, density);
  exchangeInSmoke<3>(exec, 12, 2);
}

TEST(Momentum, WhatWaterGivesTheSolidsHave) {
  Exec exec(2);
  for (const double density : {0.5, 4.0}) exchangeInWater<2>(exec, 32, density);
  exchangeInWater<3>(exec, 12, 2);
}

}  // namespace
}  // namespace meniscus::testing
