// Small and large windows, with letters of one and of two sizes: nothing that can be used is cut off.
#include <gtest/gtest.h>

#include <utility>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

using testing::holds;
using testing::opened;
using testing::Outcome;
using testing::TemporaryFolder;
using testing::view;

// Every panel in turn, the plots below.
std::string allPanels() {
  std::string script = "key p\nwait frames 4\nexpect nothing clipped\n";
  for (const char* tab : {"Look", "Body", "Record", "Parameters"})
    script += std::string("click tab ") + tab + "\nwait frames 4\nexpect nothing clipped\n";
  return script;
}

TEST(ViewerScaleSlow, NothingIsClippedAtTheUsualSize) {
  MENISCUS_NEEDS_DISPLAY();
  for (const char* size : {"--size 900x600", "--size 1920x1080"}) {
    const TemporaryFolder folder;
    holds(view(folder, "wait frames 3\nexpect nothing clipped\n" + opened(folder) + allPanels(), size));
  }
}

// Ctrl+Plus makes letters larger by a tenth: seven times, by a factor of 1.95.
TEST(ViewerScaleSlow, NothingIsClippedAtTwiceTheSize) {
  MENISCUS_NEEDS_DISPLAY();
  std::string larger;
  for (int k = 0; k < 7; ++k) larger += "key Ctrl+Plus\n";
  for (const char* size : {"--size 900x600", "--size 1920x1080"}) {
    const TemporaryFolder folder;
    holds(view(folder, larger + "wait frames 3\nexpect nothing clipped\n" + opened(folder) + allPanels(), size));
  }
}

// The smallest window, with letters of twice the size: what plays the scene, and the help with what closes it, lie beside each
// other and within it.
TEST(ViewerScaleSlow, TheSmallestWindowCanBeUsedWithLargeLetters) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string larger;
  for (int k = 0; k < 8; ++k) larger += "key Ctrl+Plus\n";
  const std::string apart = "wait frames 4\nexpect apart film scrub\nexpect apart scrub pace\nexpect apart step scrub\n";
  holds(view(folder,
             opened(folder) + apart + larger + apart +
                 "key F1\nwait frames 3\nexpect inside help\n"
                 "key Escape\nwait frames 3\nexpect unseen help\nresize 900 600\n" +
                 apart,
             "--size 640x400"));
}

// A screen of twice as many pixels a point, as its desktop tells by Xft.dpi: everything is twice as large, and so is the window of
// a first start; nothing is cut off, also not in a window that is as small there as 900x600 is elsewhere.
TEST(ViewerScaleSlow, NothingIsClippedOnAScreenOfTwiceTheScale) {
  MENISCUS_NEEDS_DISPLAY();
  if (!testing::haveScreenScale()) GTEST_SKIP() << "xrdb is missing (Debian: apt install x11-xserver-utils)";
  const std::string twice = "wait frames 3\nexpect scale 2\nexpect nothing clipped\n";
  for (const auto& [size, expected] : {std::pair("--size first", "2560 1440"), std::pair("--size 1800x1200", "1800 1200"),
                                       std::pair("--size 900x600", "900 600")}) {
    const TemporaryFolder folder;
    holds(view(folder, twice + "expect size " + expected + "\n" + opened(folder) + allPanels(), size, 2));
  }
}

// A long list of mistakes is shown with what can be done about it, also where the view beside the panels is small for that.
TEST(ViewerScaleSlow, AnErrorCanBeReadAndDealtWith) {
  MENISCUS_NEEDS_DISPLAY();
  std::string larger, wrong = testing::tankScene();
  for (int k = 0; k < 7; ++k) larger += "key Ctrl+Plus\n";
  for (const char* key : {"\"density\"", "\"kind\"", "\"radius\"", "\"position\"", "\"spacing\"", "\"min\"", "\"dt\""})
    wrong.insert(wrong.find(key) + 1, "un");
  for (const auto& [size, letters] : {std::pair("--size 640x400", std::string()), std::pair("--size 900x600", larger)}) {
    const TemporaryFolder folder;
    testing::writeText(folder / "a tank with many mistakes.json", wrong);
    holds(view(folder,
               letters + opened(folder) + "key p\nwait frames 5\ndrop " + (folder / "a tank with many mistakes.json") +
                   "\nwait failed\nwait frames 5\nexpect error unknown key\nexpect nothing clipped\nexpect seen act load error\n"
                   "click close load error\nwait frames 3\nexpect no error\n",
               size));
  }
}

TEST(ViewerScaleSlow, TheFirstWindowHasTheSizeThatIsUsualOnItsScreen) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, "wait frames 3\nexpect scale 1\nexpect size 1280 720\n", "--size first"));
}

// The check itself: at three times the size the tabs have no room in a small window.
TEST(ViewerScaleSlow, WhatIsClippedIsNoticed) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string larger;
  for (int k = 0; k < 12; ++k) larger += "key Ctrl+Plus\n";
  const Outcome o = view(folder, larger + opened(folder) + allPanels(), "--size 640x400");
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.text.find("clipped: "), std::string::npos) << o.text;
}

}  // namespace
}  // namespace meniscus
