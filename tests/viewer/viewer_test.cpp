// The window in use: what somebody does with mouse and keys has the effect that it should have.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::opened;
using testing::Outcome;
using testing::readText;
using testing::tankScene;
using testing::TemporaryFolder;
using testing::view;
using testing::writeText;

TEST(ViewerScriptSlow, AnExpectationThatDoesNotHoldEndsWithStatusOne) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const Outcome o = view(folder, opened(folder) + "remember\nexpect parameter gravity.z changed\n");
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.text.find("script.txt:6: expect parameter gravity.z changed: it is -9.81"), std::string::npos) << o.text;
}

TEST(ViewerSlow, SlidersDraggingRecordingAndSavingWork) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) +
                         "remember\n"
                         "key Space\nwait steps 3\nexpect playing yes\n"
                         "slider gravity.z 0.3\nslider fluids.water.viscosity 0.6\nslider solids.ball.friction 0.6\nwait idle\n"
                         "expect parameter gravity.z changed\n"
                         "expect parameter fluids.water.viscosity changed\n"
                         "expect parameter solids.ball.friction changed\n"
                         // from the start, where no water is before the ball
                         "key r\nwait idle\nwait frames 3\nexpect playing no\nremember\n"
                         "grab ball 60 -40\nkey Space\nwait steps 60\nexpect selected ball\n"
                         "expect body ball moved 0.01\nrelease left\n"
                         "key Space\nwait idle\nwait frames 3\nexpect playing no\n"
                         "set " +
                         folder.path() +
                         "\nfilm png 1 60 160 90\nkey F9\nwait recorded 60\nexpect recorded 60\n"
                         "key Ctrl+S\nwait frames 5\nkey Enter\nwait file " +
                         (folder / "tank-changed.json") + "\nwait idle\nexpect no error\n"));
  // PNG, of the size asked for (big-endian at bytes 16 and 20), and no frame more
  const std::string frame = readText(folder / "tank-0001/frame-00060.png");
  ASSERT_GT(frame.size(), 24u);
  EXPECT_EQ(frame.substr(1, 3), "PNG");
  EXPECT_EQ(static_cast<unsigned char>(frame[19]), 160);
  EXPECT_EQ(static_cast<unsigned char>(frame[23]), 90);
  EXPECT_FALSE(std::filesystem::exists(folder / "tank-0001/frame-00061.png"));
  // first values of the scene: -9.81 m/s^2, 0, 0
  const auto saved = nlohmann::json::parse(readText(folder / "tank-changed.json"));
  EXPECT_GT(double(saved["gravity"][2]), -9.8) << saved;
  EXPECT_GT(double(saved["fluids"][0]["viscosity"]), 1e-5) << saved["fluids"];
  EXPECT_GT(double(saved["solids"][0]["material"]["friction"]), 0.1) << saved["solids"];
  const Outcome run = testing::meniscus("run '" + (folder / "tank-changed.json") + "' --steps 5 --quiet");
  EXPECT_EQ(run.status, 0) << run.text;
}

// The ball stands behind the walls of the domain and of a container, which are looked through; a click beside it on nothing lets go
// of the selection.
TEST(ViewerPickingSlow, AClickSelectsWhatIsSeenThroughWalls) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string scene = tankScene();
  const std::size_t solids = scene.find("\"solids\": [") + 11;
  scene.insert(solids, R"({"name": "box", "kind": "static", "shape": {"box": {"size": [0.098, 0.058, 0.118], "container": true}},
              "position": [0.05, 0.03, 0.06]}, )");
  for (const std::string& tank : {tankScene(), scene}) {
    writeText(folder / "tank.json", tank);
    holds(view(folder, "open " + (folder / "tank.json") +
                           "\nwait loaded\nwait frames 5\nexpect no error\ngrab ball 0 0\nrelease left\nwait idle\nwait frames 5\n"
                           "expect selected ball\ndrag 270 40 270 40\nwait idle\nwait frames 5\nexpect selected none\n"));
  }
}

