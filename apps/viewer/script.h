// Plays input out of a file through the window's own callbacks, and checks what comes of it: a line a command, # begins a comment.
//
//   open PATH, drop PATH                        as from the dialog; as dropped on the window
//   wait loaded | failed | file PATH | notice WORDS | thumbnails | steps N | frames N | seconds S | idle | recorded N
//   move X Y, move NAME                         the mouse, to pixels or to the middle of a named item
//   press BUTTON, release BUTTON, wheel N       left, right, middle
//   click NAME, doubleclick NAME
//   slider NAME SHARE                           drags a parameter's slider to a share of its width
//   sliders N SHARE                             the same for the first N that are in sight
//   drag X Y TO_X TO_Y [BUTTON]
//   grab BODY DX DY                             presses on the body where it is seen and drags by pixels; `release left` lets go
//   orbit DX DY                                 drags with the right button from the middle of the view
//   key NAME                                    Ctrl+Shift+Z, F12, Space, Home, a ...
//   type WORDS
//   remember                                    what `expect ... changed`, `same` and `moved` compare with
//   gl error                                    makes one: whatever OpenGL says of high or medium severity ends with status 1
//   resize WIDTH HEIGHT                         the window, as somebody who pulls at its corner
//   signal NAME                                 INT, TERM or HUP, to this program
//   copy FILE FILE                              over what is there
//   screenshot FILE                             the window with its panels, PNG
//   set FOLDER                                  for pictures and films
//   gl expected WORDS                           messages of OpenGL with these words in them are none to end with
//   whole pixels                                the view is not drawn coarser where drawing is slow
//   film FORMAT EVERY FRAMES WIDTH HEIGHT       settings of the next film
//   expect scene NAME | playing yes/no | steps N | parameter NAME changed/same/VALUE | body NAME moved M | selected NAME/none
//        | error WORDS | no error | file PATH | recorded N | view varied SHARE | view colour R G B TOLERANCE SHARE
//        | view changed SHARE | view same | view like FILE (a screenshot of before) | look FLUID dark/bright | camera changed/same
//        | eye X Y Z | colours FLUID BODIES
//        | busy S (a step has gone on for so long) | pace N, waited S (frames a second and most seconds of the last `wait`)
//        | allocations N (at most so many by operator new in all frames of the last `wait`, on the window's thread)
//        | seen NAME, unseen NAME (an item that has a name) | size WIDTH HEIGHT (of the window) | scale S (pixels a point)
//        | item colour R G B TOLERANCE SHARE NAME
//        | inside NAME (it is seen in its whole width)
//        | apart NAME NAME (items of one word that do not lie over each other)
//        | nothing clipped (every item that has a name is seen in its whole width)
//        | time below/above S | notice WORDS | unsaid WORDS | clipboard WORDS (a part of it)
//        | parameters changed N (at least so many)
//        | device WORDS (what steps the scene, and how particles come to the picture)
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "apps/viewer/app.h"

namespace meniscus::viewer {

class Script {
 public:
  // Throws Error(input) for a file that cannot be read.
  Script(const std::string& file, Window& window);
  // Before each frame. False: the end, or what was expected does not hold.
  bool advance(App& app);
  void frameDone();  // after each
  int status() const { return status_; }

 private:
  using Words = std::vector<std::string>;
  using Action = std::function<void()>;
  bool next(App& app);
  void start(App& app, const Words& words);
  bool waiting(App& app);
  void mouseCommand(App& app, const Words& words);
  void expect(App& app, const Words& words);
  void expectState(App& app, const Words& words);
  void expectPixels(const Rectangle& where, const Words& words);
  double changedShare(const Rectangle& view, const std::vector<unsigned char>& before) const;
  void fail(const std::string& why);
  void require(bool holds, const std::string& why);
  Rectangle markOf(App& app, const std::string& name);
  void moveTo(float x, float y);
  void button(int k, bool down);
  void dragPath(const glm::vec2& from, const glm::vec2& to, int button, bool release, int moves = 10);
  void dragSliders(App& app, int count, float share);
  void click(const glm::vec2& at);
  void keyCommand(const std::string& name);
  glm::vec2 onScreen(App& app, const std::string& body);
  glm::vec3 bodyMiddle(App& app, const std::string& body);

  Window& window_;
  std::string file_;
  std::vector<std::pair<int, Words>> lines_;  // with their numbers
  std::size_t at_ = 0;
  std::deque<Action> actions_;  // one a frame
  Words wait_;                  // what is waited for; empty: nothing
  double waitBegin_ = 0;        // s of ImGui's clock
  int waitFrames_ = 0;
  double lastWait_ = 0, lastPace_ = 0;  // of the wait before [s], [frames/s]
  std::uint64_t waitSteps_ = 0;
  std::map<std::string, double> parameters_;
  std::map<std::string, glm::vec3> bodies_;
  render::Camera camera_;
  std::vector<unsigned char> shown_;                                    // as Window::shown()
  long allocationsBefore_ = 0, allocations_ = 0, lastAllocations_ = 0;  // before the frame; of the wait, and of the one before
  std::string glExpected_;
  int status_ = 0;
};

}  // namespace meniscus::viewer
