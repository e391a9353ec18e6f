#include "engine/particle/device/device_pressure.h"

#include <cstring>
#include <vector>

#include "kernels/fluid/films.h"
#include "kernels/fluid/fluid_diagonal.h"
#include "kernels/fluid/lattice.h"
#include "kernels/fluid/step_measures.h"

MNS_NS_BEGIN

DevicePressure::DevicePressure(Device& d, const DeviceFluidDef& def)
    : device_(d),
      tolerance_(def.tolerance),
      maxIterations_(def.maxIterations),
      V_(def.particleVolume),
      rho_(d, "densities of fluids"),
      invRhoOfKind_(d, "densities of fluids"),
      invRho_(d, "inverse densities"),
      diag_(d, "diagonal"),
      dirichlet_(d, "diagonal"),
      invDiag_(d, "diagonal"),
      rhs_(d, "right-hand side"),
      r_(d, "residual"),
      z_(d, "residual"),
      d_(d, "direction"),
      speed_(d, "speeds of surfaces"),
      e_(d, "pressures at slots"),
      g_(d, "velocities at slots"),
      nu_(d, "velocities of slots"),
      phi_(d, "forces on slots"),
      linkSum_(d, "sums over links"),
      surfaceDivergence_(d, "divergence by surfaces"),
      q_(d, "packed pressures"),
      b_(d, "accelerations"),
      surfaceForce_(d, "forces by surfaces"),
      scalars_(d, "scalars of the solve"),
      rigidSlot_(d, "slots of bodies"),
      bodyVelocity_(d, "velocities of bodies"),
      bodyAcceleration_(d, "accelerations of bodies"),
      bodyLeft_(d, "accelerations of bodies"),
      bodyHold_(d, "what holds bodies"),
      bodyIslands_(d, "bodies that hold each other"),
      quadratic_(d, "bodies' share"),
      held_(d, "films that were held"),
      film_(d, "films"),
      diagFree_(d, "diagonal"),
      dirichletFree_(d, "diagonal"),
      diagRigid_(d, "diagonal"),
      joint_(d, def),
      morris_(d, def),
      jointSums_(d, "sums of the joint solve"),
      iterations_(d) {
  const LatticeSums lattice = latticeSums(def.spacing, def.support);
  const double rho0 = def.density[0];
  S0_ = float(lattice.S0);
  gamma_ = float(def.highPass * lattice.c2r2 / (lattice.S0 * lattice.S0) / rho0);
  floor_ = float(1e-6 * 2 * lattice.S0 / rho0);
  invRho0_ = float(1.0 / rho0);
  std::vector<float> rho, inverse;
  for (int k = 0; k < def.kinds; ++k) {
    rho.push_back(float(def.density[k]));
    inverse.push_back(float(1.0 / def.density[k]));
  }
  rho_.upload(rho.data(), rho.size());
  invRhoOfKind_.upload(inverse.data(), inverse.size());
  scalars_.resize(1);
  held_.resize(3);
  jointSums_.resize(kJointSums);
  for (auto* b : {&bodyVelocity_, &bodyAcceleration_, &bodyLeft_}) b->resize(std::size_t(def.surfaces.rigids));
  bodyHold_.resize(std::size_t(def.surfaces.rigids));
  bodyHold_.fillZero();
  heldBefore_.assign(36 * std::size_t(def.surfaces.rigids), 0.0);
  // all of it at once: recorded launches know where it is
  bodyIslands_.resize(mostIslandNumbers(std::size_t(def.surfaces.rigids)));
  bodyIslands_.fillZero();
  islandsBefore_.assign(1, 0.0);
  quadratic_.resize(std::size_t(def.surfaces.rigids));
}

void DevicePressure::reserve(Index n) {
  const std::size_t rows = std::size_t(n);
  morris_.reserve(n);
  for (auto* b : {&invRho_, &diag_, &dirichlet_, &invDiag_, &rhs_, &r_, &z_, &d_}) b->resize(rows);
  for (auto* b : {&e_, &g_, &nu_, &phi_, &linkSum_}) b->resize(rows);
  q_.resize(rows);
  b_.resize(rows);
  surfaceForce_.resize(rows + 1);
  surfaceDivergence_.resize(rows + 1);
}

void DevicePressure::assemble(const DeviceLists& lists, const DeviceParticleState& f) {
  n_ = f.n;
  view_ = lists.view();
  reserve(n_);
  for (auto* b : {&e_, &g_, &nu_, &phi_, &linkSum_}) b->resize(std::size_t(lists.slots()));
  moving_ = lists.surfaces().moving();
  free_ = lists.surfaces().free();
  surfaces_ = lists.surfaces().view();
  rigids_ = lists.surfaces().rigids();
  slots_ = lists.slots();
  if (moving_) {
    speed_.resize(std::size_t(lists.slots()));
    launch(device_, "system: surface speeds", lists.slots(),
           SurfaceSpeed{lists.features(), view_.slotParticle, f.x.now.data(), lists.surfaces().view(), speed_.data()});
  }
  // particles away from walls read the zero in front
  device_.zero(surfaceForce_.data(), sizeof(Vec4f), "forces by surfaces");
  device_.zero(surfaceDivergence_.data(), sizeof(float), "divergence by surfaces");
  launch(device_, "system: densities", n_, LookUpKind{f.kind.now.data(), invRhoOfKind_.data(), invRho_.data()});
  if (morris_.wanted()) {
    morris_.assemble(lists, n_, invRho_.data(), d_.data(), diag_.data());
    dirichlet_.fillZero();  // what holds films comes here: the matrix has all else
  } else {
    launch(device_, "system: diagonal", n_,
           FluidDiagonal{lists.T.data(),
                         lists.c2r2.data(),
                         lists.c2.data(),
                         lists.sumC.data(),
                         invRho_.data(),
                         gamma_,
                         floor_,
                         invRho0_,
                         S0_,
                         {dirichlet_.data(), n_},
                         {diag_.data(), n_}});
  }
  if (free_) bindBodies(lists, f);
}

