// The example game plays by itself, and its pictures show what it says.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// Runs the game for so many pictures and gives back the last one's pixels as 0xRRGGBB, 1280 by 800.
std::vector<std::uint32_t> lastPicture(int frames, const std::string& name) {
  const std::string shot = ::testing::TempDir() + name, program = std::string(MENISCUS_BINARY_DIR) + "/bin/meniscus-embed";
  const std::string command = "SDL_VIDEODRIVER=dummy " + program + " --demo --frames " + std::to_string(frames) + " --shot " + shot;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(shot, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::uint32_t> pixels;
  if (bytes.size() < 1280 * 800 * 4) return pixels;
  const std::size_t begin = bytes.size() - 1280 * 800 * 4;
  for (std::size_t k = begin; k < bytes.size(); k += 4)
    pixels.push_back(std::uint32_t(std::uint8_t(bytes[k + 2])) << 16 | std::uint32_t(std::uint8_t(bytes[k + 1])) << 8 |
                     std::uint8_t(bytes[k]));
  return pixels;
}

// Pixels of the water's blue, and of the balloon's purple: its red skin before the water in it.
int count(const std::vector<std::uint32_t>& pixels, bool (*is)(int r, int g, int b)) {
  int n = 0;
  for (const std::uint32_t c : pixels) n += is(int(c >> 16), int(c >> 8 & 255), int(c & 255));
  return n;
}
int countBlue(const std::vector<std::uint32_t>& pixels) {
  return count(pixels, [](int r, int, int b) { return b > r + 60 && b > 100; });
}
int countBalloon(const std::vector<std::uint32_t>& pixels) {
  return count(pixels, [](int r, int g, int b) { return r > g + 35 && b > g; });
}

// SDL starts its threads past gcc's thread sanitizer, whose runtime then ends the program in the first of them.
#ifdef __SANITIZE_THREAD__
#define NEEDS_THREADS_OF_SDL() GTEST_SKIP() << "the thread sanitizer does not know SDL's threads"
#else
#define NEEDS_THREADS_OF_SDL() (void)0
#endif

TEST(EmbedSlow, TheBalloonIsThereUntilItBursts) {
  NEEDS_THREADS_OF_SDL();
  const auto before = lastPicture(40, "embed_before.bmp"), after = lastPicture(125, "embed_after.bmp");
  ASSERT_EQ(before.size(), 1280u * 800u);
  ASSERT_EQ(after.size(), 1280u * 800u);
  EXPECT_GT(countBalloon(before), 2000);
  EXPECT_LT(countBalloon(after), 200);
  EXPECT_GT(countBlue(before), 3000);
  EXPECT_GT(countBlue(after), countBlue(before));  // the jet has run since
}

TEST(EmbedSlow, AnotherTryIsTheStartAgain) {
  NEEDS_THREADS_OF_SDL();
  const auto start = lastPicture(1, "embed_start.bmp"), again = lastPicture(202, "embed_again.bmp");
  ASSERT_EQ(start.size(), again.size());
  EXPECT_NEAR(countBalloon(again), countBalloon(start), 0.2 * countBalloon(start));
  EXPECT_NEAR(countBlue(again), countBlue(start), 0.2 * countBlue(start));
}

}  // namespace
