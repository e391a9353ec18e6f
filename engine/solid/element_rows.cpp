// Tetrahedra and membrane triangles in the joint pressure solve: the second-order model of their energy.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/solid/evaluate.h"
#include "engine/solid/row_append.h"
#include "kernels/solid/elastic_modes.h"

namespace meniscus {
namespace {

// Deformation gradient of an element and the gradients of its nodes by it: dF = sum_n dx_n b_n^T.
struct ElementShape {
  int nodes;
  Vec3d b[4];   // 1/m
  double size;  // m^3; m^2 of a membrane

  Mat3d deformation(const Constraint& c, const Buffer<Vec3d>& x) const {
    Mat3d f{};
    for (int n = 1; n < nodes; ++n) f = f + Mat3d::outer(x[c.node[n]] - x[c.node[0]], b[n]);
    return f;
  }
  // d(q : F) / dx_n
  void gradients(const Mat3d& q, Vec3d* grad) const {
    for (int n = 0; n < nodes; ++n) grad[n] = q * b[n];
  }
};

ElementShape shapeOf(const Constraint& c, const double* rest) {
  ElementShape e;
  if (c.type == ConstraintType::membrane) {
    const double* m = rest + c.rest;
    e.nodes = 3;
    e.b[1] = {m[0], m[1], 0};
    e.b[2] = {m[2], m[3], 0};
    e.b[0] = -(e.b[1] + e.b[2]);
    e.b[3] = {};
    e.size = 0.5 / std::fabs(m[0] * m[3] - m[1] * m[2]);
  } else {
    const TetShape<double> t = TetShape<double>::fromRest(rest + c.rest);
    e.nodes = 4;
    for (int n = 0; n < 3; ++n) e.b[n + 1] = t.inv.r[n];
    e.b[0] = -(e.b[1] + e.b[2] + e.b[3]);
    e.size = 1 / (6 * std::fabs(determinant(t.inv)));
  }
  return e;
}

// dC/dF of a constraint of the element, from the gradients of its nodes.
Mat3d stressDirection(const ConstraintValue& v, const ElementShape& e) {
  if (e.nodes == 3) {  // in the plane of the rest shape
    const double det = e.b[1].x * e.b[2].y - e.b[1].y * e.b[2].x;
    const Vec3d p0 = (v.grad[1] * e.b[2].y - v.grad[2] * e.b[1].y) / det, p1 = (v.grad[2] * e.b[1].x - v.grad[1] * e.b[2].x) / det;
    return Mat3d::columns(p0, p1, {});
  }
  // grad_n = P b_n, n = 1..3
  return Mat3d::columns(v.grad[1], v.grad[2], v.grad[3]) * inverse(Mat3d::columns(e.b[1], e.b[2], e.b[3]));
}

double contract(const Mat3d& a, const Mat3d& b) { return dot(a.r[0], b.r[0]) + dot(a.r[1], b.r[1]) + dot(a.r[2], b.r[2]); }

}  // namespace

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

// What the rows of an element are made of, at s.x.
struct ElementModel {
  ElementShape shape;
  ElasticModes<double> modes;
  Mat3d moved;   // change of the deformation gradient since the start of the step
  Mat3d stress;  // of the last solve
};

ElementModel modelOf(const SolidState& s, Index i, Index hydrostatic) {
  const Constraint& c = s.constraints.items[i];
  ElementModel m{shapeOf(c, s.rest.data()), {}, {}, {}};
  const ElementShape& shape = m.shape;
  const double mu = 1 / (double(c.compliance) * shape.size);
  const double lame = hydrostatic >= 0 ? 1 / (double(s.constraints.items[hydrostatic].compliance) * shape.size) : 0;
  const Mat3d f = shape.deformation(c, s.x);
  m.moved = f - shape.deformation(c, s.xPrev);
  m.modes = c.type == ConstraintType::membrane ? membraneModes(f, mu) : stableNeoHookeanModes(f, mu, lame);
  for (const Index k : {i, hydrostatic}) {
    if (k < 0 || s.constraints.lambda[k] == 0) continue;
    ConstraintValue v;
    evaluateConstraint(s.constraints.items[k], s.rest.data(), s.x.data(), v);
    m.stress = m.stress + stressDirection(v, shape) * s.constraints.lambda[k];
  }
  return m;
}

struct EvaluateElements {
  const SolidState* solid;
  const Index *element, *partner;
  ElementModel* model;
  void operator()(Index k) const { model[k] = modelOf(*solid, element[k], partner[element[k]]); }
};

void appendElement(const SolidState& s, Index i, const ElementModel& m, double dt, RowList& out) {
  const Constraint& c = s.constraints.items[i];
  const ElementShape& shape = m.shape;
  const ElasticModes<double>& modes = m.modes;
  const Index hydrostatic = out.partner[std::size_t(i)];
  ElasticElement element{i, hydrostatic, Index(out.rows.size()), 0, Index(out.modes.size()), Mat3d{}};
  const double scale = shape.size * dt * dt;
  for (int k = 0; k < modes.count; ++k) {
    Vec3d grad[4];
    const Mat3d& q = modes.direction[k];
    shape.gradients(q, grad);
    const double h = modes.stiffness[k];
    if (h > 0) {
      const CompliantValue v = damped(modes.slope[k] / h, 1 / (scale * h), c.damping / dt, contract(q, m.moved));
      switch (appendRow(s, c.node, grad, shape.nodes, {kModeRow, 0, 0, v.C, v.alphaTilde, contract(q, m.stress)}, out)) {
        case Appended::weak:
          element.taken = element.taken + q * v.multiplier();
          break;
        case Appended::row:
          out.modes.push_back(q);
          break;
        case Appended::none:  // nothing that it would move is free
          break;
      }
      continue;
    }
    // the stress of a mode that gives way is taken as it is: the solve stays positive definite
    const double lambda = -scale * modes.slope[k];
    element.taken = element.taken + q * lambda;
    for (int n = 0; n < shape.nodes && lambda != 0; ++n)
      if (s.w[c.node[n]] > 0) out.weakImpulses.push_back({c.node[n], grad[n] * lambda});
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

// What the solve's stress differs from that of the law at s.x goes to the multipliers, by least squares. Where the strain is a pure
// dilation or nothing, both constraints have one direction; the bound keeps the multipliers from growing against each other there.
void storeElement(SolidState& s, const RowList& rows, const ElasticElement& e, double dt, const double* lambda) {
  constexpr double kBound = 1e-3;
  const ElementShape shape = shapeOf(s.constraints.items[e.constraint], s.rest.data());
  Mat3d stress = e.taken, direction[2];
  for (Index r = e.rowBegin; r < e.rowEnd; ++r) stress = stress + rows.modes[std::size_t(e.firstMode + r - e.rowBegin)] * lambda[r];
  const Index index[2] = {e.constraint, e.hydrostatic};
  const int parts = e.hydrostatic < 0 ? 1 : 2;
  for (int k = 0; k < parts; ++k) {
    const Constraint& c = s.constraints.items[index[k]];
    ConstraintValue v;
    evaluateConstraint(c, s.rest.data(), s.x.data(), v);
    direction[k] = stressDirection(v, shape);
    s.constraints.lambda[index[k]] = -v.C * dt * dt / c.compliance;
    stress = stress - direction[k] * s.constraints.lambda[index[k]];
  }
  const double a = contract(direction[0], direction[0]) * (1 + kBound), b = contract(direction[0], direction[1]),
               c = contract(direction[1], direction[1]) * (1 + kBound), f = contract(direction[0], stress),
               g = contract(direction[1], stress);
  if (a > 0 && c > 0) {
    const double det = a * c - b * b;
    s.constraints.lambda[e.constraint] += (f * c - g * b) / det;
    s.constraints.lambda[e.hydrostatic] += (g * a - f * b) / det;
  } else if (a > 0) {
    s.constraints.lambda[e.constraint] += f / a;
  } else if (c > 0) {
    s.constraints.lambda[e.hydrostatic] += g / c;
  }
}

}  // namespace meniscus
