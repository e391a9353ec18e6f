// How fast and how thin: no particle leaks up to the limits that Boundary::resolveContacts states, and beyond them the leaks are
// told.
#include <gtest/gtest.h>

#include "kernels/contact/continuous.h"
#include "tests/contact/contact_scene.h"

namespace meniscus {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;
constexpr double kGap = 0.005, kFold = 1, kTurn = 90;  // the limits: spacings, degrees, degrees a sub-step

void move(ContactScene& s, Random& random, double most) {  // each axis, spacings
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] = s.xOld[i] + Vec4f(Vec3f(random.vector(-most, most) * double(kDx)), 0.f);
}

class Limits : public ::testing::TestWithParam<double> {};  // triangle edge in spacings
INSTANTIATE_TEST_SUITE_P(Edges, Limits, ::testing::Values(0.5, 2.0, 8.0));

// A rippled sheet that sweeps 128 spacings in one sub-step, through particles near and far.
TEST_P(Limits, SpeedOfASheet) {
  const double edge = GetParam(), way = 128;
  const Index quads = Index(std::lround(16 / edge));
  World w = emptyWorld({1, 1, 4}, false);
  const Mesh m = sheet({0.3, 0.3, 0.5}, {16 * kDx, 0, 0}, {0, 16 * kDx, 0}, quads, quads);
  addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  ContactScene s(std::move(w));
  Random random(51);
  std::vector<Vec3d> p;
  for (int i = 0; i < 200; ++i)
    p.push_back({random.uniform(0.4, 0.52), random.uniform(0.4, 0.52), 0.5 + kDx * random.uniform(0.26, way - 3)});
  s.setParticles(p);
  s.find();
  for (Vec3d& x : s.world.solid.x) x += Vec3d{0, 0, way * kDx} + random.vector(-0.3, 0.3) * (edge * kDx);
  move(s, random, 0.3);
  EXPECT_GE(s.resolve(), 190);
  EXPECT_EQ(leaks(s), 0);
}

// What a sheet is pressed against, with particles between.
enum class Against { sheet, wall, box, mesh };

struct Press {
  ContactScene scene;
  double floor;  // height of what it is pressed against [m]
  Index sheetBegin, sheetEnd;
};

Press pressOn(Against against, double edge) {
  const double c = 0.5, floor = against == Against::wall ? 0 : c;
  World w = emptyWorld({1, 1, 1}, against == Against::wall);
  if (against == Against::box) {
    RigidBody r;
    r.shape.kind = ShapeKind::box;
    r.shape.size = {0.3, 0.3, 0.1};
    r.x = r.xPrev = {c, c, c - 0.05};
    w.solid.rigid.push_back(r);
  } else if (against == Against::mesh) {
    const Mesh m = boxMesh({c - 0.15, c - 0.15, c - 0.1}, {c + 0.15, c + 0.15, c}, 4);
    addSurface(w, SolidKind::fixed, true, false, m.x, m.tri);
  } else if (against == Against::sheet) {
    const Mesh m = sheet({c - 0.16, c - 0.16, c}, {0.32, 0, 0}, {0, 0.32, 0}, 8, 8);
    addSurface(w, SolidKind::fixed, false, true, m.x, m.tri);
  }
  const Index quads = Index(std::lround(16 / edge));
  const Mesh m = sheet({c - 0.16, c - 0.16, floor + kDx}, {0.32, 0, 0}, {0, 0.32, 0}, quads, quads);
  const Index body = addSurface(w, SolidKind::cloth, false, true, m.x, m.tri);
  const Index begin = w.solid.bodies[std::size_t(body)].nodeBegin, end = w.solid.bodies[std::size_t(body)].nodeEnd;
  return {ContactScene(std::move(w)), floor, begin, end};
}

std::vector<Vec3d> between(double floor, Random& random) {
  std::vector<Vec3d> p;
  for (int i = 0; i < 100; ++i) p.push_back({random.uniform(0.42, 0.58), random.uniform(0.42, 0.58), floor + 0.5 * kDx});
  return p;
}

// The sheet at `gap` spacings above what it is pressed against, within a fifth of that.
void press(Press& p, double gap, Random& random) {
  for (Index i = p.sheetBegin; i < p.sheetEnd; ++i)
    p.scene.world.solid.x[std::size_t(i)].z = p.floor + gap * kDx * (1 + random.uniform(-0.2, 0.2));
}

// The sheet comes down and goes up again, many times; the particles stay between.
TEST_P(Limits, GapBetweenTwoSurfaces) {
  for (const Against against : {Against::sheet, Against::wall, Against::box, Against::mesh}) {
    Press p = pressOn(against, GetParam());
    ContactScene& s = p.scene;
    Random random(52);
    std::vector<Vec3d> x = between(p.floor, random);
    for (int step = 0; step < 12; ++step) {
      s.world.solid.xPrev = s.world.solid.x;
      s.setParticles(x);
      s.find();
      press(p, step % 2 ? 1 : 1.25 * kGap, random);
      move(s, random, 0.2);
      s.resolve();
      ASSERT_EQ(leaks(s), 0) << "against " << int(against) << ", step " << step;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[std::size_t(s.order[i])] = Vec3d(s.x[i].xyz());
        ASSERT_GT(s.x[i].z, p.floor) << "against " << int(against) << ", step " << step;
        // the contact distance, or the sheet above
        ASSERT_LT(s.x[i].z, p.floor + (step % 2 ? 1.2 : 1.5 * kGap) * kDx) << "against " << int(against) << ", step " << step;
      }
    }
  }
}

