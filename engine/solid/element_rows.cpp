// Tetrahedra and membrane triangles in the joint pressure solve: the second-order model of their energy.
#include <algorithm>
#include <vector>

#include "engine/solid/row_append.h"
#include "kernels/solid/element_model.h"

namespace meniscus {
bool hasModes(const Constraint& c) { return c.stiffness < 0 && (isElement(c) || c.type == ConstraintType::tetHydrostatic); }

bool isElement(const Constraint& c) {
  return c.stiffness < 0 && (c.type == ConstraintType::tetDeviatoric || c.type == ConstraintType::membrane);
}

void findPartners(const SolidState& s, std::vector<Index>& partner) {
  const std::size_t n = s.constraints.items.size();
  if (partner.size() == n) return;
  partner.assign(n, -1);
  std::vector<Index> byRest(s.rest.size(), -1);
  for (std::size_t i = 0; i < n; ++i) {
    const Constraint& c = s.constraints.items[i];
    if (c.type == ConstraintType::tetHydrostatic) byRest[std::size_t(c.rest)] = Index(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Constraint& c = s.constraints.items[i];
    if (c.type == ConstraintType::tetDeviatoric) partner[i] = byRest[std::size_t(c.rest)];
  }
}

namespace {

static_assert(int(ConstraintType::membrane) == kMembraneKind && int(ConstraintType::tetDeviatoric) == kDeviatoricKind &&
              int(ConstraintType::tetHydrostatic) == kHydrostaticKind);

// hydrostatic: index into constraints.items, or -1
ElementParts partsOf(const SolidState& s, Index i, Index hydrostatic) {
  const Constraint& c = s.constraints.items[i];
  const double other = hydrostatic >= 0 ? double(s.constraints.items[hydrostatic].compliance) : 0;
  return {c.node, int(c.type), s.rest.data() + c.rest, hydrostatic >= 0 ? 2 : 1, {double(c.compliance), other}, c.damping};
}

struct EvaluateElements {
  const SolidState* solid;
  const Index *element, *partner;
  ElementModel* model;
  void operator()(Index k) const {
    const SolidState& s = *solid;
    const Index i = element[k], other = partner[i];
    const double lambda[2] = {s.constraints.lambda[i], other >= 0 ? s.constraints.lambda[other] : 0};
    model[k] = ElementModel::of(partsOf(s, i, other), s.x.data(), s.xPrev.data(), lambda);
  }
};

void appendElement(const SolidState& s, Index i, const ElementModel& m, double dt, RowList& out) {
  const Constraint& c = s.constraints.items[i];
  const Index hydrostatic = out.partner[std::size_t(i)];
  const ElementParts parts = partsOf(s, i, hydrostatic);
  const EdgePlaces at{s.x.data(), s.xPrev.data(), s.w.data(), dt, s.work.solvable};
  ElasticElement element{i, hydrostatic, Index(out.rows.size()), 0, Index(out.modes.size()), Mat3d{}};
  for (int k = 0; k < m.modes.count; ++k) {
    const ModeRow mode = ModeRow::of(m, k, parts, at);
    if (mode.outcome == RowOutcome::none) continue;  // nothing that it would move is free
    const Mat3d& q = m.modes.direction[k];
    if (mode.explicitly) element.taken = element.taken + q * mode.lambda;
    const Index begin = Index(out.entries.size());
    for (int n = 0; n < m.shape.nodes && !(mode.explicitly && mode.lambda == 0); ++n) {
      if (s.w[c.node[n]] <= 0) continue;
      if (mode.explicitly)
        out.weakImpulses.push_back({c.node[n], mode.row.grad[n] * mode.lambda});
      else
        out.entries.push_back({c.node[n], mode.row.grad[n]});
    }
    if (mode.explicitly) continue;
    out.rows.push_back({kModeRow, begin, Index(out.entries.size()), mode.row.C, mode.row.alphaTilde, mode.lambda});
    out.modes.push_back(q);
  }
  element.rowEnd = Index(out.rows.size());
  out.elements.push_back(element);
}

}  // namespace

// Singular values and eigenvectors of the elements take most of the time and do not depend on each other; the lists are filled in
// order.
void addElements(Exec& exec, const SolidState& s, double dt, RowList& out) {
  constexpr Index kAtOnce = 512, kGrain = 32;
  std::vector<ElementModel>& models = exec.perThread<std::vector<ElementModel>>()[0];  // of the launching thread
  models.resize(kAtOnce);
  const Index n = Index(out.element.size());
  for (Index first = 0; first < n; first += kAtOnce) {
    const Index count = std::min(kAtOnce, n - first);
    parallelFor(exec, "rows: elements", count,
                EvaluateElements{&s, &out.element[std::size_t(first)], out.partner.data(), models.data()}, kGrain);
    for (Index k = 0; k < count; ++k) appendElement(s, out.element[std::size_t(first + k)], models[std::size_t(k)], dt, out);
  }
}

void storeElement(SolidState& s, const RowList& rows, const ElasticElement& e, double dt, const double* lambda) {
  Mat3d stress = e.taken;
  for (Index r = e.rowBegin; r < e.rowEnd; ++r) stress = stress + rows.modes[std::size_t(e.firstMode + r - e.rowBegin)] * lambda[r];
  const ElementParts parts = partsOf(s, e.constraint, e.hydrostatic);
  Vec3d x[4];
  for (int n = 0; n < (parts.membrane() ? 3 : 4); ++n) x[n] = s.x[parts.node[n]];
  double stored[2];
  elementMultipliers(parts, x, dt, stress, stored);
  s.constraints.lambda[e.constraint] = stored[0];
  if (e.hydrostatic >= 0) s.constraints.lambda[e.hydrostatic] = stored[1];
}

}  // namespace meniscus