// Through the same writer as the films of `meniscus render`: whole, playable, nothing left beside it.
TEST(ViewerFilmSlow, FfmpegMakesAFilmOfTheFrames) {
  MENISCUS_NEEDS_DISPLAY();
  if (testing::shell("ffmpeg -version").status != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const TemporaryFolder folder;
  for (const char* format : {"mp4", "webm", "gif"}) {
    const std::string film = folder / (std::string("tank-0001.") + format);
    holds(view(folder, opened(folder) + "set " + folder.path() + "\nfilm " + format +
                           " 1 6 161 90\nkey F9\nwait recorded 6\nexpect recorded 6\nexpect no error\nwait frames 3\n"));
    const Outcome probe = testing::shell(
        "ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=width,nb_read_frames -of csv=p=0 '" +
        film + "'");
    EXPECT_EQ(probe.text, std::string(format == std::string("mp4") ? "162" : "161") + ",6\n") << film;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

// Closing the window, a Ctrl-C in the terminal and the end of the session: the film is whole and the settings are kept.
TEST(ViewerFilmSlow, AFilmIsWholeHoweverTheProgramEnds) {
  MENISCUS_NEEDS_DISPLAY();
  if (testing::shell("ffmpeg -version").status != 0) GTEST_SKIP() << "ffmpeg is not installed";
  for (const std::string end : {"", "signal INT\n", "signal TERM\n", "signal HUP\n"}) {
    const TemporaryFolder folder;
    const std::string film = folder / "tank-0001.webm";
    // a terminal's Ctrl-C goes to all of its group, which ffmpeg must not be of
    writeText(folder / "ffmpeg", "#!/bin/sh\nps -o pgid= $$ > '" + (folder / "group") + "'\nPATH=${PATH#*:}\nexec ffmpeg \"$@\"\n");
    std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    holds(view(folder,
               opened(folder) + "set " + folder.path() + "\nfilm webm 1 0 160 90\nkey F9\nresize 900 640\nwait steps 8\n" + end +
                   (end.empty() ? "" : "wait seconds 100\nexpect size 1 1\n"),
               "", 1, "PATH='" + folder.path() + "':$PATH"));
    const Outcome probe = testing::shell(
        "ffprobe -v error -count_frames -select_streams v -show_entries stream=width,nb_read_frames -of csv=p=0 '" + film + "'");
    EXPECT_EQ(probe.text.substr(0, 4), "160,") << end << probe.text;
    EXPECT_GE(std::atoi(probe.text.c_str() + 4), 7) << end;
    EXPECT_NE(std::atoi(readText(folder / "group").c_str()), int(::getpgrp())) << end;
    EXPECT_TRUE(std::filesystem::exists(folder / "meniscus/viewer.json")) << end;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
  }
}

// A scene that cannot be saved is not told to be, and is none of the recent ones.
TEST(ViewerErrorsSlow, ASceneThatCannotBeSavedIsNotToldToBe) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "tank-changed.json/full");
  holds(view(folder, opened(folder) +
                         "key Ctrl+s\nwait frames 5\nkey Enter\nwait frames 3\nkey Enter\nwait notice cannot be written\n"
                         "wait frames 3\nexpect unsaid Saved\n"));
  EXPECT_EQ(readText(folder / "meniscus/viewer.json").find("tank-changed.json"), std::string::npos);
}

// A scene is being opened, by a program that fills its body with tetrahedra and does not come to an end: the window's end is the
// program's, and what the user has chosen is kept.
TEST(ViewerEndSlow, DoesNotWaitForASceneThatIsBeingOpened) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  writeText(folder / "tetgen", "#!/bin/sh\necho $$ >> '" + (folder / "pids") + "'\nexec sleep 500\n");
  std::filesystem::permissions(folder / "tetgen", std::filesystem::perms::owner_all);
  std::string soft = tankScene();
  soft.replace(soft.find("\"rigid\""), 7, "\"soft\"");
  soft.insert(soft.find("500}") + 3, ", \"youngs_modulus\": 1e5");
  writeText(folder / "soft.json", soft);
  const Outcome o = view(folder,
                         opened(folder) + "key v\nwait frames 3\nopen " + (folder / "soft.json") + "\nwait file " +
                             (folder / "pids") + "\nwait frames 3\nexpect scene tank\n",
                         "", 1, "PATH='" + folder.path() + "':$PATH timeout 240 env");
  testing::shell("kill $(cat '" + (folder / "pids") + "')");
  holds(o);
  EXPECT_NE(readText(folder / "meniscus/viewer.json").find("tank.json"), std::string::npos);
}

// Where the film cannot be written the window says why, in ffmpeg's words, and goes on.
TEST(ViewerFilmSlow, AFilmThatCannotBeWrittenIsToldOf) {
  MENISCUS_NEEDS_DISPLAY();
  if (testing::shell("ffmpeg -version").status != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) + "set " + folder.path() + "/none\nfilm mp4 1 6 160 90\nkey F9\nwait notice could not\n" +
                         "key Right\nwait idle\nexpect scene tank\n"));
}

