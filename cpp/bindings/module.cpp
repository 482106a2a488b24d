#include "arrays.hpp"

namespace treewright::bindings {
void bind_explain(nanobind::module_& m);
void bind_fingerprint(nanobind::module_& m);
void bind_grow(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_prune(nanobind::module_& m);
}  // namespace treewright::bindings

NB_MODULE(_core, m) {
  // A model that lives until the program ends is not a leak to warn about.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled core: rows in, flat tree arrays out. Knows codes and numbers, no names.";
  treewright::bindings::load_numpy();
  treewright::bindings::bind_explain(m);
  treewright::bindings::bind_fingerprint(m);
  treewright::bindings::bind_grow(m);
  treewright::bindings::bind_predict(m);
  treewright::bindings::bind_prune(m);
}
