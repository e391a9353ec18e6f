/* Draws the game with SDL's 2-D triangles: seen from the front, far things first. */
#ifndef EMBED_DRAW_H
#define EMBED_DRAW_H

#include <SDL.h>

#include "game.h"

typedef struct Picture Picture;
Picture* pictureCreate(SDL_Renderer* renderer);
void pictureDestroy(Picture* picture);
void pictureDraw(Picture* picture, const Game* game);

/* The point of the plane y = 0 that is seen at a pixel [m]. */
mnsVec3 pictureToWorld(const Picture* picture, int x, int y);

#endif
