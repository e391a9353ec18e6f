#include "apps/viewer/script.h"

#include <epoxy/gl.h>
#include <imgui.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/viewer/allocations.h"
#include "apps/viewer/text.h"
#include "engine/base/error.h"

namespace meniscus::viewer {
namespace {

constexpr double kPatience = 120;  // s that anything is waited for

// The words from `first` on, as one.
std::string rest(const std::vector<std::string>& words, std::size_t first) {
  std::string all;
  for (std::size_t k = first; k < words.size(); ++k) all += (k > first ? " " : "") + words[k];
  return all;
}

}  // namespace

Script::Script(const std::string& file, Window& window) : window_(window), file_(file) {
  std::ifstream in(file);
  if (!in) throw Error(ErrorKind::input, file + ": cannot be read");
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    Words all;
    for (std::string word; words >> word;) all.push_back(word);
    if (!all.empty()) lines_.emplace_back(number, all);
  }
  window_.mouse.active = true;
  window_.keepShown = true;
}

void Script::fail(const std::string& why) {
  const int number = at_ > 0 ? lines_[at_ - 1].first : 0;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file_.c_str(), number, at_ > 0 ? rest(lines_[at_ - 1].second, 0).c_str() : "",
               why.c_str());
  status_ = 1;
}

void Script::require(bool holds, const std::string& why) {
  if (!holds) fail(why);
}

bool Script::advance(App& app) {
  const bool goesOn = next(app);
  allocationsBefore_ = allocations();  // from here on the frame's
  return goesOn;
}

void Script::frameDone() { allocations_ += allocations() - allocationsBefore_; }

bool Script::next(App& app) {
  if (status_) return false;
  if (const std::string said = window_.takeDriverMessages();
      !said.empty() && (glExpected_.empty() || said.find(glExpected_) == std::string::npos)) {
    fail("OpenGL: " + said);
    return false;
  }
  if (!actions_.empty()) {
    const Action action = std::move(actions_.front());
    actions_.pop_front();
    action();
    return status_ == 0;
  }
  if (waiting(app)) return status_ == 0;
  if (at_ == lines_.size()) return false;
  const Words& words = lines_[at_++].second;
  start(app, words);
  return status_ == 0;
}

bool Script::waiting(App& app) {
  if (wait_.empty()) return false;
  const std::string& what = wait_[0];
  const double number = wait_.size() > 1 ? std::atof(wait_[1].c_str()) : 0, waited = ImGui::GetTime() - waitBegin_;
  ++waitFrames_;
  bool done = false;
  if (what == "loaded") done = app.loading.empty() && app.hasScene() && waitFrames_ > 2;
  if (what == "loaded" && !app.loadError.empty() && app.loading.empty()) fail(app.loadError);
  if (what == "failed") done = !app.loadError.empty();
  if (what == "steps") done = app.state && app.state->frame.steps >= waitSteps_ + std::uint64_t(number);
  if (what == "frames") done = waitFrames_ >= int(number);
  if (what == "seconds") done = waited >= number;
  if (what == "idle") done = app.pending_.empty() && app.sim.busySeconds() == 0 && waitFrames_ > 3;
  if (what == "recorded") done = !app.recorder.recording() && app.recorder.frames() >= int(number);
  if (what == "thumbnails") done = waitFrames_ > 5 && !app.thumbnails.working();
  if (what == "notice")
    for (const Notice& n : app.notices) done = done || n.text.find(rest(wait_, 1)) != std::string::npos;
  if (what == "file") done = std::ifstream(rest(wait_, 1)).good();
  if (done) {
    lastWait_ = waited;
    lastAllocations_ = allocations_;
    lastPace_ = waitFrames_ / std::max(waited, 1e-9);
    wait_.clear();
    return false;
  }
  if (waited > kPatience) fail(text("waited %.0f s in vain", waited));
  return true;
}

void Script::start(App& app, const Words& w) {
  const std::string& verb = w[0];
  const std::string argument = rest(w, 1);
  if (verb == "open") return app.openScene(argument);
  if (verb == "drop") return window_.synthesizeDrop(argument);
  if (verb == "wait") {
    wait_.assign(w.begin() + 1, w.end());
    waitBegin_ = ImGui::GetTime();
    waitFrames_ = 0;
    allocations_ = 0;
    waitSteps_ = app.state ? app.state->frame.steps : 0;
    return;
  }
  if (verb == "resize" && w.size() == 3) return window_.resize(std::atoi(w[1].c_str()), std::atoi(w[2].c_str()));
  if (verb == "signal") {
    std::raise(argument == "INT" ? SIGINT : argument == "HUP" ? SIGHUP : SIGTERM);
    return;
  }
  if (verb == "copy" && w.size() == 3) {
    std::filesystem::copy_file(w[1], w[2], std::filesystem::copy_options::overwrite_existing);
    return;
  }
  if (verb == "gl" && w.size() > 2) {
    glExpected_ = rest(w, 2);
    return;
  }
  if (verb == "gl") return glEnable(0xffff);
  if (verb == "whole") {
    app.settings.automaticResolution = false;
    app.settings.resolution = 1;
    return;
  }
  if (verb == "key") return keyCommand(argument);
  if (verb == "type") return window_.synthesizeText(argument);
  if (verb == "expect") return expect(app, w);
  if (verb == "set") {
    app.settings.pictureFolder = argument;
    return;
  }
  if (verb == "film" && w.size() == 6) {
    static const std::map<std::string, FilmSettings::Format> formats = {{"mp4", FilmSettings::Format::mp4},
                                                                        {"webm", FilmSettings::Format::webm},
                                                                        {"gif", FilmSettings::Format::gif},
                                                                        {"png", FilmSettings::Format::png}};
    app.settings.film = {formats.at(w[1]),        std::atoi(w[4].c_str()), std::atoi(w[5].c_str()), 30,
                         std::atoi(w[2].c_str()), std::atoi(w[3].c_str())};
    return;
  }
  if (verb == "remember") {
    parameters_.clear();
    bodies_.clear();
    for (const mnsParameter& p : app.state->parameters) parameters_[p.name] = p.value;
    for (const auto& body : app.state->frame.bodies) bodies_[body.name] = bodyMiddle(app, body.name);
    camera_ = app.camera.camera;
    shown_ = window_.shown();
    return;
  }
  if (verb == "screenshot") {
    render::Image image;
    image.width = window_.width();
    image.height = window_.height();
    image.rgb = window_.shown();
    return render::writePng(argument, image);
  }
  mouseCommand(app, w);
}

}  // namespace meniscus::viewer
