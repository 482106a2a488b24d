#include "treewright/search/classes.hpp"  // for ClassSlots

#include "treewright/search/class_buckets.hpp"  // for ClassBuckets
#include "treewright/search/scan_of.hpp"        // for scan_of

namespace treewright {
namespace {

// Score every cut of a column over running class weights.
template <class Index, class Weighted>
class ClassScan : public ClassSlots<Index, Weighted> {
 public:
  using Base = ClassSlots<Index, Weighted>;
  using Base::weight_of, Base::kWeighted, Base::tally_of, Base::classes_, Base::totals_, Base::present_;
  using typename Base::Slots;

  // One a thread; by arrangement of the missing rows: the sides of the cut under the scan.
  struct Scratch {
    std::array<Sides, 2> sides;
    Sides known;  // all rows that have a value, where no others are scored
    std::unique_ptr<ClassJudge> judge_of_known;
    std::vector<ClassBucket> buckets;
    Grouping grouping;
  };

  ClassScan() = default;
  explicit ClassScan(const ClassJudge& judge) : judge_(judge.clone()) {}

  template <class Wide>
  void gather_from(const ClassScan<Wide, Weighted>& from, std::span<const Wide> slots) {
    Base::gather_from(from, slots);
    if (!judge_) judge_ = from.judge_->clone();
  }

  void enter(Slots slots, const NodeStatistics& facts) override {
    Base::enter(slots, facts);
    judge_->enter(all_.start(totals_, present_));
  }

  double gain(double decrease) const override { return decrease / static_cast<double>(this->total_); }

  double best_possible() const override { return best_of_classes(*judge_, totals_, present_); }

  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto scored = look_at(query, scratch);
    search_cuts(
        query, [&](bool missing_left) { return Lane(*this, scored, query, missing_left, scratch); }, out);
    add_own_branch(query, scratch, out);
  }

  // Offer the best question about categories.
  void scan_categories(const SplitQuery<Index>& query, const SetChoice& choice, Scratch& scratch,
                       Candidate& out) const {
    const auto scored = look_at(query, scratch);
    // The categories present; then the rows without a value, if they are scored.
    scratch.buckets.clear();
    const auto add = [&](Slots slots) {
      scratch.buckets.push_back({tally_of(slots), weight_of(slots), static_cast<std::int64_t>(slots.size())});
    };
    query.for_each_value(
        [&](std::uint32_t begin, std::uint32_t end) { add(query.list.known().subspan(begin, end - begin)); });
    add(query.list.missing().first(static_cast<std::size_t>(query.n_missing())));
    ClassBuckets buckets(scored.judge, scored.all, scratch.buckets);
    CategorySearch(buckets, query.arrangements, query.limits, out, scratch.grouping).find(choice);
    add_own_branch(query, scratch, out);
  }

 private:
  double impurity(std::span<const double> shares) const override { return judge_->impurity(shares); }

  // The criterion for the rows that are scored, and these, all on the right.
  struct Scored {
    const ClassJudge& judge;
    const Sides& all;
  };
  Scored look_at(const SplitQuery<Index>& query, Scratch& scratch) const {
    if (!query.leaves_rows_out()) return {*judge_, all_};
    auto totals = totals_;
    for (const auto slot : query.list.missing()) totals[classes_[slot]] -= weight_of(slot);
    auto& judge = scratch.judge_of_known;
    if (!judge) judge = judge_->clone();
    judge->enter(scratch.known.start(totals, present_));
    return {*judge, scratch.known};
  }

  // An arrangement of the missing rows while cuts move along the list.
  class Lane {
   public:
    static constexpr int kCuts = 64;

    Lane(const ClassScan& scan, const Scored& scored, const SplitQuery<Index>& query, bool missing_left,
         Scratch& scratch)
        : reach(query.reach(missing_left)),
          prefers_even_sides(scored.judge.prefers_even_sides),
          scan_(scan),
          judge_(scored.judge),
          slots_(query.list.slot),
          sides_(scratch.sides[missing_left].start(scored.all.right, scan.present_)) {
      if (missing_left) scan.move_left(query.list.missing(), sides_);
      go_to(query.widest_reach().first - 1);
      running_ = judge_.start(sides_);
    }

