// Runs the program as a user does and keeps what it says.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace meniscus::testing {

struct Outcome {
  int status = -1;   // exit status, or 128 + signal
  std::string text;  // standard output and standard error together
};

inline Outcome shell(const std::string& command) {
  Outcome o;
  FILE* pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (!pipe) return o;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) o.text.append(buffer, n);
  const int raw = ::pclose(pipe);
  o.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  return o;
}

// The same, with Ctrl-C, or another signal, as soon as it has made this file.
inline Outcome interruptedAt(const std::string& file, const std::string& command, const char* signal = "INT") {
  const std::string wait = "while [ ! -e '" + file + "' ] && kill -0 $pid; do sleep 0.01; done";
  return shell(command + " & pid=$!; " + wait + "; kill -" + signal + " $pid; wait $pid");
}

inline std::string program() { return std::string(MENISCUS_BINARY_DIR) + "/bin/meniscus"; }

inline Outcome meniscus(const std::string& arguments) { return shell("'" + program() + "' " + arguments); }

// A tank of 10 x 6 x 5 cm of water in 1 cm particles with a light ball in it: a few hundred particles, coupled both ways.
inline std::string tankScene(const std::string& more = "") {
  return R"({
  "meniscus": 1, "name": "tank", "duration": 0.04,
  "domain": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.12]},
  "solver": {"dt": 0.002},
  "fluids": [{"name": "water", "spacing": 0.01, "relax": false, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.1, 0.06, 0.05]}}]}],
  "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.015}}, "position": [0.05, 0.03, 0.075],
              "material": {"density": 500}}])" +
         more + "\n}\n";
}

// The cells of a table, line by line.
inline std::vector<std::vector<std::string>> rowsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace meniscus::testing
