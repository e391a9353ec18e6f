// Surface formats that are text: OFF and OBJ.
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "engine/base/error.h"
#include "engine/scene/mesh_file_formats.h"
#include "engine/scene/mesh_text.h"

namespace meniscus {

namespace {
constexpr long long kMost = std::numeric_limits<Index>::max();
}

void readOff(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, '#');
  const std::string_view head = t.peek();
  if (head.size() >= 3 && head.substr(head.size() - 3) == "OFF") {
    if (head != "OFF" && head != "COFF" && head != "NOFF" && head != "CNOFF" && head != "STOFF")
      t.fail(fmt::format("\"{}\" files are not read; save it as plain OFF", head));
    t.word();
    if (t.peek() == "BINARY") t.fail("binary OFF files are not read; save it as text");
  }
  const long long vertices = t.integer("the number of vertices", 0, kMost), faces = t.integer("the number of faces", 0, kMost);
  if (!t.lineEnds()) t.integer("the number of edges", 0, std::numeric_limits<long long>::max());
  checkCount(t, vertices, 6, "vertices");
  checkCount(t, faces, 6, "faces");
  m.x.reserve(std::size_t(vertices));
  for (long long i = 0; i < vertices; ++i) {
    m.x.push_back(t.point("a vertex coordinate"));
    t.skipLine();  // colours and normals
  }
  std::vector<Index> v;
  for (long long f = 0; f < faces; ++f) {
    const long long corners = t.integer("the number of corners of a face", 1, kMost);
    checkCount(t, corners, 2, "corners");
    v.clear();
    for (long long k = 0; k < corners; ++k) v.push_back(Index(t.integer("a vertex number", 0, vertices - 1)));
    t.skipLine();
    if (corners >= 3) appendPolygon(m, v, Index(f));
  }
}

void readObj(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, '#');
  Index face = 0;
  std::vector<Index> v;
  while (!t.atEnd()) {
    const std::string_view key = t.word();
    if (key == "v") {
      for (int k = 0; k < 3; ++k)
        if (t.lineEnds())
          t.fail("a vertex needs three coordinates");
        else if (k == 0)
          m.x.push_back({t.number("a vertex coordinate"), 0, 0});
        else
          m.x.back()[k] = t.number("a vertex coordinate");
    } else if (key == "f") {
      v.clear();
      while (!t.lineEnds()) {
        const std::string_view w = t.word(), number = w.substr(0, w.find('/'));  // vertex/texture/normal
        long long i = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), i);
        if (error != std::errc{} || end != number.data() + number.size()) t.fail("expected a vertex number in a face");
        const long long n = (long long)m.x.size(), at = i > 0 ? i - 1 : n + i;  // negative: counted back from here
        if (i == 0 || at < 0 || at >= n) t.fail(fmt::format("face {} names vertex {}, but {} are defined so far", face, i, n));
        v.push_back(Index(at));
      }
      if (v.size() < 3) t.fail(fmt::format("face {} has {} corners; it needs three", face, v.size()));
      appendPolygon(m, v, face++);
    }
    t.skipLine();  // normals, texture coordinates, groups and materials say nothing here
  }
}

}  // namespace meniscus
