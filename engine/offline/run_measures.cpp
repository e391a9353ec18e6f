// What a run measures of itself, and what its frames show.
#include <cmath>

#include "engine/offline/grid_axes.h"
#include "engine/offline/run_of.h"
#include "engine/solid/strain.h"

namespace meniscus::offline {
namespace {

// Area or volume within elements that are wound outwards, with nodes from `first` on.
double enclosed(const std::vector<std::array<Index, 2>>& elements, const std::vector<double>& x, std::size_t first) {
  double twice = 0;
  for (const auto& e : elements) {
    const Point<2> a = nodeOf<2>(x, Index(first) + e[0]), b = nodeOf<2>(x, Index(first) + e[1]);
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * twice;
}
double enclosed(const std::vector<std::array<Index, 3>>& elements, const std::vector<double>& x, std::size_t first) {
  double six = 0;
  for (const auto& e : elements) {
    Vec3d p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = toScene<3>(nodeOf<3>(x, Index(first) + e[k]));
    six += dot(p[0], cross(p[1], p[2]));
  }
  return six / 6;
}

// The elements of the mouth with their nodes among those of the solid: node -1 is the middle of the others.
std::vector<std::array<Index, 2>> closing(const std::vector<std::array<Index, 2>>& mouth, std::vector<double>&) { return mouth; }
std::vector<std::array<Index, 3>> closing(std::vector<std::array<Index, 3>> mouth, std::vector<double>& x) {
  Point<3> middle{};
  for (const auto& e : mouth)
    for (std::size_t a = 0; a < 3; ++a) middle[a] += nodeOf<3>(x, e[0])[a] / double(mouth.size());
  const Index added = Index(x.size() / 3);
  x.insert(x.end(), middle.begin(), middle.end());
  for (auto& e : mouth) e[2] = added;
  return mouth;
}

}  // namespace

template <int D>
Vec3d RunOf<D>::fluidMomentum() const {
  Vec3d sum{};
  fluid_->eachFace([&](int axis, double u, double mass) { sum[sceneAxis<D>(axis)] += mass * u; });
  return sum;
}

template <int D>
Vec3d RunOf<D>::solidMomentum() const {
  Vec3d sum{};
  for (const SolidReport& s : solids())
    if (s.moves) sum += s.v * s.mass;
  return sum;
}

template <int D>
Vec3d RunOf<D>::sumAtMoving(const std::vector<double>& nodal) const {
  Vec3d sum{};
  std::size_t i = 0;
  for (const SceneSolid<D>& s : solids_)
    for (const std::size_t end = i + s.start.size() * D; i < end; ++i)
      if (!s.isGiven()) sum[sceneAxis<D>(int(i % D))] += nodal[i];
  return sum;
}

template <int D>
double RunOf<D>::kineticEnergy() const {
  double twice = 0;
  fluid_->eachFace([&](int, double u, double mass) { twice += mass * u * u; });
  for (const SceneSolid<D>& s : solids_) {
    if (s.nodal) {
      const implicit::Vector v = s.nodal->velocity();
      twice += s.nodal->mass().dot(v.cwiseProduct(v));
    } else if (!s.isGiven()) {
      const auto& pose = s.rigid->pose(0);
      twice += s.mass * pose.velocity.squaredNorm() + s.rigid->angularVelocity(0).dot(pose.angularMomentum);
    }
  }
  return 0.5 * twice;
}

template <int D>
double RunOf<D>::momentumError() const {
  for (const SceneSolid<D>& s : solids_) {
    if (s.guided) return -1;
  }
  if (anyHeld()) return -1;
  return exchanged_ > 0 ? norm(unbalanced_) / exchanged_ : -1;
}

template <int D>
double RunOf<D>::volumeOf(std::size_t solid) const {
  std::size_t first = 0;
  for (std::size_t b = 0; b < solid; ++b) first += solids_[b].start.size();
  const std::vector<double> x = box_->motion().position;
  const SceneSolid<D>& s = solids_[solid];
  if (s.mouth.empty()) return enclosed(s.elements, x, first);
  const auto begin = x.begin() + std::ptrdiff_t(first * D);
  std::vector<double> own(begin, begin + std::ptrdiff_t(s.start.size() * D));
  std::vector<std::array<Index, D>> all = closing(s.mouth, own);
  all.insert(all.end(), s.elements.begin(), s.elements.end());
  return enclosed(all, own, 0);
}

template <int D>
double RunOf<D>::volumeError() const {
  double most = fluid_->volumeError();
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    if (fills_[b]) most = std::max(most, openedError_[b]);
    if (expectedVolume_[b] > 0) most = std::max(most, std::abs(volumeOf(b) - expectedVolume_[b]) / expectedVolume_[b]);
  }
  return most;
}

template <int D>
std::vector<SolidReport> RunOf<D>::solids() const {
  std::vector<SolidReport> all;
  const double y = D == 2 ? planeOf(scene_.domain) : 0;
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    const SceneSolid<D>& s = solids_[b];
    SolidReport r;
    r.name = s.name;
    r.moves = !s.isGiven();
    r.mass = s.mass;
    r.fills = fills_[b] != 0;
    if (s.closed || !s.mouth.empty()) r.volume = volumeOf(b);
    Eigen::Matrix<double, D, 1> x = Eigen::Matrix<double, D, 1>::Zero(), v = x;
    if (s.rigid) {
      x = s.rigid->pose(0).center.template head<D>();
      v = s.rigid->pose(0).velocity.template head<D>();
      const Quatd& q = s.rigid->pose(0).rotation;
      const Eigen::Vector3d w = s.rigid->angularVelocity(0);
      // the plane's axes x and z are turned about -y
      r.rotation = D == 2 ? Quatd{q.w, 0, -q.z, 0} : q;
      r.angular = D == 2 ? Vec3d{0, -w[2], 0} : Vec3d{w[0], w[1], w[2]};
    } else {
      const implicit::Vector position = s.nodal->position(), velocity = s.nodal->velocity(), &mass = s.nodal->mass();
      for (Eigen::Index i = 0; i < mass.size(); i += D) {
        x += mass[i] / s.mass * position.segment<D>(i);
        v += mass[i] / s.mass * velocity.segment<D>(i);
      }
    }
    r.x = toScene<D>(x, y);
    r.v = toScene<D>(v);
    all.push_back(r);
  }
  return all;
}

