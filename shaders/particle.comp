// What all looks of a particle share, once a particle and frame: its centre from the eye, its colour, the light that reaches it.
#include "shadow.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Positions { float position[]; };
layout(std430, binding = 1) readonly buffer Values { float value[]; };
layout(std430, binding = 2) writeonly buffer Drawn { uvec4 drawn[]; };  // see sphere.glsl
uniform int count, positionStride, valueStride;  // strides in floats
uniform bool backward;  // the last one is drawn first
uniform float radius;
uniform vec3 colour;
uniform vec2 range;
uniform int map;  // -1: no values

void main() {
  for (int i = int(gl_GlobalInvocationID.x); i < count; i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x)) {
    vec3 p = vec3(position[i * positionStride], position[i * positionStride + 1], position[i * positionStride + 2]);
    bool there = isFinite(p);
    vec3 centre = there ? (frame.view * vec4(p, 1)).xyz : vec3(0);
    vec3 albedo = map >= 0 ? valueColour(value[i * valueStride], range, map) : colour;
    float lit = there ? lightAt(p, 3. * radius, true) : 1.;
    drawn[backward ? count - 1 - i : i] = uvec4(floatBitsToUint(centre), packUnorm4x8(vec4(sqrt(albedo), lit)));
  }
}
