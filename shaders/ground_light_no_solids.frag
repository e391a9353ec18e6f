// ground_light.frag where no solid throws a shadow: half of the samples.
#define NO_SOLIDS
#include "ground_light.frag"
