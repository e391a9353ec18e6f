// meniscus render: frames and films, interrupted and gone on with.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;
using testing::Outcome;
using testing::readText;
using testing::shell;
using testing::TemporaryFolder;
using testing::writeText;

class CliRender : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::meniscus("render --help").status != 0) GTEST_SKIP() << "built without the renderer";
    writeText(folder / "scene.json", testing::tankScene(R"(, "output": {"view": {"fluid": "spheres"}})"));
    const Outcome first = render("--duration 0.001 --size 32x32 --out " + (folder / "probe"));
    if (first.status == 4) GTEST_SKIP() << first.text;  // no OpenGL here
    ASSERT_EQ(first.status, 0) << first.text;
  }
  Outcome render(const std::string& options) {
    return testing::meniscus("render " + (folder / "scene.json") + " --quiet " + options);
  }
  std::vector<std::string> framesOf(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& e : fs::directory_iterator(folder / name))
      if (e.path().extension() == ".png") names.push_back(e.path().string());
    std::sort(names.begin(), names.end());
    std::vector<std::string> bytes;
    for (const std::string& n : names) bytes.push_back(readText(n));
    return bytes;
  }
  static unsigned bigEndian(const std::string& bytes, std::size_t at) {
    unsigned v = 0;
    for (std::size_t k = 0; k < 4; ++k) v = v << 8 | static_cast<unsigned char>(bytes[at + k]);
    return v;
  }

  TemporaryFolder folder;
};

// 0, 20 and 40 ms of .04 s.
TEST_F(CliRender, AFrameForEveryTime) {
  const Outcome o = render("--fps 50 --size 160x90 --out " + (folder / "frames"));
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(o.text, "");
  const std::vector<std::string> frames = framesOf("frames");
  ASSERT_EQ(frames.size(), 3u);
  for (const std::string& f : frames) {
    ASSERT_EQ(f.substr(1, 3), "PNG");
    EXPECT_EQ(bigEndian(f, 16), 160u);
    EXPECT_EQ(bigEndian(f, 20), 90u);
  }
  EXPECT_NE(frames[0], frames[2]);  // the ball falls
  EXPECT_FALSE(fs::exists(folder / "frames/checkpoint.snapshot"));
  // half as fast: twice as many steps from frame to frame
  ASSERT_EQ(render("--fps 50 --speed 0.5 --size 160x90 --out " + (folder / "slow")).status, 0);
  EXPECT_EQ(framesOf("slow").size(), 5u);
}

TEST_F(CliRender, WhatIsDrawnChangesThePicture) {
  ASSERT_EQ(render("--duration 0.001 --size 160x90 --out " + (folder / "water")).status, 0);
  ASSERT_EQ(render("--duration 0.001 --size 160x90 --fluid hidden --out " + (folder / "none")).status, 0);
  ASSERT_EQ(render("--duration 0.001 --size 160x90 --colour deficiency --out " + (folder / "colours")).status, 0);
  EXPECT_NE(framesOf("water")[0], framesOf("none")[0]);
  EXPECT_NE(framesOf("water")[0], framesOf("colours")[0]);
}

// The same command goes on, and ends in the same pictures: seen from the same place, though what is seen has moved, and in colours
// of ranges that have changed.
TEST_F(CliRender, GoesOnWhereItWasInterrupted) {
  std::string tall = testing::tankScene();
  tall.replace(tall.find("0.12]"), 4, "0.5");
  writeText(folder / "scene.json", tall);
  const std::string options = "--fps 200 --speed 0.2 --size 160x90 --colour speed --out ";  // 41 frames
  const std::string command = "'" + testing::program() + "' render '" + (folder / "scene.json") + "' " + options;
  const Outcome cut = testing::interruptedAt(folder / "cut/frame-00002.png", command + (folder / "cut"));
  ASSERT_EQ(cut.status, 0) << cut.text;
  EXPECT_NE(cut.text.find("the same command goes on"), std::string::npos) << cut.text;
  ASSERT_LT(framesOf("cut").size(), 41u);
  const Outcome rest = shell(command + (folder / "cut"));
  ASSERT_EQ(rest.status, 0) << rest.text;
  EXPECT_NE(rest.text.find("41 frames"), std::string::npos) << rest.text;
  ASSERT_EQ(render(options + (folder / "whole")).status, 0);
  EXPECT_TRUE(framesOf("cut") == framesOf("whole"));
}

