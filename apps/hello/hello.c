#include <meniscus/meniscus.h>
#include <stdio.h>

int main(void) {
  mnsContext* context;
  mnsScene* scene;
  mnsFluidId id;
  mnsView at;
  mnsShape block = mnsBoxShape(.2, .2, .2);
  mnsSceneDef tank = mnsDefaultSceneDef();
  tank.domain.max = (mnsVec3){.4, .2, .3};
  tank.spacing = .02;
  mnsFluidDef water = mnsDefaultFluidDef();
  water.shape = &block;
  water.position = (mnsVec3){.1, .1, .1};
  if (mnsCreateContext(MNS_VERSION, NULL, &context) || mnsCreateScene(context, &tank, &scene) ||
      mnsCreateFluid(scene, &water, &id)) return puts(mnsGetLastError()), 1;
  for (int k = 0; k < 60; ++k)
    if (mnsScene_Step(scene, .005)) return puts(mnsGetLastError()), 1;
  mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &at);
  printf("%d particles, the first at x = %.2f m\n", (int)at.count, ((const float*)at.data)[0]);
  mnsDestroyContext(context);
}
