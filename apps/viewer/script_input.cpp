// The mouse and the keys of a script.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "apps/viewer/script.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

void Script::moveTo(float x, float y) {
  actions_.push_back([this, x, y] {
    window_.mouse.x = x;
    window_.mouse.y = y;
  });
}

void Script::button(int k, bool down) {
  actions_.push_back([this, k, down] { window_.synthesizeButton(k, down); });
}

void Script::dragPath(const glm::vec2& from, const glm::vec2& to, int k, bool release, int moves) {
  moveTo(from.x, from.y);
  moveTo(from.x, from.y);
  button(k, true);
  for (int n = 1; n <= moves; ++n) {
    const glm::vec2 at = from + (to - from) * (float(n) / float(moves));
    moveTo(at.x, at.y);
  }
  if (release) button(k, false);
}

void Script::dragSliders(App& app, int count, float share) {
  int found = 0;
  for (std::size_t k = 0; k < app.marked && found < count; ++k) {
    const Mark& m = app.marks[k];
    if (m.name.compare(0, 7, "slider ") != 0 || m.hidden) continue;
    const Rectangle& r = m.where;
    const float y = r.y + r.height / 2;
    dragPath({r.x + r.width / 2, y}, {r.x + r.width * share, y}, 0, true, 3);
    ++found;
  }
  require(found == count, text("%d are in sight", found));
}

void Script::click(const glm::vec2& at) {
  moveTo(at.x, at.y);
  moveTo(at.x, at.y);
  button(0, true);
  button(0, false);
}

Rectangle Script::markOf(App& app, const std::string& name) {
  std::string known;
  for (std::size_t k = app.marked; k-- > 0; known += (known.empty() ? "" : ", ") + app.marks[k].name)
    if (app.marks[k].name == name) return app.marks[k].where;
  fail("there is no item \"" + name + "\" to be seen; there are: " + known);
  return {};
}

glm::vec3 Script::bodyMiddle(App& app, const std::string& name) {
  for (const auto& body : app.state->frame.bodies) {
    if (body.name != name) continue;
    glm::vec3 sum(0);
    for (const glm::vec4& x : body.position) sum += glm::vec3(x);
    return body.position.empty() ? sum : sum / float(body.position.size());
  }
  fail("there is no body \"" + name + "\"");
  return {};
}

glm::vec2 Script::onScreen(App& app, const std::string& body) {
  const Rectangle& v = app.viewArea;
  const auto& facts = *app.facts();
  const render::Camera& c = app.camera.camera;
  const glm::vec3 middle = (facts.low + facts.high) * .5f;
  const glm::vec4 clip = c.projection(v.width / v.height, middle, glm::length(facts.high - facts.low) / 2) * c.view() *
                         glm::vec4(bodyMiddle(app, body), 1);
  return {v.x + (clip.x / clip.w * .5f + .5f) * v.width, v.y + (.5f - clip.y / clip.w * .5f) * v.height};
}

void Script::mouseCommand(App& app, const Words& w) {
  const std::string& verb = w[0];
  const auto number = [&](std::size_t k) { return k < w.size() ? float(std::atof(w[k].c_str())) : 0.f; };
  const auto words = [&](std::size_t last) {
    std::string all;
    for (std::size_t k = 1; k < last; ++k) all += (k > 1 ? " " : "") + w[k];
    return all;
  };
  const auto middleOf = [&](const Rectangle& r) { return glm::vec2(r.x + r.width / 2, r.y + r.height / 2); };
  if (verb == "move") {
    const bool pixels = w.size() == 3 && std::isdigit(static_cast<unsigned char>(w[1][0]));
    const glm::vec2 at = pixels ? glm::vec2(number(1), number(2)) : middleOf(markOf(app, words(w.size())));
    return moveTo(at.x, at.y);
  }
  if (verb == "press" || verb == "release") {
    const std::string which = w.size() > 1 ? w[1] : "left";
    return button(which == "right" ? 1 : which == "middle" ? 2 : 0, verb == "press");
  }
  if (verb == "wheel") return actions_.push_back([this, n = number(1)] { window_.synthesizeWheel(n); });
  if (verb == "click") return click(middleOf(markOf(app, words(w.size()))));
  if (verb == "doubleclick") {
    const glm::vec2 at = middleOf(markOf(app, words(w.size())));
    click(at);
    return click(at);
  }
  if (verb == "slider" && w.size() == 3) {
    const Rectangle r = markOf(app, "slider " + w[1]);
    return dragPath(middleOf(r), {r.x + r.width * number(2), r.y + r.height / 2}, 0, true);
  }
  if (verb == "sliders" && w.size() == 3) return dragSliders(app, std::atoi(w[1].c_str()), number(2));
  if (verb == "drag" && w.size() >= 5)
    return dragPath({number(1), number(2)}, {number(3), number(4)}, w.size() > 5 && w[5] == "right" ? 1 : 0, true);
  if (verb == "grab" && w.size() == 4) {
    const glm::vec2 at = onScreen(app, w[1]);
    return dragPath(at, at + glm::vec2(number(2), number(3)), 0, false);
  }
  if (verb == "orbit") {
    const glm::vec2 at = middleOf(app.viewArea);
    return dragPath(at, at + glm::vec2(number(1), number(2)), 1, true);
  }
  fail("this is no command of a script");
}

void Script::keyCommand(const std::string& name) {
  static const std::map<std::string, int> named = {
      {"Ctrl", GLFW_KEY_LEFT_CONTROL}, {"Shift", GLFW_KEY_LEFT_SHIFT}, {"Space", GLFW_KEY_SPACE}, {"Enter", GLFW_KEY_ENTER},
      {"Escape", GLFW_KEY_ESCAPE},     {"Tab", GLFW_KEY_TAB},          {"Home", GLFW_KEY_HOME},   {"Left", GLFW_KEY_LEFT},
      {"Right", GLFW_KEY_RIGHT},       {"Plus", GLFW_KEY_EQUAL},       {"Minus", GLFW_KEY_MINUS}};
  std::vector<int> keys;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    begin = end + 1;
    if (const auto at = named.find(part); at != named.end()) {
      keys.push_back(at->second);
    } else if (part.size() == 1) {
      keys.push_back(part[0] >= 'a' && part[0] <= 'z' ? part[0] - 'a' + GLFW_KEY_A : part[0]);
    } else if (part.size() > 1 && part[0] == 'F') {
      keys.push_back(GLFW_KEY_F1 + std::atoi(part.c_str() + 1) - 1);
    } else {
      return fail("there is no key \"" + part + "\"");
    }
  }
  for (int key : keys) actions_.push_back([this, key] { window_.synthesizeKey(key, true); });
  for (auto key = keys.rbegin(); key != keys.rend(); ++key)
    actions_.push_back([this, k = *key] { window_.synthesizeKey(k, false); });
}

}  // namespace meniscus::viewer
