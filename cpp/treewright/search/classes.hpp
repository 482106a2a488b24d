// Rows of any number of classes: what nodes know of them, and how their columns are searched.
#pragma once

#include "treewright/criteria/class_judge.hpp"  // for ClassJudge
#include "treewright/search/target.hpp"         // for WeighedSlots, gather

namespace treewright {

template <class Index, class Weighted>
class ClassSlots : public WeighedSlots<Index, Weighted> {
 public:
  static constexpr bool kIsClasses = true;
  using Base = WeighedSlots<Index, Weighted>;
  using Base::weight_of, Base::kWeighted;
  using typename Base::Slots;

  void read_target(const Target& target) {
    Base::read_target(target);
    classes_ = target.classes;
    n_classes_ = static_cast<std::size_t>(target.n_classes);
  }

  template <class Wide>
  void gather_from(const ClassSlots<Wide, Weighted>& from, std::span<const Wide> slots) {
    Base::gather_from(from, slots);
    gather(classes_, from.classes_, slots);
    n_classes_ = from.n_classes_;
  }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    auto facts = this->statistics(slots, [&](Index a, Index b) { return classes_[a] == classes_[b]; });
    if (with_impurity) {
      std::vector<double> shares;
      for (const auto weight : tally_of(slots))
        shares.push_back(static_cast<double>(weight) / static_cast<double>(facts.weight));
      facts.impurity = impurity(shares);
    }
    return facts;
  }

  void enter(Slots slots, const NodeStatistics&) override {
    totals_.resize(n_classes_);
    for (const auto k : present_) totals_[k] = 0;
    present_.clear();
    for (const auto slot : slots) {
      auto& total = totals_[classes_[slot]];
      if (total == 0) present_.push_back(classes_[slot]);
      total += weight_of(slot);
    }
    std::sort(present_.begin(), present_.end());
  }

  // Share of class 1: of a side that has this weight of it, and of any slots.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }
  double value_of(Slots slots) override { return value({tally_of(slots)[1], weight_of(slots)}, 0).value; }

  // Class weights.
  Tally tally_of_node() const override { return totals_; }
  Tally tally_of(Slots slots) const override {
    Tally tally(n_classes_);
    for (const auto slot : slots) tally[classes_[slot]] += weight_of(slot);
    return tally;
  }
  void tell_tally(const Tally& tally, std::vector<double>& outcome) const override {
    outcome.insert(outcome.end(), tally.begin(), tally.end());
  }

  void settle(Slots slots, const NodeStatistics&, LeafStore& leaves) override {
    const auto tally = tally_of(slots);
    leaves.weights.insert(leaves.weights.end(), tally.begin(), tally.end());
  }

 protected:
  template <class Other, class OtherWeighted>
  friend class ClassSlots;

  virtual double impurity(std::span<const double> shares) const { return gini(shares); }

  std::vector<std::uint16_t> classes_;
  std::size_t n_classes_ = 0;
  // Of the node entered:
  Tally totals_;
  std::vector<std::uint16_t> present_;
};

// The search by a criterion of classes, whichever.
std::unique_ptr<Scan<std::uint32_t>> scan_by(const ClassJudge& judge, const Target& target);

}  // namespace treewright
