#include "game.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACING 0.015
#define CUP_RADIUS 0.07
#define CUP_HEIGHT 0.15
#define MOST_PARTICLES 6000
#define JET_SPEED 4.5  /* m/s */
#define HAND_SPEED 1.5 /* m/s: a hand does not teleport */
#define TILT_SPEED 4.0 /* rad/s */

static const mnsVec3 kCupStart = {-0.32, 0, 0.45};

/* Keeps the first failure's sentence; true where the call succeeded. */
static bool ok(Game* g, mnsResult result) {
  if (result >= 0) return true;
  snprintf(g->message, sizeof g->message, "%s", mnsGetLastError());
  return false;
}

static mnsVec3 vec(double x, double y, double z) {
  mnsVec3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

static mnsQuat aboutY(double angle) {
  mnsQuat q = {0, 0, 0, 1};
  q.y = sin(0.5 * angle);
  q.w = cos(0.5 * angle);
  return q;
}

/* ---- making the world ---- */

/* A cup without a lid: a wall of quads around the z axis and a bottom. Walls are sheets: nothing leaks through them. */
enum { AROUND = 24, UP = 6 };
static bool createCup(Game* g) {
  static float x[3 * (AROUND * (UP + 1) + 1)];
  static int32_t t[3 * (2 * AROUND * UP + AROUND)];
  const int32_t bottom = AROUND * (UP + 1);
  int32_t n = 0;
  int i, k;
  mnsShape shape = mnsDefaultShape();
  mnsBodyDef def = mnsDefaultBodyDef();
  for (k = 0; k <= UP; ++k)
    for (i = 0; i < AROUND; ++i) {
      float* v = x + 3 * (k * AROUND + i);
      const double a = 6.283185307179586 * i / AROUND;
      v[0] = (float)(CUP_RADIUS * cos(a));
      v[1] = (float)(CUP_RADIUS * sin(a));
      v[2] = (float)(CUP_HEIGHT * k / UP - 0.5 * CUP_HEIGHT);
    }
  x[3 * bottom] = x[3 * bottom + 1] = 0;
  x[3 * bottom + 2] = (float)(-0.5 * CUP_HEIGHT);
  for (i = 0; i < AROUND; ++i) {
    const int32_t j = (i + 1) % AROUND;
    for (k = 0; k < UP; ++k) {
      const int32_t a = k * AROUND + i, b = k * AROUND + j;
      const int32_t quad[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
      memcpy(t + n, quad, sizeof quad);
      n += 6;
    }
    t[n++] = bottom;
    t[n++] = j;
    t[n++] = i;
  }
  shape.kind = MNS_SHAPE_MESH;
  shape.open = true;
  shape.vertices = x;
  shape.vertexCount = bottom + 1;
  shape.triangles = t;
  shape.triangleCount = n / 3;
  def.name = "cup";
  def.kind = MNS_BODY_KINEMATIC;
  def.shape = &shape;
  def.position = kCupStart;
  return ok(g, mnsCreateBody(g->scene, &def, &g->cup));
}

static bool createCloth(Game* g) {
  mnsShape shape = mnsSheetShape(0.3, 0.3);
  mnsMaterial material = mnsDefaultMaterial();
  mnsBodyDef def = mnsDefaultBodyDef();
  mnsPin rim;
  memset(&rim, 0, sizeof rim);
  rim.kind = MNS_PIN_RIM;
  material.arealDensity = 0.3;
  material.stretch.kind = MNS_RESISTANCE_COMPLIANCE;
  material.stretch.value = 1e-3;
  material.friction = 0.3;
  def.name = "cloth";
  def.kind = MNS_BODY_CLOTH;
  def.shape = &shape;
  def.material = &material;
  def.position = vec(-0.2, 0, 0.25);
  def.pins = &rim;
  def.pinCount = 1;
  return ok(g, mnsCreateBody(g->scene, &def, &g->cloth));
}

static bool createBalloon(Game* g) {
  mnsShape shape = mnsSphereShape(0.07);
  mnsMaterial material = mnsDefaultMaterial();
  mnsBodyDef def = mnsDefaultBodyDef();
  mnsFluidDef water = mnsDefaultFluidDef();
  mnsFluidId id;
  material.arealDensity = 1;
  material.stretch.kind = MNS_RESISTANCE_COMPLIANCE;
  material.stretch.value = 2.5e-3;
  material.friction = 0.3;
  shape.resolution = 1.3 * SPACING;
  def.name = "balloon";
  def.kind = MNS_BODY_INFLATABLE;
  def.shape = &shape;
  def.material = &material;
  def.position = vec(0.2, 0, 0.2);
  def.inflation = 0; /* the water in it holds its volume */
  if (!ok(g, mnsCreateBody(g->scene, &def, &g->balloon))) return false;
  water.name = "balloon water";
  water.inside = g->balloon;
  return ok(g, mnsCreateFluid(g->scene, &water, &id));
}

/* Water in the cup, and the jet that is shut at first: both are of one fluid. */
static bool createWater(Game* g) {
  mnsShape shape = mnsDefaultShape();
  mnsFluidDef water = mnsDefaultFluidDef();
  mnsEmitterDef jet = mnsDefaultEmitterDef();
  mnsFluidId id;
  shape.kind = MNS_SHAPE_CYLINDER;
  shape.radius = CUP_RADIUS - 0.5 * SPACING;
  shape.height = 0.6 * CUP_HEIGHT;
  water.name = "water";
  water.shape = &shape;
  water.position = vec(kCupStart.x, kCupStart.y, kCupStart.z - 0.5 * CUP_HEIGHT + 0.5 * SPACING + 0.5 * shape.height);
  if (!ok(g, mnsCreateFluid(g->scene, &water, &id))) return false;
  jet.name = "jet";
  jet.fluid = id;
  jet.radius = 0.03;
  jet.position = vec(0.45, 0, 0.45);
  jet.rotation = aboutY(-1.7); /* local +z towards the cloth */
  jet.speed = JET_SPEED;
  if (!ok(g, mnsCreateEmitter(g->scene, &jet, &g->jet))) return false;
  return ok(g, mnsEmitter_SetSpeed(g->scene, g->jet, 0));
}

static bool createScene(Game* g) {
  mnsSceneDef def = mnsDefaultSceneDef();
  def.name = "kitchen";
  def.domain.min = vec(-0.5, -0.25, 0);
  def.domain.max = vec(0.5, 0.25, 0.8);
  def.spacing = SPACING;
  def.maxParticles = MOST_PARTICLES;
  def.maxStep = GAME_STEP;
  if (!ok(g, mnsCreateScene(g->context, &def, &g->scene))) return false;
  if (!createCup(g) || !createCloth(g) || !createBalloon(g) || !createWater(g)) return false;
  g->hand = g->wanted = kCupStart;
  g->tilt = g->wantedTilt = 0;
  g->jetOn = g->burst = false;
  return ok(g, mnsScene_Start(g->scene));
}

/* ---- what the renderer sees ---- */

static bool grow(float** array, int64_t items) {
  float* larger = (float*)realloc(*array, (size_t)(items > 0 ? items : 1) * 4 * sizeof(float));
  if (larger) *array = larger;
  return larger != NULL;
}

static void readSurface(Game* g, Surface* s, mnsBodyId body) {
  mnsView x, t;
  if (!mnsBody_IsValid(g->scene, body)) {
    s->nodes = s->triangleCount = 0;
    return;
  }
  if (!ok(g, mnsBody_GetArray(g->scene, body, MNS_NODE_POSITION, &x)) ||
      !ok(g, mnsBody_GetArray(g->scene, body, MNS_BODY_TRIANGLES, &t)))
    return;
  if (s->nodes != x.count || s->triangleCount != t.count) {
    int32_t* triangles = (int32_t*)realloc(s->triangles, (size_t)(t.count > 0 ? t.count : 1) * 3 * sizeof(int32_t));
    if (!triangles || !grow(&s->before, x.count) || !grow(&s->now, x.count)) return;
    s->triangles = triangles;
    s->nodes = x.count;
    s->triangleCount = t.count;
    memcpy(s->triangles, t.data, (size_t)t.count * 3 * sizeof(int32_t));
    memcpy(s->now, x.data, (size_t)x.count * 4 * sizeof(float));
  }
  memcpy(s->before, s->now, (size_t)x.count * 4 * sizeof(float));
  memcpy(s->now, x.data, (size_t)x.count * 4 * sizeof(float));
}

/* Borrowed views hold until the next step begins, so the renderer gets copies. */
static void readState(Game* g) {
  mnsView x;
  float* swap = g->before;
  if (!ok(g, mnsScene_GetParticles(g->scene, MNS_PARTICLE_POSITION, &x))) return;
  if (x.count > g->room) {
    if (!grow(&g->before, x.count) || !grow(&g->now, x.count)) return;
    g->room = x.count;
    swap = g->before;
  }
  g->before = g->now;
  g->now = swap;
  g->particlesBefore = g->particles;
  g->particles = x.count;
  memcpy(g->now, x.data, (size_t)x.count * 4 * sizeof(float));
  readSurface(g, &g->surfaces[0], g->cup);
  readSurface(g, &g->surfaces[1], g->cloth);
  readSurface(g, &g->surfaces[2], g->balloon);
}

static bool keepRetry(Game* g) {
  if (!ok(g, mnsScene_Snapshot(g->scene, NULL, 0, &g->retryBytes))) return false;
  free(g->retry);
  g->retry = malloc(g->retryBytes);
  return g->retry && ok(g, mnsScene_Snapshot(g->scene, g->retry, g->retryBytes, &g->retryBytes));
}

bool gameStart(Game* g, mnsContext* context) {
  memset(g, 0, sizeof *g);
  g->context = context;
  if (!createScene(g) || !keepRetry(g)) return false;
  readState(g);
  readState(g);
  return true;
}

void gameEnd(Game* g) {
  int k;
  gameFinishStep(g);
  mnsDestroyScene(g->scene);
  free(g->retry);
  free(g->before);
  free(g->now);
  for (k = 0; k < 3; ++k) {
    free(g->surfaces[k].before);
    free(g->surfaces[k].now);
    free(g->surfaces[k].triangles);
  }
  memset(g, 0, sizeof *g);
}

/* ---- playing ---- */

static double towards(double from, double to, double most) {
  const double d = to - from;
  return from + (d > most ? most : d < -most ? -most : d);
}

/* The hand goes to where the mouse is, no faster than a hand, and the cup with it during the step that begins now. */
static void moveCup(Game* g) {
  const double most = HAND_SPEED * GAME_STEP;
  g->hand.x = towards(g->hand.x, g->wanted.x, most);
  g->hand.z = towards(g->hand.z, g->wanted.z, most);
  g->tilt = towards(g->tilt, g->wantedTilt, TILT_SPEED * GAME_STEP);
  ok(g, mnsBody_MoveTo(g->scene, g->cup, g->hand, aboutY(g->tilt), GAME_STEP));
}

static void endStep(Game* g, mnsResult result) {
  g->stepping = false;
  ok(g, result); /* a failed step leaves the scene as it was: the game goes on from there */
  readState(g);
}

void gameFinishStep(Game* g) {
  if (g->stepping) endStep(g, mnsScene_Wait(g->scene, g->ticket, -1));
}

void gameUpdate(Game* g, double seconds) {
  const double mostBehind = 4 * GAME_STEP; /* where the machine is too slow, time runs slower instead of ever faster behind */
  g->behind += seconds;
  if (g->behind > mostBehind) g->behind = mostBehind;
  if (g->stepping) {
    const mnsResult result = mnsScene_Wait(g->scene, g->ticket, 0);
    if (result == MNS_PENDING) return;
    endStep(g, result);
  }
  if (g->behind < GAME_STEP) return;
  g->behind -= GAME_STEP;
  moveCup(g);
  g->stepping = ok(g, mnsScene_StepAsync(g->scene, GAME_STEP, &g->ticket));
}

void gameToggleJet(Game* g) {
  gameFinishStep(g);
  if (ok(g, mnsEmitter_SetSpeed(g->scene, g->jet, g->jetOn ? 0 : JET_SPEED))) g->jetOn = !g->jetOn;
}

/* The skin goes, the water stays. */
void gameBurst(Game* g) {
  gameFinishStep(g);
  if (g->burst || !ok(g, mnsDestroyBody(g->scene, g->balloon))) return;
  g->burst = true;
  readState(g);
}

/* Back to the start. A snapshot fits a scene with the same bodies: after the balloon has burst, the scene is made anew first. */
void gameRetry(Game* g) {
  gameFinishStep(g);
  if (g->burst) {
    mnsDestroyScene(g->scene);
    g->scene = NULL;
    if (!createScene(g)) return;
  }
  if (!ok(g, mnsScene_Restore(g->scene, g->retry, g->retryBytes))) return;
  ok(g, mnsEmitter_SetSpeed(g->scene, g->jet, 0));
  g->hand = g->wanted = kCupStart;
  g->tilt = g->wantedTilt = 0;
  g->jetOn = false;
  g->message[0] = 0;
  readState(g);
  readState(g);
}

double gameBlend(const Game* g) {
  const double share = g->behind / GAME_STEP;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}
