// Scenes made by calls, written as scene files and loaded again: the same scene, to the bit.
#include <filesystem>
#include <string>

#include "tests/api/api_fixture.h"
#include "tests/shared/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using meniscus::testing::readText;
using meniscus::testing::TemporaryFolder;
using meniscus::testing::writeText;

// A tetrahedron with edges of 40 mm along the axes.
const float kVertices[] = {0, 0, 0, .04f, 0, 0, 0, .04f, 0, 0, 0, .04f};
const int kTriangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
const int kTetrahedra[] = {0, 1, 2, 3};

class Save : public ApiTest {
 protected:
  mnsShape tetrahedron() const {
    mnsShape shape = mnsDefaultShape();
    shape.kind = MNS_SHAPE_MESH;
    shape.vertices = kVertices;
    shape.vertexCount = 4;
    shape.triangles = kTriangles;
    shape.triangleCount = 4;
    return shape;
  }
  void addWedge(mnsScene* scene, const char* name, mnsVec3 position, mnsQuat rotation) {
    addStatic(scene, name, tetrahedron(), position, rotation);
  }
  void addJelly(mnsScene* scene) {
    mnsShape shape = tetrahedron();
    shape.triangles = nullptr;
    shape.triangleCount = 0;
    shape.tetrahedra = kTetrahedra;
    shape.tetrahedronCount = 1;
    mnsMaterial material = mnsDefaultMaterial();
    material.youngsModulus = 1e4;
    mnsBodyDef body = mnsDefaultBodyDef();
    body.name = "jelly";
    body.kind = MNS_BODY_SOFT;
    body.shape = &shape;
    body.material = &material;
    body.position = {0.03, 0.03, 0.1};
    mnsBodyId id{};
    ASSERT_OK(mnsCreateBody(scene, &body, &id));
  }
  // Everything that can be saved: primitives, meshes of both kinds, friction, an odd rotation.
  mnsScene* fullScene() {
    mnsScene* scene = tankWithBall();
    addWedge(scene, "a/wedge", {0.16, 0.03, 0.1}, {0.1, 0.2, 0.3, 0.9});
    addJelly(scene);
    return scene;
  }
  static std::uint64_t hashAfterSteps(mnsScene* scene) {
    for (int k = 0; k < 5; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
    std::uint64_t h = 0;
    EXPECT_OK(mnsScene_GetHash(scene, &h));
    return h;
  }
  mnsScene* load(const std::string& path) {
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsLoadScene(context, path.c_str(), &scene));
    return scene;
  }
  static std::size_t filesIn(const TemporaryFolder& folder) {
    return std::size_t(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }
};

TEST_F(Save, LoadsToTheSameScene) {
  const TemporaryFolder folder;
  const std::string path = folder / "full.json";
  mnsScene* scene = fullScene();
  ASSERT_OK(mnsScene_Save(scene, path.c_str()));
  EXPECT_TRUE(fs::exists(folder / "full-a-wedge.off"));
  EXPECT_TRUE(fs::exists(folder / "full-jelly.vtk"));
  EXPECT_EQ(filesIn(folder), 3u);
  mnsScene* loaded = load(path);
  ASSERT_NE(loaded, nullptr);
  const std::uint64_t hash = hashAfterSteps(scene);
  EXPECT_EQ(hashAfterSteps(loaded), hash);
  // what was started says the same, and so does what was loaded
  const std::string text = readText(path);
  ASSERT_OK(mnsScene_Save(scene, path.c_str()));
  EXPECT_EQ(readText(path), text);
  ASSERT_OK(mnsScene_Save(loaded, path.c_str()));
  EXPECT_EQ(readText(path), text);
  EXPECT_EQ(filesIn(folder), 3u);
}

TEST_F(Save, WithoutSettlingStaysWithout) {
  const TemporaryFolder folder;
  mnsSceneDef def = tankDef();
  def.settle = false;
  mnsScene* scene = nullptr;
  ASSERT_OK(mnsCreateScene(context, &def, &scene));
  addWater(scene);
  addBall(scene, 500, {0.1, 0.05, 0.09});
  ASSERT_OK(mnsScene_Save(scene, (folder / "a.json").c_str()));
  mnsScene* loaded = load(folder / "a.json");
  EXPECT_EQ(hashAfterSteps(loaded), hashAfterSteps(scene));
}

TEST_F(Save, NeverWritesOverAnotherMesh) {
  const TemporaryFolder folder;
  writeText(folder / "a-wedge.off", "somebody else's");
  mnsScene* scene = emptyTank();
  addWater(scene);
  addWedge(scene, "wedge", {0.1, 0.03, 0.1}, {0, 0, 0, 1});
  ASSERT_OK(mnsScene_Save(scene, (folder / "a.json").c_str()));
  EXPECT_EQ(readText(folder / "a-wedge.off"), "somebody else's");
  EXPECT_TRUE(fs::exists(folder / "a-wedge-2.off"));
  EXPECT_EQ(hashAfterSteps(load(folder / "a.json")), hashAfterSteps(scene));
}

TEST_F(Save, NothingIsLeftWhereItFails) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a.json");  // in the way of the scene file, not of the meshes
  mnsScene* scene = fullScene();
  EXPECT_EQ(mnsScene_Save(scene, (folder / "a.json").c_str()), MNS_ERROR_FILE);
  EXPECT_EQ(filesIn(folder), 1u);
  EXPECT_EQ(mnsScene_Save(scene, (folder / "none/a.json").c_str()), MNS_ERROR_FILE);
}

