// Damaged meshes: what is safe is mended and said, what is not is named.
#include <gtest/gtest.h>

#include "engine/scene/generate.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/mesh_simplify.h"
#include "tests/shared/error_of.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;

MeshFile fileOf(const SurfaceMesh& s) {
  MeshFile m;
  m.path = "m";
  m.x = s.x;
  m.tri = s.tri;
  for (Index t = 0; t < Index(s.tri.size() / 3); ++t) m.face.push_back(t);
  return m;
}

void append(MeshFile& m, const SurfaceMesh& s, const Vec3d& shift) {
  const Index first = Index(m.x.size());
  for (const Vec3d& x : s.x) m.x.push_back(x + shift);
  for (const Index v : s.tri) m.tri.push_back(first + v);
  while (m.face.size() < m.tri.size() / 3) m.face.push_back(Index(m.face.size()));
}

double volumeOf(const MeshFile& m) { return enclosedVolume(SurfaceMesh{m.x, m.tri}); }

bool said(const std::vector<std::string>& notes, const std::string& text) {
  for (const std::string& n : notes)
    if (n.find(text) != std::string::npos) return true;
  return false;
}

// Three corners on a line, and three at one place: nothing is left to be a surface.
TEST(MeshRepair, RefusesWhatHasNoArea) {
  for (const double length : {1., 0.}) {
    MeshFile m;
    m.path = "thread.obj";
    m.x = {{0, 0, 0}, {length, 0, 0}, {2 * length, 0, 0}};
    m.tri = {0, 1, 2};
    m.face = {0};
    EXPECT_NE(testing::errorOf([&] { repairSurface(m, nullptr); }).find("thread.obj: none of its faces has an area"),
              std::string::npos);
  }
}

TEST(MeshRepair, LeavesAGoodMeshAlone) {
  const SurfaceMesh s = makeSphere(1, 0.2);
  MeshFile m = fileOf(s);
  std::vector<std::string> notes;
  repairSurface(m, &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(m.tri, s.tri);
  EXPECT_TRUE(inspectSurface(m).closed());
}

// Triangles that each have corners of their own, slightly off in single precision, become the closed sphere again.
TEST(MeshRepair, MergesASoup) {
  const SurfaceMesh s = makeSphere(1, 0.2);
  MeshFile m;
  m.path = "soup";
  for (std::size_t k = 0; k < s.tri.size(); ++k) {
    m.x.push_back(s.x[std::size_t(s.tri[k])] * (1 + 1e-8 * double(k % 3)));
    m.tri.push_back(Index(k));
    if (k % 3 == 0) m.face.push_back(Index(k / 3));
  }
  EXPECT_EQ(inspectSurface(m).holeEdges, Index(s.tri.size()));
  std::vector<std::string> notes;
  repairSurface(m, &notes);
  EXPECT_TRUE(said(notes, "soup: " + std::to_string(s.tri.size() - s.x.size()) + " duplicate vertices merged")) << notes[0];
  EXPECT_EQ(m.x.size(), s.x.size());
  EXPECT_TRUE(inspectSurface(m).closed());
  EXPECT_NEAR(volumeOf(m), enclosedVolume(s), 1e-6);
}

TEST(MeshRepair, DropsDegenerateAndRepeatedFaces) {
  const SurfaceMesh s = makeBox({1, 1, 1}, 0.25);
  MeshFile m = fileOf(s);
  const auto add = [&](Index a, Index b, Index c) {
    m.tri.insert(m.tri.end(), {a, b, c});
    m.face.push_back(Index(m.face.size()));
  };
  add(s.tri[0], s.tri[0], s.tri[1]);
  add(s.tri[1], s.tri[2], s.tri[0]);  // the first face, begun at another corner
  add(s.tri[1], s.tri[0], s.tri[2]);  // and seen from behind
  std::vector<std::string> notes;
  repairSurface(m, &notes);
  EXPECT_TRUE(said(notes, "1 degenerate face dropped"));
  EXPECT_TRUE(said(notes, "2 repeated faces dropped"));
  EXPECT_EQ(m.tri, s.tri);
}

// A corner on the middle of a neighbour's edge, with a face without area in between: the face goes and no crack opens.
TEST(MeshRepair, TurnsFlatFaces) {
  MeshFile m;
  m.path = "flat";
  m.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}};
  // tetrahedron 0123 with the point 4 on edge 01, seen by face 013 only; face (0, 1, 4) closes the gap to face 021
  m.tri = {0, 2, 1, 0, 4, 3, 4, 1, 3, 0, 3, 2, 1, 2, 3, 0, 1, 4};
  m.face = {0, 1, 2, 3, 4, 5};
  ASSERT_TRUE(inspectSurface(m).closed());
  std::vector<std::string> notes;
  repairSurface(m, &notes);
  EXPECT_TRUE(said(notes, "without area removed by turning an edge"));
  EXPECT_TRUE(inspectSurface(m).closed());
  EXPECT_NEAR(volumeOf(m), 1.0 / 6, 1e-15);
  for (std::size_t t = 0; t < m.tri.size(); t += 3) {
    const Vec3d a = m.x[std::size_t(m.tri[t])];
    EXPECT_GT(norm(cross(m.x[std::size_t(m.tri[t + 1])] - a, m.x[std::size_t(m.tri[t + 2])] - a)), 0.1);
  }
}

