// Surface formats that are text or binary: STL and PLY.
#include <fmt/format.h>
#include <algorithm>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/scene/mesh_bytes.h"
#include "engine/scene/mesh_file_formats.h"
#include "engine/scene/mesh_text.h"

namespace meniscus {

namespace {

constexpr long long kMost = std::numeric_limits<Index>::max();

void appendSoup(MeshFile& m, const Vec3d* corner) {
  const Index first = Index(m.x.size());
  m.face.push_back(Index(m.tri.size() / 3));
  for (int k = 0; k < 3; ++k) {
    m.x.push_back(corner[k]);
    m.tri.push_back(first + k);
  }
}

void readTextStl(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, 0);
  t.expect("solid");
  t.skipLine();
  while (true) {
    const std::string_view key = t.word();
    if (key == "endsolid") {
      t.skipLine();
      if (t.atEnd()) return;
      t.expect("solid");
      t.skipLine();
      continue;
    }
    if (key != "facet") t.fail("expected \"facet\" or \"endsolid\"");
    t.skipLine();  // the normal follows from the corners
    t.expect("outer");
    t.expect("loop");
    Vec3d corner[3];
    for (Vec3d& c : corner) {
      t.expect("vertex");
      c = t.point("a vertex coordinate");
    }
    t.expect("endloop");
    t.expect("endfacet");
    appendSoup(m, corner);
  }
}

// 80 bytes of header, a count, then 50 bytes a triangle: normal, three corners, two bytes.
void readBinaryStl(MeshFile& m, const std::string& text) {
  const std::size_t count = loadBytes<std::uint32_t>(text.data() + 80, false);
  if (text.size() < 84 + 50 * count)
    throw Error(ErrorKind::input, fmt::format("{}: announces {} faces ({} bytes), but has {} bytes; it is truncated or damaged",
                                              m.path, count, 84 + 50 * count, text.size()));
  for (std::size_t f = 0; f < count; ++f) {
    Vec3d corner[3];
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) {
        const double v = double(loadBytes<float>(text.data() + 84 + 50 * f + 12 + 12 * std::size_t(k) + 4 * std::size_t(c), false));
        if (!std::isfinite(v))
          throw Error(ErrorKind::input, fmt::format("{}: face {} has a coordinate that is not finite", m.path, f));
        corner[k][c] = v;
      }
    appendSoup(m, corner);
  }
}

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64, none };

PlyType plyType(std::string_view w) {
  static const std::pair<const char*, PlyType> names[] = {
      {"char", PlyType::int8},     {"int8", PlyType::int8},       {"uchar", PlyType::uint8},    {"uint8", PlyType::uint8},
      {"short", PlyType::int16},   {"int16", PlyType::int16},     {"ushort", PlyType::uint16},  {"uint16", PlyType::uint16},
      {"int", PlyType::int32},     {"int32", PlyType::int32},     {"uint", PlyType::uint32},    {"uint32", PlyType::uint32},
      {"float", PlyType::float32}, {"float32", PlyType::float32}, {"double", PlyType::float64}, {"float64", PlyType::float64}};
  for (const auto& [name, type] : names)
    if (w == name) return type;
  return PlyType::none;
}

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::none, count = PlyType::none;  // count: of a list
};
struct PlyElement {
  std::string name;
  long long count = 0;
  std::vector<PlyProperty> properties;
};

// The values behind the header, as text or binary.
class PlyValues {
 public:
  PlyValues(const MeshFile& m, MeshText& text, std::string_view bytes, bool binary, bool bigEndian)
      : m_(m), text_(text), bytes_(bytes), binary_(binary), big_(bigEndian) {}
  double next(PlyType type) {
    if (!binary_) return text_.number("a property");
    switch (type) {
      case PlyType::int8:
        return take<std::int8_t>();
      case PlyType::uint8:
        return take<std::uint8_t>();
      case PlyType::int16:
        return take<std::int16_t>();
      case PlyType::uint16:
        return take<std::uint16_t>();
      case PlyType::int32:
        return take<std::int32_t>();
      case PlyType::uint32:
        return take<std::uint32_t>();
      case PlyType::float32:
        return double(take<float>());
      default:
        return take<double>();
    }
  }
  std::size_t left() const { return binary_ ? bytes_.size() - at_ : text_.size() - text_.offset(); }
  [[noreturn]] void fail(const std::string& what) const {
    if (!binary_) text_.fail(what);
    throw Error(ErrorKind::input, fmt::format("{}: {}", m_.path, what));
  }

 private:
  template <class T>
  T take() {
    if (bytes_.size() - at_ < sizeof(T)) fail("the file ends too early; it is truncated or its counts are too large");
    const T v = loadBytes<T>(bytes_.data() + at_, big_);
    at_ += sizeof(T);
    return v;
  }
  const MeshFile& m_;
  MeshText& text_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool binary_, big_;
};

