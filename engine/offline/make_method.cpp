#include "engine/offline/make_method.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/coupling/make_method.h"
#include "engine/coupling/monolithic/monolithic.h"

namespace meniscus::offline {
namespace {

template <int D>
std::unique_ptr<Coupling> monolithic(Exec& exec, const CouplingDef& d, const StopRule& stop, HasConstant hasConstant) {
  if (d.load == CouplingLoad::force)
    throw Error(ErrorKind::input, "the method \"monolithic\" takes impulses; remove \"load\" from \"coupling\"");
  MonolithicOptions o;
  o.stop = stop;
  o.enclosed = std::move(hasConstant);
  if (d.p0Mode == EnclosedMode::off) o.enclosed = [](const implicit::Vector&) { return false; };
  return std::make_unique<Monolithic<D>>(exec, o);
}

}  // namespace

template <int D>
std::unique_ptr<Coupling> makeMethod(Exec& exec, const std::string& method, const CouplingDef& d, double length,
                                     HasConstant hasConstant) {
  if (method == "monolithic") return monolithic<D>(exec, d, stopRule(d, length), std::move(hasConstant));
  if (std::unique_ptr<Coupling> made = makeSolvesMethod(method, d, length)) return made;
  throw Error(
      ErrorKind::input,
      fmt::format("the method \"{}\" does not couple a grid with solids; give partitioned, iqn-ils, xpm, monolithic or staggered",
                  method));
}

template std::unique_ptr<Coupling> makeMethod<2>(Exec&, const std::string&, const CouplingDef&, double, HasConstant);
template std::unique_ptr<Coupling> makeMethod<3>(Exec&, const std::string&, const CouplingDef&, double, HasConstant);

}  // namespace meniscus::offline
