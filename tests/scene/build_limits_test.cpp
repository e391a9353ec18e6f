// From scene to world: openings and key frames that cannot do what they say, and surfaces finer than is tested.
#include <gtest/gtest.h>

#include "tests/scene/build_scene.h"

namespace meniscus {
namespace {

using namespace build_scene;

// A tap at z = 0.9 m that lets fluid go downwards, `opening` with its times, and a solid of this kind and shape at height z.
std::string tapAnd(const std::string& solid, const char* z, const char* opening = "") {
  return kFluidOnly + "\"disc\": {\"radius\": 0.1}, \"speed\": 1" + opening + "}],\n\"solids\": [{\"name\": \"s\", " + solid +
         ", \"position\": [0.5, 0.5, " + z + "]}]";
}

const char* const kBlock = "\"kind\": \"static\", \"shape\": {\"box\": {\"size\": [0.3, 0.3, 0.2]}}";
const char* const kBall = "\"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 0.15}}";

TEST(Openings, EmitterInASolidIsRefused) {
  const std::string found = refusal(tapAnd(kBlock, "0.9"));
  EXPECT_NE(found.find("s.json:2:"), std::string::npos) << found;
  EXPECT_NE(found.find("emitter \"tap\" lets fluid go inside solid \"s\": 100 % of the space before its opening"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("move one of them"), std::string::npos) << found;
  EXPECT_NE(refusal(tapAnd(kBlock, "0.8")).find("lets fluid go inside solid"), std::string::npos) << "flush with it, pointing in";
  EXPECT_EQ(refusal(tapAnd(kBlock, "0.7")), "");
  EXPECT_EQ(refusal(tapAnd("\"kind\": \"static\", \"shape\": {\"box\": {\"size\": [0.3, 0.3, 0.1]}}", "0.95")), "") << "flush, out";
}

TEST(Openings, EmitterInAMovingSolidIsRefusedWhereItIsOpenAtTheStart) {
  EXPECT_NE(refusal(tapAnd(kBall, "0.8")).find("inside solid \"s\""), std::string::npos);
  EXPECT_EQ(refusal(tapAnd(kBall, "0.8", ", \"schedule\": [{\"begin\": 0.5}]")), "");
  EXPECT_NE(refusal(tapAnd(kBlock, "0.8", ", \"schedule\": [{\"begin\": 0.5}]")), "") << "what is still stays in the way";
}

TEST(Openings, EmitterOutsideOfAContainerIsRefused) {
  const char* const can =
      "\"kind\": \"static\", \"shape\": {\"cylinder\": {\"radius\": 0.3, \"height\": 0.4, \"container\": true}}";
  EXPECT_NE(refusal(tapAnd(can, "0.5")).find("emitter \"tap\" lets fluid go outside the container \"s\""), std::string::npos);
  EXPECT_EQ(refusal(tapAnd(can, "0.75")), "");
}

TEST(Openings, InflatableCanBeFilledFromWithin) {
  EXPECT_EQ(
      refusal(tapAnd("\"kind\": \"inflatable\", \"shape\": {\"sphere\": {\"radius\": 0.3}}, \"material\": {\"areal_density\": 1}",
                     "0.65")),
      "");
}

TEST(Openings, DrainThatNothingReachesIsRefused) {
  const auto drain = [](const char* z) {
    return kWater + ",\n\"drains\": [{\"name\": \"plug\", \"disc\": {\"radius\": 0.1}, \"position\": [0.5, 0.5, " + z +
           "], \"depth\": 0.1}],\n\"solids\": [{\"name\": \"s\", \"position\": [0.5, 0.5, 0.75], " + kBlock + "}]";
  };
  const std::string found = refusal(drain("0.78"));
  EXPECT_NE(found.find("s.json:3:"), std::string::npos) << found;
  EXPECT_NE(found.find("drain \"plug\" can take nothing: its opening lies inside solid \"s\"; move one of them"), std::string::npos)
      << found;
  EXPECT_EQ(refusal(drain("0.85")), "") << "on its top";
  EXPECT_EQ(refusal(drain("0.4")), "");
}

// A layer of particles weighs 50 kg/m^2; a millionth of it is the least that a solid may weigh on its surface.
TEST(Masses, SolidsThatVanishBesideTheFluidAreRefused) {
  const auto solid = [](const std::string& kind, const std::string& shape, const std::string& material) {
    return refusal(kWater + ",\n\"solids\": [{\"name\": \"s\", \"kind\": \"" + kind + "\", \"shape\": {" + shape +
                   "}, \"position\": [0.5, 0.5, 0.75], \"material\": {" + material + "}}]");
  };
  const std::string sheet = "\"sheet\": {\"size\": [0.4, 0.4]}", ball = "\"sphere\": {\"radius\": 0.15}";
  const std::string found = solid("cloth", sheet, "\"areal_density\": 4e-5");
  EXPECT_NE(found.find("s.json:3:12: solid \"s\" weighs 4e-05 kg per m^2 of its surface"), std::string::npos) << found;
  EXPECT_NE(found.find("at least 5.2e-05 kg/m^2"), std::string::npos) << found;
  EXPECT_EQ(solid("cloth", sheet, "\"areal_density\": 6e-5"), "");
  EXPECT_NE(solid("inflatable", ball, "\"areal_density\": 4e-5"), "");
  // a ball of radius r weighs density r / 3 on its surface
  EXPECT_NE(solid("rigid", ball, "\"density\": 0.9e-3").find("weighs 4.5e-05 kg"), std::string::npos);
  EXPECT_EQ(solid("rigid", ball, "\"density\": 1.1e-3"), "");
  EXPECT_NE(solid("rigid", "\"sphere\": {\"radius\": 1e-9}", "\"density\": 1000"), "");
}

std::string paddle(const char* motion, const char* more = "") {
  return kWater +
         ",\n\"solids\": [{\"name\": \"p\", \"kind\": \"kinematic\", \"shape\": {\"box\": {\"size\": [0.2, 0.2, 0.2]}}, "
         "\"position\": "
         "[0.3, 0.5, 0.7], \"motion\": [{\"time\": 0},\n" +
         motion + "]}]" + more;
}

// 64 sub-steps of 0.4 spacings of 0.05 m in 2 ms: 640 m/s.
TEST(KeyFrames, FasterThanAStepResolvesAreRefused) {
  const std::string jump = refusal(paddle("{\"time\": 0.1}, {\"time\": 0.1001, \"displacement\": [0.4, 0, 0]}"));
  EXPECT_NE(
      jump.find("s.json:3:12: solid \"p\" would move at 4e+03 m/s to its key frame of 0.1001 s, 160 particle spacings in a step"),
      std::string::npos)
      << jump;
  EXPECT_NE(jump.find("resolve 640 m/s; give it more time, or make dt smaller or \"max_substeps\" larger"), std::string::npos)
      << jump;
  // a half turn of corners 0.173 m away: 5440 m/s
  EXPECT_NE(
      refusal(paddle("{\"time\": 0.0001, \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 180}}")).find("would move at 5.44e+03"),
      std::string::npos);
  EXPECT_EQ(refusal(paddle("{\"time\": 0.001, \"displacement\": [0.4, 0, 0]}")), "");
  EXPECT_EQ(refusal(paddle("{\"time\": 2}, {\"time\": 2.0001, \"displacement\": [0.4, 0, 0]}")), "") << "after the end";
  EXPECT_EQ(refusal(paddle("{\"time\": 0.0001, \"displacement\": [0.4, 0, 0]}", ", \"solver\": {\"max_substeps\": 500}")), "");
}

TEST(KeyFrames, OfPinsCountAsWell) {
  const std::string found = refusal(
      "\"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 0.5], \"shape\": {\"sheet\": {\"size\": [0.2, "
      "0.2]}}, \"material\": {\"areal_density\": 1}, \"pins\": [{\"rim\": true, \"motion\": [{\"time\": 0},\n{\"time\": 1e-5, "
      "\"displacement\": [0.1, 0, 0]}]}]}]");
  EXPECT_NE(found.find("s.json:2:"), std::string::npos) << found;
  EXPECT_NE(found.find("a pin of solid \"c\" would move at 1e+04 m/s"), std::string::npos) << found;
}

TEST(ShortEdges, AreSaidWithTheirNumberAndARemedy) {
  const auto notesOf = [](const char* resolution) {
    std::vector<std::string> notes;
    build(kWater +
              ", \"solids\": [{\"name\": \"c\", \"kind\": \"cloth\", \"position\": [0.5, 0.5, 0.7], \"shape\": {\"sheet\": "
              "{\"size\": "
              "[0.4, 0.4], \"resolution\": " +
              resolution + "}}, \"material\": {\"areal_density\": 1}}]",
          &notes);
    return notes;
  };
  const std::vector<std::string> fine = notesOf("0.01");  // a fifth of a spacing
  ASSERT_EQ(fine.size(), 1u);
  EXPECT_NE(fine[0].find("solid \"c\": 100 % of its triangles' edges are shorter than half a particle spacing (0.025 m)"),
            std::string::npos)
      << fine[0];
  EXPECT_NE(fine[0].find("\"resolution\" of 0.025 m or more"), std::string::npos) << fine[0];
  EXPECT_TRUE(notesOf("0.05").empty());
}

}  // namespace
}  // namespace meniscus
