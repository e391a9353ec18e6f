// How much of the key light reaches the ground, over the square where shadows can fall: sampled here once a texel, not once a pixel.
#include "shadow.glsl"

uniform float reach;  // m from the ground's middle to the square's sides
in vec2 at;
out float light;

void main() {
  vec2 q = at * 2. - 1.;
  vec3 across = cross(frame.up.xyz, frame.side.xyz);
  light = lightAt(frame.ground.xyz + (frame.side.xyz * q.x + across * q.y) * reach, frame.ground.w * .004, true);
}
