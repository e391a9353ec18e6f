// Every kind of mistake in a scene file is refused with its place and a remedy, and all of them at once.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/scene/load.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

std::string mistakesOf(const std::string& text) { return formatAll(checkSceneText(text, "s.json", nullptr)); }

// A scene without mistakes, with room for `more` behind line 3.
std::string sceneWith(const std::string& more, const std::string& fluid = "") {
  return "{\"meniscus\": 1,\n \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n \"fluids\": [{\"name\": \"water\", "
         "\"spacing\": 0.1, " +
         fluid + "\"shapes\": [{\"box\": {\"size\": [1, 1, 1]}, \"position\": [0.5, 0.5, 0.5]}]}]" +
         (more.empty() ? "" : ",\n" + more) + "}";
}

TEST(SceneMistakes, NoneInAGoodScene) { EXPECT_EQ(mistakesOf(sceneWith("")), ""); }

TEST(SceneMistakes, CommentsAreAllowedAndKeepThePlaces) {
  EXPECT_EQ(mistakesOf("// one\n/* two\n three */ " + sceneWith("")), "");
  EXPECT_EQ(mistakesOf("/* \"x\": [ */ // {\n" + sceneWith("\"nme\": 1")).substr(0, 11), "s.json:5:1:");
}

struct Case {
  const char *more, *expected;
};

class SceneMistake : public ::testing::TestWithParam<Case> {};

TEST_P(SceneMistake, IsNamedWithItsPlace) {
  const std::string found = mistakesOf(sceneWith(GetParam().more));
  EXPECT_NE(found.find(GetParam().expected), std::string::npos) << "expected: " << GetParam().expected << "\nfound: " << found;
}