// Without ffmpeg, and with one that ends while it is fed (as where the disk is full): told, and the scene goes on.
TEST(ViewerFilmSlow, WithoutFfmpegItSaysWhatToDo) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string film = "set " + folder.path() + "\nfilm webm 1 0 320 180\nkey F9\n";
  for (const auto& [program, notice] : {std::pair("exit 127", "apt install ffmpeg"),
                                        std::pair("case \"$1\" in -version) exit 0;; esac\nhead -c 500000 > /dev/null\n"
                                                  "echo the disk is full >&2\nexit 1",
                                                  "the disk is full")}) {
    writeText(folder / "ffmpeg", std::string("#!/bin/sh\n") + program + "\n");
    std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    holds(view(folder,
               opened(folder) + film + "wait notice " + notice + "\nwait frames 3\nkey r\nwait idle\nkey Right\nwait idle\n" +
                   "wait frames 3\nexpect steps 1\nexpect no error\n",
               "", 1, "PATH='" + folder.path() + "':$PATH"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_EQ(entry.path().string().find("webm"), std::string::npos) << entry.path();
  }
}

TEST(ViewerHistorySlow, UndoAndRedoAreOneDragEach) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) +
                         "slider gravity.z 0.3\nwait idle\nslider gravity.x 0.8\nwait idle\nremember\n"
                         "key Ctrl+z\nwait idle\nexpect parameter gravity.x 0\nexpect parameter gravity.z same\n"
                         "key Ctrl+z\nwait idle\nexpect parameter gravity.z -9.81\n"
                         "key Ctrl+Shift+z\nwait idle\nexpect parameter gravity.z same\nexpect parameter gravity.x changed\n"
                         "key Ctrl+Shift+z\nwait idle\nexpect parameter gravity.x same\n"));
}

TEST(ViewerTimeSlow, StepResetAndRewindGoWhereTheySay) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) +
                         "remember\nslider gravity.z 0.2\nwait idle\nkey Right\nwait idle\nexpect steps 1\n"
                         "key Space\nwait steps 12\nkey Space\nwait idle\nwait frames 3\nexpect time above 0.0255\n"
                         // back to the snapshot before, which are five steps of 2 ms apart
                         "key Left\nwait idle\nwait frames 3\nexpect steps 5\n"
                         "key Left\nwait idle\nkey Left\nwait idle\nkey Left\nwait idle\nkey Left\nwait idle\nkey Left\n"
                         "wait idle\nkey Left\nwait idle\nkey Left\nwait idle\nkey Left\nwait idle\nkey Left\nwait idle\n"
                         "key Space\nwait steps 12\nkey r\nwait idle\nwait frames 3\nexpect playing no\nexpect time below 1e-9\n"
                         "expect body ball moved 0\nexpect parameter gravity.z changed\n"));
}

// First what is open, then what is selected.
TEST(ViewerSlow, EscapeClosesAMenuBeforeItLetsGoOfABody) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string pause = "\nwait frames 4\n";
  holds(view(folder, opened(folder) + "expect seen title tank\nclick tab Body" + pause + "click body ball" + pause +
                         "click menu File" + pause + "expect seen menu Quit\nkey Escape" + pause +
                         "expect unseen menu Quit\nexpect selected ball\nkey Escape" + pause + "expect selected none\n"));
}

TEST(ViewerErrorsSlow, AMistakeInASceneIsShownAndTheSceneBeforeStays) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string wrong = tankScene();
  wrong.replace(wrong.find("density"), 7, "densty");
  writeText(folder / "wrong.json", wrong);
  holds(view(folder, opened(folder) + "drop " + (folder / "wrong.json") +
                         "\nwait failed\nexpect error densty\nexpect scene tank\nkey Right\nwait idle\nwait frames 3\n"
                         "expect steps 1\nclick close load error\nwait frames 3\nexpect no error\n"
                         "open " +
                         (folder / "none.json") + "\nwait failed\nexpect error none.json\nexpect scene tank\n"));
}

TEST(ViewerPixelsSlow, TheMouseTurnsTheView) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) + "remember\norbit 60 20\nwait frames 3\nexpect camera changed\n"));
}

TEST(ViewerStart, WithoutADisplayOneLineSaysWhatToDo) {
  const TemporaryFolder folder;
  const Outcome o =
      testing::shell("env -u DISPLAY -u WAYLAND_DISPLAY XDG_STATE_HOME='" + folder.path() + "' '" + testing::viewerProgram() + "'");
  EXPECT_EQ(o.status, 4) << o.text;  // device not available, as of the program meniscus
  EXPECT_NE(o.text.find("DISPLAY"), std::string::npos) << o.text;
  EXPECT_EQ(std::count(o.text.begin(), o.text.end(), '\n'), 1) << o.text;
}

TEST(ViewerStart, WrongOptionsEndWithStatusTwo) {
  for (const char* options : {"--no-such-option", "--size 10x10", "--size wide", "--threads -3", "--script none.txt",
                              "--shaders none", "one.json two.json"}) {
    const Outcome o = testing::shell("'" + testing::viewerProgram() + "' " + options);
    EXPECT_EQ(o.status, 2) << options << ": " << o.text;
    EXPECT_FALSE(o.text.empty()) << options;
  }
  EXPECT_EQ(testing::shell("'" + testing::viewerProgram() + "' --help").status, 0);
}

}  // namespace
}  // namespace meniscus
