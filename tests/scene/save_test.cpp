// What is saved loads to the same scene, and the schema in assets says what the loader reads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/scene/load.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

const char* const kEverything = R"({
  "$schema": "scene.schema.json", "meniscus": 1, "name": "all", "gravity": [0, 1, -9.81], "duration": 2.5, "max_particles": 1000000,
  "domain": {"min": [-1, -1, -1], "max": [1, 2, 3], "walls": ["-z", "+x"], "friction": 0.25, "no_slip": true},
  "solver": {"method": "isph-pbd", "dt": 0.001, "cfl": 0.3, "max_substeps": 7, "support": 2.4, "pressure": "kernel-diagonal", "krylov": "bicgstab",
             "tolerance": 0.001, "max_iterations": 99, "density_correction": 0.4, "xsph": 0.03, "contact_distance": 0.3,
             "coupling_tolerance": 0.002, "max_coupling_iterations": 3, "constraint_iterations": 12, "solid_substeps": 4, "serial_constraints": true,
             "clamp_separation": false},
  "fluids": [
    {"name": "water", "spacing": 0.05, "density": 998, "viscosity": 1e-6, "surface_tension": 0.07, "velocity": [0.1, 0, 0], "jitter": 0.15, "relax": false, "carve": true,
     "shapes": [{"box": {"min": [0, 0, 0], "max": [0.3, 0.1, 0.7]}, "rotation": {"axis": [1, 2, 3], "degrees": 33}},
                {"sphere": {"radius": 0.1}, "position": [0.5, 0, 0], "scale": 2}, {"cylinder": {"radius": 0.1, "height": 0.3}},
                {"capsule": {"radius": 0.1, "height": 0.3}}, {"mesh": {"file": "../m.off"}, "scale": [1, 2, 3]}, {"inside": "balloon"}]},
    {"name": "oil", "spacing": 0.05}],
  "emitters": [{"name": "tap", "fluid": "oil", "disc": {"radius": 0.1}, "position": [0, 0, 1], "direction": [0.1, 0.2, -1], "speed": 3,
                "schedule": [{"begin": 0.5, "end": 1}, {"begin": 2}], "max_volume": 0.01},
               {"name": "slit", "fluid": "oil", "rectangle": {"size": [0.1, 0.2]}, "rate": 0.001}],
  "drains": [{"name": "sink", "rectangle": {"size": [0.3, 0.2]}, "depth": 0.1, "rate": 0.02, "rotation": {"quaternion": [0.6, 0.8, 0, 0]}}],
  "solids": [
    {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0.1, 1]}}, "material": {"friction": 0.5, "no_slip": true}},
    {"name": "cup", "kind": "kinematic", "shape": {"box": {"size": [0.2, 0.2, 0.2], "container": true}},
     "motion": [{"time": 0}, {"time": 1, "displacement": [0, 0, 0.1], "rotation": {"axis": [1, 0, 0], "degrees": 90}}]},
    {"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.1}}, "velocity": [0, 0, -1], "angular_velocity": [1, 0, 0],
     "material": {"density": 500, "restitution": 0.5}},
    {"name": "flag", "kind": "cloth", "shape": {"sheet": {"size": [0.5, 0.25], "resolution": 0.05}},
     "material": {"areal_density": 0.2, "thickness": 0.001, "youngs_modulus": 1e6, "poisson_ratio": 0.4, "bend_model": "dihedral",
                  "stretch": {"stiffness": 0.9}, "shear": {"compliance": 1e-5, "damping": 0.01}},
     "pins": [{"indices": [0, 3]}, {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}, "motion": [{"time": 0.5, "displacement": [0, 1, 0]}]},
              {"sphere": {"center": [0, 0, 0], "radius": 1}}, {"rim": true}]},
    {"name": "balloon", "kind": "inflatable", "shape": {"capsule": {"radius": 0.1, "height": 0.1}}, "inflation": 1.5,
     "material": {"areal_density": 0.1, "volume": {"compliance": 1e-9}}},
    {"name": "tyre", "kind": "inflatable", "shape": {"sphere": {"radius": 0.1}}, "pressure": 100,
     "material": {"areal_density": 0.1, "thickness": 0.001, "youngs_modulus": 1e6, "membrane": "neo-hookean", "bend": {"compliance": 1}}},
    {"name": "jelly", "kind": "soft", "shape": {"mesh": {"file": "/abs/m.off", "open": true}}, "mesh_volume": 1e-5, "material": {"youngs_modulus": 1e4}}],
  "output": {"every": 0.02, "formats": ["vtk", "ply"]},
  "expect": {"volume_error": {"max": 0.00025}, "density_error.max": {"min": -1, "max": 0.1}}
})";