TEST_F(CliRender, FramesOfOtherSettingsAreNotMixed) {
  ASSERT_EQ(render("--fps 50 --size 64x64 --out " + (folder / "frames")).status, 0);
  const Outcome other = render("--fps 50 --size 32x32 --out " + (folder / "frames"));
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.text.find("--restart"), std::string::npos) << other.text;
  EXPECT_EQ(bigEndian(framesOf("frames")[0], 16), 64u);
  ASSERT_EQ(render("--fps 100 --size 32x32 --restart --out " + (folder / "frames")).status, 0);
  EXPECT_EQ(framesOf("frames").size(), 5u);
  EXPECT_EQ(bigEndian(framesOf("frames")[0], 16), 32u);
}

// Of the same settings: the pictures of the longer one are neither lost nor do they end up in the shorter one.
TEST_F(CliRender, AShorterFilmHasNoFramesOfALongerOne) {
  const std::string out = folder / "frames";
  ASSERT_EQ(render("--fps 100 --size 64x64 --out " + out).status, 0);
  ASSERT_EQ(framesOf("frames").size(), 5u);
  const std::string last = readText(out + "/frame-00004.png");
  const Outcome shorter = render("--fps 100 --size 64x64 --duration 0.02 --out " + out);
  EXPECT_EQ(shorter.status, 2);
  for (const char* words : {"frames: has 5 frames of a longer film", "ends after 3", "--restart"})
    EXPECT_NE(shorter.text.find(words), std::string::npos) << shorter.text;
  EXPECT_TRUE(readText(out + "/frame-00004.png") == last);
  // begun anew, it takes away those after a gap as well, and nothing of the user's
  fs::remove(out + "/frame-00003.png");
  writeText(out + "/frame-of-mine.png", "");
  ASSERT_EQ(render("--fps 100 --size 64x64 --duration 0.02 --restart --out " + out).status, 0);
  EXPECT_FALSE(fs::exists(out + "/frame-00004.png"));
  EXPECT_TRUE(fs::exists(out + "/frame-00002.png"));
  EXPECT_TRUE(fs::exists(out + "/frame-of-mine.png"));
  // frames that nothing is known of, the first of which is missing
  fs::create_directory(folder / "strange");
  for (const char* frame : {"strange/frame-00007.png", "strange/frame-100000.png"}) {
    writeText(folder / frame, "");
    EXPECT_EQ(render("--fps 100 --size 64x64 --out " + (folder / "strange")).status, 2) << frame;
    fs::remove(folder / frame);
  }
  // the same command again makes the same
  EXPECT_EQ(render("--fps 100 --size 64x64 --duration 0.02 --out " + out).status, 0);
}

