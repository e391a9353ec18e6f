// Damaged mesh files of every format: the reader ends with a mesh whose indices are in range and whose coordinates are finite, or
// with an error that names the file. What was read is then mended and inspected as a scene would have it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/scene/mesh_file.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/mesh_simplify.h"
#include "tests/fuzz/mutate.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

const std::vector<std::string> kWords = {"0",
                                         "-1",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "1e300",
                                         "-1e300",
                                         "1e999",
                                         "nan",
                                         "inf",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         " ",
                                         "\n",
                                         "#",
                                         "/",
                                         "1/2/3",
                                         "f 1 2 3",
                                         "v 0 0 0",
                                         "solid",
                                         "endsolid",
                                         "facet",
                                         "OFF",
                                         "element face 9",
                                         "property list uchar int vertex_indices",
                                         "end_header",
                                         "format binary_big_endian 1.0",
                                         "$Elements",
                                         "$EndElements",
                                         "CELLS 1 5",
                                         "CELL_TYPES 1",
                                         "OFFSETS vtktypeint64",
                                         "BINARY",
                                         std::string("\0\0\0\0", 4),
                                         "\xff\xff\xff\xff",
                                         "\x7f\xff\xff\xff",
                                         std::string("\0\0\xc0\x7f", 4)};

template <class T>
void put(std::string& s, T v, bool bigEndian = false) {
  char b[sizeof v];
  std::memcpy(b, &v, sizeof v);
  if (bigEndian) std::reverse(b, b + sizeof v);
  s.append(b, sizeof v);
}

// A pyramid on a square: five vertices, a quadrilateral and four triangles, wound outwards.
const double kCorner[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}};
const int kTriangle[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

std::string corners(const std::string& before) {
  std::string s;
  for (const auto& c : kCorner) s += before + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + "\n";
  return s;
}

std::string binaryStl() {
  std::string s(80, ' ');
  put(s, std::uint32_t(6));
  for (const auto& t : kTriangle) {
    s.append(12, '\0');
    for (const int i : t)
      for (const double x : kCorner[i]) put(s, float(x));
    put(s, std::uint16_t(0));
  }
  return s;
}

std::string textStl() {
  std::string s = "solid p\n";
  for (const auto& t : kTriangle) {
    s += "facet normal 0 0 0\nouter loop\n";
    for (const int i : t) {
      s += "vertex";
      for (const double x : kCorner[i]) s += " " + std::to_string(x);
      s += "\n";
    }
    s += "endloop\nendfacet\n";
  }
  return s + "endsolid p\n";
}

std::string ply(const std::string& format) {
  std::string s = "ply\nformat " + format +
                  " 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face 6\n"
                  "property list uchar int vertex_indices\nend_header\n";
  const bool big = format == "binary_big_endian";
  if (format == "ascii") {
    s += corners("");
    for (const auto& t : kTriangle)
      s += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + "\n";
    return s;
  }
  for (const auto& c : kCorner)
    for (const double x : c) put(s, float(x), big);
  for (const auto& t : kTriangle) {
    put(s, std::uint8_t(3));
    for (const int i : t) put(s, std::int32_t(i), big);
  }
  return s;
}

std::string vtk(bool binary) {
  std::string s = std::string("# vtk DataFile Version 3.0\np\n") + (binary ? "BINARY" : "ASCII") +
                  "\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n";
  if (!binary) return s + corners("") + "CELLS 2 10\n4 0 1 2 4\n4 0 2 3 4\nCELL_TYPES 2\n10\n10\n";
  for (const auto& c : kCorner)
    for (const double x : c) put(s, float(x), true);
  s += "\nCELLS 2 10\n";
  for (const int v : {4, 0, 1, 2, 4, 4, 0, 2, 3, 4}) put(s, std::int32_t(v), true);
  s += "\nCELL_TYPES 2\n";
  for (const int v : {10, 10}) put(s, std::int32_t(v), true);
  return s + "\n";
}

struct Seed {
  const char* file;
  std::string bytes;
};

std::vector<Seed> seeds() {
  std::string numbered;
  for (int i = 0; i < 5; ++i)
    numbered += std::to_string(i + 1) + " " + std::to_string(kCorner[i][0]) + " " + std::to_string(kCorner[i][1]) + " " +
                std::to_string(kCorner[i][2]) + "\n";
  return {
      {"m.obj", corners("v ") + "f 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3/1/1 4/2/2 5/3/3\nf -2 -5 -1\n"},
      {"m.off", "OFF\n5 5 0\n" + corners("") + "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n"},
      {"m.stl", textStl()},
      {"b.stl", binaryStl()},
      {"m.ply", ply("ascii")},
      {"l.ply", ply("binary_little_endian")},
      {"b.ply", ply("binary_big_endian")},
      {"m.vtk", vtk(false)},
      {"b.vtk", vtk(true)},
      {"5.vtk", "# vtk DataFile Version 5.1\np\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n" + corners("") +
                    "CELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 4 0 2 3 4\nCELL_TYPES 2\n10\n10\n"},
      {"2.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" + numbered +
                    "$EndNodes\n$Elements\n3\n1 4 2 0 1 1 2 3 5\n2 4 2 0 1 1 3 4 5\n3 2 2 0 1 1 2 5\n$EndElements\n"},
      {"4.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n" + corners("") +
                    "$EndNodes\n$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 5\n2 1 3 4 5\n$EndElements\n"},
      {"m.node", "5 3 0 0\n" + numbered},
      {"m.ele", "2 4 0\n1 1 2 3 5\n2 1 3 4 5\n"}};
}

void expectSound(const MeshFile& m, const std::string& what) {
  for (const Vec3d& x : m.x) ASSERT_TRUE(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z)) << what;
  for (const std::vector<Index>* list : {&m.tri, &m.tet})
    for (const Index i : *list) ASSERT_TRUE(i >= 0 && i < Index(m.x.size())) << what;
  ASSERT_EQ(m.face.size() * 3, m.tri.size()) << what;
}

