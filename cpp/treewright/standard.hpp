// What nearly every file takes from the standard library. It comes with every other header of the core, and
// so do `portable.hpp` and `interrupt.hpp`; what only a few files need (streams, numbers) they include
// themselves.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
