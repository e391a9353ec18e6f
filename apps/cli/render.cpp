#ifdef MENISCUS_RENDER
#include "apps/cli/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "apps/cli/film_source.h"
#include "apps/cli/folder_lock.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/film/encode.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/render/headless.h"

namespace meniscus::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kCheckpointEvery = 60;  // s of work
constexpr int kLargest = 8192;           // pixels
constexpr int kMostFrames = 99999;       // of five digits

void readSize(const std::string& text, int& width, int& height) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 || width > kLargest ||
      height > kLargest)
    throw Error(ErrorKind::input,
                fmt::format("--size {}: give WIDTHxHEIGHT in pixels, 16 to {} each, as in 1280x720", text, kLargest));
}

// A folder named after the scene or the run.
std::string outOf(const RenderOptions& o, bool ofRun) {
  if (!o.out.empty()) return o.out;
  const fs::path folder = (fs::absolute(o.scene) / "").lexically_normal().parent_path();
  return (ofRun ? folder.filename() : fs::path(o.scene).stem()).string() + "-frames";
}

std::string frameName(int number) { return fmt::format("frame-{:05d}.png", number); }

// The numbers of the frames that the folder has, as Film names them.
std::vector<int> framesIn(const std::string& folder) {
  std::vector<int> numbers;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    int number = 0;  // of as many digits as it has: another program may have left more frames than there can be here
    if (std::sscanf(name.c_str(), "frame-%9d.png", &number) == 1 && name == frameName(number)) numbers.push_back(number);
  }
  return numbers;
}

class Film {
 public:
  explicit Film(const RenderOptions& options);
  int make();

 private:
  std::string frame(int number) const { return folder_ + "/" + frameName(number); }
  std::string checkpoint() const { return folder_ + "/" + source_->checkpoint(); }
  std::string settings() const;
  void checkNoRun() const;
  std::string takeUp();
  void save(int next);
  void finish();

  const RenderOptions& o_;
  const bool ofRun_;
  const std::string out_;
  const bool film_;
  const std::string folder_;
  int width_ = 0, height_ = 0, frames_ = 0;
  std::unique_ptr<FilmSource> source_;
  std::unique_ptr<FolderLock> lock_;
  Clock::time_point saved_ = Clock::now();
};

// What can be said at once is said before the time is spent.
Film::Film(const RenderOptions& o)
    : o_(o),
      ofRun_(fs::is_directory(o.scene)),
      out_(outOf(o, ofRun_)),
      film_(film::isFilm(out_)),
      folder_(film_ ? out_ + ".frames" : out_) {
  readSize(o.size, width_, height_);
  checkNoRun();
  source_ = ofRun_ ? runSource(o) : sceneSource(o);
  const double length = std::max(0., source_->end() - source_->begin());
  const double count = std::floor(length / o.speed * o.framesPerSecond + 1e-6) + 1;
  if (!(count <= kMostFrames))
    throw Error(ErrorKind::input,
                fmt::format("that would be {:.0f} frames, of {} that are possible; give a shorter --duration or a "
                            "lower --fps",
                            count, kMostFrames));
  frames_ = int(count);
  if (const std::string other = film::otherFilm(o.out); !other.empty())
    throw Error(ErrorKind::input, fmt::format("--out {}: films are .mp4, .webm or .gif, not {}; for pictures name a folder, with a "
                                              "/ at the end where a dot is in its name",
                                              out_, other));
  if (film_) {
    film::needFfmpeg("give --out a folder");
    checkFolderExists(fs::absolute(out_).parent_path().string());
  }
  checkFolder(folder_);
}

// Pictures beside the files of a run would take its checkpoint for theirs.
void Film::checkNoRun() const {
  if (fs::exists(folder_ + "/steps.csv"))
    throw Error(ErrorKind::input, fmt::format("{}: is the folder of a run; give --out another one for the pictures", folder_));
}

// All that frames depend on: those in a folder go together.
std::string Film::settings() const {
  const std::string slice = o_.slice.empty() ? "" : fmt::format("slice {}\n", o_.slice);
  return fmt::format("size {}x{}\nfps {:.17g}\nspeed {:.17g}\nfluid {}\ncolour {}\n{}{}{}", width_, height_, o_.framesPerSecond,
                     o_.speed, o_.fluid, o_.colour, slice, o_.device == "cuda" ? "device cuda\n" : "", source_->settings());
}

