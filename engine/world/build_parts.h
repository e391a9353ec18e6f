// The parts of building a world, in the order in which they run. Mistakes are collected, so that one run shows them all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/scene/diagnostic.h"
#include "engine/scene/sample.h"
#include "engine/world/world.h"

namespace meniscus {

struct Builder {
  World& world;
  std::vector<std::string>* notes;  // may be null
  Diagnostics mistakes;
  std::vector<std::unique_ptr<Region>> solidRegions;  // one a solid, as it stands at the start; null: failed to build
  Surroundings surroundings;

  void mistake(const SourceRef& at, const std::string& text) { mistakes.push_back({world.scene.file, at.line, at.column, text}); }
  void note(const std::string& text) {
    if (notes) notes->push_back(text);
  }
};

// Of the fluids [m]; of a scene without fluid, where it is the length scale of contacts only, a small part of the domain.
double spacingOf(const SceneDef& scene);
// Spacing, memory, openings: what can be said before anything is built.
void checkFigures(Builder& b);
// Whether the machine has memory for so many particles.
void checkParticleCount(Builder& b, double count, const SourceRef& at);
// Meshes, nodes, constraints, rigid bodies; the regions and obstacles that the fluids need.
void buildSolids(Builder& b);
// Soft solids that stand within one another.
void checkSoftOverlaps(Builder& b);
// Openings against the domain and the steps.
void checkFigures(Builder& b, const EmitterDef& e);
void checkFigures(Builder& b, const DrainDef& d);
// Emitters and drains against the solids.
void checkOpenings(Builder& b);
// Key frames against what the sub-steps of a step resolve.
void checkKeyFrames(Builder& b);
// Particles and the room for those to come.
void buildFluids(Builder& b);

}  // namespace meniscus
