#include "engine/solid/implicit/rigid_bodies.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/solid/rigid.h"
#include "kernels/solid/rotation.h"

namespace meniscus::implicit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vec3d vec(const Vector3d& v) { return {v[0], v[1], v[2]}; }
Vector3d eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
Vector3d turned(const Quatd& q, const Vector3d& v) { return eigen(q.rotate(vec(v))); }
Vector3d turnedBack(const Quatd& q, const Vector3d& v) { return eigen(q.conjugate().rotate(vec(v))); }

// Velocity of a point at r from that of the body: v + omega x r.
Eigen::MatrixXd pointMatrix(const Vector3d& r) {
  Eigen::MatrixXd b(3, 6);
  b << 1, 0, 0, 0, r[2], -r[1],  //
      0, 1, 0, -r[2], 0, r[0],   //
      0, 0, 1, r[1], -r[0], 0;
  return b;
}

template <int D>
Eigen::Matrix<double, 6, Eigen::Dynamic> freeMotions(const RigidBodyDef& def) {
  Eigen::Matrix<double, 6, Eigen::Dynamic> all(6, D == 2 ? 3 : 6);
  all.setZero();
  for (int d = 0; d < D; ++d) all(d, d) = 1;
  for (int d = D; d < all.cols(); ++d) all(D == 2 ? 5 : d, d) = 1;
  if (def.freedom == Freedom::translation) return all.leftCols(D);
  if (def.freedom != Freedom::slide) return all;
  const Vector3d axis = def.axis.normalized();
  all.setZero();
  for (int d = 0; d < 3; ++d) all(d, 0) = axis[d];
  return all.leftCols(1);
}

// Principal moments of a tensor and the rotation from their axes.
void principalAxes(const Matrix3d& inertia, Vector3d& moments, Quatd& rotation) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia);
  Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  moments = solver.eigenvalues();
  rotation = quaternionOf(Mat3d::columns(vec(axes.col(0)), vec(axes.col(1)), vec(axes.col(2))));
}

void checkDef(const RigidBodyDef& d, const std::string& name, int dimension) {
  checkPositive(name + ": mass", d.mass);
  checkFinite(name + ": centre", d.center);
  checkFinite(name + ": velocity", d.velocity);
  checkFinite(name + ": angular velocity", d.angularVelocity);
  checkFinite(name + ": points", d.points);
  checkFinite(name + ": force", d.force);
  if (d.points.size() % dimension != 0) refuse(name + ": points", fmt::format("give {} coordinates a point", dimension));
  if (d.freedom == Freedom::slide) checkPositive(name + ": length of the axis", d.axis.norm());
  for (const RigidSpring& s : d.springs) {
    checkPositive(name + ": stiffness of a spring", s.stiffness, true);
    checkPositive(name + ": damping of a spring", s.damping, true);
    checkFinite(name + ": point of a spring", s.point);
    checkFinite(name + ": anchor of a spring", s.anchor);
  }
}

}  // namespace

template <int D>
RigidBodies<D>::RigidBodies(const std::vector<RigidBodyDef>& bodies, const Vector3d& gravity) : gravity_(gravity) {
  checkFinite("rigid bodies: gravity", gravity);
  for (std::size_t i = 0; i < bodies.size(); ++i) add(bodies[i], int(i));
  saved_ = now_;
}

template <int D>
void RigidBodies<D>::add(const RigidBodyDef& def, int index) {
  const std::string name = fmt::format("rigid body {}", index);
  checkDef(def, name, D);
  Body b{def.mass, {1, 1, 1}, {}, def.springs, def.force, freeMotions<D>(def), def.freedom == Freedom::none, def.angularVelocity};
  Quatd rotation;
  if (def.freedom == Freedom::all) {
    Matrix3d inertia = def.inertia;
    if (D == 2) inertia = def.inertia(2, 2) * Matrix3d::Identity();  // turning about z only
    checkFinite(name + ": inertia", inertia.reshaped());
    if (!inertia.isApprox(inertia.transpose(), 1e-9)) refuse(name + ": inertia", "must be symmetric");
    principalAxes(inertia, b.principal, rotation);
    for (int d = 0; d < 3; ++d) checkPositive(name + ": principal moment of inertia", b.principal[d]);
  }
  for (RigidSpring& s : b.springs) s.point = turnedBack(rotation, s.point - def.center);
  for (Eigen::Index i = 0; i < def.points.size(); i += D) {
    Vector3d p = Vector3d::Zero();
    p.head<D>() = def.points.segment<D>(i);
    b.points.push_back(turnedBack(rotation, p - def.center));
  }
  size_ += def.points.size();
  // what is given that the body is not free in falls away
  Vector6 u;
  u << def.velocity, def.angularVelocity;
  u = (b.free * (b.free.transpose() * u)).eval();
  const Vector3d momentum = turned(rotation, b.principal.cwiseProduct(turnedBack(rotation, u.template tail<3>())));
  bodies_.push_back(std::move(b));
  now_.push_back({def.center, u.template head<3>(), momentum, rotation});
}

