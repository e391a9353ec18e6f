#include "engine/coupling/make_method.h"

#include "engine/coupling/iqn/iqn_ils.h"
#include "engine/coupling/partitioned/relaxation.h"
#include "engine/coupling/partitioned/staggered.h"
#include "engine/coupling/xpm/xpm.h"

namespace meniscus::coupling {
namespace {

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

std::unique_ptr<Coupling> xpm(const CouplingDef& d, const StopRule& stop, bool ownLoad) {
  XpmOptions o = learning<XpmOptions>(d, stop);
  o.residual = d.residual == CouplingResidual::interface ? XpmResidual::interface : XpmResidual::successive;
  o.ownLoad = ownLoad && d.residual == CouplingResidual::interface && d.load == CouplingLoad::impulse;
  return std::make_unique<Xpm>(o);
}

}  // namespace

StopRule stopRule(const CouplingDef& d, double length) {
  StopRule stop;
  stop.length = length;
  stop.fraction = d.tolerance;
  stop.speed = d.toleranceSpeed;
  stop.maxIterations = d.maxIterations;
  return stop;
}

std::unique_ptr<Coupling> makeSolvesMethod(const std::string& method, const CouplingDef& d, double length, bool ownLoad) {
  const StopRule stop = stopRule(d, length);
  if (method == "partitioned") return relaxation(d, stop);
  if (method == "iqn-ils") return std::make_unique<IqnIls>(learning<IqnIlsOptions>(d, stop));
  if (method == "xpm") return xpm(d, stop, ownLoad);
  if (method == "staggered") return std::make_unique<Staggered>(stop, d.extrapolate);
  return nullptr;
}

}  // namespace meniscus::coupling