TEST(SceneSave, LoadsToTheSameScene) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "in/s.json";
  std::filesystem::create_directory(folder / "in");
  testing::writeText(folder / "m.off", "OFF");
  std::string text = kEverything;
  text.replace(text.find("/abs/m.off"), 10, folder / "m.off");
  SceneDef first, second;
  ASSERT_EQ(formatAll(checkSceneText(text, path, &first)), "");
  const std::string saved = saveScene(first);
  ASSERT_EQ(formatAll(checkSceneText(saved, path, &second)), "");
  EXPECT_EQ(saveScene(second), saved);
  // values of every kind, read back by hand
  EXPECT_EQ(second.fluids[0].transforms[0].rotate.w, first.fluids[0].transforms[0].rotate.w);
  EXPECT_EQ(second.fluids[0].transforms[0].translate, first.fluids[0].transforms[0].translate);
  EXPECT_EQ(second.fluids[0].shapes[4].file, folder / "m.off");
  EXPECT_EQ(second.solids[6].shape.file, folder / "m.off");
  EXPECT_EQ(second.fluids[0].shapes[5].inside, "balloon");
  EXPECT_EQ(second.fluids[0].transforms[4].scale, (Vec3d{1, 2, 3}));
  EXPECT_TRUE(second.domain.walls[4] && second.domain.walls[1] && !second.domain.walls[0] && !second.domain.walls[5]);
  EXPECT_EQ(second.solver.pressure, PressureMode::kernelDiagonal);
  EXPECT_EQ(second.emitters[0].schedule[1].end, kEverything ? std::numeric_limits<double>::infinity() : 0);
  EXPECT_EQ(second.solids[3].pins[3].select, PinDef::Select::rim);
  EXPECT_EQ(second.solids[3].material.shear.damping, 0.01);
  EXPECT_EQ(second.expect[1].name, "density_error.max");
  EXPECT_TRUE(second.expect[1].hasMin && second.expect[1].min == -1);
}

// A box given by its corners is a box of that size in the middle of them, turned with the shape.
// A scene opened by a name without a folder lies in the folder of work.
TEST(SceneSave, MeshOfASceneInTheFolderOfWork) {
  SceneDef scene;
  scene.file = "scene.json";
  scene.solids.emplace_back();
  scene.solids.back().shape.kind = ShapeKind::mesh;
  scene.solids.back().shape.file = "meshes/boat.off";
  EXPECT_NE(saveScene(scene).find("\"meshes/boat.off\""), std::string::npos) << saveScene(scene);
}

TEST(SceneSave, BoxByCorners) {
  SceneDef s;
  checkSceneText(
      R"({"meniscus": 1, "domain": {"min": [0, 0, 0], "max": [9, 9, 9]}, "solids": [{"name": "b", "kind": "static", "position": [10, 0, 0],
     "scale": 2, "rotation": {"axis": [0, 0, 1], "degrees": 90}, "shape": {"box": {"min": [1, 0, 0], "max": [3, 2, 4]}}}]})",
      "s.json", &s);
  ASSERT_EQ(s.solids.size(), 1u);
  EXPECT_EQ(s.solids[0].shape.size, (Vec3d{2, 2, 4}));
  // centre (2, 1, 2), doubled and turned: (-2, 4, 4)
  EXPECT_NEAR(norm(s.solids[0].transform.translate - Vec3d{8, 4, 4}), 0, 1e-14);
}

TEST(SceneSave, EmitterDirectionIsWhereItsAxisPoints) {
  for (const char* d : {"[0.1, 0.2, -1]", "[0, 0, 1]", "[0, 0, -2]", "[1, 0, 0]"}) {
    SceneDef s;
    checkSceneText(
        std::string(R"({"emitters": [{"name": "e", "fluid": "w", "disc": {"radius": 1}, "speed": 1, "direction": )") + d + "}]}",
        "s.json", &s);
    ASSERT_EQ(s.emitters.size(), 1u);
    const auto v = nlohmann::json::parse(d);
    const Vec3d wanted = normalized(Vec3d{v[0], v[1], v[2]});
    EXPECT_NEAR(norm(s.emitters[0].transform.rotate.rotate({0, 0, 1}) - wanted), 0, 1e-12) << d;
  }
}

// The committed schema is the one that the loader's tables make. After a change of the tables write the new one with
//   MENISCUS_WRITE_SCHEMA=1 test_scene --gtest_filter=SceneSchema.*
TEST(SceneSchema, IsWhatTheLoaderReads) {
  const std::string path = std::string(MENISCUS_SOURCE_DIR) + "/assets/schema/scene.schema.json";
  if (std::getenv("MENISCUS_WRITE_SCHEMA")) testing::writeText(path, sceneSchema());
  EXPECT_TRUE(testing::readText(path) == sceneSchema()) << path << " differs from the loader's tables";
}

// Every number says its unit, in brackets at the end of its description.
void expectUnits(const nlohmann::json& j, const std::string& where) {
  if (j.is_object() && j.contains("type") && j.contains("description") && (j["type"] == "number" || j["type"] == "integer")) {
    const std::string d = j["description"];
    EXPECT_TRUE(!d.empty() && d.back() == ']' && d.find('[') != std::string::npos) << where << ": " << d;
  }
  if (j.is_object() || j.is_array())
    for (const auto& [key, value] : j.items()) expectUnits(value, where + "/" + key);
}

TEST(SceneSchema, GivesUnits) {
  const nlohmann::json schema = nlohmann::json::parse(sceneSchema());
  expectUnits(schema, "");
  // and every reference leads somewhere
  const std::string text = schema.dump();
  for (std::size_t at = text.find("#/definitions/"); at != std::string::npos; at = text.find("#/definitions/", at + 1)) {
    const std::string name = text.substr(at + 14, text.find('"', at) - at - 14);
    EXPECT_TRUE(schema["definitions"].contains(name)) << name;
  }
}

}  // namespace
}  // namespace meniscus