template <int D>
int RigidBodies<D>::freedoms() const {
  int sum = 0;
  for (const Body& b : bodies_) sum += b.given ? 0 : int(b.free.cols());
  return sum;
}

template <int D>
Vector3d RigidBodies<D>::angularVelocity(int body) const {
  const Pose& p = now_[std::size_t(body)];
  const Vector3d l = turnedBack(p.rotation, p.angularMomentum);
  return turned(p.rotation, l.cwiseQuotient(bodies_[std::size_t(body)].principal));
}

template <int D>
void RigidBodies<D>::giveVelocity(int body, const Vector3d& velocity, const Vector3d& angularVelocity) {
  Body& b = bodies_[std::size_t(body)];
  if (!b.given) refuse(fmt::format("rigid body {}", body), "is free; only one of freedom \"none\" has a given velocity");
  b.givenAngularVelocity = angularVelocity;
  now_[std::size_t(body)].velocity = velocity;
  now_[std::size_t(body)].angularMomentum = angularVelocity;  // its moments of inertia are 1
}

template <int D>
Vector RigidBodies<D>::position() const {
  Vector x(size_);
  Eigen::Index i = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const Vector3d& p : bodies_[b].points) {
      x.segment<D>(i) = (now_[b].center + turned(now_[b].rotation, p)).template head<D>();
      i += D;
    }
  return x;
}

template <int D>
Vector RigidBodies<D>::velocity() const {
  Vector v(size_);
  Eigen::Index i = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vector3d omega = angularVelocity(int(b));
    for (const Vector3d& p : bodies_[b].points) {
      v.segment<D>(i) = (now_[b].velocity + omega.cross(turned(now_[b].rotation, p))).template head<D>();
      i += D;
    }
  }
  return v;
}

template <int D>
typename RigidBodies<D>::Matrix6 RigidBodies<D>::inertiaOf(std::size_t b) const {
  Matrix6 m = Matrix6::Zero();
  m.diagonal().template head<3>().setConstant(bodies_[b].mass);
  Matrix3d axes;
  for (int d = 0; d < 3; ++d) axes.col(d) = turned(now_[b].rotation, Vector3d::Unit(d));
  m.template bottomRightCorner<3, 3>() = axes * bodies_[b].principal.asDiagonal() * axes.transpose();
  return m;
}

template <int D>
typename RigidBodies<D>::Vector6 RigidBodies<D>::momentumOf(std::size_t b) const {
  Vector6 p;
  p << bodies_[b].mass * now_[b].velocity, now_[b].angularMomentum;
  return p;
}

template <int D>
void RigidBodies<D>::springsOf(std::size_t b, Matrix6& damping, Matrix6& stiffness, Vector6& force) const {
  damping.setZero();
  stiffness.setZero();
  force << bodies_[b].mass * gravity_ + bodies_[b].force, Vector3d::Zero();
  for (const RigidSpring& s : bodies_[b].springs) {
    const Vector3d r = turned(now_[b].rotation, s.point);
    const Eigen::MatrixXd m = pointMatrix(r);
    damping += s.damping * m.transpose() * m;
    stiffness += s.stiffness * m.transpose() * m;
    force -= s.stiffness * m.transpose() * (now_[b].center + r - s.anchor);
  }
}

