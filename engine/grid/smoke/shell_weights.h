// The velocity of a shell at the faces that it closes, as means over its nodes: u = W V, one row of W a face. The same W transposed
// gives the faces' impulses to the nodes. Rows sum to 1, so that the sum of the impulses stays what it was.
//
// Based on: Robinson-Mosher et al., Two-way coupling of fluids to rigid and deformable solids and shells, 2008, section 4.
#pragma once

#include "engine/grid/smoke/shell_faces.h"

namespace meniscus {

enum class WeightRule {
  dualCell,  // the mean over the part of the shell inside the face's dual cell; where that has no part, as `crossing`
  crossing   // the mean over the points where the segment between the centres crosses the shell
};

struct ShellWeights {
  std::vector<Index> begin;  // of each row, and the end
  std::vector<Index> node;
  std::vector<double> weight;

  // What a face has beside its row, of any coordinate of a node: see narrow_gaps.h.
  struct Across {
    Index row, coordinate;  // D a node
    double weight;
  };
  std::vector<Across> across;

  Index rows() const { return Index(begin.size()) - 1; }
};

// Which elements belong to closed surfaces with a solid inside, and which cells are in them; see findFilledCells. Null, or empty:
// none.
struct FilledParts {
  const std::vector<char>*element = nullptr, *cell = nullptr;
  bool any() const { return element && cell && !element->empty() && !cell->empty(); }
};

// Between a filled cell and another one it is the filled solid that moves the fluid: of a sheet that lies on it, with less than a
// cell between, no cell knows the other side, and the fluid has one pressure on both.
template <int D>
ShellWeights shellWeights(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                          const ShellFaces<D>& faces, WeightRule rule, const FilledParts& filled = {});

// u_f = sum_a W_fa v_a . e_f, and what is `across`. v: D a node. u: one a row.
template <int D>
void applyWeights(const ShellWeights& w, const ShellFaces<D>& faces, const std::vector<double>& v, std::vector<double>& u);
// Adds W^T i to j: D a node.
template <int D>
void applyTransposed(const ShellWeights& w, const ShellFaces<D>& faces, const std::vector<double>& i, std::vector<double>& j);

}  // namespace meniscus