void readPlyVertex(MeshFile& m, const PlyElement& e, PlyValues& values, long long i) {
  Vec3d x{};
  for (const PlyProperty& p : e.properties) {
    if (p.count != PlyType::none) values.fail("vertices with lists are not read");
    const double v = values.next(p.type);
    if (p.name.size() != 1 || p.name[0] < 'x' || p.name[0] > 'z') continue;
    if (!std::isfinite(v)) values.fail(fmt::format("vertex {} has a coordinate that is not finite", i));
    x[p.name[0] - 'x'] = v;
  }
  m.x.push_back(x);
}

void readPlyFace(MeshFile& m, const PlyElement& e, PlyValues& values, long long i) {
  std::vector<Index> v;
  for (const PlyProperty& p : e.properties) {
    const bool corners = p.name == "vertex_indices" || p.name == "vertex_index";
    if (p.count == PlyType::none) {
      values.next(p.type);
      continue;
    }
    const double n = values.next(p.count);
    if (!(n >= 0) || n > double(values.left()) || n != std::floor(n))
      values.fail(fmt::format("face {} announces {} corners; the file is truncated or damaged", i, n));
    for (double k = 0; k < n; ++k) {
      const double at = values.next(p.type);
      if (!corners) continue;
      if (!(at >= 0 && at < double(m.x.size())) || at != std::floor(at))
        values.fail(fmt::format("face {} names vertex {}, which is out of range; there are {}", i, at, m.x.size()));
      v.push_back(Index(at));
    }
  }
  if (v.size() >= 3) appendPolygon(m, v, Index(i));
}

std::vector<PlyElement> readPlyHeader(MeshText& t, bool& binary, bool& big) {
  t.expect("ply");
  t.skipLine();
  std::vector<PlyElement> elements;
  bool format = false;
  while (true) {
    const std::string_view key = t.word();
    if (key == "end_header") {
      if (!format) t.fail("the header has no \"format\" line");
      t.skipLine();
      return elements;
    }
    if (key == "format") {
      const std::string_view f = t.word();
      if (f != "ascii" && f != "binary_little_endian" && f != "binary_big_endian") t.fail("unknown format");
      binary = f != "ascii";
      big = f == "binary_big_endian";
      format = true;
    } else if (key == "element") {
      PlyElement e;
      e.name = std::string(t.word());
      e.count = t.integer("the count of an element", 0, kMost);
      elements.push_back(e);
    } else if (key == "property") {
      if (elements.empty()) t.fail("a property stands before any element");
      PlyProperty p;
      std::string_view type = t.word();
      if (type == "list") {
        p.count = plyType(t.word());
        if (p.count == PlyType::none) t.fail("unknown type of a list's count");
        type = t.word();
      }
      p.type = plyType(type);
      if (p.type == PlyType::none) t.fail("unknown type of a property");
      p.name = std::string(t.word());
      elements.back().properties.push_back(p);
    } else if (key != "comment" && key != "obj_info") {
      t.fail("unknown line in the header");
    }
    t.skipLine();
  }
}

}  // namespace

bool isBinaryStl(const std::string& bytes) {
  return bytes.size() >= 84 && bytes.size() == 84 + 50 * std::size_t(loadBytes<std::uint32_t>(bytes.data() + 80, false));
}

void readStl(MeshFile& m, const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const bool solid = text.compare(begin, 5, "solid") == 0 && text.find('\0') == std::string::npos;
  if (solid && !isBinaryStl(text)) return readTextStl(m, text);
  if (text.size() < 84) throw Error(ErrorKind::input, m.path + ": is too short for an STL file; it is truncated or damaged");
  readBinaryStl(m, text);
}

void readPly(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, 0);
  bool binary = false, big = false;
  const std::vector<PlyElement> elements = readPlyHeader(t, binary, big);
  PlyValues values(m, t, std::string_view(text).substr(t.offset()), binary, big);
  bool vertices = false;
  for (const PlyElement& e : elements) {
    // every property takes a byte at least, in text as in binary
    if (!e.properties.empty() && double(e.count) * double(e.properties.size()) > double(values.left()))
      values.fail(
          fmt::format("the header announces {} of \"{}\", more than the rest of the file can hold; it is truncated or damaged",
                      e.count, e.name));
    for (long long i = 0; i < e.count && !e.properties.empty(); ++i) {
      if (e.name == "vertex")
        readPlyVertex(m, e, values, i);
      else
        readPlyFace(m, e, values, i);  // other elements have no vertex indices and add nothing
    }
    vertices = vertices || e.name == "vertex";
  }
  if (!vertices) throw Error(ErrorKind::input, m.path + ": has no element \"vertex\"");
}

}  // namespace meniscus
