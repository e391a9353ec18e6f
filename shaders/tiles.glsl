// The picture in squares: those that spheres of this frame reach into bear its stamp.
const int tileSize = 32;  // pixels
