// From scene to world: what is built.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/solid/solid.h"
#include "tests/scene/build_scene.h"

namespace meniscus {
namespace {

using namespace build_scene;

TEST(BuildWorld, FillsATank) {
  const World w = build(kWater);
  EXPECT_EQ(w.fluid.n, 20 * 20 * 10);
  EXPECT_EQ(w.fluid.capacity, w.fluid.n);
  EXPECT_EQ(w.nextId, 4000u);
  EXPECT_DOUBLE_EQ(w.dx, 0.05);
  EXPECT_FLOAT_EQ(w.fluid.x[0].x, 0.025f);
  EXPECT_EQ(w.fluid.x.size(), 4000u);
  EXPECT_EQ(w.fluid.leaked.size(), 4000u);
  for (std::uint32_t i = 0; i < 4000; ++i) EXPECT_EQ(w.fluid.id[i], i);
}

TEST(BuildWorld, PositionsAreRelativeToTheDomain) {
  SceneDef s;
  checkSceneText(
      "{\"meniscus\": 1, \"domain\": {\"min\": [-5, 2, 1], \"max\": [-4, 3, 2]}, \"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, "
      "\"shapes\": "
      "[{\"box\": {\"min\": [-5, 2, 1], \"max\": [-4, 3, 1.5]}}]}]}",
      "s.json", &s);
  Exec exec(1);
  const World w = buildWorld(s, exec, nullptr);
  ASSERT_EQ(w.fluid.n, 500);
  EXPECT_NEAR(w.fluid.x[0].x, 0.05, 1e-6);
  EXPECT_NEAR(w.fluid.x[499].z, 0.45, 1e-6);
}

// The same scene gives the same bits.
TEST(BuildWorld, Repeats) {
  const std::string parts =
      "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"jitter\": 0.2, \"shapes\": [{\"sphere\": {\"radius\": 0.3}, "
      "\"position\": [0.5, 0.5, 0.5]}]}]";
  const World a = build(parts), b = build(parts);
  ASSERT_EQ(a.fluid.n, b.fluid.n);
  EXPECT_EQ(std::memcmp(a.fluid.x.data(), b.fluid.x.data(), a.fluid.x.size() * sizeof(Vec4f)), 0);
}

// A balloon is filled to the last particle: N V is the volume of its triangles.
TEST(BuildWorld, FillsABalloonExactly) {
  std::vector<std::string> notes;
  const World w = build(
      "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"shapes\": [{\"inside\": \"b\"}]}],"
      "\"solids\": [{\"name\": \"b\", \"kind\": \"inflatable\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"sphere\": "
      "{\"radius\": 0.3}},"
      "\"material\": {\"areal_density\": 0.1, \"stretch\": {\"compliance\": 1e-4}}}]",
      &notes);
  double volume = 0;
  const SolidState& s = w.solid;
  volume = enclosedVolume(s, 0, Index(s.tri.size() / 3));
  EXPECT_NEAR(double(w.fluid.n) * w.particleVolume, volume, 1e-12);
  EXPECT_NEAR(w.dx, 0.05, 1e-4 * 0.05 * 5);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("particles fill the closed space exactly"), std::string::npos);
  for (Index i = 0; i < w.fluid.n; ++i)
    EXPECT_LT(norm(Vec3d(w.fluid.x[std::size_t(i)].xyz()) - Vec3d{0.5, 0.5, 0.5}), 0.3 - 0.24 * w.dx);
}

TEST(BuildWorld, FillsAMeshExactly) {
  SurfaceMesh m = makeBox({0.4, 0.3, 0.5}, 0.1);
  place(m.x, {{0.5, 0.5, 0.5}, Quatd::axisAngle({1, 2, 3}, 1), {1, 1, 1}});
  writeOff("box.off", m);
  const World w =
      build("\"fluids\": [{\"name\": \"water\", \"spacing\": 0.02, \"shapes\": [{\"mesh\": {\"file\": \"box.off\"}}]}]");
  EXPECT_EQ(w.fluid.n, 7500);  // 0.06 m^3 of 8e-6 m^3
}

TEST(BuildWorld, TiltedContainer) {
  const std::string box = "\"rotation\": {\"axis\": [0, 1, 0], \"degrees\": 30}, \"position\": [0.5, 0.5, 0.5]";
  const World w = build(
      "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"shapes\": [{\"inside\": \"tank\"}]}],"
      "\"solids\": [{\"name\": \"tank\", \"kind\": \"static\", " +
      box + ", \"shape\": {\"box\": {\"size\": [0.5, 0.4, 0.3], \"container\": true}}}]");
  EXPECT_EQ(w.fluid.n, 10 * 8 * 6);
  EXPECT_DOUBLE_EQ(double(w.fluid.n) * w.particleVolume, 0.5 * 0.4 * 0.3);
}

// A still primitive with a resolution is made of triangles, and its inside is theirs.
TEST(BuildWorld, MeshedContainer) {
  const World w = build(
      "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"shapes\": [{\"inside\": \"tank\"}]}],"
      "\"solids\": [{\"name\": \"tank\", \"kind\": \"static\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"sphere\": {\"radius\": "
      "0.4, "
      "\"resolution\": 0.1, \"container\": true}}}]");
  const double volume = enclosedVolume(w.solid, 0, Index(w.solid.tri.size() / 3));
  EXPECT_NEAR(std::abs(volume), 4.0 / 3 * 3.14159265 * 0.064, 0.03 * 0.268);  // chords miss about (h/R)^2 / 3
  EXPECT_NEAR(double(w.fluid.n) * w.particleVolume, std::abs(volume), 1e-12);
}

TEST(BuildWorld, CarvesWhereAsked) {
  const std::string ball =
      "\"solids\": [{\"name\": \"ball\", \"kind\": \"static\", \"position\": [0.5, 0.5, 0.25], \"shape\": {\"sphere\": "
      "{\"radius\": 0.2}}}]";
  const std::string overlap = refusal(kWater + ",\n" + ball);
  EXPECT_NE(overlap.find("s.json:2:"), std::string::npos) << overlap;
  EXPECT_NE(overlap.find("fluid \"water\" overlaps solid \"ball\""), std::string::npos) << overlap;
  EXPECT_NE(overlap.find("say \"carve\": true in the fluid"), std::string::npos) << overlap;
  std::string carved = kWater;
  carved.replace(carved.find("\"relax\""), 7, "\"carve\": true, \"relax\"");
  const World w = build(carved + "," + ball);
  EXPECT_NEAR(double(w.fluid.n), 4000 - 4.0 / 3 * 3.14159265 * 0.008 / 1.25e-4, 15);
  for (Index i = 0; i < w.fluid.n; ++i)
    EXPECT_GT(norm(Vec3d(w.fluid.x[std::size_t(i)].xyz()) - Vec3d{0.5, 0.5, 0.25}), 0.2 + 0.24 * 0.05);
}

// A solid that only touches the fluid is no overlap.
TEST(BuildWorld, GrazingIsAllowed) {
  EXPECT_EQ(refusal(kWater + ", \"solids\": [{\"name\": \"lid\", \"kind\": \"rigid\", \"position\": [0.5, 0.5, 0.6], \"shape\": "
                             "{\"box\": {\"size\": [0.4, 0.4, 0.21]}}}]"),
            "");
}

TEST(BuildWorld, CapacityCoversEmitters) {
  const World w = build(
      "\"duration\": 2, \"fluids\": [{\"name\": \"water\", \"spacing\": 0.05}], \"emitters\": [{\"name\": \"e\", \"fluid\": "
      "\"water\", "
      "\"rectangle\": {\"size\": [0.2, 0.2]}, \"position\": [0.5, 0.5, 0.9], \"direction\": [0, 0, -1], \"speed\": 1}]");
  EXPECT_EQ(w.fluid.n, 0);
  EXPECT_GE(w.fluid.capacity, 640);  // 0.08 m^3
  EXPECT_LE(w.fluid.capacity, 800);
  EXPECT_EQ(w.emitters.size(), 1u);
}

TEST(BuildWorld, RoomForEmittersIsNoMoreThanTheDomainHolds) {
  const World w = build("\"duration\": 1e9, " + kFluidOnly + "\"disc\": {\"radius\": 0.1}, \"speed\": 1}]");
  EXPECT_GT(w.fluid.capacity, 8000);  // the domain's volume in particles
  EXPECT_LT(w.fluid.capacity, 10000);
}

// "angular_velocity" turns what deforms about its centre of mass, as it turns a rigid body.
TEST(BuildWorld, DeformableSolidsSpin) {
  const World w = build(
      "\"solids\": [{\"name\": \"b\", \"kind\": \"inflatable\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, "
      "\"position\": [0.5, 0.4, 0.3], \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 2], \"material\": {\"areal_density\": "
      "1}}]");
  ASSERT_GT(w.solid.x.size(), 10u);
  for (std::size_t i = 0; i < w.solid.x.size(); ++i) {
    const Vec3d r = w.solid.x[i] - Vec3d{0.5, 0.4, 0.3};
    EXPECT_NEAR(norm(w.solid.v[i] - Vec3d{1 - 2 * r.y, 2 * r.x, 0}), 0, 1e-3);  // facets: the centre is not quite the sphere's
  }
}

}  // namespace
}  // namespace meniscus
