// Boxes that measure how long their calls take.
#pragma once

#include <chrono>

#include "engine/coupling/coupling.h"

namespace meniscus::coupling {

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// box and seconds must outlive this.
struct TimedFluid : FluidBox {
  TimedFluid(FluidBox& b, double& s) : box(b), seconds(s) {}
  void save() override {
    Stopwatch w(seconds);
    box.save();
  }
  void restore() override {
    Stopwatch w(seconds);
    box.restore();
  }
  LoadKind loadKind() const override { return box.loadKind(); }
  Operators* operators() override { return box.operators(); }
  void setBoundary(const Motion& now) override {
    Stopwatch w(seconds);
    box.setBoundary(now);
  }
  Load solve(const Motion& end, double dt) override {
    Stopwatch w(seconds);
    return box.solve(end, dt);
  }
  std::vector<double> stopped(const Motion& end, double dt) override {
    Stopwatch w(seconds);
    return box.stopped(end, dt);
  }
  bool holdFaces() override { return box.holdFaces(); }
  void releaseFaces() override { box.releaseFaces(); }
  long long piece() const override { return box.piece(); }
  void holdPiece(bool hold) override { box.holdPiece(hold); }

  FluidBox& box;
  double& seconds;
};

struct TimedSolid : SolidBox {
  TimedSolid(SolidBox& b, double& s) : box(b), seconds(s) {}
  void save() override {
    Stopwatch w(seconds);
    box.save();
  }
  void restore() override {
    Stopwatch w(seconds);
    box.restore();
  }
  LoadKind loadKind() const override { return box.loadKind(); }
  Operators* operators() override { return box.operators(); }
  bool addsEnclosedPressure() const override { return box.addsEnclosedPressure(); }
  std::vector<SolidPart> parts() const override { return box.parts(); }
  Motion motion() const override {
    Stopwatch w(seconds);
    return box.motion();
  }
  Motion solve(const Load& load, double dt) override {
    Stopwatch w(seconds);
    return box.solve(load, dt);
  }

  SolidBox& box;
  double& seconds;
};

}  // namespace meniscus::coupling
