// Mesh formats: each is read, each kind of damage is refused by file and place, and no truncation does worse than a message.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/mesh_file.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

const testing::TemporaryFolder& folder() {
  static const testing::TemporaryFolder f;
  return f;
}

MeshFile readAs(const std::string& name, const std::string& text) {
  testing::writeText(folder() / name, text);
  return readMeshFile(folder() / name);
}

std::string refusal(const std::string& name, const std::string& text) {
  try {
    readAs(name, text);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input) << e.what();
    EXPECT_NE(std::string(e.what()).find(name.substr(0, name.find('.'))), std::string::npos) << e.what();
    return e.what();
  }
  return "";
}

template <class T>
std::string bytes(T v, bool big = false) {
  char b[sizeof(T)];
  std::memcpy(b, &v, sizeof(T));
  if (big) std::reverse(b, b + sizeof(T));
  return {b, sizeof(T)};
}

// A tetrahedron with corners at the origin and the unit points: 4 faces, volume 1/6.
const Vec3d kCorner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int kFace[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

const char* const kOff = "# comment\nOFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0 255 0 0\n0 0 1\n3 0 2 1\n3 0 1 3 1 0 0\n3 0 3 2\n3 1 2 3\n";
const char* const kObj =
    "# comment\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf 1//1 4//1 3//1\nf -3 -2 -1\n";

std::string textStl() {
  std::string s = "solid tetrahedron\n";
  for (const auto& f : kFace) {
    s += "facet normal 0 0 0\nouter loop\n";
    for (const int v : f)
      s +=
          "vertex " + std::to_string(kCorner[v].x) + " " + std::to_string(kCorner[v].y) + " " + std::to_string(kCorner[v].z) + "\n";
    s += "endloop\nendfacet\n";
  }
  return s + "endsolid tetrahedron\n";
}

std::string binaryStl() {
  std::string s = "solid but binary";
  s.resize(80, ' ');
  s += bytes(std::uint32_t(4));
  for (const auto& f : kFace) {
    s += bytes(0.f) + bytes(0.f) + bytes(0.f);
    for (const int v : f)
      for (int k = 0; k < 3; ++k) s += bytes(float(kCorner[v][k]));
    s += std::string(2, '\0');
  }
  return s;
}

std::string ply(const std::string& format) {
  std::string s =
      "ply\nformat " + format +
      " 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\n"
      "element face 4\nproperty list uchar int vertex_indices\nend_header\n";
  const bool text = format == "ascii", big = format == "binary_big_endian";
  for (const Vec3d& c : kCorner)
    s += text ? std::to_string(c.x) + " " + std::to_string(c.y) + " " + std::to_string(c.z) + " 7\n"
              : bytes(float(c.x), big) + bytes(c.y, big) + bytes(float(c.z), big) + "\7";
  for (const auto& f : kFace) {
    s += text ? "3" : "\3";
    for (const int v : f) s += text ? " " + std::to_string(v) : bytes(std::int32_t(v), big);
    if (text) s += "\n";
  }
  return s;
}

const char* const kMsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n5 0 1 0\n9 0 0 1\n$EndNodes\n$Elements\n3\n1 15 2 0 1 1\n2 "
    "2 2 0 1 1 2 5\n3 4 2 0 1 1 2 5 9\n$EndElements\n";
const char* const kMsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n1 4 1 9\n3 1 0 "
    "4\n1\n2\n5\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
    "$Elements\n1 1 7 7\n3 1 4 1\n7 1 2 5 9\n$EndElements\n";
const char* const kVtk =
    "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 2 9\n4 0 "
    "1 2 3\n3 0 1 2\nCELL_TYPES 2\n10\n5\nPOINT_DATA 4\n";
const char* const kVtk5 =
    "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 2 "
    "4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n";

std::string binaryVtk() {
  std::string s = "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n";
  for (const Vec3d& c : kCorner)
    for (int k = 0; k < 3; ++k) s += bytes(c[k], true);
  s += "\nCELLS 1 5\n" + bytes(std::int32_t(4), true);
  for (int k = 0; k < 4; ++k) s += bytes(std::int32_t(k), true);
  return s + "\nCELL_TYPES 1\n" + bytes(std::int32_t(10), true) + "\n";
}

struct Format {
  std::string name, text;
  bool volume;
};

std::vector<Format> formats() {
  return {{"a.off", kOff, false},
          {"b.obj", kObj, false},
          {"c.stl", textStl(), false},
          {"d.stl", binaryStl(), false},
          {"e.ply", ply("ascii"), false},
          {"f.ply", ply("binary_little_endian"), false},
          {"g.ply", ply("binary_big_endian"), false},
          {"h.msh", kMsh2, true},
          {"i.msh", kMsh4, true},
          {"j.vtk", kVtk, true},
          {"k.vtk", kVtk5, true},
          {"l.vtk", binaryVtk(), true}};
}

TEST(MeshFile, EveryFormatGivesTheSameTetrahedron) {
  for (const Format& f : formats()) {
    const MeshFile m = readAs(f.name, f.text);
    if (f.volume) {
      ASSERT_EQ(m.tet.size(), 4u) << f.name;
      EXPECT_TRUE(m.tri.empty()) << f.name;
      for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(m.x[std::size_t(m.tet[k])], kCorner[k]) << f.name;
      continue;
    }
    ASSERT_EQ(m.tri.size(), 12u) << f.name;
    EXPECT_NEAR(enclosedVolume(SurfaceMesh{m.x, m.tri}), 1.0 / 6, 1e-15) << f.name;
    EXPECT_EQ(m.face, (std::vector<Index>{0, 1, 2, 3})) << f.name;
  }
}

// Editors put a mark before UTF-8; files in UTF-16 are told as that.
TEST(MeshFile, MarksOfByteOrder) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const Format& f : formats()) {
    const MeshFile plain = readAs(f.name, f.text);
    if (f.name == "d.stl") continue;  // binary from its first byte on
    const MeshFile marked = readAs("marked-" + f.name, mark + f.text);
    EXPECT_EQ(marked.tri, plain.tri) << f.name;
    EXPECT_EQ(marked.tet, plain.tet) << f.name;
    EXPECT_EQ(marked.x.size(), plain.x.size()) << f.name;
  }
  std::string header = binaryStl();
  header.replace(0, 3, mark);
  EXPECT_EQ(readAs("n.stl", header).tri.size(), 12u);
}

