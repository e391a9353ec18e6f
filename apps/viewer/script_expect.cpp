// What a script expects.
#include <imgui.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "apps/viewer/script.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

void Script::expect(App& app, const Words& w) {
  if (w.size() < 2) return fail("what is expected?");
  const std::string& what = w[1];
  std::string argument;
  for (std::size_t k = 2; k < w.size(); ++k) argument += (k > 2 ? " " : "") + w[k];
  if (what == "no")
    return require(app.loadError.empty() && (!app.state || app.state->stepError.empty()),
                   app.loadError + (app.state ? app.state->stepError : ""));
  if (what == "error") return require(app.loadError.find(argument) != std::string::npos, "the error is: " + app.loadError);
  if (what == "recorded")
    return require(app.recorder.frames() == std::atoi(argument.c_str()),
                   text("recorded %d; %s", app.recorder.frames(), app.recorder.error().c_str()));
  if (what == "file") {
    struct stat s {};
    return require(::stat(argument.c_str(), &s) == 0 && s.st_size > 0, "there is no such file, or it is empty");
  }
  if (what == "notice") {
    for (const Notice& n : app.notices)
      if (n.text.find(argument) != std::string::npos) return;
    return fail(app.notices.empty() ? "there is no notice" : "the last notice is: " + app.notices.back().text);
  }
  if (what == "clipboard") {
    const char* words = ImGui::GetClipboardText();
    const std::string held = words ? words : "";
    return require(held.find(argument) != std::string::npos, "it holds: " + held.substr(0, 200));
  }
  if (what == "unsaid") {
    for (const Notice& n : app.notices)
      if (n.text.find(argument) != std::string::npos) return fail("there is the notice: " + n.text);
    return;
  }
  if (what == "nothing") {
    std::string clipped;
    for (std::size_t k = 0; k < app.marked; ++k)
      if (app.marks[k].clipped) clipped += (clipped.empty() ? "" : ", ") + app.marks[k].name;
    return require(clipped.empty(), "clipped: " + clipped);
  }
  if (what == "inside") {
    const auto end = app.marks.begin() + std::ptrdiff_t(app.marked);
    const auto item = std::find_if(app.marks.begin(), end, [&](const Mark& m) { return m.name == argument; });
    return require(item != end && !item->clipped, item == end ? "it is not there" : "it is not in the window");
  }
  if (what == "apart" && w.size() == 4) {
    const Rectangle a = markOf(app, w[2]), b = markOf(app, w[3]);
    const bool meet = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
    return require(!meet, "they lie over each other");
  }
  if (what == "seen" || what == "unseen") {
    const auto end = app.marks.begin() + std::ptrdiff_t(app.marked);
    const bool seen = std::any_of(app.marks.begin(), end, [&](const Mark& m) { return m.name == argument; });
    return require(seen == (what == "seen"), seen ? "it is there" : "it is not there");
  }
  if (what == "size") {
    const std::string size = text("%d %d", window_.width(), window_.height());
    return require(size == argument, "it is " + size);
  }
  const double number = std::atof(argument.c_str());
  if (what == "pace") return require(lastPace_ >= number, text("there were %.1f frames a second", lastPace_));
  if (what == "waited") return require(lastWait_ <= number, text("%.2f s", lastWait_));
  if (what == "allocations") return require(double(lastAllocations_) <= number, text("there were %ld", lastAllocations_));
  if (what == "scale") return require(std::abs(double(window_.scale()) - number) < 1e-3, text("it is %g", double(window_.scale())));
  if (what == "view") return expectPixels(app.viewArea, w);
  if (what == "item" && w.size() > 8) {
    std::string name = w[8];
    for (std::size_t k = 9; k < w.size(); ++k) name += " " + w[k];
    return expectPixels(markOf(app, name), {w.begin(), w.begin() + 8});
  }
  expectState(app, w);
}

