/* The game's world: a cup full of water in the player's hand, a cloth stretched below it, a balloon full of water, a jet. */
#ifndef EMBED_GAME_H
#define EMBED_GAME_H

#include <meniscus/meniscus.h>
#include <stdbool.h>

#define GAME_STEP (1.0 / 120) /* s, fixed */

/* What the renderer shows of a body: its surface before and after the last step. */
typedef struct Surface {
  float *before, *now; /* xyzw by node */
  int32_t* triangles;
  int64_t nodes, triangleCount;
} Surface;

typedef struct Game {
  mnsContext* context;
  mnsScene* scene;
  mnsBodyId cup, cloth, balloon;
  mnsEmitterId jet;
  bool jetOn, burst;

  /* the player's hand: where the cup is and where it is wanted */
  mnsVec3 hand, wanted;    /* m */
  double tilt, wantedTilt; /* rad, about the y axis */

  /* the state the renderer interpolates between; the simulation may be at work on the next */
  float *before, *now; /* xyzw by particle */
  int64_t particlesBefore, particles, room;
  Surface surfaces[3]; /* cup, cloth, balloon */

  mnsTicket ticket; /* of the step in progress */
  bool stepping;
  double behind; /* s of real time not yet simulated */

  void* retry; /* a snapshot of the start */
  size_t retryBytes;
  char message[256]; /* the last thing that went wrong, for the player */
} Game;

/* False: message says why. */
bool gameStart(Game* game, mnsContext* context);
void gameEnd(Game* game);

/* Hands over what has been simulated and begins the next step where `seconds` of real time have made it due. Never waits. */
void gameUpdate(Game* game, double seconds);
/* Waits for the step in progress. */
void gameFinishStep(Game* game);

/* The player's actions; they act on the next step. */
void gameToggleJet(Game* game);
void gameBurst(Game* game);
void gameRetry(Game* game);

/* Share of a step that has passed since `now` became valid, for the renderer. */
double gameBlend(const Game* game);

#endif