std::string inUtf16(const std::string& text, bool big) {
  std::string wide;
  for (const char c : text) wide += big ? std::string({'\0', c}) : std::string({c, '\0'});
  return wide;
}

// Whatever the format, as far as it is text; a binary STL may call itself anything in its 80 bytes.
TEST(MeshFile, OfAnotherEncodingIsToldByItsName) {
  const std::string said = "is text in UTF-16; save it as UTF-8";
  for (const Format& f : formats())
    for (const bool big : {false, true})
      for (const char* mark : {"", big ? "\xFE\xFF" : "\xFF\xFE"}) {
        if (f.name == "d.stl") continue;
        EXPECT_NE(refusal("wide-" + f.name, mark + inUtf16(f.text, big)).find(said), std::string::npos) << f.name << big << mark;
      }
  std::string binary = binaryStl();
  const std::string header = inUtf16("solid of a program", false);
  binary.replace(0, header.size(), header);
  EXPECT_EQ(readAs("named.stl", binary).tri.size(), 12u);
}

TEST(MeshFile, TetGenPairByEitherName) {
  testing::writeText(folder() / "t.node", "# nodes\n4 3 0 1\n1 0 0 0 0\n2 1 0 0 0\n3 0 1 0 0\n4 0 0 1 1\n");
  testing::writeText(folder() / "t.ele", "1 4 0\n1 1 2 3 4\n");
  for (const char* name : {"t.node", "t.ele"}) {
    const MeshFile m = readMeshFile(folder() / name);
    EXPECT_EQ(m.tet, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_EQ(m.x[3], kCorner[3]);
  }
  testing::writeText(folder() / "alone.node", "4 3 0 0\n");
  EXPECT_THROW(readMeshFile(folder() / "alone.node"), Error);
}

// A file cut off is refused, unless only what stands behind its last face went. OBJ has no counts: cut between two lines it is a
// whole file with fewer faces.
TEST(MeshFile, TruncationAtEveryLength) {
  for (const Format& f : formats()) {
    const MeshFile whole = readAs(f.name, f.text);
    std::size_t refused = 0;
    for (std::size_t n = 0; n < f.text.size(); ++n) {
      const std::string name = "trunc" + f.name.substr(1);
      if (!refusal(name, f.text.substr(0, n)).empty()) {
        ++refused;
        continue;
      }
      const MeshFile m = readMeshFile(folder() / name);
      EXPECT_TRUE(f.name == "b.obj" || (m.tri == whole.tri && m.tet == whole.tet && m.x == whole.x)) << f.name << " cut to " << n;
    }
    EXPECT_GT(refused, f.text.size() / 2) << f.name;
  }
}

// One changed byte at a time: read or refused, but nothing else.
TEST(MeshFile, DamageAtEveryByte) {
  for (const Format& f : formats())
    for (std::size_t n = 0; n < f.text.size(); ++n) {
      std::string text = f.text;
      text[n] =
          "\xff"
          "9-\0"[n % 4];
      refusal("damage" + f.name.substr(1), text);
    }
}

TEST(MeshFile, RefusalsNameThePlace) {
  struct Case {
    std::string name, text, expected;
  };
  std::string badPly = ply("binary_little_endian");
  badPly.replace(badPly.size() - 4, 4, bytes(std::int32_t(4)));
  std::string nanStl = binaryStl();
  nanStl.replace(84 + 50 + 12, 4, bytes(std::numeric_limits<float>::quiet_NaN()));
  const Case cases[] = {
      {"none.off", "", "the file is empty"},
      {"r1.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
       "r1.off:6: a vertex number is 3, which is out of range; it must be in [0, 2]"},
      {"r2.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "r2.off:4: a vertex coordinate is not finite"},
      {"r3.off", "OFF\n3 1 0\n0 0 0\n1 x 0\n", "r3.off:4: expected a number for a vertex coordinate, found \"x\""},
      {"r4.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "the file ends too early"},
      {"r5.off", "OFF\n2000000000 1 0\n0 0 0\n",
       "the header announces 2000000000 vertices, more than the rest of the file can hold"},
      {"r6.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "r6.obj:4: face 0 names vertex 4, but 3 are defined so far"},
      {"r7.obj", "v 0 0 0\nv 1 0\n", "r7.obj:2: a vertex needs three coordinates"},
      {"r8.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "r8.obj:3: face 0 has 2 corners; it needs three"},
      {"r9.obj", "v 0 0 0\n", "holds no faces and no tetrahedra"},
      {"r10.stl", nanStl, "face 1 has a coordinate that is not finite"},
      {"r11.stl", binaryStl().substr(0, 200), "announces 4 faces (284 bytes), but has 200 bytes"},
      {"r12.ply", badPly, "face 3 names vertex 4, which is out of range; there are 4"},
      {"r13.ply", "ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nend_header\n0\n",
       "announces 1000000 of \"vertex\""},
      {"r14.msh", "$MeshFormat\n1 0 8\n", "format version 1 is not read; save it as 2.2 or 4.1"},
      {"r15.msh", std::string(kMsh2).replace(std::string(kMsh2).find("1 2 5 9"), 7, "1 2 5 8"),
       "an element names node 8, which is not defined"},
      {"r16.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET RECTILINEAR_GRID\n",
       "only UNSTRUCTURED_GRID and POLYDATA are read"},
      {"r17.xyz", "1 2 3", "the extension \".xyz\" is none of those read"},
  };
  for (const Case& c : cases) {
    const std::string found = refusal(c.name, c.text);
    EXPECT_NE(found.find(c.expected), std::string::npos) << c.name << ": " << found;
  }
  EXPECT_THROW(readMeshFile(folder() / "there-is-none.off"), Error);
}

// A number that no double holds is refused where it is too large, whatever the format and the way of writing it, and is nothing
// where it is too small.
TEST(MeshFile, NumbersOutOfRange) {
  struct Case {
    std::string name, text, before, after;  // the coordinate 1 between before and after stands for the others
    int line;
  };
  const std::string node = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
  testing::writeText(folder() / "far.ele", "1 4 0\n0 0 1 2 3\n");
  const Case cases[] = {{"far.off", kOff, "0 0 0\n", " 0 0", 5},
                        {"far.obj", kObj, "v ", " 0 0", 3},
                        {"far.stl", textStl(), "vertex ", ".000000 0.000000 0.000000", 6},
                        {"far.ply", ply("ascii"), "", ".000000 0.000000 0.000000 7", 13},
                        {"far2.msh", kMsh2, "2 ", " 0 0\n", 7},
                        {"far4.msh", kMsh4, "0 0 0\n", " 0 0\n", 16},
                        {"far.vtk", kVtk, "0 0 0 ", " 0 0 0 1", 6},
                        {"far5.vtk", kVtk5, "0 0 0 ", " 0 0 0 1", 6},
                        {"far.node", node, "\n1 ", " 0 0", 3}};
  for (const Case& c : cases) {
    const std::string one = c.before + "1" + c.after;
    ASSERT_NE(c.text.find(one), std::string::npos) << c.name;
    const auto with = [&](const std::string& number) {
      std::string text = c.text;
      const std::size_t at = text.find(one) + c.before.size();
      text.replace(at, c.after[0] == '.' ? 8 : 1, number);
      return text;
    };
    const std::string zeros(400, '0');
    for (const std::string& number : std::vector<std::string>{"1e400", "-1e400", "+1e400", "0.001e99999", "1" + zeros}) {
      const std::string found = refusal(c.name, with(number));
      EXPECT_NE(found.find(":" + std::to_string(c.line) + ": "), std::string::npos)
          << c.name << " with " << number << ": " << found;
      EXPECT_NE(found.find("is not finite (\"" + number.substr(0, 24)), std::string::npos) << c.name << ": " << found;
    }
    for (const std::string& number : std::vector<std::string>{"1e-400", "-1e-400", "10000e-99999", "0." + zeros + "1"}) {
      const MeshFile m = readAs(c.name, with(number));
      double largest = 0;
      for (const Vec3d& x : m.x) largest = std::max(largest, std::abs(x.x));
      EXPECT_TRUE(largest < 1e-300 || c.name == "far.stl") << c.name << " with " << number;  // each facet has corners of its own
    }
  }
}

// What a double holds can be too large to be computed with all the same.
TEST(MeshFile, CoordinatesThatCannotBeComputedWith) {
  for (const std::string& number : std::vector<std::string>{"1e39", "-1.1e18", "1e300"})
    EXPECT_NE(
        refusal("vast.obj", "v 0 0 0\nv 0 " + number + " 0\nv 0 0 1\nf 1 2 3\n").find("vast.obj: vertex 1 has the coordinate "),
        std::string::npos)
        << number;
  EXPECT_EQ(readAs("wide.obj", "v 0 0 0\nv 0 1e18 0\nv 0 0 1\nf 1 2 3\n").x.size(), 3u);
}

// A concave polygon (an arrow head of area 0.5) is cut into triangles of the same area, all on its front.
TEST(MeshFile, ConcavePolygons) {
  for (int turn = 0; turn < 4; ++turn) {
    const int v[4] = {turn, (turn + 1) % 4, (turn + 2) % 4, (turn + 3) % 4};
    const MeshFile m =
        readAs("arrow.off", "OFF\n4 1 0\n0 0 0\n1 0.5 0\n0 1 0\n0.5 0.5 0\n4 " + std::to_string(v[0]) + " " + std::to_string(v[1]) +
                                " " + std::to_string(v[2]) + " " + std::to_string(v[3]) + "\n");
    ASSERT_EQ(m.tri.size(), 6u);
    double area = 0;
    for (std::size_t t = 0; t < 6; t += 3) {
      const Vec3d a = m.x[std::size_t(m.tri[t])], n = cross(m.x[std::size_t(m.tri[t + 1])] - a, m.x[std::size_t(m.tri[t + 2])] - a);
      EXPECT_GT(n.z, 0);
      area += n.z / 2;
    }
    EXPECT_NEAR(area, 0.25, 1e-15);
  }
}

// A polygon of thousands of corners would take minutes to cut.
TEST(MeshFile, RefusesHugePolygons) {
  std::string text = "OFF\n1001 1 0\n", corners = "1001";
  for (int k = 0; k < 1001; ++k) {
    text += std::to_string(k) + " " + std::to_string(k % 2) + " 0\n";
    corners += " " + std::to_string(k);
  }
  EXPECT_NE(refusal("huge.off", text + corners + "\n").find("face 0 has 1001 corners"), std::string::npos);
}

}  // namespace
}  // namespace meniscus
