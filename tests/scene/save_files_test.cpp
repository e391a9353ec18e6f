// Meshes given as arrays become files that read back bit by bit.
#include <gtest/gtest.h>

#include "engine/scene/save.h"
#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::TemporaryFolder;
using testing::writeText;

MeshFile tetrahedron() {
  MeshFile m;
  m.x = {{0.1, 1.0 / 3, 1e-17}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e18 / 3}};
  m.tri = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  m.tet = {0, 1, 2, 3};
  return m;
}

TEST(SaveFiles, SurfacesAndTetrahedraReadBack) {
  const TemporaryFolder folder;
  const MeshFile m = tetrahedron();
  writeText(folder / "a.off", offOf(m));
  const MeshFile off = readMeshFile(folder / "a.off");
  EXPECT_EQ(off.x, m.x);
  EXPECT_EQ(off.tri, m.tri);
  EXPECT_TRUE(off.tet.empty());
  writeText(folder / "a.vtk", vtkOf(m));
  const MeshFile vtk = readMeshFile(folder / "a.vtk");
  EXPECT_EQ(vtk.x, m.x);
  EXPECT_EQ(vtk.tet, m.tet);
}

TEST(SaveFiles, TwoMeshesOfOneNameAndOneMeshTwice) {
  const TemporaryFolder folder;
  SceneDef scene;
  scene.domain.max = {1, 1, 1};
  for (const char* name : {"a b", "a-b", "a/b"}) {
    SolidDef s;
    s.name = name;
    s.shape.kind = ShapeKind::mesh;
    MeshFile m = tetrahedron();
    if (std::string(name) == "a/b") m.x[1].x = 2;  // another one
    s.shape.mesh = std::make_shared<const MeshFile>(m);
    scene.solids.push_back(s);
  }
  const SceneFiles files = sceneFiles(scene, folder / "s.json");
  ASSERT_EQ(files.meshes.size(), 2u);
  EXPECT_EQ(files.meshes[0].path, folder / "s-a-b.off");
  EXPECT_EQ(files.meshes[1].path, folder / "s-a-b-2.off");
  writeSceneFiles(files);
  EXPECT_TRUE(sceneFiles(scene, folder / "s.json").meshes.empty());  // they are there already
}

TEST(SaveFiles, NamesWhatCannotBeSaid) {
  SceneDef scene;
  scene.domain.max = {1, 1, 1};
  scene.fluids.resize(1);
  scene.fluids[0].name = "rain";
  scene.fluids[0].spacing = 0.1;
  EXPECT_NE(testing::errorOf([&] { sceneFiles(scene, "s.json"); }).find("fluid \"rain\" has neither shapes nor an emitter"),
            std::string::npos);
}

}  // namespace
}  // namespace meniscus
