#include "engine/scene/key_turn.h"

#include <cmath>
#include <optional>

#include "kernels/solid/rotation.h"

namespace meniscus {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRoundOff = 1e-9;  // of axes that are the same, and of turns that end where they began

bool isNone(const Quatd& q) { return norm(Vec3d{q.x, q.y, q.z}) < kRoundOff; }  // or whole turns

// Axis times angle [rad], as the scene says it. Of a quaternion no more than half a turn is known; of one that is no turn it is
// zero, as of no rotation at all.
std::optional<Vec3d> angleOf(const JsonNode& frame, const Quatd& rotate) {
  Diagnostics said;  // when the frame was read
  Reader silent{"", "", said};
  AxisAngle given;
  Quatd ignored;
  if (const JsonMember* m = frame.find("rotation")) readRotation(silent, m->value, "rotation", ignored, &given);
  if (norm2(given.axis) > 0) return normalized(given.axis) * (given.degrees * kPi / 180);
  if (isNone(rotate)) return Vec3d{};
  return {};
}

// What leads from the one rotation to the other [rad]; nothing where the angle of the second says no way from the first.
std::optional<Vec3d> turnBetween(const Quatd& qa, const std::optional<Vec3d>& a, const Quatd& qb, const std::optional<Vec3d>& b) {
  const Vec3d shorter = rotationToVector(qb * qa.conjugate());
  if (!b) return shorter;
  if (a && norm(cross(*a, *b)) <= kRoundOff * norm(*a) * norm(*b)) return *b - *a;
  if (isNone(qa)) return *b;  // after whole turns about another axis
  if (norm(*b) > kPi * (1 + kRoundOff)) return {};
  return shorter;
}

std::string shown(const std::optional<Vec3d>& turn) {
  if (!turn) return "a quaternion";
  const double angle = norm(*turn);
  const Vec3d axis = angle > 0 ? *turn * (1 / angle) : Vec3d{0, 0, 1};
  return fmt::format("{:g} degrees about ({:.3g}, {:.3g}, {:.3g})", angle * 180 / kPi, axis.x, axis.y, axis.z);
}

// So far apart that the shorter way from each to the next is the one meant.
void addBetween(const KeyFrame& a, const KeyFrame& b, const Vec3d& turn, int pieces, std::vector<KeyFrame>& out) {
  for (int k = 1; k < pieces; ++k) {
    const double u = double(k) / pieces;
    out.push_back({a.time + (b.time - a.time) * u, a.translate + (b.translate - a.translate) * u,
                   (rotationFromVector(turn * u) * a.rotate).normalizedQuat()});
  }
}

}  // namespace

void turnAsGiven(Reader& r, const JsonNode& list, const std::string& solid, std::vector<KeyFrame>& motion) {
  constexpr double kPiece = 2 * kPi / 3, kShort = 0.95 * kPi;  // up to the second no frame in between is needed
  constexpr double kMostTurns = 1e3;                           // each takes three frames
  if (list.items.size() != motion.size()) return;              // what is no frame was refused
  std::vector<KeyFrame> whole;
  std::optional<Vec3d> before;
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const KeyFrame& b = motion[k];
    const std::optional<Vec3d> angle = angleOf(list.items[k], b.rotate);
    if (k > 0) {
      const KeyFrame& a = motion[k - 1];
      const std::optional<Vec3d> turn = turnBetween(a.rotate, before, b.rotate, angle);
      if (!turn) {
        r.error(
            list.items[k],
            fmt::format("solid \"{}\": its rotation of {:g} s, {}, follows that of {:g} s, {}: between different axes it goes the "
                        "shorter way round, which is 180 degrees at most; give key frames in between",
                        solid, b.time, shown(angle), a.time, shown(before)));
        return;
      }
      if (!(norm(*turn) <= kMostTurns * 2 * kPi)) {
        r.error(
            list.items[k],
            fmt::format(
                "solid \"{}\" would turn {:g} times between two key frames, of {:g} that are possible; give key frames in between",
                solid, norm(*turn) / (2 * kPi), kMostTurns));
        return;
      }
      if (norm(*turn) > kShort) addBetween(a, b, *turn, int(std::ceil(norm(*turn) / kPiece)), whole);
    }
    whole.push_back(b);
    before = angle;
  }
  motion = std::move(whole);
}

}  // namespace meniscus