INSTANTIATE_TEST_SUITE_P(
    All, SceneMistake,
    ::testing::Values(
        // keys
        Case{" \"gravty\": [0, 0, 0]", "s.json:4:2: unknown key \"gravty\" in scene; did you mean \"gravity\"?"},
        Case{" \"zzzzzz\": 1", "unknown key \"zzzzzz\" in scene; known are: "},
        Case{" \"solver\": {\"maxIterations\": 3}", "did you mean \"max_iterations\"?"},
        Case{" \"duration\": 1, \"duration\": 2", "s.json:4:17: \"duration\" is given twice (first in line 4); remove one"},
        Case{" \"solids\": [{\"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 1}}}]",
             "s.json:4:13: solid lacks the key \"name\"; add it"},
        // types and units
        Case{" \"duration\": \"5cm\"",
             "s.json:4:14: \"duration\" is the text \"5cm\"; give a bare number in s, without quotes or unit"},
        Case{" \"duration\": true", "\"duration\" is true or false, but must be a number in s"},
        Case{" \"gravity\": [0, \"9.81 m/s2\", 0]", "\"gravity[1]\" is the text \"9.81 m/s2\"; give a bare number in m/s^2"},
        Case{" \"gravity\": [0, 0]", "\"gravity\" is a list of 2, but must be a list of 3 numbers in m/s^2"},
        Case{" \"name\": 7", "\"name\" is a number, but must be text"},
        Case{" \"solver\": []", "\"solver\" is a list, but must be an object"},
        Case{" \"max_particles\": 1.5", "\"max_particles\" is 1.5, but must be a whole number"},
        Case{" \"max_particles\": 1e12", "\"max_particles\" is 1000000000000, but must be in [0, 2147483647]"},
        Case{" \"solver\": {\"cfl\": 1e-5}", "\"cfl\" is 1e-05, but must be in [0.001, 10]"},
        Case{" \"emitters\": null", "\"emitters\" is null, but must be a list"},
        // numbers that are none
        Case{" \"duration\": NaN", "s.json:4:"},
        Case{" \"duration\": NaN", "numbers must be finite, NaN and infinity are not allowed"},
        Case{" \"duration\": -Infinity", "numbers must be finite"}, Case{" \"duration\": 1e999", "numbers must be finite"},
        Case{" \"duration\": 1e300", "s.json:4:14: \"duration\" is 1e+300; numbers beyond 1e+18 cannot be computed with"},
        Case{" \"gravity\": [0, 0, -1e300]", "\"gravity[2]\" is -1e+300; numbers beyond"},
        Case{" \"duration\": 1e-300", "\"duration\" is 1e-300; positive numbers below 1e-18 cannot be computed with"},
        // ranges
        Case{" \"duration\": 0", "\"duration\" is 0, but must be > 0 s"},
        Case{" \"solver\": {\"dt\": -0.1}", "s.json:4:19: \"dt\" is -0.1, but must be > 0 s"},
        Case{" \"solver\": {\"support\": 9}", "must be in [1.5, 4] spacings"},
        Case{" \"solver\": {\"pressure\": \"compatable\"}", "\"pressure\" is \"compatable\"; did you mean \"compatible\"?"},
        Case{" \"solver\": {\"method\": \"xyzzy\"}", "must be one of: isph-pbd"},
        Case{" \"output\": {\"formats\": [\"csv\"]}", "\"formats\" is \"csv\", but must be one of: vtk, ply"},
        Case{" \"meniscus\": 2", "is given twice"},
        // shapes
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {}}]", "shape needs one of the keys: box, sphere"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"box\": {\"size\": [1, 1, 1]}, \"plane\": {}}}]",
             "of which it may have only one"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"box\": {\"min\": [0, 0, 0]}}}]",
             "box needs \"size\", or \"min\" and \"max\""},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [1, 0, "
             "1]}}}]",
             "box has max[1] = 0 m, not above min[1] = 0 m"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"sphere\": {\"radius\": 0}}}]",
             "\"radius\" is 0, but must be > 0 m"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 0]}}}]",
             "plane has a normal of length zero"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"mesh\": {\"file\": \"no.obj\"}}}]",
             "the mesh file no.obj does not exist"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"mesh\": {\"file\": \"/dev\"}}}]",
             "s.json:4:71: /dev is a folder; give a mesh file"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"mesh\": {\"file\": \"/dev/null\"}}}]",
             "/dev/null is no regular file"},
        // settings at which the method is unstable
        Case{" \"solver\": {\"xsph\": 0.3}", "\"xsph\" is 0.3, but must be in [0, 0.2]"},
        Case{" \"solver\": {\"artificial_viscosity\": -0.1}",
             "s.json:4:37: \"artificial_viscosity\" is -0.1, but must be in [0, 1]"},
        Case{" \"solver\": {\"density_variation\": 0.5}", "\"density_variation\" is 0.5, but must be in [0.0001, 0.1]"},
        Case{" \"solver\": {\"sound_speed\": -3}", "\"sound_speed\" is -3, but must be in [0, 100000]"},
        // keys of another pressure mode than the chosen one
        Case{" \"solver\": {\"sound_speed\": 30}",
             "s.json:4:13: \"sound_speed\" belongs to pressure \"weakly-compressible\", and means nothing with \"compatible\""},
        Case{" \"solver\": {\"density_correction\": 0.3, \"pressure\": \"position-based\"}",
             "s.json:4:13: \"density_correction\" belongs to pressure \"compatible\" and \"kernel-diagonal\""},
        Case{" \"solver\": {\"pressure\": \"weakly-compressible\", \"xsph\": 0.01}", "s.json:4:48: \"xsph\" belongs to pressure"},
        Case{" \"solver\": {\"krylov\": \"bicgstab\"}", "s.json:4:13: \"krylov\" belongs to pressure \"kernel-diagonal\""},
        Case{" \"solver\": {\"pressure\": \"position-based\", \"density_iterations\": 0}", "\"density_iterations\" is 0"},
        Case{" \"solver\": {\"pressure\": \"weakly-compressible\", \"sound_speed\": 0.01}",
             "s.json:4:48: \"sound_speed\" is 0.01 m/s, too low for this scene"},
        Case{" \"solver\": {\"contact_distance\": 0.5}", "\"contact_distance\" is 0.5, but must be in (0, 0.4]"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"plane\": {}}}]",
             "a plane can only be a static or kinematic solid"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"soft\", \"shape\": {\"sheet\": {\"size\": [1, 1]}}, \"material\": "
             "{\"youngs_modulus\": 1}}]",
             "a sheet can only be cloth"},
        // rotations
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}, \"rotation\": {\"axis\": [0, 0, "
             "0], \"degrees\": 3}}]",
             "axis of length zero"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}, \"rotation\": {\"degrees\": 3}}]",
             "needs \"axis\" and \"degrees\", or \"quaternion\" alone"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}, \"rotation\": {\"quaternion\": [1, "
             "1, 0, 0]}}]",
             "quaternion of length 1.41421; it must be 1"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}, \"scale\": -1}]",
             "\"scale\" is -1, but must be > 0"},
        // what a kind of solid has or needs
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"cloth\", \"shape\": {\"sheet\": {\"size\": [1, 1]}}}]",
             "cloth needs \"areal_density\" > 0 kg/m^2"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"soft\", \"shape\": {\"box\": {\"size\": [1, 1, 1]}}}]",
             "a soft solid needs \"youngs_modulus\" > 0 Pa, or \"stretch\""},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}, \"pins\": []}]",
             "\"pins\" is for cloth, inflatable and soft solids only"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"kinematic\", \"shape\": {\"plane\": {}}}]",
             "a kinematic solid needs \"motion\""},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"kinematic\", \"shape\": {\"plane\": {}}, \"motion\": [{\"time\": 1}, "
             "{\"time\": 1}]}]",
             "key frame times must ascend: 1 s follows 1 s"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": "
             "{\"bend\": {\"stiffness\": 2}}}]",
             "\"stiffness\" is 2, but must be in [0, 1]"},
        Case{" \"solids\": [{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": "
             "{\"bend\": {}}}]",
             "resistance needs one of the keys: compliance, stiffness"},
        Case{" \"solids\": [{\"name\": \"water\", \"kind\": \"rigid\", \"shape\": {\"sphere\": {\"radius\": 1}}}]",
             "the name \"water\" is taken already"},
        // openings
        Case{" \"emitters\": [{\"name\": \"e\", \"fluid\": \"watr\", \"disc\": {\"radius\": 1}, \"speed\": 1}]",
             "there is no fluid \"watr\"; did you mean \"water\"?"},
        Case{" \"emitters\": [{\"name\": \"e\", \"fluid\": \"water\", \"disc\": {\"radius\": 1}}]",
             "emitter needs one of the keys: speed, rate"},
        Case{" \"emitters\": [{\"name\": \"e\", \"fluid\": \"water\", \"disc\": {\"radius\": 1}, \"speed\": 1, \"rate\": 1}]",
             "of which it may have only one"},
        Case{" \"emitters\": [{\"name\": \"e\", \"fluid\": \"water\", \"disc\": {\"radius\": 1}, \"speed\": 1, \"schedule\": "
             "[{\"begin\": 2, \"end\": 1}]}]",
             "the span ends at 1 s, not after its begin at 2 s"},
        Case{" \"drains\": [{\"name\": \"d\", \"disc\": {\"radius\": 1}, \"direction\": [0, 0, 0]}]",
             "\"direction\" has length zero"},
        // expectations and output
        Case{" \"expect\": {\"volume_error\": {}}", "an expectation needs \"min\" or \"max\""},
        Case{" \"expect\": {\"volume_error\": {\"min\": 2, \"max\": 1}}", "\"min\" 2 is above \"max\" 1"},
        Case{" \"output\": {\"formats\": [\"vtq\"]}", "\"formats\" is \"vtq\"; did you mean \"vtk\"?"},
        // syntax
        Case{" \"duration\": 1,", "remove the comma before the closing bracket"},
        Case{" \"duration\" 1", "s.json:4:13: syntax error"}));