template <int D>
GridFields RunOf<D>::gridFields() const {
  const MacGrid<D>& g = domain_.grid;
  const Buffer<double>* u = fluid_->velocity();
  GridFields f;
  f.dx = g.dx;
  f.cells = cells();
  f.origin = toScene<D>(g.origin, planeOf(scene_.domain) - 0.5 * g.dx);
  for (Offset i = 0; i < g.cells(); ++i) {
    Vec3d v{};
    const Cell<D> c = g.cellAt(i);
    for (int axis = 0; axis < D; ++axis) {
      const Offset below = g.face(axis, c);
      v[sceneAxis<D>(axis)] = 0.5 * (u[axis][std::size_t(below)] + u[axis][std::size_t(below + g.faceStride(axis, axis))]);
    }
    f.velocity.push_back({float(v.x), float(v.y), float(v.z)});
  }
  fluid_->addFields(lastDt_, f);
  return f;
}

namespace {

// Of the elements that a deformable solid is made of: tetrahedra, or those of its surface. now: of its nodes.
template <int D, std::size_t N>
void addStretch(const std::vector<Vec3d>& rest, const std::vector<std::array<Index, N>>& elements, const std::vector<Vec3d>& now,
                float* stretch) {
  for (const auto& e : elements) {
    Vec3d before[N], after[N];
    for (std::size_t k = 0; k < N; ++k) {
      before[k] = rest[std::size_t(e[k])];
      after[k] = now[std::size_t(e[k])];
      if (D == 2) before[k].y = after[k].y;  // the plane's
    }
    const auto of = float(elementStretch(before, after, int(N)));
    for (const Index node : e)
      if (std::abs(of) > std::abs(stretch[node])) stretch[node] = of;
  }
}

}  // namespace

template <int D>
SolidFields RunOf<D>::solidFields() const {
  SolidFields f;
  const Motion m = box_->motion();
  const double y = D == 2 ? planeOf(scene_.domain) : 0;
  Index node = 0;
  std::vector<Vec3d> now;  // of one solid
  for (std::size_t b = 0; b < solids_.size(); ++b) {
    f.names.push_back(solids_[b].name);
    for (const auto& e : solids_[b].elements)
      for (const Index i : e) (D == 2 ? f.line : f.tri).push_back(node + i);
    const SceneSolid<D>& s = solids_[b];
    now.clear();
    for (std::size_t i = 0; i < s.start.size(); ++i, ++node) {
      f.x.push_back(Vec3f(toScene<D>(nodeOf<D>(m.position, node), y)));
      f.v.push_back(Vec3f(toScene<D>(nodeOf<D>(m.velocity, node))));
      f.inverseMass.push_back(s.nodal && !s.held[i] ? float(1 / s.nodal->mass()[Eigen::Index(i * D)]) : 0.f);
      f.body.push_back(std::int32_t(b));
      now.push_back(toScene<D>(nodeOf<D>(m.position, node), y));
    }
    f.stretch.resize(f.x.size(), 0.f);
    float* const stretch = f.stretch.data() + (f.x.size() - now.size());
    if (!s.tets.empty()) {
      addStretch<D>(s.start, s.tets, now, stretch);
    } else if (s.nodal) {
      addStretch<D>(s.start, s.elements, now, stretch);
    }
  }
  return f;
}

#define MNS_INSTANTIATE(D)                                                \
  template Vec3d RunOf<D>::fluidMomentum() const;                         \
  template Vec3d RunOf<D>::solidMomentum() const;                         \
  template Vec3d RunOf<D>::sumAtMoving(const std::vector<double>&) const; \
  template double RunOf<D>::kineticEnergy() const;                        \
  template double RunOf<D>::momentumError() const;                        \
  template double RunOf<D>::volumeError() const;                          \
  template double RunOf<D>::volumeOf(std::size_t) const;                  \
  template std::vector<SolidReport> RunOf<D>::solids() const;             \
  template GridFields RunOf<D>::gridFields() const;                       \
  template SolidFields RunOf<D>::solidFields() const;
MNS_INSTANTIATE(2)
MNS_INSTANTIATE(3)
#undef MNS_INSTANTIATE

}  // namespace meniscus::offline