TEST_F(Save, RefusesWhatAFileCannotSay) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.json";
  mnsScene* scene = emptyTank();
  EXPECT_EQ(mnsScene_Save(scene, path.c_str()), MNS_ERROR_SCENE);  // empty
  mnsFluidDef def = mnsDefaultFluidDef();
  def.name = "rain";  // comes by mnsScene_EmitParticles only
  mnsFluidId rain{};
  ASSERT_OK(mnsCreateFluid(scene, &def, &rain));
  EXPECT_EQ(mnsScene_Save(scene, path.c_str()), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("rain"), std::string::npos) << mnsGetLastError();
  // in a file, fluids and solids share their names
  mnsScene* twins = emptyTank();
  addWater(twins);
  addWedge(twins, "water", {0.1, 0.03, 0.1}, {0, 0, 0, 1});
  EXPECT_EQ(mnsScene_Save(twins, path.c_str()), MNS_ERROR_SCENE);
  EXPECT_NE(std::string(mnsGetLastError()).find("\"water\""), std::string::npos) << mnsGetLastError();
  EXPECT_EQ(filesIn(folder), 0u);
}

TEST_F(Save, RefusesNullsAndEmptyPaths) {
  mnsScene* scene = tankWithBall();
  EXPECT_EQ(mnsScene_Save(scene, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsScene_Save(scene, ""), MNS_ERROR_FILE);
  EXPECT_EQ(mnsScene_Save(nullptr, "a.json"), MNS_ERROR_INVALID_HANDLE);
}

// A name without a folder in a current folder that is no more.
TEST_F(Save, InAFolderThatIsGone) {
  const fs::path home = fs::current_path();
  mnsScene* scene = tankWithBall();
  mnsScene* other = nullptr;
  {
    const TemporaryFolder folder;
    fs::create_directory(folder / "gone");
    fs::current_path(folder / "gone");
    fs::remove(folder / "gone");
    EXPECT_EQ(mnsScene_Save(scene, "x.json"), MNS_ERROR_FILE);
    EXPECT_GT(std::string(mnsGetLastError()).size(), 10u);
    EXPECT_EQ(mnsScene_SaveSnapshot(scene, "x.snapshot"), MNS_ERROR_NOT_STARTED);
    EXPECT_OK(mnsScene_Start(scene));
    EXPECT_EQ(mnsScene_SaveSnapshot(scene, "x.snapshot"), MNS_ERROR_FILE);
    EXPECT_EQ(mnsScene_LoadSnapshot(scene, "x.snapshot"), MNS_ERROR_FILE);
    EXPECT_EQ(mnsScene_Save(scene, "x.json"), MNS_ERROR_FILE);
    EXPECT_EQ(mnsLoadScene(context, "x.json", &other), MNS_ERROR_FILE);
    fs::current_path(home);
  }
}

}  // namespace
