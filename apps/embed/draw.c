#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is drawn: a particle (a disc) or a triangle, by its distance from the eye. */
typedef struct Piece {
  float depth;
  SDL_Vertex corner[3];
  int isDisc;
  float radius;
} Piece;

struct Picture {
  SDL_Renderer* renderer;
  SDL_Texture* disc;
  int width, height;
  Piece* pieces;
  size_t count, room;
  SDL_Vertex* vertices;
  size_t vertexRoom;
};

static const double kEye = -1.6;   /* m: y of the eye */
static const double kEyeUp = 0.45; /* m */
static const double kField = 1.25; /* focal length over the picture's height */
static const double kSpacing = 0.015;

enum { DISC = 32 };

/* A shaded sphere in a small picture. */
static SDL_Texture* makeDisc(SDL_Renderer* renderer) {
  Uint32 pixels[DISC * DISC];
  int i, k;
  SDL_Texture* texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, DISC, DISC);
  if (!texture) return NULL;
  for (k = 0; k < DISC; ++k)
    for (i = 0; i < DISC; ++i) {
      const double x = (i + 0.5) / (0.5 * DISC) - 1, y = (k + 0.5) / (0.5 * DISC) - 1, r2 = x * x + y * y;
      const double light = r2 < 1 ? 0.45 + 0.55 * fmax(0, (-0.5 * x - 0.6 * y + 0.62 * sqrt(1 - r2))) : 0;
      const Uint32 c = (Uint32)(255 * light), a = r2 < 1 ? 255u : 0u;
      pixels[k * DISC + i] = a << 24 | c << 16 | c << 8 | c;
    }
  SDL_UpdateTexture(texture, NULL, pixels, DISC * (int)sizeof(Uint32));
  SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
  return texture;
}

Picture* pictureCreate(SDL_Renderer* renderer) {
  Picture* p = (Picture*)calloc(1, sizeof *p);
  if (!p) return NULL;
  p->renderer = renderer;
  p->disc = makeDisc(renderer);
  if (p->disc) return p;
  free(p);
  return NULL;
}

void pictureDestroy(Picture* p) {
  if (!p) return;
  SDL_DestroyTexture(p->disc);
  free(p->pieces);
  free(p->vertices);
  free(p);
}

static SDL_FPoint project(const Picture* p, const float* x, float* depth) {
  const double d = x[1] - kEye, f = kField * p->height / d;
  SDL_FPoint s;
  *depth = (float)d;
  s.x = (float)(0.5 * p->width + f * x[0]);
  s.y = (float)(0.5 * p->height - f * (x[2] - kEyeUp) + 0.04 * p->height);
  return s;
}

mnsVec3 pictureToWorld(const Picture* p, int x, int y) {
  const double f = kField * p->height / -kEye;
  mnsVec3 v;
  v.x = (x - 0.5 * p->width) / f;
  v.y = 0;
  v.z = kEyeUp - (y - 0.04 * p->height - 0.5 * p->height) / f;
  return v;
}

static Piece* addPiece(Picture* p) {
  if (p->count == p->room) {
    const size_t room = p->room ? 2 * p->room : 4096;
    Piece* larger = (Piece*)realloc(p->pieces, room * sizeof(Piece));
    if (!larger) return NULL;
    p->pieces = larger;
    p->room = room;
  }
  memset(&p->pieces[p->count], 0, sizeof(Piece));
  return &p->pieces[p->count++];
}

static void blend(float out[3], const float* before, const float* now, double share) {
  int k;
  for (k = 0; k < 3; ++k) out[k] = (float)(before[k] + share * (now[k] - before[k]));
}

static void addParticles(Picture* p, const Game* g, double share) {
  int64_t i;
  for (i = 0; i < g->particles; ++i) {
    const float* now = g->now + 4 * i;
    /* where particles came or went, the order has changed and there is nothing to blend with */
    const float* before = g->particlesBefore == g->particles ? g->before + 4 * i : now;
    float x[3];
    const SDL_Color water = {70, 150, 235, 255};
    Piece* piece = addPiece(p);
    if (!piece) return;
    blend(x, before, now, share);
    piece->isDisc = 1;
    piece->corner[0].position = project(p, x, &piece->depth);
    piece->corner[0].color = water;
    piece->radius = (float)(0.62 * kSpacing * kField * p->height / piece->depth);
  }
}

