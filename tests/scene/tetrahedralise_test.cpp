// Filling surfaces with tetrahedra by the TetGen program, its cache and what happens without it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/process.h"
#include "engine/scene/tetrahedralise.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

bool tetgenThere() { return runProcess({"tetgen", "-h"}, "/", 20).found; }

double volumeOf(const TetMesh& m, std::size_t t) {
  const auto at = [&](std::size_t k) { return m.x[std::size_t(m.tet[4 * t + k])] - m.x[std::size_t(m.tet[4 * t])]; };
  return dot(at(1), cross(at(2), at(3))) / 6;
}

// A setting of the environment, put back at the end.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

std::size_t cached(const std::string& folder) {
  std::size_t n = 0;
  if (fs::exists(folder))
    for (const auto& e : fs::directory_iterator(folder)) n += e.path().extension() == ".tetcache";
  return n;
}

TEST(Tetrahedralise, FillsTheSurfaceExactly) {
  if (!tetgenThere()) GTEST_SKIP() << "tetgen is not installed";
  const testing::TemporaryFolder folder;
  const SurfaceMesh s = makeSphere(0.1, 0.03);
  TetOptions o;
  o.maxVolume = 1e-5;
  std::vector<std::string> notes;
  const TetMesh m = tetrahedralise(s, o, folder.path(), "ball", &notes);
  double sum = 0;
  for (std::size_t t = 0; t < m.tet.size() / 4; ++t) {
    EXPECT_GT(volumeOf(m, t), 0);
    EXPECT_LT(volumeOf(m, t), 1.001e-5);
    sum += volumeOf(m, t);
  }
  EXPECT_NEAR(sum, enclosedVolume(s), 1e-9 * sum);
  EXPECT_EQ(m.tri.size(), s.tri.size());  // the surface's triangles stay as they are
  for (std::size_t i = 0; i < s.x.size(); ++i) EXPECT_EQ(m.x[i], s.x[i]);
  ASSERT_EQ(notes.size(), 1u);
  // the second time comes from the cache, with the same bits; other options are other content
  notes.clear();
  EXPECT_EQ(cached(folder.path()), 1u);
  const TetMesh again = tetrahedralise(s, o, folder.path(), "ball", &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(again.x == m.x && again.tet == m.tet && again.tri == m.tri);
  o.maxVolume = 5e-6;
  EXPECT_GT(tetrahedralise(s, o, folder.path(), "ball", nullptr).tet.size(), m.tet.size());
  EXPECT_EQ(cached(folder.path()), 2u);
}

TEST(Tetrahedralise, DamagedCacheIsMadeAgain) {
  if (!tetgenThere()) GTEST_SKIP() << "tetgen is not installed";
  const testing::TemporaryFolder folder;
  const SurfaceMesh s = makeBox({0.1, 0.1, 0.1}, 0.05);
  const TetMesh m = tetrahedralise(s, {}, folder.path(), "box", nullptr);
  const std::string path = fs::directory_iterator(folder.path())->path().string(), whole = testing::readText(path);
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string("nonsense"), whole.substr(0, 40) + char(whole[40] ^ 1) + whole.substr(41)}) {
    testing::writeText(path, damaged);
    EXPECT_TRUE(tetrahedralise(s, {}, folder.path(), "box", nullptr).tet == m.tet);
    EXPECT_TRUE(testing::readText(path) == whole);
  }
}

TEST(Tetrahedralise, CacheGoesHomeWhereTheFolderIsNotWritable) {
  if (!tetgenThere()) GTEST_SKIP() << "tetgen is not installed";
  const testing::TemporaryFolder folder;
  const Setting home("XDG_CACHE_HOME", folder / "cache");
  testing::writeText(folder / "file", "a file is no folder");
  const SurfaceMesh s = makeBox({0.1, 0.1, 0.1}, 0.05);
  tetrahedralise(s, {}, folder / "file", "box", nullptr);
  EXPECT_EQ(cached(folder / "cache/meniscus"), 1u);
  std::vector<std::string> notes;
  tetrahedralise(s, {}, folder / "file", "box", &notes);
  EXPECT_TRUE(notes.empty());
}

TEST(Tetrahedralise, SaysWhereTetGenIsMissing) {
  const testing::TemporaryFolder folder;
  const Setting path("PATH", folder.path());
  try {
    tetrahedralise(makeBox({0.1, 0.1, 0.1}, 0.05), {}, folder.path(), "box", nullptr);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(
        std::string(e.what()).find(
            "box: a surface is filled with tetrahedra by the program tetgen, which is not installed; install the package tetgen"),
        std::string::npos);
  }
}

TEST(Tetrahedralise, SaysWhatTetGenRefuses) {
  if (!tetgenThere()) GTEST_SKIP() << "tetgen is not installed";
  const testing::TemporaryFolder folder;
  SurfaceMesh s = makeBox({1, 1, 1}, 1), other = s;
  for (const Vec3d& x : other.x) s.x.push_back(x + Vec3d{0.5, 0.3, 0.2});
  for (const Index v : other.tri) s.tri.push_back(v + 8);
  try {
    tetrahedralise(s, {}, folder.path(), "boxes", nullptr);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find("boxes: tetgen could not fill the surface with tetrahedra"), std::string::npos)
        << e.what();
  }
  EXPECT_EQ(cached(folder.path()), 0u);
}

TEST(Process, OutputStatusAndTimeLimit) {
  EXPECT_EQ(runProcess({"sh", "-c", "echo hello; echo error >&2; exit 3"}, "/", 10).status, 3);
  EXPECT_EQ(runProcess({"sh", "-c", "echo hello; echo error >&2; exit 3"}, "/", 10).output, "hello\nerror\n");
  EXPECT_EQ(runProcess({"pwd"}, "/usr", 10).output, "/usr\n");
  EXPECT_FALSE(runProcess({"no-such-program-here"}, "/", 10).found);
  const ProcessResult slow = runProcess({"sleep", "30"}, "/", 0.2);
  EXPECT_TRUE(slow.found);
  EXPECT_EQ(slow.status, -1);
}

}  // namespace
}  // namespace meniscus
