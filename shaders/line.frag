#include "frame.glsl"

uniform bool blended;
in vec4 tint;
noperspective in float aside;
out vec4 result;

void main() {
  float cover = blended ? clamp(.5 * frame.tone.w + .5 - abs(aside), 0., 1.) : 1.;
  result = vec4(toned(tint.rgb), tint.a * cover);
}
