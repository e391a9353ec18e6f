// The constraints of solids as a device has them that makes their rows (kernels/solid/own_rows.h).
#pragma once

#include <vector>

#include "engine/exec/device_fluid.h"
#include "engine/solid/solid.h"
#include "kernels/solid/own_rows.h"

namespace meniscus {

class RemoteConstraints {
 public:
  // Looks at what there is; seldom other than before.
  void tabulate(const SolidState& solid);
  // With the arrays, unless the device has them: sent() says so. Good until the next tabulate().
  DeviceConstraintTable table() const;
  void sent() { there_ = true; }

 private:
  void add(Index constraint, Index hydrostatic);
  void listByNode(Index nodes);

  bool there_ = false;
  Buffer<Constraint> items_;  // what the rest was made of
  Buffer<double> rest_;
  std::vector<StoredEdge> edge_;
  std::vector<StoredGeneral> general_;
  std::vector<StoredElement> element_;
  std::vector<OwnRow> row_;
  std::vector<OwnItem> item_;
  std::vector<Index> itemBegin_;
  Index entries_ = 0, impulses_ = 0;
};

}  // namespace meniscus
