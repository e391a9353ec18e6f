// The interactive viewer.
#include <imgui.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "apps/viewer/app.h"
#include "apps/viewer/script.h"
#include "apps/viewer/signals.h"
#include "engine/base/error.h"

namespace {

using namespace meniscus::viewer;

void save(const Settings& settings) {
  try {
    saveSettings(settings);
  } catch (const std::exception& e) { std::fprintf(stderr, "meniscus-viewer: %s\n", e.what()); }
}

int run(const Options& options) {
  std::string note;
  Settings settings = loadSettings(note);
  Log log;
  if (!note.empty()) log.say(MNS_LOG_WARNING, note);
  Window window(options.width ? options.width : settings.width, options.height ? options.height : settings.height,
                !options.script.empty());
  std::unique_ptr<Script> script;
  if (!options.script.empty()) script = std::make_unique<Script>(options.script, window);
  int status = 0;
  {
    App app(options, settings, log, window);
    using Clock = std::chrono::steady_clock;
    Clock::time_point before = Clock::now();
    catchSignals();
    while (window.open() && !app.wantQuit && !askedToEnd()) {
      if (script && !script->advance(app)) break;
      window.begin(script || !app.idle() ? 0 : 0.1, settings.fontScale, settings.dark);
      const Clock::time_point now = Clock::now();
      app.frame(std::chrono::duration<double>(now - before).count());
      before = now;
      window.end();
      if (script) script->frameDone();
    }
    window.hide();
    const bool filming = app.recorder.recording(), ended = app.end(1);
    if (filming && !app.recorder.error().empty()) std::fprintf(stderr, "meniscus-viewer: %s\n", app.recorder.error().c_str());
    for (const std::string& words : app.lost) std::fprintf(stderr, "meniscus-viewer: %s\n", words.c_str());
    save(settings);
    std::fflush(nullptr);
    status = script ? script->status() : 0;
    if (status == 0 && !app.lost.empty()) status = int(meniscus::ErrorKind::input);
    if (!ended) std::_Exit(status);  // what would be lost has been told
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  int status = 0;
  if (!readOptions(argc, argv, options, status)) return status;
  try {
    return run(options);
  } catch (const meniscus::Error& e) {
    std::fprintf(stderr, "meniscus-viewer: %s\n", e.what());
    return int(e.kind);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "meniscus-viewer: %s\n", e.what());
    return 1;
  }
}