template <int D>
bool RigidBodies<D>::moveOne(std::size_t b, const Vector6& impulse, double dt) {
  const Body& body = bodies_[b];
  Pose& p = now_[b];
  if (body.given) {
    p.center += dt * p.velocity;
    p.rotation = (rotationFromVector(vec(body.givenAngularVelocity) * dt) * p.rotation).normalizedQuat();
    return true;
  }
  Matrix6 damping, stiffness;
  Vector6 force;
  springsOf(b, damping, stiffness, force);
  const Matrix6 inertia = inertiaOf(b), a = inertia + dt * damping + dt * dt * stiffness;
  const Vector6 right = momentumOf(b) + impulse + dt * force;
  const auto& free = body.free;
  const Vector6 u = free * (free.transpose() * a * free).llt().solve(free.transpose() * right);
  p.velocity = u.template head<3>();
  p.angularMomentum = inertia.template bottomRightCorner<3, 3>() * u.template tail<3>();
  p.center += dt * p.velocity;
  Vec3d l = vec(turnedBack(p.rotation, p.angularMomentum));
  FreeRotation<double>{vec(body.principal.cwiseInverse())}.step(p.rotation, l, dt);
  return p.center.allFinite() && u.allFinite() && turned(p.rotation, {1, 1, 1}).allFinite();
}

template <int D>
bool RigidBodies<D>::step(const Vector& impulse, double dt) {
  if (impulse.size() != size_) refuse("rigid bodies", fmt::format("{} impulses where {} are expected", impulse.size(), size_));
  checkPositive("rigid bodies: time step", dt);
  const std::vector<Pose> before = now_;
  Eigen::Index i = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Vector6 sum = Vector6::Zero();
    for (const Vector3d& point : bodies_[b].points) {
      Vector3d j = Vector3d::Zero();
      j.head<D>() = impulse.segment<D>(i);
      sum.template head<3>() += j;
      sum.template tail<3>() += turned(now_[b].rotation, point).cross(j);
      i += D;
    }
    if (sum.allFinite() && moveOne(b, sum, dt)) continue;
    now_ = before;
    return false;
  }
  return true;
}

template <int D>
LinearisedStep RigidBodies<D>::linearised(double dt) const {
  std::vector<Eigen::Triplet<double>> mass, damping, stiffness, nodes;
  LinearisedStep s;
  std::vector<double> predicted;
  int row = 0, column = 0;
  const auto put = [&](std::vector<Eigen::Triplet<double>>& to, int r, const Eigen::MatrixXd& m) {
    for (int j = 0; j < m.cols(); ++j)
      for (int k = 0; k < m.rows(); ++k) to.emplace_back(r + k, column + j, m(k, j));
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& free = bodies_[b].free;
    Matrix6 c, k;
    Vector6 force, u;
    springsOf(b, c, k, force);
    const Eigen::MatrixXd m = free.transpose() * inertiaOf(b) * free;
    put(mass, column, m);
    put(damping, column, free.transpose() * c * free);
    put(stiffness, column, free.transpose() * k * free);
    for (const Vector3d& p : bodies_[b].points) {
      put(nodes, row, pointMatrix(turned(now_[b].rotation, p)).topRows(D) * free);
      row += D;
    }
    u << now_[b].velocity, bodies_[b].givenAngularVelocity;
    const Vector v =
        bodies_[b].given ? Vector(free.transpose() * u) : Vector(m.llt().solve(free.transpose() * (momentumOf(b) + dt * force)));
    predicted.insert(predicted.end(), v.data(), v.data() + v.size());
    s.given.insert(s.given.end(), std::size_t(free.cols()), char(bodies_[b].given));
    column += int(free.cols());
  }
  const auto fill = [column](SparseMatrix& a, int rows, const std::vector<Eigen::Triplet<double>>& t) {
    a.resize(rows, column);
    a.setFromTriplets(t.begin(), t.end());
  };
  fill(s.mass, column, mass);
  fill(s.damping, column, damping);
  fill(s.stiffness, column, stiffness);
  fill(s.nodes, row, nodes);
  s.predicted = Eigen::Map<const Vector>(predicted.data(), Eigen::Index(predicted.size()));
  return s;
}

template <int D>
SparseMatrix RigidBodies<D>::endSystem(double dt) const {
  RigidBodies before = *this;
  before.restore();
  return before.linearised(dt).system(dt);
}

template class RigidBodies<2>;
template class RigidBodies<3>;

}  // namespace meniscus::implicit
