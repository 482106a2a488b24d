#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

// With D_k = rows of class k on the left times all rows, less all rows of the class times rows on the left,
// Gini adds up D_k^2 / (rows on the left times rows on the right) over the classes, and twoing takes the
// square of the sum of the roots of these terms.
//
// A term is convex in the rows of its class and all rows on the left. Inside an interval these lie in a
// parallelogram: a term is highest in one of its four corners, whatever the other classes do.
template <std::size_t kMost>
struct Terms {
  double rows = 0;  // of the node
  std::array<double, kMost> of{};
  bool are_roots = false;

  TREEWRIGHT_INLINE double inverse(double left_rows) const {
    return 1 / std::max(left_rows * (rows - left_rows), 0.5);  // a side without rows: D_k is 0
  }
  TREEWRIGHT_INLINE double term(std::size_t k, double left_of, double left_rows, double inverse_sides) const {
    const double away = left_of * rows - of[k] * left_rows;
    return away * away * inverse_sides;
  }
  TREEWRIGHT_INLINE double add_up(const std::array<double, kMost>& terms) const {
    double sum = 0;
    for (std::size_t k = 0; k < kMost; ++k) sum += are_roots ? std::sqrt(terms[k]) : terms[k];
    return are_roots ? sum * sum : sum;
  }
};

template <std::size_t kMost>
TREEWRIGHT_INLINE void bound_classes(const Terms<kMost>* of_node, const ManyClassCount<kMost>* intervals,
                                     std::size_t n, const ManyClassCount<kMost>* before, double* scores,
                                     double* inside) {
  const auto& node = *of_node;
  auto left = *before;
  std::array<double, kMost> ends, tops;
  const double first_inverse = node.inverse(left.rows);
  for (std::size_t k = 0; k < kMost; ++k) ends[k] = node.term(k, left.of[k], left.rows, first_inverse);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& here = intervals[i];
    const double first = left.rows, rows = here.rows, last_inverse = node.inverse(first + rows);
    for (std::size_t k = 0; k < kMost; ++k) {
      const double low = left.of[k], own = here.of[k], others = rows - own;
      const double own_first = node.term(k, low + own, first + own, node.inverse(first + own));
      const double own_last = node.term(k, low, first + others, node.inverse(first + others));
      const double last = node.term(k, low + own, first + rows, last_inverse);
      tops[k] = std::max(std::max(own_first, own_last), std::max(ends[k], last));
      ends[k] = last;
    }
    scores[i] = node.add_up(ends);
    inside[i] = node.add_up(tops);
    left += here;
  }
}

template <class Kind>
class ClassBounds final : public CutBounds<Kind> {
 public:
  using Count = typename Kind::Count;

  explicit ClassBounds(bool are_roots) { node_.are_roots = are_roots; }

  void enter(const Count& all, const typename Kind::Measure&) override {
    node_.rows = all.rows;
    std::ranges::copy(all.of, node_.of.begin());
  }
  double score(const Count& left) const override {
    std::array<double, Kind::kWidth> terms;
    const double inverse = node_.inverse(left.rows);
    for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = node_.term(k, left.of[k], left.rows, inverse);
    return node_.add_up(terms);
  }
  void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const override {
    Twins<bound_classes<Kind::kWidth>>::call(&node_, intervals.data(), intervals.size(), &left, scores,
                                             inside);
  }
  // A few roundings lie far below this.
  double floor_below(double score) const override { return score * (1 - 0x1p-38); }

 private:
  Terms<Kind::kWidth> node_;
};

template <class Kind>
std::unique_ptr<CutBounds<Kind>> class_bounds(std::string_view criterion) {
  if (criterion != "gini" && criterion != "twoing") return nullptr;
  return std::make_unique<ClassBounds<Kind>>(criterion == "twoing");
}

}  // namespace

template <>
std::unique_ptr<CutBounds<FewClassRows>> cut_bounds(std::string_view criterion) {
  return class_bounds<FewClassRows>(criterion);
}
template <>
std::unique_ptr<CutBounds<MoreClassRows>> cut_bounds(std::string_view criterion) {
  return class_bounds<MoreClassRows>(criterion);
}

}  // namespace treewright
