// Between the picture and what lies before the eye.
#include "frame.glsl"

// Through a place of the picture, 0..1; one metre along the view.
vec3 rayOf(vec2 uv) { return vec3((uv * 2. - 1.) / vec2(frame.projection[0][0], frame.projection[1][1]), -1); }

// The depth of what is z m away along the view, as the depth buffer has it; and the other way.
float depthAt(float z) { return clamp(.5 + .5 * (frame.projection[3][2] / z - frame.projection[2][2]), 0., 1.); }
float awayAt(float depth) { return frame.projection[3][2] / (depth * 2. - 1. + frame.projection[2][2]); }
