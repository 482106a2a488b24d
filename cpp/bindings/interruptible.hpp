// Work of the core that Ctrl-C can end.
#pragma once

#include <nanobind/nanobind.h>

#include "treewright/interrupt.hpp"

namespace treewright::bindings {

// Do the work without the GIL. Now and then, in this thread and with the GIL, signals are handled and
// `and_also` is called; what either raises ends the work and is raised here.
template <class Work, class AndAlso>
auto interruptible(const Work& work, const AndAlso& and_also) {
  namespace nb = nanobind;
  Interrupt interrupt([&] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    and_also();
  });
  const nb::gil_scoped_release release;
  return interrupt.run(work);
}

template <class Work>
auto interruptible(const Work& work) {
  return interruptible(work, [] {});
}

}  // namespace treewright::bindings
