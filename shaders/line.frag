#include "frame.glsl"

in vec4 tint;
out vec4 result;

void main() { result = vec4(toned(tint.rgb), tint.a); }