// ---- keys that would do nothing ----

std::string solidWith(const char* kind, const std::string& material, const std::string& more = "") {
  const bool cloth = std::string(kind) == "cloth";
  const std::string shape = cloth ? "{\"sheet\": {\"size\": [0.1, 0.1]}}" : "{\"sphere\": {\"radius\": 0.1}}";
  return " \"solids\": [{\"name\": \"a\", \"kind\": \"" + std::string(kind) + "\", \"shape\": " + shape + more +
         ",\n\"material\": {" + material + "}}]";
}

struct IdleKey {
  const char *kind, *material, *expected;
  const char* more = "";
};

// Kind and material in letters, digits and underscores: the test's name, and what is printed for the parameter.
std::string wordsOf(const IdleKey& k) {
  std::string words = k.kind;
  for (const char c : std::string(k.material) + k.more) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      words += c;
    else if (words.back() != '_')
      words += '_';
  }
  return words;
}
void PrintTo(const IdleKey& k, std::ostream* out) { *out << wordsOf(k); }

class IdleKeys : public ::testing::TestWithParam<IdleKey> {};

TEST_P(IdleKeys, AreRefused) {
  const IdleKey& k = GetParam();
  const std::string found = mistakesOf(sceneWith(solidWith(k.kind, k.material, k.more)));
  EXPECT_NE(found.find(k.expected), std::string::npos) << "expected: " << k.expected << "\nfound: " << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 0) << found;  // and nothing else
}

