// The nearest particle of each pixel, by its disc: no depth is written here, so that hidden ones cost nothing.
#include "sphere.glsl"

uniform float radius;
uniform float margin;  // pixels about the picture
flat in uvec4 particle;
out uvec4 nearest;

void main() {
  float rim;
  onDiscAt(gl_FragCoord.xy - margin, centreOf(particle), radius, rim);
  if (rim > 1.) discard;
  nearest = particle;
}
