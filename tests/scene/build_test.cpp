// From scene to world: what is built, and what is refused with its place.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/load.h"
#include "engine/solid/solid.h"
#include "engine/world/build.h"
#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

const testing::TemporaryFolder& folder() {
  static const testing::TemporaryFolder f;
  return f;
}

World build(const std::string& parts, std::vector<std::string>* notes = nullptr) {
  SceneDef s;
  const Diagnostics d = checkSceneText("{\"meniscus\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n" + parts + "}",
                                       folder() / "s.json", &s);
  EXPECT_EQ(formatAll(d), "");
  Exec exec(1);
  return buildWorld(s, exec, notes);
}

std::string refusal(const std::string& parts) {
  return testing::errorOf([&] { build(parts); });
}

void writeOff(const std::string& name, const SurfaceMesh& m) {
  std::string s = "OFF\n" + std::to_string(m.x.size()) + " " + std::to_string(m.tri.size() / 3) + " 0\n";
  for (const Vec3d& p : m.x) s += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  for (std::size_t t = 0; t < m.tri.size(); t += 3)
    s += "3 " + std::to_string(m.tri[t]) + " " + std::to_string(m.tri[t + 1]) + " " + std::to_string(m.tri[t + 2]) + "\n";
  testing::writeText(folder() / name, s);
}

const std::string kWater =
    "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"relax\": false, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
    "[1, 1, 0.5]}}]}]";

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

TEST(BuildWorld, FileSolids) {
  writeOff("ball.off", makeSphere(0.2, 0.05));
  SurfaceMesh open = makeSphere(0.2, 0.05);
  open.tri.resize(open.tri.size() - 30);
  writeOff("open.off", open);
  const auto solid = [](const std::string& kind, const char* file, const char* more) {
    const char* const material = kind == "soft"                            ? "\"youngs_modulus\": 1e4"
                                 : kind == "cloth" || kind == "inflatable" ? "\"areal_density\": 0.1"
                                                                           : "";
    return "\"solids\": [{\"name\": \"m\", \"kind\": \"" + kind +
           "\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"mesh\": {\"file\": \"" + file + "\"" + more + "}}, \"material\": {" +
           material + "}}]";
  };
  for (const char* kind : {"static", "rigid", "inflatable", "cloth"}) EXPECT_EQ(refusal(solid(kind, "ball.off", "")), "") << kind;
  for (const char* kind : {"static", "rigid", "inflatable", "soft"}) {
    const std::string found = refusal(solid(kind, "open.off", ""));
    EXPECT_NE(found.find("s.json:2:"), std::string::npos) << found;
    EXPECT_NE(found.find("the surface must enclose a volume, but has holes at "), std::string::npos) << found;
    EXPECT_NE(found.find("(faces "), std::string::npos) << found;
  }
  EXPECT_EQ(refusal(solid("static", "open.off", ", \"open\": true")), "");
  EXPECT_EQ(refusal(solid("cloth", "open.off", "")), "");
  // fluid in an open mesh
  const std::string fluid = refusal(
      "\"fluids\": [{\"name\": \"water\", \"spacing\": 0.05, \"shapes\": [{\"mesh\": {\"file\": \"open.off\"}, \"position\": [0.5, "
      "0.5, 0.5]}]}]");
  EXPECT_NE(fluid.find("a mesh that is filled must be closed, but it has holes at faces "), std::string::npos) << fluid;
}

TEST(BuildWorld, NonManifoldCloth) {
  testing::writeText(folder() / "fin.off", "OFF\n5 3 0\n0 0 0\n0.1 0 0\n0 0.1 0\n0.1 0.1 0\n0 0 0.1\n3 0 1 2\n3 1 3 2\n3 1 2 4\n");
  const std::string found = refusal(
      "\"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"mesh\": {\"file\": "
      "\"fin.off\"}}, "
      "\"material\": {\"areal_density\": 0.1}}]");
  EXPECT_NE(found.find("1 edges are shared by more than two faces"), std::string::npos) << found;
  EXPECT_NE(found.find("(faces 0, 1, 2)"), std::string::npos) << found;
}

