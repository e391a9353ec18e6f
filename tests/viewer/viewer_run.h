// Runs the viewer under a virtual display with a script of input, as somebody at the keyboard would use it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus::testing {

inline std::string viewerProgram() { return std::string(MENISCUS_BINARY_DIR) + "/bin/meniscus-viewer"; }

inline bool haveVirtualDisplay() { return shell("command -v xvfb-run && command -v xauth").status == 0; }

// Whether the scale of the screen can be set as desktops of X11 do, by the resource Xft.dpi.
inline bool haveScreenScale() { return haveVirtualDisplay() && shell("command -v xrdb").status == 0; }

// Settings and thumbnails stay in the folder; the picture of the scene is about 300 pixels wide, as software draws slowly.
// scale: pixels a point, of a screen of as many points (--size counts pixels, "--size first" is the size of a first start).
// environment: as before a command of the shell.
inline Outcome view(const TemporaryFolder& folder, const std::string& script, const std::string& options = "", int scale = 1,
                    const std::string& environment = "") {
  writeText(folder / "script.txt", script);
  const std::string status = folder / "status.txt";  // xvfb-run's own may be about its cleaning up
  std::filesystem::remove(status);
  const std::string screen = std::to_string(1920 * scale) + "x" + std::to_string(1080 * scale);
  // the screen forgets its resources when its last window goes, unless it is told not to
  const std::string resource = scale == 1 ? "" : "echo Xft.dpi: " + std::to_string(96 * scale) + " | xrdb -nocpp -merge && ";
  const bool sized = options.find("--size") != std::string::npos;
  const std::string all = options == "--size first" ? "" : sized ? options : "--size 800x560 " + options;
  // leaks are looked for in the other programs: the code that Mesa makes at run time has no name by which to leave its own out
  Outcome o = shell(environment + " LSAN_OPTIONS=detect_leaks=0 XDG_STATE_HOME='" + folder.path() + "' XDG_CACHE_HOME='" +
                    folder.path() + "' LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s '-noreset -screen 0 " + screen + "x24' sh -c '" +
                    resource + "\"$0\" \"$@\"; echo $? > \"" + status + "\"' '" + viewerProgram() + "' --script '" +
                    (folder / "script.txt") + "' " + all);
  const std::string said = readText(status);
  if (!said.empty()) o.status = std::atoi(said.c_str());
  return o;
}

// Of a script: opens a tank with a ball.
inline std::string opened(const TemporaryFolder& folder) {
  writeText(folder / "tank.json", tankScene());
  return "open " + (folder / "tank.json") + "\nwait loaded\nwait frames 5\nexpect no error\n";
}

inline void holds(const Outcome& o) { EXPECT_EQ(o.status, 0) << o.text; }

#define MENISCUS_NEEDS_DISPLAY() \
  if (!testing::haveVirtualDisplay()) GTEST_SKIP() << "xvfb-run or xauth is missing (Debian: apt install xvfb xauth)"

}  // namespace meniscus::testing