INSTANTIATE_TEST_SUITE_P(
    All, IdleKeys,
    ::testing::Values(
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"membrane\": \"neo-hookean\"",
                "s.json:5:37: \"membrane\" is for cloth and inflatable solids only and does nothing in a soft one; remove it or "
                "change \"kind\""},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"thickness\": 0.1", "\"thickness\" is for cloth and inflatable solids only"},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"areal_density\": 1", "\"areal_density\" is for"},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"shear\": {\"compliance\": 0}", "\"shear\" is for"},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"bend\": {\"compliance\": 0}", "\"bend\" is for"},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"bend_model\": \"dihedral\"", "\"bend_model\" is for"},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"volume\": {\"compliance\": 0}",
                "\"volume\" does nothing beside \"youngs_modulus\""},
        IdleKey{"soft", "\"youngs_modulus\": 1e4, \"stretch\": {\"compliance\": 0}",
                "\"stretch\" does nothing beside \"youngs_modulus\", which would only take its \"damping\""},
        IdleKey{"soft", "\"stretch\": {\"stiffness\": 0.5}, \"poisson_ratio\": 0.2",
                "\"poisson_ratio\" does nothing without \"youngs_modulus\""},
        IdleKey{"soft", "\"stretch\": {\"stiffness\": 0.5, \"damping\": 1}", "\"damping\" does nothing beside \"stiffness\""},
        IdleKey{"rigid", "\"stretch\": {\"compliance\": 0}", "\"stretch\" is for cloth, inflatable and soft solids only"},
        IdleKey{"rigid", "\"youngs_modulus\": 1e9", "\"youngs_modulus\" is for"},
        IdleKey{"static", "\"density\": 100", "\"density\" is for rigid and soft solids only and does nothing in a static one"},
        IdleKey{"static", "\"restitution\": 0.5", "\"restitution\" is for"},
        IdleKey{"cloth", "\"areal_density\": 1, \"density\": 100", "\"density\" is for rigid and soft solids only"},
        IdleKey{"cloth", "\"areal_density\": 1, \"volume\": {\"compliance\": 0}", "\"volume\" is for inflatable and soft"},
        IdleKey{"cloth", "\"areal_density\": 1, \"youngs_modulus\": 1e6",
                "\"youngs_modulus\" does nothing without \"thickness\" > 0 m; give both, or none"},
        IdleKey{"cloth", "\"areal_density\": 1, \"thickness\": 1e-3", "\"thickness\" does nothing without"},
        IdleKey{"cloth", "\"areal_density\": 1, \"poisson_ratio\": 0.2", "\"poisson_ratio\" does nothing without bending"},
        IdleKey{"cloth", "\"areal_density\": 1, \"bend_model\": \"dihedral\"",
                "\"bend_model\" does nothing where nothing resists bending"},
        IdleKey{"cloth",
                "\"areal_density\": 1, \"youngs_modulus\": 1e6, \"thickness\": 1e-3, \"stretch\": {\"compliance\": 0}, "
                "\"bend\": {\"compliance\": 1}",
                "\"youngs_modulus\" does nothing beside \"stretch\" and \"bend\""},
        IdleKey{"cloth",
                "\"areal_density\": 1, \"youngs_modulus\": 1e6, \"thickness\": 1e-3, \"membrane\": \"neo-hookean\", \"shear\": "
                "{\"compliance\": 0}",
                "\"shear\" does nothing in a neo-Hookean membrane"},
        IdleKey{"inflatable", "\"areal_density\": 1, \"volume\": {\"compliance\": 0}",
                "\"volume\" does nothing beside \"pressure\"", ", \"pressure\": 10"},
        IdleKey{"inflatable", "\"areal_density\": 1", "\"inflation\" does nothing beside \"pressure\"",
                ", \"pressure\": 10, \"inflation\": 2"},
        IdleKey{"inflatable", "\"areal_density\": 1, \"volume\": {\"compliance\": 0}",
                "\"volume\" does nothing where \"inflation\" is 0", ", \"inflation\": 0"}),
    [](const ::testing::TestParamInfo<IdleKey>& key) { return wordsOf(key.param); });