TEST(BuildWorld, BadTetrahedra) {
  const auto soft = [](const char* file) {
    return std::string(
               "\"solids\": [{\"name\": \"s\", \"kind\": \"soft\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"mesh\": {\"file\": "
               "\"") +
           file + "\"}}, \"material\": {\"youngs_modulus\": 1e4}}]";
  };
  const std::string head =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 .1 0 0 0 .1 0 0 0 .1 0 0 -.1\nCELLS "
      "2 10\n";
  testing::writeText(folder() / "good.vtk", head + "4 0 1 2 3\n4 0 2 1 4\nCELL_TYPES 2\n10\n10\n");
  testing::writeText(folder() / "inverted.vtk", head + "4 0 1 2 3\n4 0 1 2 4\nCELL_TYPES 2\n10\n10\n");
  testing::writeText(folder() / "flat.vtk", head + "4 0 1 2 3\n4 0 3 1 4\nCELL_TYPES 2\n10\n10\n");
  EXPECT_EQ(refusal(soft("good.vtk")), "");
  for (const char* file : {"inverted.vtk", "flat.vtk"}) {
    const std::string found = refusal(soft(file));
    EXPECT_NE(found.find("s.json:2:"), std::string::npos) << found;
    EXPECT_NE(found.find("tetrahedr"), std::string::npos) << found;
    EXPECT_NE(found.find(" 1"), std::string::npos) << found;  // its number
  }
}

struct Case {
  const char *parts, *expected;
};
class BuildRefusal : public ::testing::TestWithParam<Case> {};

TEST_P(BuildRefusal, NamesThePlace) {
  const std::string found = refusal(GetParam().parts);
  EXPECT_NE(found.find("s.json:"), std::string::npos) << found;
  EXPECT_NE(found.find(GetParam().expected), std::string::npos) << found;
}