// Half a fold from the vertical, along y: both sides of it at `degrees` to each other.
std::vector<Vec3d> folded(const Mesh& flat, double degrees) {
  const double half = degrees * kPi / 360;
  std::vector<Vec3d> x;
  for (const Vec3d& v : flat.x) {
    const double u = v.x - 0.5;
    x.push_back({0.5 + u * std::sin(half), v.y, 0.5 + std::fabs(u) * std::cos(half)});
  }
  return x;
}

int leaksOfFold(double edge, double degrees) {
  const Index quads = 2 * Index(std::lround(8 / edge));
  const Mesh m = sheet({0.34, 0.3, 0.5}, {0.32, 0, 0}, {0, 0.32, 0}, quads, quads);
  World w = emptyWorld({1, 1, 1}, false);
  addSurface(w, SolidKind::cloth, false, true, folded(m, 90), m.tri);
  ContactScene s(std::move(w));
  Random random(53);
  std::vector<Vec3d> p;
  for (int i = 0; i < 300; ++i) {
    const double h = kDx * random.uniform(0.5, 4);
    p.push_back({0.5 + h * random.uniform(-0.6, 0.6), random.uniform(0.35, 0.55), 0.5 + h});
  }
  s.setParticles(p);
  s.find();
  const std::vector<Vec3d> to = folded(m, degrees);
  std::copy(to.begin(), to.end(), s.world.solid.x.begin());
  move(s, random, 0.4);
  s.resolve();
  return leaks(s);
}

TEST_P(Limits, FoldThatCloses) {
  EXPECT_EQ(leaksOfFold(GetParam(), kFold), 0);
  EXPECT_GT(leaksOfFold(GetParam(), 0), 250);  // flat on itself: told
}

// A skin, whose triangles go straight, turns about what is inside it.
TEST_P(Limits, TurnOfASkin) {
  const Vec3d c{0.5, 0.5, 0.5};
  const Mesh m = sphereMesh(c, 0.15, Index(std::lround(12 / GetParam())));
  const Quatd turn = Quatd::axisAngle({0, 0, 1}, kTurn * kPi / 180);
  World w = emptyWorld({1, 1, 1}, false);
  addSurface(w, SolidKind::inflatable, true, true, m.x, m.tri, 0.5);
  const Index triangles = Index(w.solid.tri.size() / 3);
  ContactScene s(std::move(w));
  Random random(54);
  std::vector<Vec3d> p;
  while (p.size() < 300) {
    const Vec3d r = random.vector(-0.14, 0.14);
    if (norm(r) < 0.08 || (norm(r) < 0.14 && windingNumber(s.world.solid, 0, triangles, c + r * 1.1) > 0.5)) p.push_back(c + r);
  }
  s.setParticles(p);
  s.find();
  for (Vec3d& x : s.world.solid.x) x = c + turn.rotate(x - c);
  EXPECT_GT(s.resolve(), 20);
  EXPECT_EQ(leaks(s), 0);
  for (const Vec4f& x : s.x) EXPECT_NEAR(windingNumber(s.world.solid, 0, triangles, Vec3d(x.xyz())), 1, 1e-6);
}

// A thin plate turns through particles at rest on both sides of it.
TEST(LimitOfTurn, Plate) {
  const Vec3d c{0.5, 0.5, 0.5};
  RigidBody plate;
  plate.kinematic = true;
  plate.shape.kind = ShapeKind::box;
  plate.shape.size = {0.4, 0.4, 0.5 * kDx};
  plate.x = plate.xPrev = c;
  plate.q = Quatd::axisAngle({0, 1, 0}, kTurn * kPi / 180);
  World w = emptyWorld({1, 1, 1}, false);
  w.solid.rigid.push_back(plate);
  ContactScene s(std::move(w));
  Random random(56);
  std::vector<Vec3d> p;
  for (int i = 0; i < 400; ++i)
    p.push_back(c +
                Vec3d{random.uniform(-0.18, 0.18), random.uniform(-0.15, 0.15), (i % 2 ? 1 : -1) * kDx * random.uniform(0.52, 5)});
  s.setParticles(p);
  s.find();
  EXPECT_GT(s.resolve(), 100);
  EXPECT_EQ(leaks(s), 0);
  int covered = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3d inBody = plate.q.conjugate().rotate(Vec3d(s.x[i].xyz()) - c);
    if (std::fabs(inBody.x) > 0.19) continue;  // beside the plate now
    ++covered;
    EXPECT_GT(inBody.z * (p[std::size_t(s.order[i])].z - c.z), 0);
  }
  EXPECT_GT(covered, 100);
}

// Beyond: surfaces that meet or cross leave no place; every particle that is swallowed is told, by the exhaustive test as well.
TEST_P(Limits, BeyondTheGapLeaksAreTold) {
  for (const Against against : {Against::sheet, Against::wall, Against::box, Against::mesh})
    for (const double gap : {0.2 * kGap, -0.1}) {
      Press p = pressOn(against, GetParam());
      ContactScene& s = p.scene;
      Random random(55);
      s.setParticles(between(p.floor, random));
      s.find();
      press(p, gap, random);
      s.resolve();
      EXPECT_EQ(leaks(s), 100) << "against " << int(against) << ", gap " << gap;
      EXPECT_EQ(s.boundary->leakedInLastStep(), 100);
    }
}

}  // namespace
}  // namespace meniscus