TEST(MeshRepair, TurnsWrongWinding) {
  const SurfaceMesh s = makeSphere(1, 0.3);
  for (const int every : {1, 3, 7}) {  // all, a third, a seventh of the faces inside out
    MeshFile m = fileOf(s);
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < m.tri.size() / 3; t += std::size_t(every), ++wrong) std::swap(m.tri[3 * t], m.tri[3 * t + 1]);
    std::vector<std::string> notes;
    repairSurface(m, &notes);
    EXPECT_TRUE(inspectSurface(m).closed());
    EXPECT_NEAR(volumeOf(m), enclosedVolume(s), 1e-12);
    if (every == 1)
      EXPECT_TRUE(said(notes, "a closed surface faced inwards and was turned outwards"));
    else
      EXPECT_TRUE(said(notes, std::to_string(wrong) + " faces wound against their neighbours turned"));
    EXPECT_EQ(notes.size(), 1u);
  }
}

// A hollow ball: the inner surface bounds the hollow whichever way it was wound.
TEST(MeshRepair, HollowsFaceInwards) {
  MeshFile m = fileOf(makeSphere(1, 0.3));
  append(m, makeSphere(0.5, 0.15), {0.1, 0, 0});
  append(m, makeSphere(0.5, 0.15), {3, 0, 0});  // and one beside it
  repairSurface(m, nullptr);
  const double one = enclosedVolume(makeSphere(1, 0.3)), half = enclosedVolume(makeSphere(0.5, 0.15));
  EXPECT_NEAR(volumeOf(m), one - half + half, 1e-12);
}

// Two balls that cross: a corner of one inside the other does not make it a hollow. (Turned inside out, it took all space for the
// body.)
TEST(MeshRepair, CrossingSurfacesBothFaceOutwards) {
  for (const double shift : {0.9, -0.9, 0.6}) {
    MeshFile m = fileOf(makeSphere(0.5, 0.15));
    append(m, makeSphere(0.5, 0.15), {shift, 0, 0});
    std::vector<std::string> notes;
    repairSurface(m, &notes);
    EXPECT_NEAR(volumeOf(m), 2 * enclosedVolume(makeSphere(0.5, 0.15)), 1e-12);
    EXPECT_FALSE(said(notes, "turned"));
  }
}

TEST(MeshRepair, NamesHoles) {
  SurfaceMesh s = makeSphere(1, 0.3);
  s.tri.erase(s.tri.begin() + 30, s.tri.begin() + 33);
  const SurfaceReport r = inspectSurface(fileOf(s));
  EXPECT_EQ(r.holeEdges, 3);
  EXPECT_EQ(r.holeFaces.size(), 3u);
  EXPECT_EQ(r.nonManifoldEdges, 0);
}

TEST(MeshRepair, NamesNonManifoldEdges) {
  MeshFile m = fileOf(makeSheet(1, 1, 0.5));
  // a fin on the first face's first edge
  m.x.push_back({0, 0, 1});
  const Index a = m.tri[1], b = m.tri[2];
  m.tri.insert(m.tri.end(), {a, b, Index(m.x.size() - 1)});
  m.face.push_back(99);
  repairSurface(m, nullptr);
  const SurfaceReport r = inspectSurface(m);
  EXPECT_EQ(r.nonManifoldEdges, 1);
  EXPECT_EQ(r.nonManifoldFaces.size(), 3u);
  EXPECT_EQ(r.nonManifoldFaces.back(), 99);
}

// A Moebius strip cannot be wound alike: at least one edge stays with two faces running the same way.
TEST(MeshRepair, NamesWhatCannotBeOriented) {
  MeshFile m;
  m.path = "moebius";
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * kPi * i / n, h = a / 2;
    for (const double w : {-0.3, 0.3})
      m.x.push_back({(1 + w * std::cos(h)) * std::cos(a), (1 + w * std::cos(h)) * std::sin(a), w * std::sin(h)});
  }
  for (int i = 0; i < n; ++i) {
    const Index a = 2 * i, b = 2 * i + 1, c = i + 1 < n ? 2 * i + 2 : 1, d = i + 1 < n ? 2 * i + 3 : 0;
    m.tri.insert(m.tri.end(), {a, c, b, b, c, d});
    m.face.insert(m.face.end(), {Index(2 * i), Index(2 * i + 1)});
  }
  repairSurface(m, nullptr);
  EXPECT_GE(inspectSurface(m).nonManifoldEdges, 1);
}

