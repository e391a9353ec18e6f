// A run's frames at any time between its first and its last.
#pragma once

#include "apps/picture/frame.h"
#include "apps/replay/saved_frame.h"

namespace meniscus::replay {

class Replay {
 public:
  // The run must stay. bodies: of its scene (picture::listBodies). Throws Error(input), as at() does, where the first frame cannot
  // be read.
  Replay(const RunFolder& run, const picture::Colouring& colouring, std::vector<picture::BodyFrame> bodies);

  double begin() const { return run_.frames.front().time; }  // s
  double end() const { return run_.frames.back().time; }

  // At a time [s] from begin() to end(), best in ascending order: each file is then read once. Between two frames, what is in both
  // (particles by their ids, bodies by their points) has gone a share of the straight way that is the share of the time; what is in
  // the earlier alone stays, what is in the later alone is not there yet. Throws Error(input), naming the file, where one is
  // damaged.
  const picture::Frame& at(double time);

 private:
  void load(std::size_t number);
  void mix(const SavedFrame& a, const SavedFrame* b, float share);
  void mixGrid(const SavedGrid& a, const SavedGrid* b, float share);
  void mixParticles(const SavedParticles& a, const SavedParticles* b, float share);

  const RunFolder& run_;
  SavedFrameReader reader_;
  std::size_t number_ = 0;  // of before_; after_ is the next one, where it has been read
  SavedFrame before_, after_;
  bool afterRead_ = false;
  picture::Frame frame_;
  std::vector<float> values_, someValues_;
};

}  // namespace meniscus::replay
