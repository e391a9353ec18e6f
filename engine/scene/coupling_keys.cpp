#include "engine/scene/coupling_keys.h"

#include <algorithm>

namespace meniscus {
namespace {

// Without anything on the heap: it stays until the process ends, whose heap may be a host's.
struct MethodKey {
  static constexpr std::size_t kMost = 4;
  const char* key;
  const char* methods[kMost];  // that it belongs to; null: no more
  void (*reset)(CouplingDef& c, const CouplingDef& defaults);

  std::size_t count() const { return std::size_t(std::find(methods, methods + kMost, nullptr) - methods); }
  bool belongs(const std::string& method) const { return std::find(methods, methods + count(), method) != methods + count(); }
};

template <auto M>
void resetMember(CouplingDef& c, const CouplingDef& defaults) {
  c.*M = defaults.*M;
}

using C = CouplingDef;

constexpr MethodKey kMethodKeys[] = {
    {"extrapolate", {"partitioned", "iqn-ils", "xpm", "staggered"}, resetMember<&C::extrapolate>},
    {"relaxation", {"partitioned"}, resetMember<&C::relaxation>},
    {"aitken", {"partitioned"}, resetMember<&C::aitken>},
    {"w0", {"iqn-ils", "xpm"}, resetMember<&C::w0>},
    {"step_cap", {"iqn-ils", "xpm"}, resetMember<&C::stepCap>},
    {"column_filter", {"iqn-ils", "xpm"}, resetMember<&C::columnFilter>},
    {"reuse", {"iqn-ils", "xpm"}, resetMember<&C::reuse>},
    {"residual", {"xpm"}, resetMember<&C::residual>},
    {"preset", {"iqn-ils", "xpm"}, [](C&, const C&) {}},
};

}  // namespace

void checkCouplingKeys(Reader& r, const JsonNode& coupling, const SolverDef& s) {
  for (const MethodKey& k : kMethodKeys) {
    const JsonMember* member = coupling.find(k.key);
    if (!member || r.spoilt(coupling, k.key) || k.belongs(s.method)) continue;
    std::string methods;
    for (std::size_t i = 0; i < k.count(); ++i)
      methods += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == k.count() ? " and " : ", ", k.methods[i]);
    r.error(member->line, member->column,
            fmt::format("\"{}\" belongs to the method{} {}, and means nothing in \"{}\"; remove it, or choose another \"method\"",
                        k.key, k.count() > 1 ? "s" : "", methods, s.method));
  }
}

void resetForeignCouplingKeys(SolverDef& s) {
  const CouplingDef defaults;
  for (const MethodKey& k : kMethodKeys)
    if (!k.belongs(s.method)) k.reset(s.coupling, defaults);
}

}  // namespace meniscus