// And what does something is not.
TEST(SceneMistakes, MaterialsThatAreUsed) {
  const std::string sheet = "\"areal_density\": 1, \"youngs_modulus\": 1e6, \"thickness\": 1e-3, \"friction\": 0.1, ";
  for (const std::string& text :
       {solidWith("cloth", sheet + "\"poisson_ratio\": 0.2, \"bend_model\": \"dihedral\", \"shear\": {\"compliance\": 0}"),
        solidWith("cloth", sheet + "\"bend\": {\"compliance\": 1}"),
        solidWith("inflatable", sheet + "\"membrane\": \"neo-hookean\", \"stretch\": {\"compliance\": 0, \"damping\": 0.1}"),
        solidWith("inflatable", "\"areal_density\": 1, \"volume\": {\"compliance\": 0}"),
        solidWith("soft", "\"youngs_modulus\": 1e4, \"poisson_ratio\": 0.4, \"restitution\": 0.5"),
        solidWith("soft", "\"stretch\": {\"stiffness\": 0.5}, \"volume\": {\"compliance\": 0}"),
        solidWith("static", "\"friction\": 0.5, \"no_slip\": true")})
    EXPECT_EQ(mistakesOf(sceneWith(text)), "") << text;
}

// A value that is refused leaves nothing behind that a second message could be about.
TEST(SceneMistakes, OneMessageForOneMistake) {
  const auto only = [](const std::string& more, const std::string& expected) {
    const std::string found = mistakesOf(sceneWith(more));
    EXPECT_NE(found.find(expected), std::string::npos) << found;
    EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 0) << found;
  };
  const std::string moved = " \"solids\": [{\"name\": \"a\", \"kind\": \"kinematic\", \"shape\": {\"plane\": {}}, \"motion\": ";
  only(moved + "[{\"time\": 1}, {\"time\": \"2 s\"}, {\"time\": 3}]}]", "\"time\" is the text \"2 s\"");
  only(moved + "[{\"time\": 1}, {}]}]", "lacks the key \"time\"");
  only(moved + "7}]", "\"motion\" is a number");
  only(solidWith("cloth", "\"areal_density\": \"1\""), "\"areal_density\" is the text");
  only(solidWith("soft", "\"youngs_modulus\": \"1e4\", \"poisson_ratio\": 0.2"), "\"youngs_modulus\" is the text");
  only(solidWith("cloth", "\"areal_density\": 1, \"membrane\": \"neo-hookean\", \"youngs_modulus\": -1, \"thickness\": 1e-3"),
       "\"youngs_modulus\" is -1");
  only(solidWith("clothes", "\"youngs_modulus\": 1e4"), "\"kind\" is \"clothes\"");
  only(
      " \"emitters\": [{\"name\": \"e\", \"fluid\": \"water\", \"disc\": {\"radius\": 0.2}, \"speed\": 1, \"schedule\": "
      "[{\"begin\": "
      "\"x\", \"end\": 0}]}]",
      "\"begin\" is text");
}

