/* A small game around Meniscus. The window, the heap and the threads are the host's; the water is simulated in fixed steps on its
 * own thread while pictures are drawn at the screen's rate.
 *
 *   mouse  moves the cup           wheel, Q, E  tilt it
 *   J      jet on and off          B            bursts the balloon
 *   R      from the start again    space        pause           Esc  end
 *
 *   meniscus-embed [--demo] [--frames N] [--shot FILE.bmp]
 *   --demo plays by itself, --frames ends after N pictures of a sixtieth of a second each, --shot keeps the last one.
 */
#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "game.h"
#include "host.h"

typedef struct Options {
  bool demo;
  long frames; /* 0: until the window is closed */
  const char* shot;
} Options;

static bool readOptions(int argc, char** argv, Options* o) {
  int k;
  memset(o, 0, sizeof *o);
  for (k = 1; k < argc; ++k) {
    char* end = NULL;
    if (!strcmp(argv[k], "--demo")) {
      o->demo = true;
    } else if (!strcmp(argv[k], "--frames") && k + 1 < argc) {
      o->frames = strtol(argv[++k], &end, 10);
      if (*end || o->frames < 1) {
        fprintf(stderr, "--frames needs a number of pictures, not %s\n", argv[k]);
        return false;
      }
    } else if (!strcmp(argv[k], "--shot") && k + 1 < argc) {
      o->shot = argv[++k];
    } else {
      fprintf(stderr, "usage: %s [--demo] [--frames N] [--shot FILE.bmp]\n", argv[0]);
      return false;
    }
  }
  return true;
}

static void SDLCALL logLine(void* user, mnsLogLevel level, const char* topic, const char* message, const char* file, int32_t line) {
  (void)user;
  (void)file;
  (void)line;
  fprintf(level >= MNS_LOG_WARNING ? stderr : stdout, "%s: %s\n", topic, message);
}

/* One event of the player's; false ends the game. */
static bool act(Game* g, const Picture* picture, const SDL_Event* e, bool* paused) {
  if (e->type == SDL_QUIT) return false;
  if (e->type == SDL_MOUSEMOTION) {
    const mnsVec3 at = pictureToWorld(picture, e->motion.x, e->motion.y);
    g->wanted.x = fmax(-0.38, fmin(0.38, at.x));
    g->wanted.z = fmax(0.12, fmin(0.66, at.z));
  }
  if (e->type == SDL_MOUSEWHEEL) g->wantedTilt += 0.15 * e->wheel.y;
  if (e->type != SDL_KEYDOWN) return true;
  switch (e->key.keysym.sym) {
    case SDLK_ESCAPE:
      return false;
    case SDLK_q:
      g->wantedTilt -= 0.15;
      break;
    case SDLK_e:
      g->wantedTilt += 0.15;
      break;
    case SDLK_j:
      gameToggleJet(g);
      break;
    case SDLK_b:
      gameBurst(g);
      break;
    case SDLK_r:
      gameRetry(g);
      break;
    case SDLK_SPACE:
      *paused = !*paused;
      break;
    default:
      break;
  }
  return true;
}

/* What the player of the demonstration does, by picture. */
static void demo(Game* g, long frame) {
  if (frame == 10) g->wantedTilt = 2.0;
  if (frame == 70) gameToggleJet(g);
  if (frame == 110) gameBurst(g);
  if (frame == 140) gameToggleJet(g);
  if (frame == 150) g->wantedTilt = 0;
  if (frame == 200) gameRetry(g);
}

static void showTitle(SDL_Window* window, const Game* g) {
  char title[512];
  mnsStatistics s;
  memset(&s, 0, sizeof s);
  s.structSize = sizeof s;
  /* busy during a step: then the title stays as it is */
  if (mnsScene_GetStatistics(g->scene, &s) != MNS_OK) return;
  snprintf(title, sizeof title, "Meniscus: %lld particles, %.1f ms a step, density error %.2g %%  %s", (long long)s.particles,
           s.milliseconds, 100 * s.densityErrorMean, g->message);
  SDL_SetWindowTitle(window, title);
}

