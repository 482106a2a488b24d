#include <nanobind/nanobind.h>

namespace treewright::bindings {
void bind_grow(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_prune(nanobind::module_& m);
}  // namespace treewright::bindings

NB_MODULE(_core, m) {
  m.doc() = "The compiled core: rows in, flat tree arrays out. Knows codes and numbers, no names.";
  treewright::bindings::bind_grow(m);
  treewright::bindings::bind_predict(m);
  treewright::bindings::bind_prune(m);
}