void Script::expectState(App& app, const Words& w) {
  if (!app.hasScene()) return fail("no scene is open");
  const std::string &what = w[1], name = w.size() > 2 ? w[2] : "", how = w.size() > 3 ? w[3] : "";
  const State& state = *app.state;
  if (what == "device") {
    std::string argument = name;
    for (std::size_t k = 3; k < w.size(); ++k) argument += " " + w[k];
    return require(state.device.find(argument) != std::string::npos, state.device);
  }
  if (what == "scene") return require(stemOf(state.path) == name, "the scene is " + std::string(stemOf(state.path)));
  if (what == "playing") return require(app.playing() == (name == "yes"), app.playing() ? "it plays" : "it does not play");
  if (what == "busy") return require(app.sim.busySeconds() >= std::atof(name.c_str()), text("for %g s", app.sim.busySeconds()));
  if (what == "steps")
    return require(state.frame.steps >= std::uint64_t(std::atoll(name.c_str())),
                   text("there were %llu", static_cast<unsigned long long>(state.frame.steps)));
  if (what == "selected") return require(app.selected == (name == "none" ? "" : name), "selected is \"" + app.selected + "\"");
  if (what == "eye") {
    const glm::vec3 at(std::atof(name.c_str()), std::atof(how.c_str()), std::atof(w.back().c_str())), is = app.camera.camera.eye;
    return require(glm::distance(at, is) < 1e-4f, text("it is at %g %g %g", double(is.x), double(is.y), double(is.z)));
  }
  if (what == "colours") {
    const picture::Colouring& c = app.settings.colouring;
    const std::string fluid = picture::nameOf(c.fluid).key, mesh = picture::nameOf(c.mesh).key;
    return require(fluid == name && mesh == how, "they are " + fluid + " and " + mesh);
  }
  if (what == "look") {
    static const char* const names[] = {"spheres", "surface", "hidden"};
    const render::Look& look = app.settings.look;
    const std::string fluid = names[int(look.fluid)], studio = look.dark ? "dark" : "bright";
    return require(fluid == name && studio == how, "it is " + fluid + " " + studio);
  }
  if (what == "camera") {
    const bool moved = glm::distance(camera_.eye, app.camera.camera.eye) > 1e-4f;
    return require(moved == (name != "same"), moved ? "it has moved" : "it is where it was");
  }
  if (what == "time") {
    const double bound = std::atof(how.c_str());
    return require(name == "below" ? state.frame.time < bound : state.frame.time > bound, text("it is %g s", state.frame.time));
  }
  if (what == "parameters") {
    const auto changed = std::count_if(state.parameters.begin(), state.parameters.end(),
                                       [&](const mnsParameter& p) { return p.value != parameters_[p.name]; });
    return require(changed >= std::atoi(how.c_str()), text("%d have changed", int(changed)));
  }
  if (what == "body") {
    const float moved = glm::distance(bodyMiddle(app, name), bodies_[name]);
    return require(moved >= std::atof(w.back().c_str()), text("it has moved by %g m", double(moved)));
  }
  if (what != "parameter") return fail("this is nothing that can be expected");
  for (const mnsParameter& p : state.parameters) {
    if (name != p.name) continue;
    const std::string words = text("it is %.9g and was %.9g", p.value, parameters_[name]);
    if (how == "changed") return require(p.value != parameters_[name], words);
    if (how == "same") return require(p.value == parameters_[name], words);
    return require(std::abs(p.value - std::atof(how.c_str())) <= 1e-6 * std::abs(p.value), words);
  }
  fail("there is no such parameter");
}

// Of the view, that differ by more than a tenth of full brightness from how the window was before.
double Script::changedShare(const Rectangle& v, const std::vector<unsigned char>& before) const {
  const std::vector<unsigned char>& now = window_.shown();
  if (now.size() != before.size()) return 1;
  std::size_t changed = 0, count = 0;
  for (int y = int(v.y) + 2; y < int(v.y + v.height) - 2; ++y)
    for (int x = int(v.x) + 2; x < int(v.x + v.width) - 2; ++x) {
      const std::size_t k = 3 * (std::size_t(y) * std::size_t(window_.width()) + std::size_t(x));
      const auto differs = [&](std::size_t c) { return std::abs(int(now[k + c]) - int(before[k + c])) > 25; };
      changed += differs(0) || differs(1) || differs(2);
      ++count;
    }
  return count ? double(changed) / double(count) : 0;
}

// Pixels of the view or of an item as they are on the screen.
void Script::expectPixels(const Rectangle& v, const Words& w) {
  const std::vector<unsigned char>& all = window_.shown();
  const auto number = [&](std::size_t k) { return k < w.size() ? std::atof(w[k].c_str()) : 0; };
  std::set<int> colours;
  std::size_t near = 0, count = 0;
  for (int y = int(v.y) + 2; y < int(v.y + v.height) - 2; y += 2)
    for (int x = int(v.x) + 2; x < int(v.x + v.width) - 2; x += 2) {
      const unsigned char* c = &all[3 * (std::size_t(y) * std::size_t(window_.width()) + std::size_t(x))];
      colours.insert(c[0] / 8 << 10 | c[1] / 8 << 5 | c[2] / 8);
      near += std::abs(c[0] - number(3)) <= number(6) && std::abs(c[1] - number(4)) <= number(6) &&
              std::abs(c[2] - number(5)) <= number(6);
      ++count;
    }
  const double share = count ? double(near) / double(count) : 0;
  if (w.size() == 4 && w[2] == "varied")
    return require(double(colours.size()) >= number(3), text("there are %zu colours", colours.size()));
  if (w.size() == 8 && w[2] == "colour")
    return require(share >= number(7), text("%.4f of the %s has this colour", share, w[1].c_str()));
  if (w.size() == 4 && w[2] == "changed") {
    const double changed = changedShare(v, shown_);
    return require(changed >= number(3), text("%.4f of the view has changed", changed));
  }
  if (w.size() == 3 && w[2] == "same") {
    const double changed = changedShare(v, shown_);
    return require(changed < 0.002, text("%.4f of the view has changed", changed));
  }
  if (w.size() == 4 && w[2] == "like") {
    const double changed = changedShare(v, render::readPng(w[3]).rgb);
    return require(changed < 0.002, text("%.4f of the view is different", changed));
  }
  fail("this is nothing that can be expected of the view");
}

}  // namespace meniscus::viewer
