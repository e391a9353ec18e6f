#include <inttypes.h>
#include <stdio.h>

#include "tank.h"

int main(void) {
  int64_t particles = 0;
  uint64_t hash = 0;
  if (stepTank(&particles, &hash) != MNS_OK) {
    fprintf(stderr, "%s\n", mnsGetLastError());
    return 1;
  }
  printf("%" PRId64 " particles, %016" PRIx64 "\n", particles, hash);
  return 0;
}
