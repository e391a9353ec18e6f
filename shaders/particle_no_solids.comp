// particle.comp where no solid throws a shadow: half of the samples.
#define NO_SOLIDS
#include "particle.comp"
