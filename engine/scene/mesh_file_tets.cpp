// Volume formats: Gmsh MSH, VTK legacy, TetGen.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/scene/mesh_bytes.h"
#include "engine/scene/mesh_file_formats.h"
#include "engine/scene/mesh_text.h"

namespace meniscus {

namespace {

constexpr long long kMost = std::numeric_limits<Index>::max();
constexpr long long kAnything = std::numeric_limits<long long>::max();
// element types of Gmsh with their number of nodes; the rest of the nodes of higher orders are no corners
constexpr long long kGmshTriangle = 2, kGmshTet = 4;

int gmshNodes(long long type) {
  static const int nodes[] = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
  return type >= 1 && type < 20 ? nodes[type] : 0;
}

// Node tags of a file that numbers its nodes freely.
class Tags {
 public:
  void add(MeshText& t, long long tag, Index node) {
    if (!known_.emplace(tag, node).second) t.fail(fmt::format("node {} is defined twice", tag));
  }
  Index at(MeshText& t, long long tag) const {
    const auto it = known_.find(tag);
    if (it == known_.end()) t.fail(fmt::format("an element names node {}, which is not defined", tag));
    return it->second;
  }

 private:
  std::unordered_map<long long, Index> known_;
};

void addElement(MeshFile& m, MeshText& t, const Tags& tags, long long type, Index number) {
  const int n = gmshNodes(type);
  if (n == 0) t.fail(fmt::format("element type {} is unknown", type));
  Index v[4] = {};
  for (int k = 0; k < n; ++k) {
    const Index node = tags.at(t, t.integer("a node number", -kAnything, kAnything));
    if (k < 4) v[k] = node;
  }
  if (type == kGmshTet) m.tet.insert(m.tet.end(), v, v + 4);
  if (type == kGmshTriangle) {
    m.tri.insert(m.tri.end(), v, v + 3);
    m.face.push_back(number);
  }
}

void readMsh2(MeshFile& m, MeshText& t, Tags& tags, std::string_view section) {
  if (section == "$Nodes") {
    const long long n = t.integer("the number of nodes", 0, kMost);
    checkCount(t, n, 8, "nodes");
    for (long long i = 0; i < n; ++i) {
      tags.add(t, t.integer("a node number", -kAnything, kAnything), Index(i));
      m.x.push_back(t.point("a node coordinate"));
    }
    return;
  }
  const long long n = t.integer("the number of elements", 0, kMost);
  checkCount(t, n, 6, "elements");
  for (long long i = 0; i < n; ++i) {
    t.integer("an element number", -kAnything, kAnything);
    const long long type = t.integer("an element type", 1, 1000), extra = t.integer("the number of tags", 0, 1000);
    for (long long k = 0; k < extra; ++k) t.integer("a tag", -kAnything, kAnything);
    addElement(m, t, tags, type, Index(i));
  }
}

void readMsh4(MeshFile& m, MeshText& t, Tags& tags, std::string_view section) {
  const bool nodes = section == "$Nodes";
  const long long blocks = t.integer("the number of blocks", 0, kMost),
                  total = t.integer(nodes ? "the number of nodes" : "the number of elements", 0, kMost);
  t.integer("the least tag", -kAnything, kAnything);
  t.integer("the greatest tag", -kAnything, kAnything);
  checkCount(t, total, 4, nodes ? "nodes" : "elements");
  long long done = 0;
  std::vector<long long> tag;
  for (long long b = 0; b < blocks; ++b) {
    t.integer("an entity's dimension", 0, 3);
    t.integer("an entity's tag", -kAnything, kAnything);
    const long long typeOrParametric = t.integer(nodes ? "the parametric flag" : "an element type", nodes ? 0 : 1, 1000);
    const long long n = t.integer("the size of a block", 0, total - done);
    done += n;
    if (!nodes) {
      for (long long i = 0; i < n; ++i) {
        t.integer("an element number", -kAnything, kAnything);
        addElement(m, t, tags, typeOrParametric, Index(done - n + i));
      }
      continue;
    }
    if (typeOrParametric != 0) t.fail("parametric nodes are not read; save the mesh without them");
    tag.clear();
    for (long long i = 0; i < n; ++i) tag.push_back(t.integer("a node number", -kAnything, kAnything));
    for (long long i = 0; i < n; ++i) {
      tags.add(t, tag[std::size_t(i)], Index(m.x.size()));
      m.x.push_back(t.point("a node coordinate"));
    }
  }
}

}  // namespace

void readMsh(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, 0);
  t.expect("$MeshFormat");
  const double version = t.number("the format version");
  const bool two = version >= 2 && version < 3, four = version >= 4.1 && version < 5;
  if (!two && !four) t.fail(fmt::format("format version {:g} is not read; save it as 2.2 or 4.1", version));
  if (t.integer("the file type", 0, 1) != 0) t.fail("binary MSH files are not read; save it as ASCII");
  Tags tags;
  bool nodes = false, elements = false;
  while (!t.atEnd()) {
    const std::string section(t.word());
    const bool isNodes = section == "$Nodes", isElements = section == "$Elements";
    if (!isNodes && !isElements) {
      t.skipLine();
      continue;
    }
    if (isElements && !nodes) t.fail("elements stand before the nodes");
    (two ? readMsh2 : readMsh4)(m, t, tags, section);
    t.expect(isNodes ? "$EndNodes" : "$EndElements");
    nodes = nodes || isNodes;
    elements = elements || isElements;
  }
  if (!elements) t.fail("the file has no elements; it is truncated");
  if (!m.tet.empty()) {
    // the triangles of a volume mesh are its boundary once more
    m.tri.clear();
    m.face.clear();
  }
}

