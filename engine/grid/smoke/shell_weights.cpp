#include "engine/grid/smoke/shell_weights.h"

#include "engine/grid/smoke/element_clip.h"

namespace meniscus {
namespace {

struct Row {
  std::vector<std::pair<Index, double>> entries;  // node, weight; a node once
  void add(Index node, double weight) {
    for (auto& [n, w] : entries)
      if (n == node) {
        w += weight;
        return;
      }
    entries.emplace_back(node, weight);
  }
  double sum() const {
    double s = 0;
    for (const auto& e : entries) s += e.second;
    return s;
  }
};

template <int D>
void addClipped(const MacGrid<D>& g, const ShellFace<D>& face, const std::array<Index, D>& element, const std::vector<double>& x,
                Row& row) {
  const std::array<double, D> w = partInDualCell<D>(g, g.faceCentre(face.axis, face.cell), element, x);
  for (std::size_t i = 0; i < D; ++i)
    if (w[i] > 0) row.add(element[i], w[i]);
}

// The closed faces whose dual cells the element's box meets.
template <int D>
void addElement(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::array<Index, D>& element, const std::vector<double>& x,
                const std::vector<char>& leftOut, std::vector<Row>& rows) {
  Point<D> low = nodeOf<D>(x, element[0]), high = low;
  for (const Index i : element) {
    const Point<D> p = nodeOf<D>(x, i);
    for (std::size_t a = 0; a < D; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  Cell<D> lower, upper;
  for (std::size_t a = 0; a < D; ++a) {
    const double l = std::floor((low[a] - g.origin[a]) / g.dx - 1), u = std::ceil((high[a] - g.origin[a]) / g.dx + 1);
    lower[a] = Index(std::clamp(l, 0.0, double(g.n[a])));
    upper[a] = Index(std::clamp(u, 0.0, double(g.n[a])));
  }
  for (Cell<D> c = lower;;) {
    for (int axis = 0; axis < D; ++axis) {
      bool inside = true;
      for (std::size_t a = 0; a < D; ++a) inside = inside && c[a] < g.n[a] + Index(int(a) == axis);
      const Index r = inside ? faces.row[axis][std::size_t(g.face(axis, c))] : -1;
      if (r >= 0 && (leftOut.empty() || !leftOut[std::size_t(r)]))
        addClipped<D>(g, faces.face[std::size_t(r)], element, x, rows[std::size_t(r)]);
    }
    std::size_t a = 0;
    for (; a < D && c[a] == upper[a]; ++a) c[a] = lower[a];
    if (a == D) return;
    ++c[a];
  }
}

// 1 for the faces between a filled cell and another one.
template <int D>
std::vector<char> rowsOfSolids(const MacGrid<D>& g, const ShellFaces<D>& faces, const FilledParts& filled) {
  std::vector<char> rows;
  if (!filled.any()) return rows;
  for (const ShellFace<D>& f : faces.face) {
    const Offset upper = g.cell(f.cell), lower = upper - g.cellStride(f.axis);
    rows.push_back((*filled.cell)[std::size_t(upper)] != (*filled.cell)[std::size_t(lower)]);
  }
  return rows;
}

}  // namespace

template <int D>
ShellWeights shellWeights(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                          const ShellFaces<D>& faces, WeightRule rule, const FilledParts& filled) {
  std::vector<Row> rows(faces.face.size());
  const std::vector<char> ofSolids = rowsOfSolids(grid, faces, filled), all;
  const auto leftOut = [&](Index element) -> const std::vector<char>& {
    return !ofSolids.empty() && !(*filled.element)[std::size_t(element)] ? ofSolids : all;
  };
  if (rule == WeightRule::dualCell)
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) addElement<D>(grid, faces, mesh.elements[e], x, leftOut(Index(e)), rows);
  // too little to divide by is a shell that only touches the dual cell
  std::vector<char> empty(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) empty[r] = !(rows[r].sum() > 1e-9 * (D == 2 ? grid.dx : grid.dx * grid.dx));
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (empty[r]) rows[r].entries.clear();
  for (const ShellCrossing<D>& c : faces.crossing)
    if (empty[std::size_t(c.row)] && (leftOut(c.element).empty() || !ofSolids[std::size_t(c.row)]))
      for (std::size_t i = 0; i < D; ++i) rows[std::size_t(c.row)].add(mesh.elements[std::size_t(c.element)][i], c.barycentric[i]);
  ShellWeights w;
  w.begin.push_back(0);
  for (const Row& row : rows) {
    const double sum = row.sum();
    for (const auto& [node, weight] : row.entries) {
      w.node.push_back(node);
      w.weight.push_back(weight / sum);
    }
    w.begin.push_back(Index(w.node.size()));
  }
  return w;
}

template <int D>
void applyWeights(const ShellWeights& w, const ShellFaces<D>& faces, const std::vector<double>& v, std::vector<double>& u) {
  u.assign(faces.face.size(), 0);
  for (std::size_t r = 0; r < u.size(); ++r)
    for (Index k = w.begin[r]; k < w.begin[r + 1]; ++k)
      u[r] += w.weight[std::size_t(k)] * v[std::size_t(w.node[std::size_t(k)]) * D + std::size_t(faces.face[r].axis)];
  for (const ShellWeights::Across& a : w.across) u[std::size_t(a.row)] += a.weight * v[std::size_t(a.coordinate)];
}

template <int D>
void applyTransposed(const ShellWeights& w, const ShellFaces<D>& faces, const std::vector<double>& i, std::vector<double>& j) {
  for (std::size_t r = 0; r < i.size(); ++r)
    for (Index k = w.begin[r]; k < w.begin[r + 1]; ++k)
      j[std::size_t(w.node[std::size_t(k)]) * D + std::size_t(faces.face[r].axis)] += w.weight[std::size_t(k)] * i[r];
  for (const ShellWeights::Across& a : w.across) j[std::size_t(a.coordinate)] += a.weight * i[std::size_t(a.row)];
}

#define MNS_INSTANTIATE(D)                                                                                                        \
  template ShellWeights shellWeights<D>(const MacGrid<D>&, const ShellMesh<D>&, const std::vector<double>&, const ShellFaces<D>&, \
                                        WeightRule, const FilledParts&);                                                          \
  template void applyWeights<D>(const ShellWeights&, const ShellFaces<D>&, const std::vector<double>&, std::vector<double>&);     \
  template void applyTransposed<D>(const ShellWeights&, const ShellFaces<D>&, const std::vector<double>&, std::vector<double>&);
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus
