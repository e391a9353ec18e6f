void main() {
  vec2 p = gl_PointCoord * 2. - 1.;
  if (dot(p, p) > 1.) discard;
}
