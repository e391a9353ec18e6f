// Where the frames of a run lie in its folder, and the index (.pvd) of a kind of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meniscus {

// The scene as it was run, with what the command line said instead. Its meshes are named, relative to the file, not copied.
inline constexpr const char* kSceneOfFrames = "frames/scene.json";

// What there are frames of, and the formats of their files: all that a run leaves, and that removeFrames takes away.
enum class FrameKind { particles, solids, surface, grid, smoke, water, picture };
enum class FrameFormat { vtp, vti, ply, vdb, png };
inline constexpr std::array<const char*, 7> kFrameKinds = {"particles", "solids", "surface", "grid", "smoke", "water", "picture"};
inline constexpr std::array<const char*, 5> kFrameEndings = {"vtp", "vti", "ply", "vdb", "png"};

// frames/KIND-00012.ENDING
std::string frameName(FrameKind kind, std::uint64_t number, FrameFormat format);

struct SeriesIndex {
  struct Entry {
    double time;       // s, of nine digits
    std::string file;  // in the run's folder
  };
  FrameKind kind;
  std::vector<Entry> entries;
  FrameFormat format = FrameFormat::vtp;

  std::string path(const std::string& folder) const { return folder + "/" + kFrameKinds[std::size_t(kind)] + ".pvd"; }
  std::string text() const;
  // Takes what looks like entries. False where text() did not write it; what it took is then of no worth.
  bool parse(const std::string& text);
};

// Adds a frame and writes the index anew.
void addToIndex(SeriesIndex& index, const std::string& folder, double time, const std::string& file);
// The index that the folder has, without frames after `from` [s]. One that is damaged or gone is made anew from the first `count`
// frames, as far as they exist, with a note. Throws Error(input) where they do not say their time.
void loadIndex(SeriesIndex& index, const std::string& folder, double from, std::uint64_t count, std::vector<std::string>* notes);

// Takes away what a run has left of frames from number `from` on in its folder: files of the names that frameName makes, of every
// kind and format, and their entries in the indices; of frames that are gone altogether the index too. How many frames' files went.
std::size_t removeFrames(const std::string& folder, std::uint64_t from);

}  // namespace meniscus
