// The readers are this folder's own and not assimp's: assimp 5.2.5 silently puts another vertex in place of an index out of range,
// takes NaN for a coordinate and a file cut off in its faces for a whole one, and does not keep the lines and face numbers that
// messages need.
#include "engine/scene/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scene/mesh_file_formats.h"

namespace meniscus {

namespace fs = std::filesystem;

namespace {

// The other file of a TetGen pair.
std::string partner(const std::string& path, const char* extension) { return fs::path(path).replace_extension(extension).string(); }

// The first letters of a text in UTF-16 or UTF-32, as far as they are of ASCII.
std::string firstLetters(const std::string& bytes) {
  std::string letters;
  for (const char c : bytes.substr(0, 64))
    if (c > ' ' && c <= '~') letters += c;
  return letters;
}

// The first bytes of a binary STL file are anything: there a mark before the text is one if the text's first word follows, and so
// is UTF-16, unless the file has a binary one's size.
std::string readBytes(const std::string& path, const std::string& extension) {
  if (extension != ".stl") return readTextFile(path);
  std::string bytes = readWholeFile(path);
  const char* encoding = isBinaryStl(bytes) ? nullptr : wideEncodingOf(bytes);
  if (encoding && firstLetters(bytes).compare(0, 5, "solid") == 0) refuseEncoding(path, encoding);
  if (bytes.compare(0, 8, "\xEF\xBB\xBFsolid") == 0) bytes.erase(0, 3);
  return bytes;
}

void readByExtension(MeshFile& m) {
  std::string e = fs::path(m.path).extension().string();
  std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  std::error_code ec;
  if (fs::is_directory(m.path, ec)) throw Error(ErrorKind::input, m.path + ": is a folder; give a mesh file");
  const std::string text = readBytes(m.path, e);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(ErrorKind::input, m.path + ": the file is empty");
  if (e == ".off") return readOff(m, text);
  if (e == ".obj") return readObj(m, text);
  if (e == ".stl") return readStl(m, text);
  if (e == ".ply") return readPly(m, text);
  if (e == ".msh") return readMsh(m, text);
  if (e == ".vtk") return readVtk(m, text);
  if (e == ".node") return readTetGen(m, text, readTextFile(partner(m.path, ".ele")), partner(m.path, ".ele"));
  if (e == ".ele") return readTetGen(m, readTextFile(partner(m.path, ".node")), text, m.path);
  throw Error(
      ErrorKind::input,
      fmt::format(
          "{}: the extension \"{}\" is none of those read: .obj .ply .stl .off (surfaces), .msh .vtk .node .ele (tetrahedra)",
          m.path, e));
}

}  // namespace

MeshFile readMeshFile(const std::string& path) {
  MeshFile m;
  m.path = path;
  readByExtension(m);
  if (m.tri.empty() && m.tet.empty()) throw Error(ErrorKind::input, path + ": holds no faces and no tetrahedra");
  constexpr double kLargest = 1e18;  // as of the numbers of a scene: products of three are far from what single precision holds
  for (std::size_t i = 0; i < m.x.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(m.x[i][k]) <= kLargest))
        throw Error(ErrorKind::input,
                    fmt::format("{}: vertex {} has the coordinate {:g}; numbers beyond {:g} cannot be computed with", path, i,
                                m.x[i][k], kLargest));
  for (const Index v : m.tri)
    if (v < 0 || v >= Index(m.x.size())) throw Error(ErrorKind::internal, path + ": a reader let a wrong index through");
  return m;
}

namespace {

// Twice the vector area of a polygon (Newell).
Vec3d newell(const std::vector<Vec3d>& x, const std::vector<Index>& v) {
  Vec3d n{};
  const Vec3d& o = x[std::size_t(v[0])];
  for (std::size_t k = 1; k + 1 < v.size(); ++k) n += cross(x[std::size_t(v[k])] - o, x[std::size_t(v[k + 1])] - o);
  return n;
}

}  // namespace

void appendPolygon(MeshFile& m, const std::vector<Index>& polygon, Index face) {
  constexpr std::size_t kMostCorners = 1000;  // looking for ears takes the third power of it at worst
  if (polygon.size() > kMostCorners)
    throw Error(ErrorKind::input, fmt::format("{}: face {} has {} corners; cut faces of more than {} into smaller ones", m.path,
                                              face, polygon.size(), kMostCorners));
  std::vector<Index> v = polygon;
  const auto add = [&](Index a, Index b, Index c) {
    m.tri.insert(m.tri.end(), {a, b, c});
    m.face.push_back(face);
  };
  const Vec3d n = newell(m.x, v);
  while (v.size() > 3) {
    const std::size_t count = v.size();
    std::size_t ear = count;
    for (std::size_t k = 0; k < count && ear == count; ++k) {
      const Vec3d &a = m.x[std::size_t(v[k])], &b = m.x[std::size_t(v[(k + 1) % count])], &c = m.x[std::size_t(v[(k + 2) % count])];
      if (dot(cross(b - a, c - a), n) <= 0) continue;
      bool free = true;
      for (std::size_t j = 3; j < count && free; ++j) {
        const Vec3d& p = m.x[std::size_t(v[(k + j) % count])];
        free = !(dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0);
      }
      if (free) ear = k;
    }
    if (ear == count) ear = 0;  // no proper ear: a folded polygon, cut anyhow
    add(v[ear], v[(ear + 1) % count], v[(ear + 2) % count]);
    v.erase(v.begin() + std::ptrdiff_t((ear + 1) % count));
  }
  add(v[0], v[1], v[2]);
}

}  // namespace meniscus
