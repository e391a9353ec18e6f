// The program behind its window: what is shown, and everything that menus, keys, panels and scripts can ask for.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/picture/picture_of.h"
#include "apps/viewer/camera_control.h"
#include "apps/viewer/file_dialog.h"
#include "apps/viewer/history.h"
#include "apps/viewer/log.h"
#include "apps/viewer/options.h"
#include "apps/viewer/picking.h"
#include "apps/viewer/recorder.h"
#include "apps/viewer/samples.h"
#include "apps/viewer/settings.h"
#include "apps/viewer/shader_watch.h"
#include "apps/viewer/sim_thread.h"
#include "apps/viewer/thumbnails.h"
#include "apps/viewer/view_target.h"
#include "apps/viewer/window.h"
#include "engine/render/renderer.h"

namespace meniscus::viewer {

// A line that comes up over the view for some seconds.
struct Notice {
  std::string text;
  bool error = false;
  double until = 0;  // s of ImGui's clock
};

// A rectangle of the window, in pixels.
struct Rectangle {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const { return px >= x && py >= y && px < x + width && py < y + height; }
};

// Where an item is, for scripts that use the mouse.
struct Mark {
  std::string name;
  Rectangle where;
  bool clipped = false;  // not seen in its whole width
  bool hidden = false;   // nor, for it is scrolled away, in its whole height
};

class App {
 public:
  App(const Options& options, Settings& settings, Log& log, Window& window);
  ~App();

  void frame(double seconds);  // between Window::begin and Window::end
  bool idle() const;           // nothing moves: the window need not be drawn until there is input
  // The last film is made whole, scenes that were to be saved are (what cannot be stands in `lost`), the settings know what they
  // need. False where something goes on that cannot be given up (a scene that is being opened, or its picture made) for more than
  // `seconds`: ending as usual would wait for it.
  bool end(double seconds);

  // ---- scenes
  void openScene(const std::string& path);
  void reload();
  void saveSceneAs(const std::string& path);
  void askForScene();
  void askWhereToSave();
  // ---- running
  void play(bool on);
  bool playing() const;  // as asked for, where that has not been carried out yet
  void singleStep();
  void reset();
  void rewindTo(std::size_t snapshot);
  void setPace(const Pace& pace);
  void chooseDevice(mnsDevice chosen);
  mnsDevice device() const;  // that was chosen, also where that has not been carried out yet
  // ---- parameters
  double valueOf(const mnsParameter& parameter) const;  // with what has been asked for and not been carried out yet
  void setParameter(const mnsParameter& parameter, double value, int gesture);
  void undo();
  void redo();
  // ---- view
  void frameAll();
  void recallView(int slot);
  void storeView(int slot);
  void select(const std::string& body);
  void recolour();  // after settings.colouring has changed
  // ---- pictures
  void screenshot();
  void startRecording();
  void stopRecording();
  void reloadShaders();
  // ---- words
  void say(const std::string& words);
  void fail(const std::string& words);

  const picture::SceneFacts* facts() const { return state && state->facts ? state->facts.get() : nullptr; }
  bool hasScene() const { return state && state->load > 0; }
  bool busyForLong() const { return sim.busySeconds() > 0.25; }
  // Remembers where the item that was just made is. Its name is "kind name", or the kind alone.
  Mark& mark(std::string_view kind, std::string_view name = {});

  Settings& settings;
  Log& log;
  Window& window;
  render::Renderer renderer;
  std::unique_ptr<SharedContext> shared;  // the simulation's, where a card steps scenes; ends after it
  SimThread sim;
  std::shared_ptr<const State> state;
  CameraControl camera;
  History history;
  Recorder recorder;
  Thumbnails thumbnails;
  FileDialog fileDialog;
  Samples samples;  // of the plots
  std::deque<Notice> notices;
  std::string loadError, loadErrorPath;  // of the scene that did not load; stays until dismissed
  std::string loading;                   // path of the scene that is being loaded
  std::string shaderError;
  std::string selected;
  std::vector<Mark> marks;  // of this frame are the first `marked`; the rest is memory for more
  std::size_t marked = 0;
  Rectangle viewArea;
  float transportTop = 0;  // where the time line begins
  Pick hovered;
  bool helpOpen = false, aboutOpen = false;
  bool plotsPaused = false;
  bool alongPath = false;     // the camera goes along the scene's path, until it is moved by hand
  double pictureSeconds = 0;  // that the last picture took
  bool wantQuit = false;
  std::vector<std::string> lost;  // of end(): why something was not saved