static void addSurface(Picture* p, const Surface* s, SDL_Color colour, double share) {
  int64_t t;
  for (t = 0; t < s->triangleCount; ++t) {
    float x[3][3], a[3], b[3], n[3], length, depth, sum = 0;
    int k;
    Piece* piece = addPiece(p);
    if (!piece) return;
    for (k = 0; k < 3; ++k) {
      const int64_t node = 4 * (int64_t)s->triangles[3 * t + k];
      blend(x[k], s->before + node, s->now + node, share);
      piece->corner[k].position = project(p, x[k], &depth);
      sum += depth;
    }
    piece->depth = sum / 3 - (float)kSpacing; /* the discs of the particles behind a skin reach through it */
    for (k = 0; k < 3; ++k) {
      a[k] = x[1][k] - x[0][k];
      b[k] = x[2][k] - x[0][k];
    }
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    {
      const float light = length > 0 ? 0.45f + 0.55f * fabsf(-0.4f * n[0] - 0.6f * n[1] + 0.7f * n[2]) / length : 0.5f;
      SDL_Color c = colour;
      c.r = (Uint8)fminf(255, c.r * light);
      c.g = (Uint8)fminf(255, c.g * light);
      c.b = (Uint8)fminf(255, c.b * light);
      for (k = 0; k < 3; ++k) piece->corner[k].color = c;
    }
  }
}

static int farFirst(const void* a, const void* b) {
  const float x = ((const Piece*)a)->depth, y = ((const Piece*)b)->depth;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* Runs of pieces of one kind go to SDL in one call. */
static void drawPieces(Picture* p) {
  size_t i = 0;
  if (6 * p->count > p->vertexRoom) {
    SDL_Vertex* larger = (SDL_Vertex*)realloc(p->vertices, 6 * p->count * sizeof(SDL_Vertex));
    if (!larger) return;
    p->vertices = larger;
    p->vertexRoom = 6 * p->count;
  }
  qsort(p->pieces, p->count, sizeof(Piece), farFirst);
  while (i < p->count) {
    const int disc = p->pieces[i].isDisc;
    int n = 0;
    for (; i < p->count && p->pieces[i].isDisc == disc; ++i) {
      const Piece* piece = &p->pieces[i];
      if (!disc) {
        memcpy(p->vertices + n, piece->corner, sizeof piece->corner);
        n += 3;
        continue;
      }
      {
        static const float at[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
        int k;
        for (k = 0; k < 6; ++k, ++n) {
          p->vertices[n] = piece->corner[0];
          p->vertices[n].position.x += at[k][0] * piece->radius;
          p->vertices[n].position.y += at[k][1] * piece->radius;
          p->vertices[n].tex_coord.x = 0.5f + 0.5f * at[k][0];
          p->vertices[n].tex_coord.y = 0.5f + 0.5f * at[k][1];
        }
      }
    }
    SDL_RenderGeometry(p->renderer, disc ? p->disc : NULL, p->vertices, n, NULL, 0);
  }
}

static void drawRoom(Picture* p) {
  SDL_Rect floorStrip;
  float x[3] = {0, -0.25f, 0}, depth;
  SDL_SetRenderDrawColor(p->renderer, 236, 238, 240, 255);
  SDL_RenderClear(p->renderer);
  floorStrip.x = 0;
  x[1] = 0.25f;
  floorStrip.y = (int)project(p, x, &depth).y;
  floorStrip.w = p->width;
  floorStrip.h = p->height - floorStrip.y;
  SDL_SetRenderDrawColor(p->renderer, 205, 200, 192, 255);
  SDL_RenderFillRect(p->renderer, &floorStrip);
}

void pictureDraw(Picture* p, const Game* g) {
  const SDL_Color cup = {150, 150, 160, 110}, cloth = {225, 120, 90, 255}, balloon = {230, 60, 80, 130};
  const double share = gameBlend(g);
  SDL_GetRendererOutputSize(p->renderer, &p->width, &p->height);
  SDL_SetRenderDrawBlendMode(p->renderer, SDL_BLENDMODE_BLEND);
  drawRoom(p);
  p->count = 0;
  addParticles(p, g, share);
  addSurface(p, &g->surfaces[0], cup, share);
  addSurface(p, &g->surfaces[1], cloth, share);
  addSurface(p, &g->surfaces[2], balloon, share);
  drawPieces(p);
}
