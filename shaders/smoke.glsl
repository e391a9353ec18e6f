// Where the light is that reaches a place in the box of the smoke, 0..1 along each axis: its outermost samples lie on the box's sides.
vec3 inLight(vec3 place, sampler3D light) {
  vec3 n = vec3(textureSize(light, 0));
  return (place * (n - 1.) + .5) / n;
}