void DevicePressure::bindBodies(const DeviceLists& lists, const DeviceParticleState& f) {
  rigidSlot_.resize(std::size_t(slots_));
  for (auto* b : {&diagFree_, &dirichletFree_}) b->resize(std::size_t(n_));
  film_.resize(std::size_t(n_));
  launch(device_, "system: slots", slots_,
         BindRigidSlots{lists.features(), view_.slotParticle, f.x.now.data(), surfaces_, rigidSlot_.data()});
  launch(device_, "system: bodies' diagonal", lists.nearRows(),
         RigidDiagonal{view_, rigidSlot_.data(), lists.slotPush(), surfaces_.rigid, V_, diag_.data()});
  if (joint_.any()) {
    diagRigid_.resize(std::size_t(n_));
    launch(device_, "system: rigid diagonal", n_, CopyRow{diag_.data(), diagRigid_.data()});
    joint_.bind(lists, diag_.data());
  }
  diag_.swap(diagFree_);
  dirichlet_.swap(dirichletFree_);
  film_.fillZero();
}

void DevicePressure::setBodyVelocities(const std::vector<double>& velocity) {
  bodyVelocity_.upload(reinterpret_cast<const RigidRate*>(velocity.data()), velocity.size() / 6);
}
void DevicePressure::setBodyHolds(const double* holds, const double* islands, int islandNumbers) {
  const std::size_t numbers = std::size_t(islandNumbers);
  if (numbers > 0 && !(islandsBefore_.size() == numbers && std::equal(islands, islands + numbers, islandsBefore_.begin()))) {
    islandsBefore_.assign(islands, islands + numbers);
    bodyIslands_.upload(islands, numbers);
  }
  static_assert(sizeof(RigidHold) == 36 * sizeof(double));
  const std::size_t bytes = heldBefore_.size() * sizeof(double);
  if (bytes == 0 || std::memcmp(heldBefore_.data(), holds, bytes) == 0) return;
  std::memcpy(heldBefore_.data(), holds, bytes);
  bodyHold_.upload(reinterpret_cast<const RigidHold*>(holds), heldBefore_.size() / 36);
}
// Bodies and nodes with the velocities that were set last.
BodiesInViscosity DevicePressure::viscousBodies() const {
  BodiesInViscosity b;
  b.view = joint_.any() ? joint_.viscousNodes() : ViscousBodies{};
  b.nodeVelocity = joint_.velocities();
  b.view.n = n_;
  b.view.rigids = rigids_;
  b.view.slots = slots_;
  b.view.rigidSlot = rigidSlot_.data();
  b.view.rigid = surfaces_.rigid;
  b.view.V = V_;
  b.bodyVelocity = bodyVelocity_.data();
  return b;
}

void DevicePressure::readBodyAccelerations(std::vector<double>& acceleration) const {
  bodyAcceleration_.download(reinterpret_cast<RigidRate*>(acceleration.data()));
}

void DevicePressure::guessFilms(const float* deficiency, const float* p) {
  launch(device_, "films: guess", n_, GuessFilms{view_.near, deficiency, p, film_.data()});
}

// Sums of what was held into three values on the device.
void DevicePressure::separateFilms(const float* deficiency, double dt, bool clamp, float* p, double* held) {
  launchFold<3>(device_, "films: separate", n_, SeparateFilms{view_.near, deficiency, diag_.data(), dt, clamp, p, film_.data()},
                StoreValues<3>{held});
}

bool DevicePressure::separateFilms(const float* deficiency, double dt, bool clamp, float* p) {
  separateFilms(deficiency, dt, clamp, p, held_.data());
  double held[3] = {};
  held_.download(held);
  return filmsPush(held[0], held[1], held[2]);
}

void DevicePressure::collectAccelerations(double* out) const {
  launch(device_, "bodies: accelerations", rigids_, CopyRigidRate{bodyAcceleration_.data(), out});
}

DivergenceOf DevicePressure::divergenceOf(const Vec4f* q) const {
  return {view_, q, g_.data(), nu_.data(), linkSum_.data(), surfaceDivergence_.data() + 1};
}

void DevicePressure::packVelocity(const Vec4f* u) {
  if (free_)
    launch(device_, "system: bodies' speeds", slots_,
           RigidSlotSpeed{rigidSlot_.data(), view_.plane, bodyVelocity_.data(), speed_.data()});
  if (joint_.any()) joint_.slotSpeeds(speed_.data());
  launch(device_, "system: pack", n_,
         PackVelocityRow{view_, u, moving_ ? speed_.data() : nullptr, q_.data(), g_.data(), nu_.data()});
}

void DevicePressure::divergence(float scale, const float* add, float* out) {
  launchRows(device_, "system: divergence", n_, DivergenceRow{divergenceOf(q_.data()), scale, add, out});
}

MNS_NS_END
