// Per-step quantities as a CSV file that grows by a whole line a step.
#pragma once

#include <string>

#include "engine/output/csv_file.h"
#include "engine/world/world.h"

namespace meniscus {

class StepCsv {
 public:
  // Starts the file anew, or keeps the lines of steps up to `keepSteps` where the file exists and a run goes on.
  StepCsv(const std::string& path, std::uint64_t keepSteps);

  // Appends the world's last step. milliseconds: what it took. Throws Error(input) where the line cannot be written; the file then
  // ends with the last whole line.
  void add(const World& world, double milliseconds);

 private:
  CsvFile file_;
};

}  // namespace meniscus