namespace {

// Values of a VTK legacy file: text, or big-endian binary behind each header line.
class VtkValues {
 public:
  VtkValues(MeshText& t, std::string_view text, bool binary) : t_(t), text_(text), binary_(binary) {}
  // Reads n values of the named type.
  std::vector<double> take(long long n, std::string_view type, const char* what) {
    std::vector<double> v;
    if (!binary_) {
      checkCount(t_, n, 2, what);
      v.reserve(std::size_t(n));
      for (long long k = 0; k < n; ++k) v.push_back(t_.number(what));
      return v;
    }
    const std::size_t size = type == "double" || type == "vtktypeint64" || type == "long"
                                 ? 8
                                 : (type == "float" || type == "int" || type == "unsigned_int" ? 4 : 0);
    if (size == 0) t_.fail(fmt::format("values of type {} are not read", type));
    if (text_.size() - t_.offset() < size * std::size_t(n))
      t_.fail("the file ends too early; it is truncated or its counts are too large");
    v.reserve(std::size_t(n));
    const char* at = text_.data() + t_.offset();
    for (long long k = 0; k < n; ++k, at += size) {
      double x = 0;
      if (type == "double")
        x = loadBytes<double>(at, true);
      else if (type == "float")
        x = double(loadBytes<float>(at, true));
      else if (size == 8)
        x = double(loadBytes<std::int64_t>(at, true));
      else
        x = loadBytes<std::int32_t>(at, true);
      if (!std::isfinite(x)) t_.fail(fmt::format("{} {} is not finite", what, k));
      v.push_back(x);
    }
    t_.skipBytes(size * std::size_t(n));
    return v;
  }

 private:
  MeshText& t_;
  std::string_view text_;
  bool binary_;
};

Index vtkNode(MeshText& t, const MeshFile& m, double v, std::size_t cell) {
  if (!(v >= 0 && v < double(m.x.size())) || v != std::floor(v))
    t.fail(fmt::format("cell {} names point {}, which is out of range; there are {}", cell, v, m.x.size()));
  return Index(v);
}

struct VtkCells {
  std::vector<double> begin, node;  // cell c has the nodes [begin[c], begin[c + 1])
};

// The classic layout: each cell as a count and its nodes.
VtkCells classicCells(MeshText& t, const std::vector<double>& list, long long n) {
  VtkCells c;
  c.begin.push_back(0);
  std::size_t at = 0;
  for (long long k = 0; k < n; ++k) {
    const double size = at < list.size() ? list[at] : -1;
    if (!(size >= 0) || size != std::floor(size) || size > double(list.size() - at - 1))
      t.fail(fmt::format("cell {} does not fit into its list; the file is damaged", k));
    for (std::size_t j = 0; j < std::size_t(size); ++j) c.node.push_back(list[at + 1 + j]);
    at += 1 + std::size_t(size);
    c.begin.push_back(double(c.node.size()));
  }
  return c;
}

VtkCells readVtkCells(MeshText& t, VtkValues& values) {
  const long long n = t.integer("the number of cells", 0, kMost), size = t.integer("the size of the list of cells", 0, kMost);
  t.skipLine();
  if (t.peek() != "OFFSETS") return classicCells(t, values.take(size, "int", "a cell"), n);
  // VTK 5.1: offsets and connectivity
  t.word();
  std::string type(t.word());
  t.skipLine();
  VtkCells c;
  c.begin = values.take(n, type, "an offset");
  t.expect("CONNECTIVITY");
  type = std::string(t.word());
  t.skipLine();
  c.node = values.take(size, type, "a cell's point");
  double last = 0;
  for (const double b : c.begin) {
    if (!(b >= last && b <= double(c.node.size())) || b != std::floor(b))
      t.fail("the offsets of the cells do not ascend; the file is damaged");
    last = b;
  }
  return c;
}

}  // namespace

