// What a scene says beyond particles when a grid method runs it: the grid, the coupling, and how smoke flows in.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/schedule_span.h"
#include "engine/scene/source_ref.h"
#include "kernels/core/vec.h"

namespace meniscus {

// The grid of smoke. In two dimensions the grid is the domain's plane y = centre, and everything is per metre of depth along y.
struct GridDef {
  int dimension = 3;      // 3 or 2
  int cells = 0;          // along x; 0: from cellSize
  double cellSize = 0;    // m; 0: from cells
  double cfl = 0.9;       // a step moves the fastest fluid by so many cells at most
  double startSpeed = 0;  // m/s that the limit by cfl counts with at least
  double pressureTolerance = 1e-12;
  int pressureIterations = 500;
};

enum class CouplingResidual { interface, successive };
enum class CouplingLoad { impulse, force };
enum class FaceWeights { dualCell, crossing };
enum class EnclosedMode { solved, off };

// How a step of fluid and solids is solved; which of it a method takes is said at each.
struct CouplingDef {
  double tolerance = 0.05;      // of a cell, 2-norm over all coordinates
  double toleranceSpeed = 0;    // m/s; the tolerance is less where a step at this speed is shorter than a cell; 0: never
  int maxIterations = 30;       // fluid solves
  bool extrapolate = true;      // the first guess is x + dt v
  double relaxation = 0.5;      // omega of partitioned passes
  bool aitken = true;           // of partitioned passes
  double w0 = 0.1;              // xpm, iqn-ils: relaxation before there is a model
  double stepCap = 0.5;         // xpm, iqn-ils: cells; 0: none
  double columnFilter = 1e-10;  // xpm, iqn-ils
  int reuse = 0;                // xpm, iqn-ils: earlier steps whose columns stay
  CouplingResidual residual = CouplingResidual::interface;  // xpm
  CouplingLoad load = CouplingLoad::impulse;
  double pressureScale = 1;  // of forces
  FaceWeights weights = FaceWeights::dualCell;
  EnclosedMode p0Mode = EnclosedMode::solved;
  double p0Tolerance = 1e-3;  // of a cell's volume that an enclosed region may gain or lose in a step
};

// From a point of a rigid solid to a fixed one: force = -stiffness * (point - anchor) - damping * velocity of the point.
struct SpringDef {
  Vec3d point{}, anchor{};  // m, world frame; the point as the solid lies at the start
  double stiffness = 0;     // N/m; in two dimensions of a metre of depth
  double damping = 0;       // N s/m; likewise
};

// What leads and drives a rigid solid beside a grid.
struct GuideDef {
  Vec3d slide{};  // the axis that alone it moves along; zero: it is free
  Vec3d force{};  // N, on its centre of mass; in two dimensions of a metre of depth
  std::vector<SpringDef> springs;
};

// A part of a side of the domain through which fluid flows at a given speed.
struct InflowDef {
  int side = 0;                        // -x +x -y +y -z +z
  bool whole = true;                   // the whole side; else its faces whose centres are in the box
  Vec3d boxMin{}, boxMax{};            // m, world frame; the coordinate across the side counts nothing
  double speed = 0;                    // m/s into the domain; negative: out of it
  double smoke = 0;                    // of what flows in
  std::vector<ScheduleSpan> schedule;  // when it flows; empty: always. Else a wall
  SourceRef where;
};

}  // namespace meniscus