INSTANTIATE_TEST_SUITE_P(
    All, BuildRefusal,
    ::testing::Values(Case{"\"solids\": [{\"name\": \"b\", \"kind\": \"rigid\", \"position\": [0, 0.5, 0.5], \"shape\": "
                           "{\"sphere\": {\"radius\": 0.1}}}]",
                           "solid \"b\" sticks out of the domain: along x it goes from -0.1 to 0.1 m, the domain from 0 to 1 m"},
                      Case{"\"solids\": [{\"name\": \"b\", \"kind\": \"static\", \"position\": [0, 0.5, 5], \"shape\": "
                           "{\"sphere\": {\"radius\": 0.1}}}]",
                           "solid \"b\" is outside the domain"},
                      Case{"\"solids\": [{\"name\": \"b\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 1.5], \"shape\": "
                           "{\"sheet\": {\"size\": [0.1, 0.1]}}, \"material\": {\"areal_density\": 1}}]",
                           "is outside the domain"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, \"shapes\": [{\"sphere\": {\"radius\": 0.2}}]}]",
                           "fluid \"w\" sticks out of the domain"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.0002, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], "
                           "\"max\": [1, 1, 1]}}]}]",
                           "about 1.25e+11 particles are asked for, which need"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
                           "[1, 1, 1]}}]}], \"max_particles\": 2000000000",
                           "but the machine has"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
                           "[1, 1, 1]}}]}], \"max_particles\": 999",
                           "starts with 1000 particles, but \"max_particles\" is 999"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.5, \"shapes\": [{\"sphere\": {\"radius\": 0.01}, "
                           "\"position\": [0.5, 0.5, 0.5]}]}]",
                           "holds no particle at a spacing of 0.5 m"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, \"shapes\": [{\"inside\": \"b\"}]}], \"solids\": "
                           "[{\"name\": \"b\", \"kind\": \"static\", \"position\": [0.5, 0.5, 0.5], "
                           "\"shape\": {\"sphere\": {\"radius\": 0.3}}}]",
                           "solid \"b\" is massive; only containers"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1, \"shapes\": [{\"sphere\": {\"radius\": 0.3}, "
                           "\"position\": [0.5, 0.5, 0.5], \"scale\": [1, 2, 1]}]}]",
                           "a round shape is scaled differently along its axes"},
                      Case{"\"fluids\": [{\"name\": \"a\", \"spacing\": 0.1, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
                           "[1, 1, 0.5]}}]}, {\"name\": \"b\", \"spacing\": 0.1, \"shapes\": "
                           "[{\"box\": {\"min\": [0, 0, 0.2], \"max\": [1, 1, 0.7]}}]}]",
                           "fluid \"b\" overlaps fluid \"a\""},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1}], \"emitters\": [{\"name\": \"e\", \"fluid\": \"w\", "
                           "\"disc\": {\"radius\": 0.2}, \"position\": [0, 0, 2], \"speed\": 1}]",
                           "emitter \"e\" is outside the domain"},
                      Case{"\"fluids\": [{\"name\": \"w\", \"spacing\": 0.1}], \"emitters\": [{\"name\": \"e\", \"fluid\": \"w\", "
                           "\"disc\": {\"radius\": 0.01}, \"position\": [0.5, 0.5, 0.5], \"speed\": 1}]",
                           "is 0.02 m wide, less than a particle spacing"},
                      Case{"\"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 0.5], \"shape\": "
                           "{\"sheet\": {\"size\": [0.2, 0.2]}}, \"material\": {\"areal_density\": 1}, "
                           "\"pins\": [{\"sphere\": {\"center\": [0, 0, 0], \"radius\": 0.1}}]}]",
                           "a pin holds no node"},
                      Case{"\"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 0.5], \"shape\": "
                           "{\"sheet\": {\"size\": [0.2, 0.2]}}, \"material\": {\"areal_density\": 1}, "
                           "\"pins\": [{\"indices\": [100000]}]}]",
                           "pinned node 100000 of"}));

TEST(BuildWorld, RefusesAnEmptyDomainAndSpacing) {
  SceneDef s;
  s.file = "made.json";
  Exec exec(1);
  EXPECT_THROW(buildWorld(s, exec, nullptr), Error);
  s.domain.max = {1, 1, 1};
  s.fluids.emplace_back();
  try {
    buildWorld(s, exec, nullptr);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("spacing of 0 m; it must be > 0"), std::string::npos) << e.what();
  }
}

// Several mistakes of building come together.
TEST(BuildWorld, ReportsAllMistakes) {
  const std::string found = refusal(
      "\"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 0.1}}},\n{\"name\": \"b\", "
      "\"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 0.1}}}]");
  EXPECT_NE(found.find("s.json:2:"), std::string::npos);
  EXPECT_NE(found.find("s.json:3:"), std::string::npos);
}

const std::string kFluidOnly =
    "\"fluids\": [{\"name\": \"w\", \"spacing\": 0.05}], \"emitters\": [{\"name\": \"tap\", "
    "\"fluid\": \"w\", \"position\": [0.5, 0.5, 0.9], \"direction\": [0, 0, -1], ";

// What no machine could hold or no run could use is refused before memory is asked for, and with its place.
TEST(BuildWorld, RefusesEmittersBeyondTheDomain) {
  EXPECT_NE(refusal(kFluidOnly + "\"disc\": {\"radius\": 1e6}, \"speed\": 1}]").find("emitter \"tap\" is 2e+06 m wide"),
            std::string::npos);
  EXPECT_NE(refusal(kFluidOnly + "\"disc\": {\"radius\": 0.1}, \"speed\": 1e6}]")
                .find("lets fluid go at 1e+06 m/s, which crosses the domain (1.73205 m) within a step of 0.002 s"),
            std::string::npos);
}

