#include "engine/offline/make_method.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/monolithic/monolithic.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/xpm/xpm.h"

namespace meniscus::offline {
namespace {

StopRule stopRule(const CouplingDef& d, double length) {
  StopRule stop;
  stop.length = length;
  stop.fraction = d.tolerance;
  stop.speed = d.toleranceSpeed;
  stop.maxIterations = d.maxIterations;
  return stop;
}

std::unique_ptr<Coupling> relaxation(const CouplingDef& d, const StopRule& stop) {
  RelaxationOptions o;
  o.stop = stop;
  o.omega = d.relaxation;
  o.aitken = d.aitken;
  o.extrapolate = d.extrapolate;
  return std::make_unique<Relaxation>(o);
}

// What XPM and IQN-ILS have in common.
template <class Options>
Options learning(const CouplingDef& d, const StopRule& stop) {
  Options o;
  o.stop = stop;
  o.omega = d.w0;
  o.stepCap = d.stepCap;
  o.threshold = d.columnFilter;
  o.reuse = d.reuse;
  o.extrapolate = d.extrapolate;
  return o;
}

std::unique_ptr<Coupling> xpm(const CouplingDef& d, const StopRule& stop) {
  XpmOptions o = learning<XpmOptions>(d, stop);
  o.residual = d.residual == CouplingResidual::interface ? XpmResidual::interface : XpmResidual::successive;
  return std::make_unique<Xpm>(o);
}

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
  const StopRule stop = stopRule(d, length);
  if (method == "partitioned") return relaxation(d, stop);
  if (method == "iqn-ils") return std::make_unique<IqnIls>(learning<IqnIlsOptions>(d, stop));
  if (method == "xpm") return xpm(d, stop);
  if (method == "monolithic") return monolithic<D>(exec, d, stop);
  throw Error(
      ErrorKind::input,
      fmt::format("the method \"{}\" does not couple a grid with solids; give partitioned, iqn-ils, xpm or monolithic", method));
}

template std::unique_ptr<Coupling> makeMethod<2>(Exec&, const std::string&, const CouplingDef&, double);
template std::unique_ptr<Coupling> makeMethod<3>(Exec&, const std::string&, const CouplingDef&, double);

}  // namespace meniscus::offline
