// How a row gets into the list of rows of the joint solve.
#pragma once

#include "engine/solid/solid.h"
#include "kernels/solid/linearise_edge.h"

namespace meniscus {

enum class Appended { none, weak, row };

// Appends the row with entries for the free ones of its nodes, unless none has a hold on it; or, if it is weak, its impulses.
inline Appended appendRow(const SolidState& s, const Index* node, const Vec3d* grad, int nodes, ConstraintRow row, RowList& out) {
  double gWg = 0, freeGrad2 = 0, allGrad2 = 0;
  for (int n = 0; n < nodes; ++n) {
    const double grad2 = norm2(grad[n]);
    gWg += s.w[node[n]] * grad2;
    allGrad2 += grad2;
    if (s.w[node[n]] > 0) freeGrad2 += grad2;
  }
  if (!(gWg > 0) || !hasHold(freeGrad2, allGrad2)) return Appended::none;
  row.alphaTilde = Xpbd<double>::solvableAlphaTilde(row.alphaTilde, s.work.solvable, gWg);
  const bool weak = isWeak(gWg, row.alphaTilde);
  const double lambda = weak ? -row.C / row.alphaTilde : 0;
  row.begin = Index(out.entries.size());
  for (int n = 0; n < nodes; ++n) {
    if (s.w[node[n]] <= 0) continue;
    if (weak)
      out.weakImpulses.push_back({node[n], grad[n] * lambda});
    else
      out.entries.push_back({node[n], grad[n]});
  }
  if (weak) return Appended::weak;
  row.end = Index(out.entries.size());
  out.rows.push_back(row);
  return Appended::row;
}

// ---- elements with an energy: element_rows.cpp ----

// Constraints that enter through the rows of an element, and among them those that stand for one.
bool hasModes(const Constraint& c);
bool isElement(const Constraint& c);
// The hydrostatic part of each deviatoric constraint: the two share their rest data.
void findPartners(const SolidState& s, std::vector<Index>& partner);
void addElements(Exec& exec, const SolidState& s, double dt, RowList& out);
// Multipliers of the element's constraints that come closest to its stress in the solve, at s.x.
void storeElement(SolidState& s, const RowList& rows, const ElasticElement& e, double dt, const double* lambda);

}  // namespace meniscus