TEST(BuildWorld, RoomForEmittersIsNoMoreThanTheDomainHolds) {
  const World w = build("\"duration\": 1e9, " + kFluidOnly + "\"disc\": {\"radius\": 0.1}, \"speed\": 1}]");
  EXPECT_GT(w.fluid.capacity, 8000);  // the domain's volume in particles
  EXPECT_LT(w.fluid.capacity, 10000);
}

TEST(BuildWorld, RefusesDomainsThatCannotBeSearched) {
  const auto domain = [](const char* size) {
    SceneDef s;
    checkSceneText(std::string("{\"meniscus\": 1,\n\"domain\": {\"min\": [0, 0, 0], \"max\": ") + size +
                       "}, \"fluids\": [{\"name\": \"w\", \"spacing\": 0.01, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], \"max\": "
                       "[0.1, 0.1, 0.1]}}]}]}",
                   "s.json", &s);
    Exec exec(1);
    return testing::errorOf([&] { buildWorld(s, exec, nullptr); });
  };
  EXPECT_EQ(domain("[1, 1, 1]"), "");
  EXPECT_NE(domain("[1e9, 1, 1]").find("s.json:2:11: the domain of 1e+09 x 1 x 1 m has about 1.3e+14 cells"), std::string::npos);
  EXPECT_NE(domain("[1e6, 1e6, 1e6]").find("cells at a spacing of 0.01 m"), std::string::npos);
  EXPECT_NE(domain("[1, 0.001, 1]").find("0.001 m wide along y, less than the particle spacing of 0.01 m"), std::string::npos);
}

TEST(BuildWorld, RefusesSurfacesOfBillionsOfTriangles) {
  EXPECT_NE(
      refusal("\"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"shape\": {\"sheet\": {\"size\": [0.5, 0.5], \"resolution\": "
              "1e-6}}, \"position\": [0.5, 0.5, 0.5], \"material\": {\"areal_density\": 1}}]")
          .find("its surface has about 5.77e+11 triangles"),
      std::string::npos);
}

// A solid that begins within a still one would be thrown out of it. Resting on it, and being held in it, is right.
TEST(BuildWorld, RefusesSolidsThatStartWithinStillOnes) {
  const auto block = [](const char* z, const char* more) {
    return "\"solids\": [{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"box\": {\"size\": [0.4, 0.4, 0.2]}}, "
           "\"position\": "
           "[0.5, 0.5, 0.1]}, {\"name\": \"b\", " +
           std::string(more) + ", \"position\": [0.5, 0.5, " + z + "]}]";
  };
  const char* const rigid = "\"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 0.1}}";
  EXPECT_EQ(refusal(block("0.3", rigid)), "");
  EXPECT_NE(refusal(block("0.2", rigid)).find("inside solid \"floor\"; move one of them"), std::string::npos);
  const char* const sheet =
      "\"kind\": \"cloth\", \"shape\": {\"sheet\": {\"size\": [0.2, 0.2]}}, \"material\": {\"areal_density\": 1}";
  EXPECT_NE(refusal(block("0.1", sheet)).find("inside solid \"floor\""), std::string::npos);
  const std::string pinned = std::string(sheet) + ", \"pins\": [{\"box\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}}]";
  EXPECT_EQ(refusal(block("0.1", pinned.c_str())), "");
}

// The first key frame decides where a kinematic solid is when the fluid is filled in.
TEST(BuildWorld, KinematicSolidStandsAtItsFirstKeyFrame) {
  const auto paddle = [](const char* z) {
    return kWater +
           ", \"solids\": [{\"name\": \"p\", \"kind\": \"kinematic\", \"shape\": {\"box\": {\"size\": [0.2, 0.2, 0.2]}}, "
           "\"position\": [0.5, 0.5, 0.25], \"motion\": [{\"time\": 0, \"displacement\": [0, 0, " +
           z + "]}]}]";
  };
  EXPECT_NE(refusal(paddle("0")).find("overlaps solid \"p\""), std::string::npos);
  EXPECT_EQ(refusal(paddle("0.5")), "");
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