    double bar_over(const Candidate& out) const { return judge_.bar_over(out); }

    double bound(std::int64_t base, std::size_t n, double floor) {
      go_to(base_ = base);
      std::array<std::uint16_t, kCuts> classes;
      auto left = sides_.left_weight;
      for (std::size_t j = 0; j < n; ++j) {
        const auto slot = slots_[base + static_cast<std::int64_t>(j)];
        classes[j] = scan_.classes_[slot];
        if constexpr (kWeighted) left_weights_[j] = left += scan_.weight_of(slot);
      }
      judge_.bound_cuts({classes.data(), left_weights_.data(), n}, running_, sides_, floor, bounds.data());
      at_ = base + static_cast<std::int64_t>(n);
      double top = -std::numeric_limits<double>::infinity();
      TREEWRIGHT_SIMD_MAX(top)
      for (std::size_t j = 0; j < n; ++j) top = std::max(top, bounds[j]);
      return top;
    }

    std::int64_t left_weight(std::size_t j) const {
      if constexpr (kWeighted) return left_weights_[j];
      return sides_.left_weight - at_ + base_ + static_cast<std::int64_t>(j) + 1;
    }
    std::int64_t right_weight(std::size_t j) const {
      return sides_.left_weight + sides_.right_weight - left_weight(j);
    }
    bool is_in_order(const Monotone& monotone, std::size_t j) {
      // Of two classes, both present: a node of one is a leaf.
      const auto& sides = sides_at(j);
      const Sums left{sides.left[1], sides.left_weight}, right{sides.right[1], sides.right_weight};
      return treewright::is_in_order(scan_, monotone, left, right, 0, 0);
    }
    Merit exact_score(std::size_t j, double) { return judge_.judge(sides_at(j)); }
    double floor_of(std::size_t j) const { return judge_.floor_of_bound(bounds[j]); }

    Reach reach;
    bool prefers_even_sides;
    std::array<double, kCuts> bounds;

   private:
    const Sides& sides_at(std::size_t j) { return go_to(base_ + static_cast<std::int64_t>(j) + 1); }

    // The sides of the cut that leaves the first i entries left.
    const Sides& go_to(std::int64_t i) {
      for (; at_ < i; ++at_) sides_.move(scan_.classes_[slots_[at_]], scan_.weight_of(slots_[at_]));
      for (; at_ > i; --at_) sides_.move(scan_.classes_[slots_[at_ - 1]], -scan_.weight_of(slots_[at_ - 1]));
      return sides_;
    }

    const ClassScan& scan_;
    const ClassJudge& judge_;
    const Index* slots_;
    Sides& sides_;
    std::int64_t at_ = 0, base_ = 0;
    AnyRunning running_;  // at the end of a run
    std::array<std::int64_t, kWeighted ? kCuts : 1> left_weights_;
  };

  // What parting the rows without a value from the others adds, where they have a branch of their own.
  void add_own_branch(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if (!query.arrangements.own_branch || query.list.missing().empty()) return;
    auto& sides = scratch.sides[0].start(totals_, present_);
    move_left(query.list.missing(), sides);
    out.add_worth(judge_->judge(sides));
  }

  void move_left(Slots slots, Sides& sides) const {
    for (const auto slot : slots) sides.move(classes_[slot], weight_of(slot));
  }

  template <class Other, class OtherWeighted>
  friend class ClassScan;

  std::unique_ptr<ClassJudge> judge_;
  Sides all_;  // of the node, on the right
};

}  // namespace

std::unique_ptr<Scan<std::uint32_t>> scan_by(const ClassJudge& judge, const Target& target) {
  return by_weights(target, [&]<class Weighted>(Weighted) {
    return scan_of<ClassScan<std::uint32_t, Weighted>>(target, judge);
  });
}

}  // namespace treewright