TEST_F(CliRender, Films) {
  if (shell("ffmpeg -version").status != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const Outcome o = render("--fps 50 --size 161x91 --out " + (folder / "film.mp4"));  // odd sizes are no trouble
  ASSERT_EQ(o.status, 0) << o.text;
  EXPECT_EQ(readText(folder / "film.mp4").substr(4, 4), "ftyp");
  EXPECT_FALSE(fs::exists(folder / "film.mp4.frames"));
  ASSERT_EQ(render("--fps 50 --size 64x64 --keep-frames --out " + (folder / "film.gif")).status, 0);
  EXPECT_EQ(readText(folder / "film.gif").substr(0, 4), "GIF8");
  EXPECT_EQ(framesOf("film.gif.frames").size(), 3u);
}

// ffmpeg that fails, or is interrupted, costs none of the frames: the same command makes the film of them.
TEST_F(CliRender, AFilmThatFailsKeepsItsFrames) {
  if (shell("ffmpeg -version").status != 0) GTEST_SKIP() << "ffmpeg is not installed";
  fs::create_directory(folder / "bin");
  const std::string fake = folder / "bin/ffmpeg", film = folder / "film.mp4", frame = film + ".frames/frame-00001.png";
  const std::string command =
      "'" + testing::program() + "' render '" + (folder / "scene.json") + "' --fps 50 --size 64x64 --out '" + film + "'";
  const auto with = [&](const std::string& body) {
    writeText(fake, "#!/bin/sh\ncase \"$1\" in -version) exit 0;; esac\n" + body + "\n");
    fs::permissions(fake, fs::perms::owner_all);
    return "PATH='" + (folder / "bin") + "':$PATH " + command;
  };
  const Outcome failed = shell(with("echo no space left on the moon >&2; exit 3"));
  EXPECT_EQ(failed.status, 2);
  for (const char* words : {"no space left on the moon", "status 3", "film.mp4.frames; the same command goes on"})
    EXPECT_NE(failed.text.find(words), std::string::npos) << failed.text;
  ASSERT_TRUE(fs::exists(frame));
  EXPECT_FALSE(fs::exists(film));
  const auto drawn = fs::last_write_time(frame);
  // Ctrl-C goes to both, as in a terminal
  const Outcome cut = shell(with("touch '" + (folder / "begun") + "'; kill -INT $PPID; sleep 0.2; exit 255"));
  EXPECT_EQ(cut.status, 0) << cut.text;
  EXPECT_NE(cut.text.find("interrupted while the film was made of its frames; the same command goes on"), std::string::npos)
      << cut.text;
  ASSERT_TRUE(fs::exists(frame));
  EXPECT_EQ(fs::last_write_time(frame), drawn);
  const Outcome whole = shell(command);
  ASSERT_EQ(whole.status, 0) << whole.text;
  EXPECT_NE(whole.text.find("film.mp4: 3 frames"), std::string::npos) << whole.text;
  EXPECT_EQ(whole.text.find("goes on with"), std::string::npos) << whole.text;
  EXPECT_TRUE(fs::exists(film));
  EXPECT_FALSE(fs::exists(film + ".frames"));
}

TEST_F(CliRender, SaysWhatIsWrong) {
  for (const char* size : {"10x10", "1280", "axb", "1280x720x3", "100000x720"}) {
    const Outcome o = render(std::string("--size ") + size + " --out " + (folder / "none"));
    EXPECT_EQ(o.status, 2) << size;
    EXPECT_NE(o.text.find("WIDTHxHEIGHT"), std::string::npos) << o.text;
  }
  for (const char* name : {"film.avi", "film.mov", "picture.png", "film.xyz", "film.MP4"}) {
    const Outcome o = render("--out " + (folder / name));
    EXPECT_EQ(o.status, 2) << name;
    EXPECT_NE(o.text.find("films are .mp4, .webm or .gif"), std::string::npos) << o.text;
    EXPECT_FALSE(fs::exists(folder / name));
  }
  EXPECT_EQ(render("--fps 1e9 --out " + (folder / "none")).status, 2);
  EXPECT_EQ(render("--colour green --out " + (folder / "none")).status, 2);
  EXPECT_EQ(render("--out " + (folder / "missing/film.mp4")).status, 2);
  EXPECT_EQ(testing::meniscus("render " + folder.path()).status, 2);
  EXPECT_FALSE(fs::exists(folder / "none"));
  const Outcome noFfmpeg = shell("PATH=/nowhere '" + testing::program() + "' render '" + (folder / "scene.json") + "' --out '" +
                                 (folder / "film.mp4") + "'");
  EXPECT_EQ(noFfmpeg.status, 2);
  EXPECT_NE(noFfmpeg.text.find("apt install ffmpeg"), std::string::npos) << noFfmpeg.text;
}

}  // namespace
}  // namespace meniscus