// The checkpoint to go on from, or "". A folder holds the frames of one film: what is there of another or of a longer one would get
// into whatever is made of them later, and hours may be in it.
std::string Film::takeUp() {
  const std::string kept = folder_ + "/settings.txt";
  const bool begun = fs::exists(kept);
  const std::string before = begun ? readWholeFile(kept) : "", now = settings();
  if (begun && !o_.restart && (before.empty() || now.compare(0, before.size(), before) != 0))
    throw Error(
        ErrorKind::input,
        fmt::format("{}: has frames of other settings or another scene; give --restart to begin anew, or another --out", folder_));
  const std::vector<int> old = framesIn(folder_);
  const int last = old.empty() ? -1 : *std::max_element(old.begin(), old.end());
  if (begun && !o_.restart && last >= frames_)
    throw Error(ErrorKind::input, fmt::format("{}: has {} frames of a longer film, this one ends after {}; give --restart to take "
                                              "them away and begin anew, another --out, or a --duration as long as that",
                                              folder_, old.size(), frames_));
  if (!begun && !o_.restart && !old.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: has frames of something else; give another --out, or --restart to write over them", folder_));
  if (!begun || o_.restart) {
    for (const int k : old) fs::remove(frame(k));
    fs::remove(checkpoint());
  }
  if (now != before) writeWholeFile(kept, now);
  return fs::exists(checkpoint()) ? checkpoint() : "";
}

void Film::save(int next) {
  source_->save(checkpoint(), next);
  saved_ = Clock::now();
}

void Film::finish() {
  if (!film_) {
    fs::remove(checkpoint());
    if (!o_.quiet) say(stdout, "{} frames in {}\n", frames_, folder_);
    return;
  }
  save(frames_);  // the frames have taken their time: what goes wrong from here on does not cost them
  try {
    film::encode(folder_ + "/frame-%05d.png", o_.framesPerSecond, out_);
  } catch (const Error& e) {
    if (!interrupted()) throw Error(e.kind, fmt::format("{}\nits frames are in {}; the same command goes on", e.what(), folder_));
    say(stderr, "interrupted while the film was made of its frames; the same command goes on\n");
    return;
  }
  fs::remove(checkpoint());
  if (!o_.quiet) say(stdout, "{}: {} frames, {:g} s\n", out_, frames_, frames_ / o_.framesPerSecond);
  lock_.reset();
  if (!o_.keepFrames) fs::remove_all(folder_);
}

int Film::make() {
  const render::HeadlessContext context;
  const struct Leave {  // what it has in the context goes before that
    std::unique_ptr<FilmSource>& source;
    ~Leave() { source.reset(); }
  } leave{source_};
  render::Renderer renderer;
  lock_ = std::make_unique<FolderLock>(folder_);
  int next = std::min(source_->start(takeUp()), frames_);
  if (!o_.quiet && next > 0 && next < frames_) say(stdout, "goes on with frame {} of {}\n", next + 1, frames_);
  render::Image image;
  catchInterrupts();
  Progress progress(o_.quiet, 1);
  for (; next < frames_; ++next) {
    const double time = source_->begin() + double(next) * o_.speed / o_.framesPerSecond;
    if (!source_->goTo(time)) {
      save(next);
      progress.finish();
      say(stderr, "interrupted before frame {} of {}; the same command goes on\n", next + 1, frames_);
      return 0;
    }
    source_->draw(renderer, width_, height_, image);
    writePng(frame(next), image);
    if (std::chrono::duration<double>(Clock::now() - saved_).count() > kCheckpointEvery) save(next + 1);
    progress.show(double(next + 1) / frames_, fmt::format("frame {} of {}, t = {:.3f} s", next + 1, frames_, time));
  }
  progress.finish();
  finish();
  return 0;
}

}  // namespace

int render(const RenderOptions& options) { return Film(options).make(); }

}  // namespace meniscus::cli
#endif  // MENISCUS_RENDER