static bool saveShot(SDL_Renderer* renderer, const char* path) {
  int w = 0, h = 0;
  bool saved = false;
  SDL_Surface* surface;
  SDL_GetRendererOutputSize(renderer, &w, &h);
  surface = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
  if (surface) {
    saved = SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, surface->pixels, surface->pitch) == 0 &&
            SDL_SaveBMP(surface, path) == 0;
    SDL_FreeSurface(surface);
  }
  if (!saved) fprintf(stderr, "%s cannot be written: %s\n", path, SDL_GetError());
  return saved;
}

/* The loop. With --frames time goes by a sixtieth a picture, and each picture waits for the simulation: the same run every time. */
static int play(const Options* o, SDL_Window* window, SDL_Renderer* renderer, Picture* picture, Game* g) {
  Uint64 last = SDL_GetPerformanceCounter();
  bool paused = false;
  long frame;
  for (frame = 0; o->frames == 0 || frame < o->frames; ++frame) {
    SDL_Event e;
    const Uint64 now = SDL_GetPerformanceCounter();
    double seconds = (double)(now - last) / (double)SDL_GetPerformanceFrequency();
    last = now;
    while (SDL_PollEvent(&e))
      if (!act(g, picture, &e, &paused)) return 0;
    if (o->demo) demo(g, frame);
    if (o->frames) seconds = 1.0 / 60;
    if (!paused) gameUpdate(g, seconds);
    if (o->frames) {
      gameFinishStep(g);
      gameUpdate(g, 0);
      gameFinishStep(g);
    }
    pictureDraw(picture, g);
    if (o->shot && frame + 1 == o->frames && !saveShot(renderer, o->shot)) return 1;
    SDL_RenderPresent(renderer);
    if (frame % 30 == 0) showTitle(window, g);
  }
  if (g->message[0]) fprintf(stderr, "%s\n", g->message);
  return g->message[0] ? 1 : 0;
}

static int openAndPlay(const Options* o, mnsContext* context) {
  int status = 1;
  Game game;
  SDL_Window* window =
      SDL_CreateWindow("Meniscus", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 1280, 800, SDL_WINDOW_RESIZABLE);
  SDL_Renderer* renderer = window ? SDL_CreateRenderer(window, -1, o->frames ? 0 : SDL_RENDERER_PRESENTVSYNC) : NULL;
  Picture* picture = renderer ? pictureCreate(renderer) : NULL;
  if (!picture) {
    fprintf(stderr, "no window: %s\n", SDL_GetError());
  } else if (!gameStart(&game, context)) {
    fprintf(stderr, "%s\n", game.message);
    gameEnd(&game);
  } else {
    status = play(o, window, renderer, picture, &game);
    gameEnd(&game);
  }
  pictureDestroy(picture);
  if (renderer) SDL_DestroyRenderer(renderer);
  if (window) SDL_DestroyWindow(window);
  return status;
}

int main(int argc, char** argv) {
  int status = 1, workers;
  Options options;
  mnsAllocator allocator;
  mnsContextDef def;
  mnsContext* context = NULL;
  HostTasks* tasks;
  if (!readOptions(argc, argv, &options)) return 2;
  if (SDL_Init(SDL_INIT_VIDEO) != 0) {
    fprintf(stderr, "SDL: %s\n", SDL_GetError());
    return 1;
  }
  /* the heap first: it cannot be changed while a context lives */
  allocator = hostAllocator(hostHeap());
  mnsSetAllocator(&allocator);
  workers = SDL_GetCPUCount() - 1;
  tasks = hostCreateTasks(workers > 0 ? workers : 0);
  def = mnsDefaultContextDef();
  def.log = logLine;
  def.logLevel = MNS_LOG_WARNING;
  if (tasks) {
    def.threads = workers + 1;
    def.runTasks = hostRunTasks;
    def.tasksUser = tasks;
  }
  if (mnsCreateContext(MNS_VERSION, &def, &context) != MNS_OK)
    fprintf(stderr, "%s\n", mnsGetLastError());
  else
    status = openAndPlay(&options, context);
  mnsDestroyContext(context);
  hostDestroyTasks(tasks);
  SDL_Quit();
  return status;
}