TEST(SceneMistakes, OfFluids) {
  EXPECT_NE(mistakesOf(sceneWith("", "\"spacing\": 0, ")).find("s.json:3:47: \"spacing\" is given twice"), std::string::npos)
      << mistakesOf(sceneWith("", "\"spacing\": 0, "));
  const std::string two =
      "{\"meniscus\": 1, \"domain\": {\"min\": [0,0,0], \"max\": [1,1,1]}, \"fluids\": ["
      "{\"name\": \"a\", \"spacing\": 0.1, \"shapes\": [{\"sphere\": {\"radius\": 1}}]},\n{\"name\": \"b\", \"spacing\": 0.2}]}";
  const std::string found = mistakesOf(two);
  EXPECT_NE(found.find("s.json:2:26: fluid \"b\" has a spacing of 0.2 m, but \"a\" has 0.1 m; all fluids of a scene need the same"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("s.json:2:10: fluid \"b\" has neither shapes nor an emitter"), std::string::npos) << found;
}

TEST(SceneMistakes, WhatTheSceneMustHave) {
  const std::string found = mistakesOf("{}");
  EXPECT_NE(found.find("s.json:1:1: scene lacks the key \"meniscus\""), std::string::npos);
  EXPECT_NE(found.find("s.json:1:1: scene lacks the key \"domain\""), std::string::npos);
  EXPECT_NE(found.find("the scene is empty"), std::string::npos);
  EXPECT_NE(mistakesOf("[]").find("s.json:1:1: \"scene\" is a list, but must be an object"), std::string::npos);
  EXPECT_NE(mistakesOf("{\"meniscus\": 3}").find("format 3, but this version reads format 1"), std::string::npos);
}

// All mistakes are reported in one go, sorted by their place.
TEST(SceneMistakes, AreAllReported) {
  const Diagnostics all = checkSceneText(
      sceneWith(" \"duration\": \"1 s\",\n \"gravty\": 0,\n \"solver\": {\"dt\": -1, \"cfl\": false}"), "s.json", nullptr);
  ASSERT_EQ(all.size(), 4u) << formatAll(all);
  EXPECT_EQ(all[0].line, 4);
  EXPECT_EQ(all[1].line, 5);
  EXPECT_EQ(all[2].line, 6);
  EXPECT_EQ(all[3].line, 6);
  EXPECT_LT(all[2].column, all[3].column);
}

TEST(SceneMistakes, ColumnsCountCharacters) {
  // five letters of two bytes each stand before the key
  EXPECT_EQ(mistakesOf("{\"name\": \"\u00e4\u00f6\u00fc\u00e9\u00e8\", \"gravty\": 0}").substr(0, 12),
            "s.json:1:1: ");  // what is missing comes first
  EXPECT_NE(mistakesOf("{\"name\": \"\u00e4\u00f6\u00fc\u00e9\u00e8\", \"gravty\": 0}").find("s.json:1:19: unknown key"),
            std::string::npos);
}

TEST(SceneMistakes, DeepNestingIsRefused) {
  EXPECT_NE(mistakesOf(std::string(100000, '[')).find("nested more than 64 deep"), std::string::npos);
}

TEST(SceneMistakes, FilesThatCannotBeRead) {
  const testing::TemporaryFolder folder;
  const auto message = [](const std::string& path) {
    try {
      loadScene(path);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input);
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message(folder / "none.json").find("none.json: cannot be read: no such file or folder"), std::string::npos);
  EXPECT_NE(message(folder.path()).find("is a folder"), std::string::npos);
  testing::writeText(folder / "empty.json", "");
  EXPECT_NE(message(folder / "empty.json").find("is empty"), std::string::npos);
}

// A scene cut off anywhere is refused and never ends the program.
TEST(SceneMistakes, TruncatedScenes) {
  const std::string text =
      sceneWith(" \"solids\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": {\"plane\": {}}}], \"gravity\": [0, 0, -9.81]");
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_NE(mistakesOf(text.substr(0, n)), "") << n;
}

// The state numbers fluids with 8 bits: one more would be taken for the first.
TEST(SceneMistakes, MoreFluidsThanCanBeNumbered) {
  std::string fluids;
  for (int k = 0; k < 257; ++k)
    fluids += std::string(k ? "," : "") + "\n{\"name\": \"f" + std::to_string(k) +
              "\", \"spacing\": 0.1, \"shapes\": [{\"sphere\": {\"radius\": 0.2}}]}";
  const std::string found =
      mistakesOf("{\"meniscus\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"fluids\": [" + fluids + "]}");
  EXPECT_EQ(found, "s.json:258:1: there are 257 fluids, but a scene may have 256 at the most");
}

TEST(SceneMistakes, OtherEncodingsAreRefused) {
  std::string wide;
  for (const char c : sceneWith("")) wide += {c, '\0'};
  EXPECT_NE(mistakesOf("\xff\xfe" + wide).find("save it as text in UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace meniscus
