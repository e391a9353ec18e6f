/* A tank of .2 x .1 x .2 m with water .06 m deep at a spacing of .01 m, 5 steps, and a hash of where its particles are then. The
 * same bits come out whatever compiler made the caller. */
#ifndef TANK_H
#define TANK_H

#include <meniscus/meniscus.h>

static inline mnsResult stepTank(int64_t* particles, uint64_t* hash) {
  mnsContext* context = NULL;
  mnsScene* scene = NULL;
  mnsShape block = mnsBoxShape(.2, .1, .06);
  mnsSceneDef tank = mnsDefaultSceneDef();
  mnsFluidDef water = mnsDefaultFluidDef();
  mnsFluidId id;
  mnsView view;
  mnsResult result = mnsCreateContext(MNS_VERSION, NULL, &context);
  tank.domain.max.x = .2;
  tank.domain.max.y = .1;
  tank.domain.max.z = .2;
  tank.spacing = .01;
  water.shape = &block;
  water.position.x = .1;
  water.position.y = .05;
  water.position.z = .03;
  if (result == MNS_OK) result = mnsCreateScene(context, &tank, &scene);
  if (result == MNS_OK) result = mnsCreateFluid(scene, &water, &id);
  for (int k = 0; k < 5 && result == MNS_OK; ++k) result = mnsScene_Step(scene, .004);
  if (result == MNS_OK) result = mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view);
  if (result == MNS_OK) {
    *particles = view.count;
    *hash = 14695981039346656037u; /* FNV-1a */
    for (int64_t i = 0; i < view.count; ++i) {
      const unsigned char* item = (const unsigned char*)view.data + i * (view.stride ? view.stride : 16);
      for (int b = 0; b < 12; ++b) *hash = (*hash ^ item[b]) * 1099511628211u;
    }
  }
  mnsDestroyContext(context);
  return result;
}

#endif