 private:
  friend class Script;
  struct Pending {
    double value = 0;
    std::uint64_t command = 0;
  };
  void takeState();
  void shareWithCard();
  const std::vector<glm::vec4>& particlesInBuffer();
  void preparePicture(int selectedBody);
  void sceneArrived();
  void followPath();
  void takeErrors();
  void tellSaved(std::uint64_t done);
  void tellLost();
  void keys();
  void key(const KeyPress& press);
  void controlKey(const KeyPress& press);
  void layout();
  void viewInput(double seconds);
  void pressInView(const glm::vec2& mouse);
  void pressAnswered(const Pick& found);
  void awaitAnswer(const glm::vec2& mouse);
  void hover(const glm::vec2& mouse);
  Sight sightThrough(const glm::vec2& mouse) const;
  void dragInView(const glm::vec2& mouse, const glm::vec2& by);
  void flyInView(double seconds);
  void releaseInView();
  void drawView();
  void drawPicture();
  void recordFrame();
  void takeScreenshot();
  void updateRanges();
  void remember();
  void leaveView();
  glm::vec3 rayThrough(const glm::vec2& mouse) const;
  int selectedIndex() const;
  float sceneRadius() const;

  std::map<std::string, Pending, std::less<>> pending_;
  std::vector<Sample> newSamples_;
  struct {
    bool on = false;
    std::uint64_t command = 0;
  } askedToPlay_;
  struct {
    mnsDevice device = MNS_DEVICE_AUTO;
    std::uint64_t command = 0;
  } askedDevice_;
  struct Saving {
    std::string path;
    std::uint64_t command;
  };
  std::vector<Saving> saving_;  // in the order of their commands
  bool triedToShare_ = false, energiesAsked_ = true;
  std::vector<glm::vec4> inBuffer_;
  std::shared_ptr<const SceneView> view_;   // what the scene has been opened with
  Shown ownShown_;                          // what was shown before
  std::optional<render::Camera> followed_;  // where the path has put the camera
  std::uint64_t loadSeen_ = 0, loadCommand_ = 0;
  ViewTarget target_;
  ShaderWatch shaderWatch_;
  render::Picture picture_;
  render::Image image_;
  picture::Range fluidRange_, meshRange_;
  picture::FluidQuantity rangedFluid_ = picture::FluidQuantity::none;
  picture::MeshQuantity rangedMesh_ = picture::MeshQuantity::none;
  struct Drawn {  // what the texture shows
    std::uint64_t number = 0;
    render::Camera camera;
    render::Look look;
    int width = 0, height = 0;
    std::string selected;
    bool forced = true;
  } drawn_;
  float share_ = 1;
  enum class Drag { none, asked, orbit, pan, look, pull };  // asked: what has been pressed on is not known yet
  Drag drag_ = Drag::none;
  Sight pressedSight_, hoverSight_;
  SimThread::Seen seen_;
  std::uint64_t pressQuestion_ = 0;  // of SimThread::look; 0: none is open
  std::uint64_t hoverState_ = 0;     // that was asked about last
  double pressTime_ = 0;             // s of ImGui's clock
  float pullDepth_ = 0;              // m along the view, of what is pulled
  glm::vec2 lastMouse_{0}, pressedAt_{0};
  bool screenshotWanted_ = false;
  std::uint64_t recordedStep_ = 0;  // of the film's last frame
};

// The panels, each in its file; their windows are laid out by the caller.
void showMenu(App& app);
void showScenes(App& app);
void showParameters(App& app);
void showLook(App& app);
void showBody(App& app);
void showRecording(App& app);
void showPlots(App& app);
void showLog(App& app);
void showTransport(App& app);
void showHelp(App& app);
void showOverlays(App& app);

}  // namespace meniscus::viewer
