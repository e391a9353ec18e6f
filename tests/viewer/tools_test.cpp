// What helps at work: stored views, figures that are copied, shaders that are changed while the window is open.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/viewer/viewer_run.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;
using testing::holds;
using testing::opened;
using testing::readText;
using testing::TemporaryFolder;
using testing::view;
using testing::writeText;

// From one start to the next, too.
TEST(ViewerViewsSlow, AStoredViewComesBack) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string glide = "wait seconds 1\nwait frames 3\n";
  holds(view(folder, opened(folder) +
                         "orbit 60 20\nwait frames 3\nkey Ctrl+3\nwait frames 3\nremember\norbit -150 10\nwait frames 3\n"
                         "expect camera changed\nkey 3\n" +
                         glide + "expect camera same\nkey f\n" + glide +
                         "expect camera changed\nkey 4\nwait notice No view is stored\n"));
  holds(view(folder, opened(folder) + "key 3\n" + glide + "remember\nkey f\n" + glide + "expect camera changed\nkey 3\n" + glide +
                         "expect camera same\n"));
}

TEST(ViewerPlotsSlow, FiguresAreCopied) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  holds(view(folder, opened(folder) +
                         "key p\nwait frames 5\nkey Right\nwait idle\nkey Right\nwait idle\nwait frames 5\nclick copy csv\n"
                         "wait notice 2 steps copied\nexpect clipboard 0.004\n"));
}

// A file takes the old one's place when it is whole: what else leads to the old one still finds that.
TEST(ViewerPlotsSlow, SavedFiguresTakeTheOldFilesPlaceWhole) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  const std::string file = folder / "tank.csv", old = "what there was\n";
  writeText(file, old);
  fs::create_hard_link(file, folder / "kept");
  const std::string pause = "\nwait frames 3\n";
  holds(view(folder, opened(folder) + "key p\nwait frames 5\nkey Right\nwait idle\nset " + folder.path() + "\nclick save csv" +
                         pause + "key Enter" + pause + "key Enter\nwait notice Saved\n"));
  EXPECT_NE(readText(file).find("kinetic energy [J]"), std::string::npos);
  EXPECT_EQ(readText(folder / "kept"), old);
}

// A disk that is full when the program ends costs nothing that was kept before.
TEST(ViewerSettingsSlow, AFullDiskLeavesTheOldOnes) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  std::string recent;  // more than the disk has room for
  for (char c = 'a'; c < 'm'; ++c) recent += (recent.empty() ? "\"/" : ",\"/") + std::string(10000, c) + "\"";
  const std::string old = "{\"recent\":[" + recent + "]}\n", file = folder / "meniscus/viewer.json";
  fs::create_directory(folder / "meniscus");
  writeText(file, old);
  const testing::Outcome o = view(folder, "wait frames 3\n", "", 1, "trap '' XFSZ; ulimit -f 128; MESA_SHADER_CACHE_DISABLE=true");
  EXPECT_NE(o.text.find("settings cannot be kept"), std::string::npos) << o.text;
  EXPECT_TRUE(readText(file) == old);
}

// A mistake is shown with its place, what was drawn before goes on being drawn, and a mended shader takes its place.
TEST(ViewerShadersSlow, AreReadAgainWhenTheyChange) {
  MENISCUS_NEEDS_DISPLAY();
  const TemporaryFolder folder;
  fs::copy(MENISCUS_SOURCE_DIR "/shaders", folder / "shaders");
  const std::string shader = folder / "shaders/background.frag";
  std::string text = readText(shader);
  writeText(folder / "broken", text.substr(0, text.find("result = ")) + "result = nothing;\n}\n");
  writeText(folder / "red", text.substr(0, text.find("result = ")) + "result = vec4(1, 0, 0, 1);\n}\n");
  const std::string look = "click tab Look\nwait frames 3\nclick check Ground\nwait frames 5\n";
  holds(view(folder,
             opened(folder) + look + "expect unseen act shader error\ngl expected nothing\nwait seconds 1.1\ncopy " +
                 (folder / "broken") + " " + shader +
                 "\nwait frames 60\nexpect seen act shader error\nexpect view varied 30\nkey Right\nwait idle\n" +
                 "expect steps 1\nwait seconds 1.1\ncopy " + (folder / "red") + " " + shader +
                 "\nwait frames 60\nexpect unseen act shader error\nexpect view colour 255 0 0 40 0.2\n",
             "--shaders '" + (folder / "shaders") + "'"));
}

}  // namespace
}  // namespace meniscus
