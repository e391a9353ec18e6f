#include "apps/validate/cases.h"

namespace meniscus::validate {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"still-water", "water at rest in a tank", "p = rho g (H - z)", stillWater},
      {"standing-wave", "small waves in square tanks", "omega^2 = g k tanh(k h)", standingWave},
      {"dam-break", "front and height of a collapsing column", "Martin & Moyce 1952; Koshizuka & Oka 1996", damBreak},
      {"marin", "dam break on a box (SPHERIC test 2)", "Kleefsman et al. 2005", marinDamBreak},
      {"taylor-green", "decay of four vortices in viscous fluid", "u ~ exp(-8 pi^2 nu t)", taylorGreen},
      {"spin-up", "oil in a cylinder that begins to turn", "Batchelor, An Introduction to Fluid Dynamics, 4.3", spinUp},
      {"poiseuille", "start of a flow between plates under a body force", "Morris et al. 1997, series", poiseuille},
      {"couette", "start of a flow between plates, one of which moves", "Morris et al. 1997, series", couette},
      {"droplet", "drops under surface tension", "Laplace; Rayleigh 1879", droplet},
      {"elastic-plate", "dam break on an elastic plate", "Idelsohn 2008, Bogaers 2016, Sun 2019, Liu 2013", elasticPlate},
      {"plate-under-water", "column of water on a clamped plate", "q L^4 / 384 D; Fourey et al. 2010", plateUnderWater},
      {"draft", "how deep a floating sphere lies", "Archimedes", draft},
      {"released-sphere", "a submerged sphere let go", "added mass, Lamb, Hydrodynamics, art. 92, 99", releasedSphere},
      {"cantilever", "a soft beam under an end load", "Bisshopp & Drucker 1945", cantilever},
      {"balloon", "pressure in a neo-Hookean sphere", "p = 2 mu h / r (1/l - 1/l^7)", balloon}};
  return all;
}

}  // namespace meniscus::validate