// As a scene does with a mesh: repairs, inspects and simplifies the surface, or takes the surface of the tetrahedra.
void use(MeshFile& m) {
  std::vector<std::string> notes;
  if (!m.tet.empty()) {
    surfaceOfTets(m.path, m.x, m.tet, &notes);
    return;
  }
  repairSurface(m, &notes);
  inspectSurface(m);
  selfIntersections(m, 6);
  simplifySurface(m, 0.7);
}

class FuzzMesh : public ::testing::Test {
 protected:
  FuzzMesh() {
    for (const Seed& s : all) testing::writeText(folder / s.file, s.bytes);
  }
  const std::vector<Seed> all = seeds();
  testing::TemporaryFolder folder;
};

TEST_F(FuzzMesh, GoodFilesAreRead) {
  for (const Seed& s : all) {
    MeshFile m = readMeshFile(folder / s.file);
    EXPECT_EQ(m.x.size(), std::string(s.file).find("stl") == std::string::npos ? 5u : 18u) << s.file;
    EXPECT_EQ(m.tri.size() + m.tet.size(), m.tet.empty() ? 18u : 8u) << s.file;
    expectSound(m, s.file);
    use(m);
  }
}

TEST_F(FuzzMesh, DamagedFilesAreRefusedByNameOrRead) {
  std::size_t read = 0, refused = 0;
  testing::forSeeds(8000, [&](std::uint64_t seed) {
    testing::Mutator mutate(seed, kWords);
    const Seed& s = all[mutate.below(all.size())];
    const std::string path = folder / s.file, what = std::string(s.file) + ", seed " + std::to_string(seed);
    testing::writeText(path, mutate(s.bytes, 4));
    try {
      MeshFile m = readMeshFile(path);
      expectSound(m, what);
      use(m);
      ++read;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::input) << what << ": " << e.what();
      EXPECT_EQ(std::string(e.what()).rfind(folder.path(), 0), 0u) << what << ": " << e.what();
      ++refused;
    } catch (const std::exception& e) { ADD_FAILURE() << what << ": " << e.what(); }
    testing::writeText(path, s.bytes);
  });
  EXPECT_GT(read, 400u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace meniscus
