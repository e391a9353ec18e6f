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

Vec3d load3(const float* x, Index i) { return Vec3d(loadVec4(x, i).xyz()); }
void store3(float* x, Index i, const Vec3d& a) { storeVec4(x, i, Vec4f(Vec3f(a), 0.f)); }

}  // namespace

bool Viscosity::wanted(const World& world) {
  return std::any_of(world.scene.fluids.begin(), world.scene.fluids.end(), [](const FluidDef& f) { return f.viscosity > 0; });
}

void Viscosity::findWalls(const Boundary& boundary) {
  const View<const Feature> features = boundary.features();
  const Index near = boundary.nearParticle().n;
  const std::size_t slots = std::size_t(near) * kMaxFeatures;
  for (auto* b : {&wall_, &prescribed_, &shear_}) b->assign(slots, Vec4f());
  bodySlots_.clear();
  nodes_ = rigids_ = 0;
  for (Index k = 0; k < near; ++k)
    for (int i = 0; i < boundary.featureCount()[k]; ++i) {
      const Index s = k * kMaxFeatures + i;
      const Feature& f = features[s];
      const SurfaceInfo info = boundary.surface(f.surface);
      const float weight = std::sqrt(f.w);
      const Vec3f c = world_->fluid.x[boundary.nearParticle()[k]].xyz() - f.n * f.d;
      if (info.owner == SurfaceOwner::nodes) nodes_ = Index(world_->solid.x.size());
      if (info.owner == SurfaceOwner::rigid) rigids_ = Index(world_->solid.rigid.size());
      const bool moves = info.owner == SurfaceOwner::nodes || info.owner == SurfaceOwner::rigid;
      if (moves) bodySlots_.push_back(s);
      prescribed_[s] = Vec4f(moves ? Vec3f{} : boundary.surfaceVelocity(f.surface, c), info.noSlip ? -weight : weight);
    }
}

// Velocities of the surfaces from those of bodies in x; prescribed ones are zero in a product with an increment.
void Viscosity::setWalls(const float* x, bool prescribed) {
  for (std::size_t s = 0; s < wall_.size(); ++s) wall_[s] = prescribed ? prescribed_[s] : Vec4f(0, 0, 0, prescribed_[s].w);
  for (const Index s : bodySlots_) {
    const SlotBinding& b = system_->slots()[s];
    Vec3d v{};
    if (b.node[0] >= 0)
      for (int q = 0; q < 3; ++q) v += load3(x, n_ + b.node[q]) * double(b.b[q]);
    if (b.rigid >= 0) {
      const Index r = n_ + nodes_ + 2 * b.rigid;
      v = load3(x, r) + cross(load3(x, r + 1), Vec3d(b.arm));
    }
    wall_[s] = Vec4f(Vec3f(v), prescribed_[s].w);
  }
}

// y = M x + h L x, or h L x alone with the prescribed velocities in it.
void Viscosity::pass(const float* x, float* y, bool step) {
  setWalls(x, !step);
  const SolidState& s = world_->solid;
  const float V = float(world_->particleVolume);
  parallelFor(*exec_, "viscosity", n_,
              ViscousPass{system_->pairView(), world_->fluid.kind.data(), mu_.data(), step ? rho_.data() : nullptr, kernel_,
                          wall_.data(), x, y, shear_.data()});
  if (nodes_ + rigids_ == 0) return;
  // equations of bodies are divided by the volume of a particle, as those of particles are
  for (Index i = 0; i < nodes_; ++i) {
    const double w = s.w[std::size_t(i)];
    store3(y, n_ + i, step ? load3(x, n_ + i) * (w > 0 ? 1 / (w * V) : 1.0) : Vec3d{});
  }
  for (Index i = 0; i < rigids_; ++i) {
    const Index r = n_ + nodes_ + 2 * i;
    const RigidBody& body = s.rigid[std::size_t(i)];
    const bool moves = body.invMass > 0;
    store3(y, r, step ? load3(x, r) * (moves ? body.mass / V : 1.0) : Vec3d{});
    store3(y, r + 1, !step ? Vec3d{} : moves ? inertia_[std::size_t(i)] * load3(x, r + 1) * (1.0 / V) : load3(x, r + 1));
  }
  for (const Index k : bodySlots_) {
    const SlotBinding& b = system_->slots()[k];
    const Vec3d f(shear_[k].xyz());
    if (b.node[0] >= 0)
      for (int q = 0; q < 3; ++q)
        if (s.w[std::size_t(b.node[q])] > 0) store3(y, n_ + b.node[q], load3(y, n_ + b.node[q]) - f * double(b.b[q]));
    if (b.rigid >= 0) {
      const Index r = n_ + nodes_ + 2 * b.rigid;
      store3(y, r, load3(y, r) - f);
      store3(y, r + 1, load3(y, r + 1) - cross(Vec3d(b.arm), f));
    }
  }
}

void Viscosity::apply(const Buffer<float>& x, Buffer<float>& y) { pass(x.data(), y.data(), true); }

double Viscosity::precondition(const Buffer<float>& r, Buffer<float>& z) {
  double sum[1];
  parallelSum<1>(*exec_, "viscosity: mass", n_, DivideByMass{world_->fluid.kind.data(), rho_.data(), r.data(), z.data()}, sum);
  const SolidState& s = world_->solid;
  const double V = world_->particleVolume;
  const auto put = [&](Index i, const Vec3d& a) {
    store3(z.data(), i, a);
    sum[0] += dot(load3(r.data(), i), load3(z.data(), i));
  };
  for (Index i = 0; i < nodes_; ++i)
    put(n_ + i, load3(r.data(), n_ + i) * (s.w[std::size_t(i)] > 0 ? s.w[std::size_t(i)] * V : 1.0));
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
    const Mat3d q = r.qPrev.matrix();
    const auto inWorld = [&](const Vec3d& principal) {
      return Mat3d::columns(q.column(0) * principal.x, q.column(1) * principal.y, q.column(2) * principal.z) * q.transposed();
    };
    inertia_[i] = inWorld(r.inertia);
    invInertia_[i] = inWorld(r.invInertia);
  }
  const Index size = 4 * (n_ + nodes_ + 2 * rigids_);
  KrylovVectors<float> algebra(exec, size);
  vectors_ = &algebra;
  x_.resizeUninitialized(std::size_t(size));
  b_.resizeUninitialized(std::size_t(size));
  parallelFor(exec, "viscosity: pack", n_, CopyVelocity{world.fluid.u.data(), x_.data()});
  for (Index i = 0; i < nodes_; ++i) store3(x_.data(), n_ + i, world.solid.v[std::size_t(i)]);
  for (Index i = 0; i < rigids_; ++i) {
    const RigidBody& r = world.solid.rigid[std::size_t(i)];
    store3(x_.data(), n_ + nodes_ + 2 * i, r.v);
    store3(x_.data(), n_ + nodes_ + 2 * i + 1, r.omega);
  }
  // the change of velocity: (M + h L) d = -h L u*, started from the explicit step, which is all that water needs
  pass(x_.data(), b_.data(), false);
  for (float& v : b_) v = -v;
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
  for (Index i = 0; i < nodes_; ++i) {
    const std::size_t k = std::size_t(i);
    if (s.w[k] <= 0) continue;
    const Vec3d d = load3(x_.data(), n_ + i);
    s.v[k] += d;
    s.x[k] += d * h;
    gained += d / s.w[k];
  }
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
  return sum + bodySlots_.capacityBytes();
}

}  // namespace meniscus