void readVtk(MeshFile& m, const std::string& text) {
  MeshText t(m.path, text, 0);
  if (t.restOfLine().substr(0, 14) != "# vtk DataFile") t.fail("is no VTK legacy file; XML files (.vtu) are not read");
  t.skipLine();  // title
  const std::string_view kind = t.word();
  if (kind != "ASCII" && kind != "BINARY") t.fail("expected ASCII or BINARY");
  VtkValues values(t, text, kind == "BINARY");
  t.expect("DATASET");
  const std::string set(t.word());
  if (set != "UNSTRUCTURED_GRID" && set != "POLYDATA") t.fail("only UNSTRUCTURED_GRID and POLYDATA are read");
  VtkCells cells;
  std::vector<double> types;
  while (!t.atEnd()) {
    const std::string key(t.word());
    if (key == "POINTS") {
      const long long n = t.integer("the number of points", 0, kMost / 3);
      const std::string type(t.word());
      t.skipLine();
      const std::vector<double> v = values.take(3 * n, type, "a point coordinate");
      for (std::size_t k = 0; k + 2 < v.size(); k += 3) m.x.push_back({v[k], v[k + 1], v[k + 2]});
    } else if (key == "CELLS" || key == "POLYGONS") {
      cells = readVtkCells(t, values);
    } else if (key == "CELL_TYPES") {
      const long long n = t.integer("the number of cell types", 0, kMost);
      t.skipLine();
      types = values.take(n, "int", "a cell type");
    } else if (key == "POINT_DATA" || key == "CELL_DATA") {
      break;  // what follows is about the mesh, not the mesh
    } else {
      t.skipLine();
    }
  }
  const std::size_t n = cells.begin.empty() ? 0 : cells.begin.size() - 1;
  const bool polygons = set == "POLYDATA";
  if (n == 0) t.fail("the file has no cells; it is truncated or empty");
  if (!polygons && types.size() < n) t.fail("the file lacks cell types; it is truncated");
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<Index> v;
    for (std::size_t k = std::size_t(cells.begin[c]); k < std::size_t(cells.begin[c + 1]); ++k)
      v.push_back(vtkNode(t, m, cells.node[k], c));
    const double type = polygons ? 7 : types[c];
    if (type == 10) {
      if (v.size() != 4) t.fail(fmt::format("cell {} is a tetrahedron of {} points", c, v.size()));
      m.tet.insert(m.tet.end(), v.begin(), v.end());
    } else if ((type == 5 || type == 7 || type == 9) && v.size() >= 3) {
      appendPolygon(m, v, Index(c));
    }
  }
  if (!m.tet.empty()) {
    m.tri.clear();
    m.face.clear();
  }
}

void readTetGen(MeshFile& m, const std::string& nodeText, const std::string& eleText, const std::string& elePath) {
  const std::string nodePath = m.path == elePath ? elePath.substr(0, elePath.size() - 4) + ".node" : m.path;
  MeshText t(nodePath, nodeText, '#');
  const long long n = t.integer("the number of nodes", 1, kMost);
  if (t.integer("the dimension", 1, 9) != 3) t.fail("only three dimensions are read");
  const long long attributes = t.integer("the number of attributes", 0, 1000), marker = t.integer("the marker flag", 0, 1);
  checkCount(t, n, 8, "nodes");
  Tags tags;
  for (long long i = 0; i < n; ++i) {
    tags.add(t, t.integer("a node number", 0, kMost), Index(i));
    m.x.push_back(t.point("a node coordinate"));
    for (long long k = 0; k < attributes + marker; ++k) t.number("an attribute");
  }
  MeshText e(elePath, eleText, '#');
  const long long tets = e.integer("the number of tetrahedra", 1, kMost),
                  corners = e.integer("the number of nodes of a tetrahedron", 4, 10);
  const long long extra = e.integer("the number of attributes", 0, 1000);
  checkCount(e, tets, 10, "tetrahedra");
  for (long long i = 0; i < tets; ++i) {
    e.integer("a tetrahedron's number", 0, kMost);
    for (long long k = 0; k < corners; ++k) {
      const Index v = tags.at(e, e.integer("a node number", 0, kMost));
      if (k < 4) m.tet.push_back(v);
    }
    for (long long k = 0; k < extra; ++k) e.number("an attribute");
  }
}

}  // namespace meniscus
