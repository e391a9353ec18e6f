// Where nodes and edges of solids come near elements of others, of themselves, or walls, in a step from one position to another.
#pragma once

#include "engine/solid/implicit/contact_edges.h"
#include "engine/solid/implicit/contact_mesh.h"
#include "engine/solid/implicit/contact_nodes.h"

namespace meniscus::implicit {

class ContactSearch {
 public:
  // start: positions at the start of the run.
  ContactSearch(ContactScene scene, const Vector& start);
  ContactSearch(const ContactSearch&) = delete;
  ContactSearch& operator=(const ContactSearch&) = delete;

  const ContactMesh& mesh() const { return mesh_; }
  const ContactScene& scene() const { return mesh_.scene; }

  // The positions at the beginning of a step.
  void begin(const Vector& start);
  const Vector& start() const { return mesh_.start; }

  // The contacts whose gap at `end` is below the reach: by node, then those of edges.
  std::vector<ContactPoint> find(const Vector& end);

 private:
  void addWalls(int node, const Vector& end, std::vector<ContactPoint>& out) const;

  ContactMesh mesh_;
  NodeContacts nodes_;
  EdgeContacts edges_;
};

}  // namespace meniscus::implicit
