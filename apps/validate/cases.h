// The validation cases: each runs scenes and holds what it measures against closed forms or experiments.
//
// A case with a closed form is bounded by what the method is meant to reach at the case's resolution; one with an experiment by the
// spread that experiments have. Where a figure does not hold, the table says so: no bound follows a result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/validate/findings.h"

namespace meniscus::validate {

struct Effort {
  bool full = false;  // else the short form: coarser, shorter; seconds a case
  int threads = 0;
  std::function<void(double share)> progress;  // 0..1 of the case
  std::function<void(const std::string& name, const std::string& text)>
      keepScene;  // a scene that the case runs, for who wants to see it

  // One of two numbers.
  double pick(double shortForm, double fullForm) const { return full ? fullForm : shortForm; }
};

struct Case {
  const char *name, *title, *source;
  Findings (*run)(const Effort&);
};

const std::vector<Case>& cases();

Findings stillWater(const Effort&);
Findings standingWave(const Effort&);
Findings damBreak(const Effort&);
Findings marinDamBreak(const Effort&);
Findings taylorGreen(const Effort&);
Findings spinUp(const Effort&);
Findings draft(const Effort&);
Findings releasedSphere(const Effort&);
Findings poiseuille(const Effort&);
Findings couette(const Effort&);
Findings droplet(const Effort&);
Findings elasticPlate(const Effort&);
Findings plateUnderWater(const Effort&);
Findings cantilever(const Effort&);
Findings balloon(const Effort&);

}  // namespace meniscus::validate
