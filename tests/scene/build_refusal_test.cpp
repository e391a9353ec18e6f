// From scene to world: what is refused, with its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/scene/build_scene.h"

namespace meniscus {
namespace {

using namespace build_scene;

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

// What a surface encloses twice is neither in nor out: filled solids and volumes of fluid are refused, others are not.
TEST(BuildWorld, FilledSurfacesMustNotCutThemselves) {
  SurfaceMesh two = makeSphere(0.1, 0.05);
  const SurfaceMesh one = two;
  for (const Vec3d& x : one.x) two.x.push_back(x + Vec3d{0.15, 0.01, 0.02});
  for (const Index v : one.tri) two.tri.push_back(v + Index(one.x.size()));
  writeOff("two.off", two);
  const auto solid = [](const char* kind, const char* shape, const char* material) {
    return fmt::format(
        R"("solids": [{{"name": "m", "kind": "{}", "position": [0.5, 0.5, 0.5], "shape": {{"mesh": {{"file": "two.off"{}}}}}, "material": {{{}}}}}])",
        kind, shape, material);
  };
  const std::string container = R"(, "container": true)", cuts = "two.off: the surface cuts itself (faces ";
  for (const std::string& parts :
       {solid("static", container.c_str(), ""), solid("rigid", container.c_str(), ""),
        solid("inflatable", "", R"("areal_density": 0.1)"), solid("soft", "", R"("youngs_modulus": 1e4)"),
        std::string(R"("fluids": [{"name": "water", "spacing": 0.05, "shapes": [{"mesh": {"file": "two.off"}, "position": [0.5,
        0.5, 0.5]}]}])")}) {
    const std::string found = refusal(parts);
    EXPECT_NE(found.find("s.json:2:"), std::string::npos) << parts << found;
    EXPECT_NE(found.find(cuts), std::string::npos) << parts << found;
    EXPECT_NE(found.find("; unite its parts into one surface"), std::string::npos) << parts << found;
  }
  EXPECT_EQ(refusal(solid("static", "", "")), "");
  EXPECT_EQ(refusal(solid("cloth", "", R"("areal_density": 0.1)")), "");
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
    ::testing::Values(
        Case{"\"fluids\": [{\"name\": \"tar\", \"spacing\": 0.05, \"viscosity\": 1e6, \"shapes\": [{\"box\": {\"min\": [0, 0, 0], "
             "\"max\": [1, 1, 0.5]}}]}], \"solver\": {\"dt\": 0.002}",
             "fluid \"tar\" has a viscosity of 1e+06 m^2/s, more than can be computed with in steps of 0.002 s and a "
             "spacing of 0.05 m; give at most 1.2e+05 m^2/s, or a soft or rigid solid instead"},
        // what limits is the way that the pull takes a film in a sub-step; where that may be long, the waves
        Case{"\"fluids\": [{\"name\": \"mercury\", \"spacing\": 0.05, \"surface_tension\": 1e9, \"shapes\": [{\"box\": {\"min\": "
             "[0, 0, 0], \"max\": [1, 1, 0.5]}}]}], \"solver\": {\"dt\": 0.002}",
             "fluid \"mercury\" has a surface tension of 1e+09 N/m, which draws what is thin together at 4.7e+03 m/s: in 64 "
             "sub-steps of a step of 0.002 s it goes farther than 0.4 spacings of 0.05 m in one; make dt 0.00026 s or smaller, "
             "\"spacing\" or \"max_substeps\" larger"},
        Case{"\"fluids\": [{\"name\": \"mercury\", \"spacing\": 0.05, \"surface_tension\": 1e9, \"shapes\": [{\"box\": {\"min\": "
             "[0, 0, 0], \"max\": [1, 1, 0.5]}}]}], \"solver\": {\"dt\": 0.002, \"cfl\": 4}",
             "fluid \"mercury\" has a surface tension of 1e+09 N/m, whose waves on a spacing of 0.05 m cannot be resolved in 64 "
             "sub-steps of a step of 0.002 s; make dt "},
        Case{"\"fluids\": [{\"name\": \"glue\", \"spacing\": 0.05, \"surface_tension\": 1e17, \"shapes\": [{\"box\": {\"min\": "
             "[0, 0, 0], \"max\": [1, 1, 0.5]}}]}], \"solver\": {\"dt\": 1e-9}",
             "fluid \"glue\" has a surface tension of 1e+17 N/m, which would draw it together at 6.3e+07 m/s; give at most 2.5e+15 "
             "N/m"},
        Case{"\"solver\": {\"dt\": 0.01}, \"solids\": [{\"name\": \"steel\", \"kind\": \"soft\", \"position\": [0.5, 0.5, 0.5], "
             "\"shape\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"resolution\": 0.05}}, \"material\": {\"density\": 7800, "
             "\"youngs_modulus\": 2e11, \"poisson_ratio\": 0.3}}]",
             "solid \"steel\": youngs_modulus is 2e+11 Pa, but in steps of 0.01 s no more than "},
        Case{"\"solids\": [{\"name\": \"b\", \"kind\": \"rigid\", \"position\": [0, 0.5, 0.5], \"shape\": "
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

// What no machine could hold or no run could use is refused before memory is asked for, and with its place.
TEST(BuildWorld, RefusesEmittersBeyondTheDomain) {
  EXPECT_NE(refusal(kFluidOnly + "\"disc\": {\"radius\": 1e6}, \"speed\": 1}]").find("emitter \"tap\" is 2e+06 m wide"),
            std::string::npos);
  EXPECT_NE(refusal(kFluidOnly + "\"disc\": {\"radius\": 0.1}, \"speed\": 1e6}]")
                .find("lets fluid go at 1e+06 m/s, which crosses the domain (1.73205 m) within a step of 0.002 s"),
            std::string::npos);
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

// Nor would a sheet, or another soft body, come out of a soft one.
TEST(BuildWorld, RefusesDeformableSolidsThatStartWithinSoftOnes) {
  const auto with = [](const char* z, const char* more) {
    return "\"solids\": [{\"name\": \"foam\", \"kind\": \"soft\", \"shape\": {\"box\": {\"size\": [0.3, 0.3, 0.3], "
           "\"resolution\": 0.1}}, \"position\": [0.5, 0.5, 0.3], \"material\": {\"density\": 500, \"youngs_modulus\": 1e4}}, "
           "{\"name\": \"b\", " +
           std::string(more) + ", \"position\": [0.5, 0.5, " + z + "]}]";
  };
  const char* const sheet =
      "\"kind\": \"cloth\", \"shape\": {\"sheet\": {\"size\": [0.2, 0.2]}}, \"material\": {\"areal_density\": 1}";
  const char* const soft =
      "\"kind\": \"soft\", \"shape\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"resolution\": 0.1}}, "
      "\"material\": {\"density\": 500, \"youngs_modulus\": 1e4}";
  for (const char* other : {sheet, soft}) {
    EXPECT_EQ(refusal(with("0.56", other)), "");
    const std::string text = refusal(with("0.3", other));
    EXPECT_NE(text.find("solid \"b\" starts up to"), std::string::npos) << text;
    EXPECT_NE(text.find("inside solid \"foam\"; move one of them"), std::string::npos) << text;
  }
  // in one and the same place no node of one is inside the other, where they are coarse; face to face they touch
  const auto twice = [](const char* z) {
    const auto block = [](const char* name, const char* at) {
      return std::string("{\"name\": \"") + name +
             "\", \"kind\": \"soft\", \"shape\": {\"box\": {\"size\": [0.3, 0.3, 0.3], \"resolution\": 0.15}}, \"position\": [0.5, "
             "0.5, " +
             at + "], \"material\": {\"density\": 500, \"youngs_modulus\": 1e4}}";
    };
    return "\"solids\": [" + block("foam", "0.3") + ", " + block("b", z) + "]";
  };
  const std::string text = refusal(twice("0.3"));
  EXPECT_NE(text.find("solid \"b\": overlaps solid \"foam\" at the start, by 0.3 m"), std::string::npos) << text;
  EXPECT_EQ(refusal(twice("0.6")), "");
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

}  // namespace
}  // namespace meniscus
