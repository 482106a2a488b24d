// A criterion of classes as searches see it. They cross this seam once a run of cuts, and are compiled once for
// all criteria.
#pragma once

#include "treewright/criteria/impurity.hpp"  // for Sides
#include "treewright/recipe/candidate.hpp"   // for Merit, bar_over

namespace treewright {

// What a criterion carries from cut to cut, whatever that is.
struct AnyRunning {
  alignas(16) std::array<std::byte, 64> bytes;
};

// Cuts one after the other: each moves a row from right to left.
struct RowsToMove {
  const std::uint16_t* classes;
  const std::int64_t* left_weights;  // once the row has moved; only where rows weigh differently
  std::size_t n;
};

class ClassJudge {
 public:
  virtual ~ClassJudge() = default;
  virtual std::unique_ptr<ClassJudge> clone() const = 0;

  // Make ready for rows, all of them on the right.
  virtual void enter(const Sides& all) = 0;
  virtual AnyRunning start(const Sides& sides) const = 0;
  // Move rows and bound the cut after each.
  virtual void bound_cuts(const RowsToMove& rows, AnyRunning& running, Sides& sides, double floor,
                          double* bounds) const = 0;
  // What is worth `worth` has at least this bound; so has what is to beat a candidate.
  virtual double bar_over(const Candidate& candidate) const = 0;
  // A cut of this bound is worth more than others of less than what comes back.
  virtual double floor_of_bound(double bound) const = 0;
  virtual bool may_reach(const Sides& sides, double worth) const = 0;
  virtual Merit judge(const Sides& sides) const = 0;

  double (*impurity)(std::span<const double> shares);
  bool is_concave, is_ratio, prefers_even_sides;
};

// `Impurity`: it can `enter` rows, all of them on the right, has a cheap running `bound` to pass most cuts by
// (which need be near the worth only where it reaches the floor), and a `judge`.
//
// kIsConcave: with two classes the best set of categories is then a prefix in order of their share.
// kIsRatio: worth is the decrease divided by the information of the split itself.
// kPrefersEvenSides (where it is so): even sides break ties between cuts. The bound is then the worth itself.
template <class Impurity, bool kWeighted>
class ClassJudgeOf final : public ClassJudge {
  using Running = typename Impurity::Running;
  static_assert(sizeof(Running) <= sizeof(AnyRunning) && std::is_trivially_copyable_v<Running>);

 public:
  explicit ClassJudgeOf(const Impurity& given) : of_(given) {
    impurity = Impurity::impurity;
    is_concave = Impurity::kIsConcave;
    is_ratio = Impurity::kIsRatio;
    prefers_even_sides = kPrefersEvenSides<Impurity>;
  }
  std::unique_ptr<ClassJudge> clone() const override { return std::make_unique<ClassJudgeOf>(*this); }

  void enter(const Sides& all) override { of_.enter(all); }

  AnyRunning start(const Sides& sides) const override {
    const Running running = of_.start(sides);
    AnyRunning any;
    std::memcpy(&any, &running, sizeof running);
    return any;
  }

  void bound_cuts(const RowsToMove& rows, AnyRunning& any, Sides& sides, double floor,
                  double* bounds) const override {
    Running running;
    std::memcpy(&running, &any, sizeof running);
    auto left = sides.left_weight;
    const auto all = left + sides.right_weight;
    for (std::size_t j = 0; j < rows.n; ++j) {
      const auto k = rows.classes[j];
      const auto weight = kWeighted ? rows.left_weights[j] - left : 1;
      of_.move(running, sides, k, weight);
      sides.left[k] += weight;
      sides.right[k] -= weight;
      left += weight;
      if constexpr (requires(SideWeights weights) { of_.bound(running, weights, floor); }) {
        bounds[j] = of_.bound(running, SideWeights{left, all - left}, floor);
      } else {
        static_cast<SideWeights&>(sides) = {left, all - left};
        bounds[j] = of_.bound(running, sides, floor);
      }
    }
    static_cast<SideWeights&>(sides) = {left, all - left};
    std::memcpy(&any, &running, sizeof running);
  }

  double bar_over(const Candidate& candidate) const override { return treewright::bar_over(of_, candidate); }
  double floor_of_bound(double bound) const override {
    if constexpr (requires { of_.floor_of_bound(bound); }) return of_.floor_of_bound(bound);
    return -std::numeric_limits<double>::infinity();
  }
  bool may_reach(const Sides& sides, double worth) const override {
    const double bar = of_.bar(worth);
    auto running = of_.start(sides);
    return of_.bound(running, sides, bar) >= bar;
  }
  Merit judge(const Sides& sides) const override { return of_.judge(sides); }

 private:
  Impurity of_;
};

}  // namespace treewright
