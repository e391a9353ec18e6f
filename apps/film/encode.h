// Films by the program ffmpeg: of files, or frame by frame. Written whole or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/film/ffmpeg.h"

namespace meniscus::film {

// Whether the name ends in .mp4, .webm or .gif, which also tells the coder.
bool isFilm(const std::string& path);
// The ending, where it is that of something else, another kind of film or a picture. "": of none, or of digits, or it is a folder.
std::string otherFilm(const std::string& path);

// Throws Error(input) where ffmpeg cannot be started. otherwise: what to do without it, for the error's text.
void needFfmpeg(const std::string& otherwise);
// Joins the files of a printf pattern ("frame-%05d.png", numbered from 0) to the film. Throws Error(input) with ffmpeg's own words.
void encode(const std::string& pattern, double framesPerSecond, const std::string& path);

// Takes the frames one by one.
class FilmWriter {
 public:
  // Throws Error(input) where ffmpeg cannot be started.
  FilmWriter(const std::string& path, int width, int height, double framesPerSecond);
  ~FilmWriter();  // without finish() there is no film
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  // A frame: RGB, rows from the top. Throws Error(input) with ffmpeg's own words where it has failed.
  void add(const unsigned char* rgb, std::size_t bytes);
  // Ends the film. Throws Error(input) with ffmpeg's own words where it has failed.
  void finish();

 private:
  std::string path_;
  TemporaryFile log_, part_;
  int pipe_ = -1, child_ = -1;
};

}  // namespace meniscus::film
