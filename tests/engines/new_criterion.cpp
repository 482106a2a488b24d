// A criterion of classes as an outsider would write it: all of it is in this file. It scores as Gini does,
// without a bound, so that its trees are known.
#include <limits>

#include "treewright/criteria/criterion.hpp"

namespace treewright {
namespace {

struct PlainGini {
  static constexpr bool kIsConcave = true, kIsRatio = false;
  struct Running {};

  static constexpr auto impurity = gini;

  void enter(const Sides& all) { weight_ = static_cast<double>(all.right_weight); }
  Running start(const Sides&) const { return {}; }
  void move(Running&, const Sides&, std::uint16_t, std::int64_t) const {}
  double bound(const Running&, const SideWeights&, double) const {
    return std::numeric_limits<double>::infinity();
  }
  double score_floor(double score) const { return score; }
  double exact_score(const Sides& sides) const {
    double sum = 0;
    for (const auto k : sides.present)
      sum += difference_squared(sides.left[k], sides.left_weight, sides.left[k] + sides.right[k],
                                sides.left_weight + sides.right_weight);
    return sum / (static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight)) / weight_;
  }

  double weight_ = 1;
};

const RegisterCriterion registered(criterion_of_classes<PlainGini>("plain_gini"));

}  // namespace
}  // namespace treewright
