#include "engine/scene/coupling_keys.h"

#include <algorithm>

namespace meniscus {
namespace {

struct MethodKey {
  const char* key;
  std::vector<std::string> methods;  // that it belongs to
  void (*reset)(CouplingDef& c, const CouplingDef& defaults);

  bool belongs(const std::string& method) const { return std::find(methods.begin(), methods.end(), method) != methods.end(); }
};

template <auto M>
MethodKey keyOf(const char* key, std::vector<std::string> methods) {
  return {key, std::move(methods), [](CouplingDef& c, const CouplingDef& defaults) { c.*M = defaults.*M; }};
}

using C = CouplingDef;

const std::vector<MethodKey>& methodKeys() {
  static const std::vector<MethodKey> keys = {
      keyOf<&C::extrapolate>("extrapolate", {"partitioned", "iqn-ils", "xpm", "staggered"}),
      keyOf<&C::relaxation>("relaxation", {"partitioned"}),
      keyOf<&C::aitken>("aitken", {"partitioned"}),
      keyOf<&C::w0>("w0", {"iqn-ils", "xpm"}),
      keyOf<&C::stepCap>("step_cap", {"iqn-ils", "xpm"}),
      keyOf<&C::columnFilter>("column_filter", {"iqn-ils", "xpm"}),
      keyOf<&C::reuse>("reuse", {"iqn-ils", "xpm"}),
      keyOf<&C::residual>("residual", {"xpm"}),
      {"preset", {"iqn-ils", "xpm"}, [](C&, const C&) {}},
  };
  return keys;
}

}  // namespace

void checkCouplingKeys(Reader& r, const JsonNode& coupling, const SolverDef& s) {
  for (const MethodKey& k : methodKeys()) {
    const JsonMember* member = coupling.find(k.key);
    if (!member || r.spoilt(coupling, k.key) || k.belongs(s.method)) continue;
    std::string methods;
    for (std::size_t i = 0; i < k.methods.size(); ++i)
      methods += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == k.methods.size() ? " and " : ", ", k.methods[i]);
    r.error(member->line, member->column,
            fmt::format("\"{}\" belongs to the method{} {}, and means nothing in \"{}\"; remove it, or choose another \"method\"",
                        k.key, k.methods.size() > 1 ? "s" : "", methods, s.method));
  }
}

void resetForeignCouplingKeys(SolverDef& s) {
  const CouplingDef defaults;
  for (const MethodKey& k : methodKeys())
    if (!k.belongs(s.method)) k.reset(s.coupling, defaults);
}

}  // namespace meniscus
