#include "engine/particle/viscosity.h"

#include <algorithm>

#include "engine/solid/rigid.h"
#include "kernels/fluid/viscous_pass.h"

namespace meniscus {
namespace {

constexpr KrylovControl kControl{1e-4, 500};

struct CopyVelocity {
  const Vec4f* u;
  float* x;
  void operator()(Index i) const { storeVec4(x, i, u[i].withW(0.f)); }
};

struct DivideByMass {
  const std::uint8_t* kind;
  const float *rho, *r;
  float* z;
  void operator()(Index i, double* sum) const {
    const Vec4f a = loadVec4(r, i), b = a * (1.f / rho[kind[i]]);
    storeVec4(z, i, b);
    sum[0] += double((a * b).sum());
  }
};

// u + dx; and the momentum that came in, per volume of a particle.
struct AddVelocity {
  const Vec4f* u;
  const float* dx;
  const std::uint8_t* kind;
  const float* rho;
  Vec4f* out;
  void operator()(Index i, double* sum) const {
    const Vec4f d = loadVec4(dx, i);
    out[i] = (u[i] + d).withW(0.f);
    const Vec3f real = (out[i] - u[i]).xyz();
    for (int k = 0; k < 3; ++k) sum[k] += double(real[k]) * rho[kind[i]];
  }
};

struct Negate {
  float* x;
  void operator()(Index i) const { x[i] = -x[i]; }
};

Vec3d load3(const float* x, Index i) { return Vec3d(loadVec4(x, i).xyz()); }
void store3(float* x, Index i, const Vec3d& a) { storeVec4(x, i, Vec4f(Vec3f(a), 0.f)); }

// ---- nodes; x, y ...: where theirs begin ----

struct CopyNodeVelocity {
  const Vec3d* v;
  float* x;
  void operator()(Index i) const { store3(x, i, v[i]); }
};

// Equations of bodies are divided by the volume V of a particle, as those of particles are.
struct NodeEquation {
  BodySlots slots;
  const Vec4f* shear;
  const double* w;
  double V;
  bool step;
  const float* x;
  float* y;
  void operator()(Index i) const {
    const bool free = w[i] > 0;
    Vec3d sum = step ? load3(x, i) * (free ? 1 / (w[i] * V) : 1.0) : Vec3d{};
    if (free)
      for (Offset k = slots.begin[i]; k < slots.begin[i + 1]; ++k)
        sum -= Vec3d(shear[slots.slot[k]].xyz()) * double(slots.weight[k]);
    store3(y, i, sum);
  }
};

struct DivideByNodeMass {
  const double* w;
  double V;
  const float* r;
  float* z;
  void operator()(Index i, double* sum) const {
    const Vec3d a = load3(r, i);
    store3(z, i, a * (w[i] > 0 ? w[i] * V : 1.0));
    sum[0] += dot(a, load3(z, i));
  }
};

// And the momentum that came in.
struct AddNodeVelocity {
  const float* dx;
  const double* w;
  double h;
  Vec3d *x, *v;
  void operator()(Index i, double* sum) const {
    if (w[i] <= 0) return;
    const Vec3d d = load3(dx, i);
    v[i] += d;
    x[i] += d * h;
    for (int k = 0; k < 3; ++k) sum[k] += d[k] / w[i];
  }
};

// ---- rigid bodies: velocity, then angular velocity ----

struct RigidEquation {
  BodySlots slots;
  const Vec4f* shear;
  const SlotBinding* binding;
  const RigidBody* body;
  const Mat3d* inertia;
  double V;
  bool step;
  const float* x;
  float* y;
  void operator()(Index i) const {
    const bool moves = body[i].invMass > 0;
    Vec3d force = step ? load3(x, 2 * i) * (moves ? body[i].mass / V : 1.0) : Vec3d{};
    Vec3d torque = !step ? Vec3d{} : moves ? inertia[i] * load3(x, 2 * i + 1) * (1.0 / V) : load3(x, 2 * i + 1);
    for (Offset k = slots.begin[i]; k < slots.begin[i + 1]; ++k) {
      const Vec3d f(shear[slots.slot[k]].xyz());
      force -= f;
      torque -= cross(Vec3d(binding[slots.slot[k]].arm), f);
    }
    store3(y, 2 * i, force);
    store3(y, 2 * i + 1, torque);
  }
};

}  // namespace

bool Viscosity::wanted(const World& world) {
  return std::any_of(world.scene.fluids.begin(), world.scene.fluids.end(), [](const FluidDef& f) { return f.viscosity > 0; });
}

// y = M x + h L x, or h L x alone with the prescribed velocities in it.
void Viscosity::pass(const float* x, float* y, bool step) {
  setWalls(x, !step);
  const SolidState& s = world_->solid;
  const double V = world_->particleVolume;
  parallelFor(*exec_, "viscosity", n_,
              ViscousPass{system_->pairView(), world_->fluid.kind.data(), mu_.data(), step ? rho_.data() : nullptr, kernel_,
                          wall_.data(), x, y, shear_.data()});
  parallelFor(*exec_, "viscosity: nodes", nodes_,
              NodeEquation{nodeSlots_.view(), shear_.data(), s.w.data(), V, step, x + 4 * Offset(n_), y + 4 * Offset(n_)});
  const Offset rigid = 4 * (Offset(n_) + nodes_);
  parallelFor(*exec_, "viscosity: rigid", rigids_,
              RigidEquation{rigidSlots_.view(), shear_.data(), system_->slots().data(), s.rigid.data(), inertia_.data(), V, step,
                            x + rigid, y + rigid},
              1);
}

void Viscosity::apply(const Buffer<float>& x, Buffer<float>& y) { pass(x.data(), y.data(), true); }

double Viscosity::precondition(const Buffer<float>& r, Buffer<float>& z) {
  double sum[1];
  parallelSum<1>(*exec_, "viscosity: mass", n_, DivideByMass{world_->fluid.kind.data(), rho_.data(), r.data(), z.data()}, sum);
  const SolidState& s = world_->solid;
  const double V = world_->particleVolume;
  const Offset node = 4 * Offset(n_);
  double ofNodes[1];
  parallelSum<1>(*exec_, "viscosity: node mass", nodes_, DivideByNodeMass{s.w.data(), V, r.data() + node, z.data() + node},
                 ofNodes);
  sum[0] += ofNodes[0];
  const auto put = [&](Index i, const Vec3d& a) {
    store3(z.data(), i, a);
    sum[0] += dot(load3(r.data(), i), load3(z.data(), i));
  };
  for (Index i = 0; i < rigids_; ++i) {
    const Index k = n_ + nodes_ + 2 * i;
    const RigidBody& body = s.rigid[std::size_t(i)];
    const bool moves = body.invMass > 0;
    put(k, load3(r.data(), k) * (moves ? body.invMass * V : 1.0));
    put(k + 1, moves ? invInertia_[std::size_t(i)] * load3(r.data(), k + 1) * V : load3(r.data(), k + 1));
  }
  return sum[0];
}

KrylovReport Viscosity::step(Exec& exec, World& world, const Boundary& boundary, const PressureSystem& system, double h,
                             Buffer<Vec4f>& out) {
  exec_ = &exec;
  world_ = &world;
  system_ = &system;
  kernel_ = ViscousKernel::make(world.dx, world.scene.solver.support * world.dx);
  n_ = world.fluid.n;
  const std::vector<FluidDef>& fluids = world.scene.fluids;
  mu_.resize(fluids.size());
  rho_.resize(fluids.size());
  for (std::size_t k = 0; k < fluids.size(); ++k) {
    rho_[k] = float(fluids[k].density);
    mu_[k] = float(10.0 * fluids[k].density * fluids[k].viscosity * h);
  }
  findWalls(boundary);
  inertia_.resize(std::size_t(rigids_));
  invInertia_.resize(std::size_t(rigids_));
  for (std::size_t i = 0; i < std::size_t(rigids_); ++i) {
    const RigidBody& r = world.solid.rigid[i];
    inertia_[i] = inWorldAxes(r.qPrev, r.inertia);
    invInertia_[i] = inWorldAxes(r.qPrev, r.invInertia);
  }
  const Index size = 4 * (n_ + nodes_ + 2 * rigids_);
  KrylovVectors<float> algebra(exec, size);
  vectors_ = &algebra;
  x_.resizeUninitialized(std::size_t(size));
  b_.resizeUninitialized(std::size_t(size));
  parallelFor(exec, "viscosity: pack", n_, CopyVelocity{world.fluid.u.data(), x_.data()});
  parallelFor(exec, "viscosity: pack nodes", nodes_, CopyNodeVelocity{world.solid.v.data(), x_.data() + 4 * Offset(n_)});
  for (Index i = 0; i < rigids_; ++i) {
    const RigidBody& r = world.solid.rigid[std::size_t(i)];
    store3(x_.data(), n_ + nodes_ + 2 * i, r.v);
    store3(x_.data(), n_ + nodes_ + 2 * i + 1, r.omega);
  }
  // the change of velocity: (M + h L) d = -h L u*, started from the explicit step, which is all that water needs
  pass(x_.data(), b_.data(), false);
  parallelFor(exec, "viscosity: negate", size, Negate{b_.data()});
  precondition(b_, x_);
  const KrylovReport report = conjugateGradient(*this, b_, x_, work_, kControl);
  finish(world, h, out);
  vectors_ = nullptr;
  return report;
}

void Viscosity::finish(World& world, double h, Buffer<Vec4f>& out) {
  SolidState& s = world.solid;
  double sum[3];
  out.resizeUninitialized(std::size_t(n_));
  parallelSum<3>(*exec_, "viscosity: add", n_,
                 AddVelocity{world.fluid.u.data(), x_.data(), world.fluid.kind.data(), rho_.data(), out.data()}, sum);
  Vec3d gained = Vec3d{sum[0], sum[1], sum[2]} * world.particleVolume;
  parallelSum<3>(*exec_, "viscosity: add to nodes", nodes_,
                 AddNodeVelocity{x_.data() + 4 * Offset(n_), s.w.data(), h, s.x.data(), s.v.data()}, sum);
  gained += {sum[0], sum[1], sum[2]};
  for (Index i = 0; i < rigids_; ++i) {
    RigidBody& r = s.rigid[std::size_t(i)];
    if (r.invMass == 0) continue;
    const Index k = n_ + nodes_ + 2 * i;
    const Vec3d d = load3(x_.data(), k);
    addRigidVelocity(r, d, load3(x_.data(), k + 1), h);
    placeRigidNodes(s, r);
    gained += d * r.mass;
  }
  // the forces between particles and bodies cancel: what is left came from prescribed surfaces
  world.impulseOnFluidFromStatic += gained;
  world.impulseExchanged += norm(gained);
}

std::size_t Viscosity::bytes() const {
  std::size_t sum = 0;
  for (const auto* b : {&mu_, &rho_, &x_, &b_, &work_.r, &work_.d, &work_.q, &work_.z}) sum += b->capacityBytes();
  for (const auto* b : {&wall_, &prescribed_, &shear_}) sum += b->capacityBytes();
  return sum + nodeSlots_.bytes() + rigidSlots_.bytes();
}

}  // namespace meniscus
