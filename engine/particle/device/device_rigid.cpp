// The stages of a sub-step on a device in which the program moves rigid bodies and deals with their contacts.
#include <algorithm>
#include <cmath>

#include "engine/particle/device/device_step.h"

MNS_NS_BEGIN

void askProgram(int status) {
  if (status != 0) throw Error(ErrorKind(status), "the solids of a step on a device");
}

void DeviceFluid::moveBodies(double bodySpeed, double h) {
  device_.stage("predict solids");
  askProgram(bodies_->move(bodies_->user, h, rigids_.data(), nodes()));
  if (nodes()) pressure_.joint().setNodes(nodeInverseMass_.data());
  if (lists_.surfaces().moving()) lists_.moveSurfaces(rigids_, nodes(), std::fmax(0.5 * dx_, h * bodySpeed));
}

// Of bodies that give way, without the gravity of the sub-step.
void DeviceFluid::setStartVelocities(double h) {
  for (std::size_t i = 0; i < rigids_.size(); ++i) {
    const DeviceRigid& r = rigids_[i];
    for (std::size_t k = 0; k < 3; ++k) {
      rigidRates_[6 * i + k] = r.invMass > 0 ? r.v[k] - double(gravity_[int(k)]) * h : r.v[k];
      rigidRates_[6 * i + 3 + k] = r.omega[k];
    }
  }
  pressure_.setBodyVelocities(rigidRates_);
  if (nodes()) pressure_.joint().setVelocities(nodeVelocity_.data());
}

void DeviceFluid::finishBodies(double h) {
  if (state_.n > 0 && !rigids_.empty())
    device_.toHost(rigidForceRead_.data(), rigidForce_.data(), rigidForceRead_.size() * sizeof(double), "forces on bodies");
  else
    std::fill(rigidForceRead_.begin(), rigidForceRead_.end(), 0.0);
  askProgram(bodies_->finish(bodies_->user, h, rigidForceRead_.data(), volumeChange_, surfaceShare_));
}

// Solves and the program's projections of the bodies in turn, until their velocities match.
void DeviceFluid::coupleBodies(double h, DeviceStepReport& r) {
  float* const p = state_.p.now.data();
  if (clampSeparation_) pressure_.guessFilms(deficiency_.data(), p);
  for (int again = 1; again;) {
    double tolerance = 0;
    const double* islands = nullptr;
    int islandNumbers = 0;
    askProgram(bodies_->beforeSolve(bodies_->user, rigidRates_.data(), rigidHolds_.data(), &islands, &islandNumbers, &tolerance));
    pressure_.setBodyVelocities(rigidRates_);
    pressure_.setBodyHolds(rigidHolds_.data(), islands, islandNumbers);
    const SolveScalars s = solve(h, tolerance, r);
    const bool filmsChanged = pressure_.separateFilms(deficiency_.data(), h, clampSeparation_, p);
    pressure_.apply(p);
    pressure_.readBodyAccelerations(rigidRates_);
    askProgram(bodies_->afterSolve(bodies_->user, h, rigidRates_.data(), s.converged, filmsChanged, &again));
  }
}

void DeviceFluid::endCoupling(double h) {
  askProgram(bodies_->endCoupling(bodies_->user, h, rigids_.data(), rigidRates_.data(), nodes()));
  pressure_.setBodyVelocities(rigidRates_);
  if (nodes()) pressure_.joint().setVelocities(nodeVelocity_.data());
  lists_.moveEnds(rigids_, nodes());
}

void DeviceFluid::sharedContacts() {
  static_assert(sizeof(DeviceContactRow) == sizeof(SharedParticle) && sizeof(DeviceContact) == sizeof(SharedContact));
  const Index n = state_.n;
  device_.exclusiveScan("contacts: rows", shared_.data(), n, sharedBefore_.data());
  device_.exclusiveScan("contacts: shared", sharedContacts_.data(), n, sharedContactsBefore_.data());
  Offset rows = 0, contacts = 0;
  device_.toHost(&rows, sharedBefore_.data() + n, sizeof rows, "shared contacts");
  if (rows > 0) device_.toHost(&contacts, sharedContactsBefore_.data() + n, sizeof contacts, "shared contacts");
  sharedRow_.resize(std::size_t(rows));
  sharedContact_.resize(std::size_t(contacts));
  sharedRowRead_.resize(std::size_t(rows));
  sharedContactRead_.resize(std::size_t(contacts));
  launch(device_, "contacts: share", rows > 0 ? n : 0,
         ShareContacts{lists_.surfaces().view(), lists_.surfaces().triangleDistance(), state_.kind.now.data(), xOld_.data(),
                       state_.x.now.data(), state_.u.now.data(), shared_.data(), sharedBefore_.data(), sharedContactsBefore_.data(),
                       sharedRow_.data(), sharedContact_.data()});
  sharedRow_.download(reinterpret_cast<SharedParticle*>(sharedRowRead_.data()));
  sharedContact_.download(reinterpret_cast<SharedContact*>(sharedContactRead_.data()));
  askProgram(bodies_->contacts(bodies_->user, sharedRowRead_.data(), int(rows), sharedContactRead_.data(), int(contacts)));
  sharedRow_.upload(reinterpret_cast<const SharedParticle*>(sharedRowRead_.data()), sharedRowRead_.size());
  launch(device_, "contacts: take", Index(rows), TakeShared{sharedRow_.data(), state_.x.now.data(), state_.u.now.data()});
}

MNS_NS_END
