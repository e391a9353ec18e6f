#include "engine/offline/make_method.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/coupling/make_method.h"
#include "engine/coupling/monolithic/monolithic.h"

namespace meniscus::offline {
namespace {

template <int D>
std::unique_ptr<Coupling> monolithic(Exec& exec, const CouplingDef& d, const StopRule& stop) {
  if (d.load == CouplingLoad::force)
    throw Error(ErrorKind::input, "the method \"monolithic\" takes impulses; remove \"load\" from \"coupling\"");
  MonolithicOptions o;
  o.stop = stop;
  o.enclosed = d.p0Mode == EnclosedMode::solved;
  return std::make_unique<Monolithic<D>>(exec, o);
}

}  // namespace

template <int D>
std::unique_ptr<Coupling> makeMethod(Exec& exec, const std::string& method, const CouplingDef& d, double length) {
  if (method == "monolithic") return monolithic<D>(exec, d, stopRule(d, length));
  if (std::unique_ptr<Coupling> made = makeSolvesMethod(method, d, length)) return made;
  throw Error(
      ErrorKind::input,
      fmt::format("the method \"{}\" does not couple a grid with solids; give partitioned, iqn-ils, xpm, monolithic or staggered",
                  method));
}

template std::unique_ptr<Coupling> makeMethod<2>(Exec&, const std::string&, const CouplingDef&, double);
template std::unique_ptr<Coupling> makeMethod<3>(Exec&, const std::string&, const CouplingDef&, double);

}  // namespace meniscus::offline
