// Films by the program ffmpeg.
#pragma once

#include <string>
#include <vector>

namespace meniscus::film {

// Whether the name ends in .mp4, .webm or .gif.
bool isFilm(const std::string& path);
// What ffmpeg is told of a film of this name: coder, quality, colours.
std::vector<std::string> coderArguments(const std::string& path);

// Throws Error(input) where ffmpeg cannot be started.
void needFfmpeg();
// Joins the files of a printf pattern ("frame-%05d.png", numbered from 0) to the film, which is written whole or not at all. Throws
// Error(input) with ffmpeg's own words.
void encode(const std::string& pattern, double framesPerSecond, const std::string& path);

}  // namespace meniscus::film
