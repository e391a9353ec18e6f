#include "engine/coupling/owed_impulse.h"

#include <fmt/format.h>

namespace meniscus::coupling {

Load OwingFluid::solve(const Motion& end, double dt) {
  Load load = box.solve(end, dt);
  if (load.value.size() != owed.size())
    throw Error(ErrorKind::input,
                fmt::format("coupling: {} impulses are owed to solids of {} coordinates", owed.size(), load.value.size()));
  for (std::size_t i = 0; i < owed.size(); ++i) load.value[i] += owed[i];
  given = load.value;
  return load;
}

Motion OwedSolid::solve(const Load& load, double dt) {
  taken = load.value;
  return box.solve(load, dt);
}

void settle(const OwingFluid& fluid, const OwedSolid& solid, const std::vector<char>& moves, std::vector<double>& owed) {
  for (std::size_t i = 0; i < owed.size(); ++i) owed[i] = moves[i] ? fluid.given[i] - solid.taken[i] : 0;
}

}  // namespace meniscus::coupling