TEST(MeshRepair, FindsSelfIntersections) {
  EXPECT_TRUE(selfIntersections(fileOf(makeSphere(1, 0.2)), 10).empty());
  EXPECT_TRUE(selfIntersections(fileOf(makeBox({1, 1, 1}, 0.3)), 10).empty());
  MeshFile m = fileOf(makeSphere(1, 0.3));
  append(m, makeSphere(1, 0.3), {1.2, 0.01, 0.02});
  EXPECT_EQ(selfIntersections(m, 5).size(), 5u);
  // two crossing triangles of one surface that share a corner
  MeshFile bow;
  bow.x = {{0, 0, 0}, {1, -1, 0}, {1, 1, 0}, {1, 0.1, -1}, {1, 0, 1}};
  bow.tri = {0, 1, 2, 0, 3, 4};
  bow.face = {4, 8};
  const auto cuts = selfIntersections(bow, 5);
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_EQ(cuts[0], (std::pair<Index, Index>{4, 8}));
}

// Turned and moved away from the origin, the coordinates of flat patches are off their plane by round-off, either way: no cut.
TEST(MeshRepair, FlatPatchesAreNoSelfIntersections) {
  for (int k = 0; k < 20; ++k) {
    SurfaceMesh box = makeBox({1, 0.7, 0.4}, 0.12);
    Transform t;
    t.rotate = Quatd::axisAngle(normalized(Vec3d{1, 0.3 * k, 2}), 0.1 + 0.31 * k);
    t.translate = {30.0 * k, -7, 0.3};
    place(box.x, t);
    EXPECT_TRUE(selfIntersections(fileOf(box), 1).empty()) << k;
    const auto twice = [&](const Vec3d& shift) {
      MeshFile two = fileOf(box);
      append(two, box, t.rotate.rotate(shift));
      return selfIntersections(two, 1);
    };
    EXPECT_TRUE(twice({1.0001, 0.05, 0.05}).empty()) << k;
    EXPECT_FALSE(twice({0.9999, 0.05, 0.05}).empty()) << k;
    EXPECT_FALSE(twice({0.53, 0, 0}).empty()) << k;  // four sides each in one plane with the other's
  }
}

TEST(MeshRepair, SurfaceOfTetrahedra) {
  // a cube of five tetrahedra, all left-handed
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<Index> tet = {1, 0, 3, 4, 1, 3, 2, 6, 1, 4, 6, 5, 3, 4, 7, 6, 1, 4, 3, 6};
  for (std::size_t t = 0; t < 5; ++t) {
    const auto at = [&](std::size_t k) { return x[std::size_t(tet[4 * t + k])] - x[std::size_t(tet[4 * t])]; };
    if (dot(at(1), cross(at(2), at(3))) > 0) std::swap(tet[4 * t], tet[4 * t + 1]);
  }
  std::vector<std::string> notes;
  const std::vector<Index> tri = surfaceOfTets("cube", x, tet, &notes);
  EXPECT_TRUE(said(notes, "all tetrahedra were numbered left-handedly"));
  EXPECT_EQ(tri.size(), 36u);
  EXPECT_NEAR(enclosedVolume(SurfaceMesh{x, tri}), 1, 1e-15);
}

// A fine sphere made coarse keeps its volume and topology, and its edges have the length asked for.
TEST(MeshSimplify, KeepsVolumeAndTopology) {
  MeshFile m = fileOf(makeSphere(1, 0.05));
  const double before = volumeOf(m);
  ASSERT_TRUE(simplifySurface(m, 0.2));
  EXPECT_TRUE(inspectSurface(m).closed());
  EXPECT_EQ(m.x.size() + m.tri.size() / 3, m.tri.size() / 2 + 2);  // Euler: V + F = E + 2
  EXPECT_NEAR(volumeOf(m), before, 1e-12);
  double mean = 0;
  for (std::size_t k = 0; k < m.tri.size(); ++k)
    mean += norm(m.x[std::size_t(m.tri[k])] - m.x[std::size_t(m.tri[k % 3 == 2 ? k - 2 : k + 1])]) / double(m.tri.size());
  EXPECT_NEAR(mean, 0.2, 0.03);
  for (const Vec3d& x : m.x) EXPECT_NEAR(norm(x), 1, 0.02);
  EXPECT_TRUE(selfIntersections(m, 1).empty());
  EXPECT_FALSE(simplifySurface(m, 0.05));  // nothing shorter is left
}

// An open sheet keeps its outline.
TEST(MeshSimplify, KeepsBorders) {
  MeshFile m = fileOf(makeSheet(1, 0.5, 0.02));
  ASSERT_TRUE(simplifySurface(m, 0.1));
  double area = 0;
  for (std::size_t t = 0; t < m.tri.size(); t += 3) {
    const Vec3d a = m.x[std::size_t(m.tri[t])];
    const Vec3d n = cross(m.x[std::size_t(m.tri[t + 1])] - a, m.x[std::size_t(m.tri[t + 2])] - a);
    EXPECT_GT(n.z, 0);
    area += n.z / 2;
  }
  EXPECT_NEAR(area, 0.5, 0.01);
  EXPECT_LT(m.tri.size() / 3, 400u);
}

}  // namespace
}  // namespace meniscus
