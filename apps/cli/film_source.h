// What the pictures of a film are of: a scene that is simulated meanwhile, or the frames of a run.
#pragma once

#include <memory>
#include <string>

#include "apps/cli/render.h"
#include "engine/render/renderer.h"
#include "engine/scene/scene.h"

namespace meniscus::cli {

class FilmSource {
 public:
  virtual ~FilmSource() = default;
  virtual double begin() const = 0;  // s, of the first picture
  virtual double end() const = 0;    // s, none is later
  // All of it that pictures depend on. It may grow at its end while the pictures drawn already stay right.
  virtual std::string settings() const = 0;
  virtual std::string checkpoint() const = 0;  // name of the file by which a film goes on
  // checkpoint: its path, or "" to begin. The number of the next picture.
  virtual int start(const std::string& checkpoint) = 0;
  // To a time [s] not before the present one. False: interrupted.
  virtual bool goTo(double time) = 0;
  virtual void draw(render::Renderer& renderer, int width, int height, render::Image& image) = 0;
  virtual void save(const std::string& path, int next) const = 0;
};

// Of o.scene. Both throw Error(input) at once for what can be known to be wrong.
std::unique_ptr<FilmSource> sceneSource(const RenderOptions& o);
std::unique_ptr<FilmSource> runSource(const RenderOptions& o);

// What the command line says of the look instead. Throws Error(input) for a slice that the scene does not have.
void applyLook(const RenderOptions& o, SceneDef& scene);

// A film's own words in a checkpoint: the next picture, and what the pictures before it left behind.
std::string packFilm(int next, const std::string& memory);
int unpackFilm(const std::string& words, std::string* memory);

}  // namespace meniscus::cli
