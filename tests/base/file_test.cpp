#include "engine/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/shared/error_of.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::errorOf;
using testing::readText;
using testing::TemporaryFolder;
using testing::writeText;

int countFiles(const std::string& folder) {
  int n = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(folder)) ++n;
  return n;
}

TEST(WholeFile, ReplacesAndReadsBack) {
  const TemporaryFolder folder;
  const std::string data("a\0b\n", 4);
  writeWholeFile(folder / "f", "longer text that was there before");
  writeWholeFile(folder / "f", data);
  EXPECT_EQ(readWholeFile(folder / "f"), data);
  EXPECT_EQ(countFiles(folder.path()), 1);
}

TEST(TextFile, IsReadWithoutItsMark) {
  const TemporaryFolder folder;
  for (const char* text : {"", "a", "a,b\n"}) {
    writeText(folder / "f", std::string("\xEF\xBB\xBF") + text);
    EXPECT_EQ(readTextFile(folder / "f"), text);
    writeText(folder / "f", text);
    EXPECT_EQ(readTextFile(folder / "f"), text);
  }
}

// Of two or four bytes a character, in either order, with the mark and without.
TEST(TextFile, OfAnotherEncodingIsToldByItsName) {
  const TemporaryFolder folder;
  for (const int size : {2, 4})
    for (const bool big : {false, true})
      for (const bool mark : {false, true})
        for (const char* text : {"a", "{\n}", "v 0 0 0\n"}) {
          std::string wide;
          const auto add = [&](int c) {
            for (int k = 0; k < size; ++k) {
              const int shift = 8 * (big ? size - 1 - k : k);
              wide += char(shift > 8 ? 0 : (c >> shift) & 0xff);
            }
          };
          if (mark) add(0xfeff);
          for (const char* c = text; *c; ++c) add(*c);
          writeText(folder / "f", wide);
          EXPECT_EQ(errorOf([&] { readTextFile(folder / "f"); }),
                    (folder / "f") + ": is text in UTF-" + std::to_string(8 * size) + "; save it as UTF-8")
              << big << mark << text;
        }
}

// Bytes 0 further on are for whoever reads the text: formats of meshes have them behind a header.
TEST(TextFile, WithBytes0FurtherOnIsRead) {
  const TemporaryFolder folder;
  const std::string text("ply\n\0\0\1", 7);
  writeText(folder / "f", text);
  EXPECT_EQ(readTextFile(folder / "f"), text);
}

// Of a process that is gone, of this one, and what only looks like a temporary file.
TEST(WholeFile, PartsOfKilledWritersAreRemoved) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string gone = std::to_string(child), here = std::to_string(::getpid());
  const std::vector<std::string> kept = {"particles.vtu." + here + ".part",
                                         "particles.vtu",
                                         "a." + gone + ".part.txt",
                                         "." + gone + ".part",
                                         gone + ".part",
                                         "a.12x.part",
                                         "a..part",
                                         "a.part"};
  for (const std::string& name : kept) writeText(folder / name, "x");
  for (const char* name : {"particles.vtu.", "steps.csv."}) writeText(folder / (name + gone + ".part"), "x");
  std::filesystem::create_directory(folder / ("folder." + gone + ".part"));
  std::filesystem::create_symlink(folder / "particles.vtu", folder / ("link." + gone + ".part"));
  removeAbandonedParts(folder.path());
  for (const std::string& name : kept) EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  EXPECT_EQ(countFiles(folder.path()), int(kept.size()) + 2);  // the folder and the link
  removeAbandonedParts(folder / "missing");
}

// A limit on the size of files stands for a full disk: the write stops in the middle.
TEST(WholeFile, FailedWriteLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  writeWholeFile(folder / "f", "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = errorOf([&] { writeWholeFile(folder / "f", std::string(5000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("f: cannot be written"), std::string::npos) << message;
  EXPECT_EQ(readText(folder / "f"), "old");
  EXPECT_EQ(countFiles(folder.path()), 1);
}

// A link stands for the device, so that a mistake here cannot do harm outside.
TEST(WholeFile, DiskFullIsSaidInWordsAndTheDeviceStays) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "f");
  const std::string message = errorOf([&] { writeWholeFile(folder / "f", "data"); });
  EXPECT_NE(message.find("the disk is full"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "f"));
  EXPECT_EQ(countFiles(folder.path()), 1);
}

TEST(WholeFile, LinkedFileIsReplacedAndTheLinkStays) {
  const TemporaryFolder folder;
  writeText(folder / "file", "old");
  std::filesystem::create_symlink("file", folder / "link");
  writeWholeFile(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(readText(folder / "file"), "new");
}

// A summary may go to a program that reads it: the pipe is written to, not replaced by a file.
TEST(WholeFile, PipeIsWrittenTo) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  writeWholeFile(pipe, "data");
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 4);
  ::close(reader);
  EXPECT_STREQ(got, "data");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  // without a writer there is nothing to read, and nobody to wait for
  EXPECT_NE(errorOf([&] { readWholeFile(pipe); }).find("is not a file"), std::string::npos);
}

TEST(WholeFile, MissingPlacesAreNamed) {
  const TemporaryFolder folder;
  EXPECT_NE(errorOf([&] { writeWholeFile(folder / "no/f", "x"); }).find("no/f"), std::string::npos);
  EXPECT_NE(errorOf([&] { readWholeFile(folder / "nothing"); }).find("no such file"), std::string::npos);
  EXPECT_NE(errorOf([&] { readWholeFile(folder.path()); }).find("is not a file"), std::string::npos);
}

TEST(Folder, IsMadeWithThoseAboveIt) {
  const TemporaryFolder folder;
  makeFolder(folder / "a/b/c");
  makeFolder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST(Folder, FileInTheWayIsAnError) {
  const TemporaryFolder folder;
  writeText(folder / "f", "x");
  EXPECT_NE(errorOf([&] { makeFolder(folder / "f"); }), "");
  EXPECT_NE(errorOf([&] { makeFolder(folder / "f/g"); }), "");
}

}  // namespace
}  // namespace meniscus
