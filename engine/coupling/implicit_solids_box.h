// Implicit solids as the black box S of a coupling: one solid or several, their nodes one after another in one interface vector.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/coupling/coupling.h"
#include "engine/solid/implicit/implicit_solid.h"
#include "engine/solid/implicit/solid_contacts.h"

namespace meniscus::coupling {

// What a monolithic method needs of the solids (Robinson-Mosher et al. 2008: M_S, V*, D; see LinearisedStep). The blocks of the
// matrices follow the order of the solids.
struct SolidOperators : Operators {
  // About the state now, for a step of dt [s]. Called in the saved state.
  virtual implicit::LinearisedStep linearised(double dt) const = 0;

  // After a solve over dt from the saved state: how its impulses hang on the velocities (ImplicitSolid::endSystem).
  virtual SparseMatrix endSystem(double dt) const = 0;
};

class ImplicitSolidsBox : public SolidBox, private SolidOperators {
 public:
  // Throws Error(input) where there is no solid or one is null. Without a coordinate the box has an empty interface.
  explicit ImplicitSolidsBox(std::vector<std::shared_ptr<implicit::ImplicitSolid>> solids);

  // From now on the solids touch one another, and a solve adds the impulses of their contacts (null: none).
  void setContacts(std::unique_ptr<implicit::SolidContacts> contacts) { contacts_ = std::move(contacts); }
  const implicit::SolidContacts* contacts() const { return contacts_.get(); }

  void save() override;
  void restore() override;
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Operators* operators() override { return static_cast<SolidOperators*>(this); }
  Motion motion() const override;
  std::vector<SolidPart> parts() const override;

  // Numbers that are not finite, for all nodes, where a solid fails: the state is then of no use before restore. Throws
  // Error(input) for loads that are no impulses or of another size.
  Motion solve(const Load& load, double dt) override;

  // The solid that failed in the last solve, or -1.
  int failed() const { return failed_; }

  // The first coordinate of each solid in the interface vector, and behind the last one its size n.
  const std::vector<Eigen::Index>& begin() const { return begin_; }

 private:
  class Stepped;
  bool stepAll(const implicit::Vector& impulse, double dt);
  implicit::LinearisedStep linearised(double dt) const override;
  SparseMatrix endSystem(double dt) const override;
  SparseMatrix endSystemsApart(double dt) const;

  std::vector<std::shared_ptr<implicit::ImplicitSolid>> solids_;
  std::vector<Eigen::Index> begin_;
  int failed_ = -1;
  std::unique_ptr<implicit::SolidContacts> contacts_;
};

}  // namespace meniscus::coupling
