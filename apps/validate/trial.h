// A scene that is stepped and measured, on the C interface alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/vec.h"
#include "meniscus/meniscus.h"

namespace meniscus::validate {

// Thrown out of a step when the user asked to stop.
struct Stopped {};

class Trial {
 public:
  // text: a scene file's; add: puts bodies into the scene before it starts. Throws Error as loading and starting do.
  Trial(const std::string& text, int threads, const std::function<void(mnsScene*)>& add = nullptr);

  // Throws Error(simulation), or Stopped.
  void step(double dt);
  // Steps of dt until the scene's time is t [s].
  void stepTo(double t, double dt);

  double time() const;
  std::size_t particles() const;
  std::vector<Vec3d> positions() const;                                                    // m, in the order of the particles' ids
  std::vector<Vec3d> velocities() const;                                                   // m/s
  std::vector<double> pressures() const;                                                   // Pa
  std::vector<Vec3d> nodes(mnsBodyId body, mnsBodyField field = MNS_NODE_POSITION) const;  // m or m/s
  mnsStatistics statistics() const;

  // The field takes a position [m] to a velocity [m/s].
  template <class Field>
  void setVelocities(const Field& field) {
    std::vector<float> v;
    for (const Vec3d& x : positions()) {
      const Vec3d u = field(x);
      for (int c = 0; c < 3; ++c) v.push_back(float(u[c]));
    }
    setVelocityArray(v);
  }

  void removeParticles();
  // Pressures of the fluid at points [Pa]; 0 where the kernel around the point is less than a third full.
  std::vector<double> pressuresAt(const std::vector<Vec3d>& points) const;

  mnsScene* scene() const { return scene_; }
  mnsBodyId body(const char* name) const;

 private:
  struct Destroy {
    void operator()(mnsContext* c) const { mnsDestroyContext(c); }
  };
  std::vector<std::uint32_t> ids() const;
  void setVelocityArray(const std::vector<float>& v);
  std::vector<Vec3d> vectors(mnsParticleField field) const;

  std::unique_ptr<mnsContext, Destroy> context_;
  mnsScene* scene_ = nullptr;
};

}  // namespace meniscus::validate
