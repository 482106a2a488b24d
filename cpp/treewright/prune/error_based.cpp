
#include "treewright/prune/prune.hpp"
#include "treewright/prune/rows_in_tree.hpp"  // for RowsInTree, CaseRange
#include "treewright/tree/check_tree.hpp"     // for check_length, check_numbers

namespace treewright {

double Pessimism::extra(double n, double errors) const {
  if (adds_none) return 0;
  if (errors >= one_error && errors > no_errors) return extra_of_some(n, errors);
  const double none = n * (1 - std::pow(confidence, 1 / n));
  return errors <= no_errors ? none : none + errors * (extra_of_some(n, 1) - none);
}

double Pessimism::extra_of_some(double n, double errors) const {
  if (errors + 0.5 >= n) return std::max(all_wrong * (n - errors), least_extra);
  const double c = deviate * deviate, e = errors + 0.5;
  return n * (e + c / 2 + std::sqrt(c * (e * (1 - e / n) + c / 4))) / (n + c) - errors;
}

namespace {

class ErrorBased : RowsInTree {
 public:
  ErrorBased(const PrunedRows& rows, const Predictor& predictor, const Children& children,
             const ErrorBasedRules& rules)
      : RowsInTree(rows, predictor, children), rules_(rules), most_fewer_(rules.pessimism.most_fewer()) {
    std::ranges::copy(at(0).weights, at(0).all_weights.begin());
  }

  PrunedTree prune() { return lay_out(prune_all()); }

 private:
  using Range = CaseRange;
  static constexpr std::size_t kStepsOfNode = 16;  // that a node adds to its cases, for interrupts

  // A node whose children are being pruned.
  struct Frame {
    std::int32_t node;
    Range cases;  // those beside the whole rows
    std::vector<Range> branches;
    std::size_t heaviest = 0;  // of the branches
    std::size_t next = 0;
    double errors = 0;
  };

  // A node on the way down to the leaves, and the errors to expect of it if it is a leaf.
  struct Sent {
    std::int32_t node;
    Range cases;
    double errors;
  };

  // Pessimistic errors of a leaf that answers with its heaviest class.
  double estimate(std::span<const std::int64_t> weights) const {
    const auto total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    if (total == 0) return 0;
    const auto wrong = total - *std::max_element(weights.begin(), weights.end());
    const double errors = static_cast<double>(wrong) * rows_.unit;
    return errors + rules_.pessimism.extra(static_cast<double>(total) * rows_.unit, errors);
  }

  // The cases that the heaviest child would get beside its own whole rows, in place of its parent.
  Range cases_to_raise(const Frame& frame) {
    const auto& node = at(frame.node);
    const auto all = node.whole, own = at(node.children[frame.heaviest]).whole;
    const auto n_before = static_cast<std::size_t>(own.data() - all.data());
    const auto range = take(all.size() - own.size() + frame.cases.size());
    heed_interrupts_after(all.size());
    auto to = std::ranges::copy(cases(frame.cases), cases(range).begin()).out;
    for (const auto others : {all.first(n_before), all.subspan(n_before + own.size())}) {
      for (const auto row : others) *to++ = {row, rows_.weights[row]};
    }
    return range;
  }

  // The least that the estimates of the leaves below a node sum to, whatever cases join its whole rows.
  double least_errors(std::int32_t node) {
    return at(node).errors_of_whole - at(node).n_leaves * most_fewer_.value_or(0);
  }

  // Sum of the estimates of the leaves below the heaviest child, if all cases of its parent are sent down it.
  // Stops once the sum must be `too_many`; the value returned is too many as well.
  double errors_if_raised(const Frame& frame, const auto& too_many) {
    const auto start = at(frame.node).children[frame.heaviest];
    if (at(start).is_leaf()) return at(frame.node).errors;  // the parent as a leaf has the same cases
    double errors = 0, others = least_errors(start);        // of the leaves seen; of the others, at least
    if (too_many(others)) return others;
    const auto begin = end_;
    sent_.assign(1, {start, cases_to_raise(frame), 0});
    const auto end = end_;
    while (!sent_.empty() && !too_many(errors + others)) {
      const auto [node, range, errors_here] = sent_.back();
      heed_interrupts_after(kStepsOfNode + range.size());
      sent_.pop_back();
      end_ = std::max(end, range.end);  // room behind these is free again
      const auto children = at(node).children;
      if (children.empty()) {
        others -= least_errors(node);
        errors += errors_here;
      } else if (range.empty() && without(node).empty()) {
        for (const auto child : children) sent_.push_back({child, range, at(child).errors_of_whole});
      } else {
        spread(node, range, branches_);
        for (std::size_t b = 0; b < branches_.size(); ++b)
          sent_.push_back(
              {children[b], branches_[b], at(children[b]).is_leaf() ? estimate(spread_to(b)) : 0});
      }
    }
    end_ = begin;
    return errors + (sent_.empty() ? 0 : others);
  }

  bool is_no_worse(double errors, double than) const {
    return !(errors - (than + rules_.slack) > rules_.tolerance);
  }

  // Bottom up: a node becomes a leaf if that is no worse, else its heaviest child is raised if that is.
  std::int32_t prune_all() {
    std::vector<Frame> stack;
    stack.push_back(open(0, {}));
    for (;;) {
      auto& frame = stack.back();
      heed_interrupts_after(kStepsOfNode + frame.cases.size());
      if (frame.next < frame.branches.size()) {
        stack.push_back(open(at(frame.node).children[frame.next], frame.branches[frame.next]));
        continue;
      }
      if (decide(frame)) continue;  // the heaviest child takes the node's place
      add_up_leaves(frame);
      const auto done = frame.node;
      stack.pop_back();
      if (stack.empty()) return done;
      auto& parent = stack.back();
      at(parent.node).children[parent.next++] = done;
      parent.errors += at(done).errors;
    }
  }

  // The rows that come here now, whose classes were counted, decide what the node stores; without any it
  // stays as it was.
  Frame open(std::int32_t id, const Range& cases) {
    Frame frame{id, cases, {}};
    auto& node = at(id);
    node.errors = 0;
    if (cases.empty() && node.whole.empty()) return frame;
    const auto weights = at(id).all_weights;
    node.n_rows = static_cast<std::int64_t>(node.whole.size() + cases.size());
    node.errors = estimate(weights);
    const auto most = std::ranges::max_element(weights);
    if (!rules_.keeps_label_on_tie || weights[index(node.label)] != *most)
      node.label = static_cast<std::int32_t>(most - weights.begin());
    if (node.is_leaf()) return frame;
    spread(id, cases, frame.branches);
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      if (sizes_[b] > 0) std::ranges::copy(spread_to(b), at(node.children[b]).all_weights.begin());
    }
    // The last of equals. Weights that differ by no more than the rounding of shares are equal.
    const auto most_branch = *std::ranges::max_element(sizes_);
    const auto rounded = static_cast<std::int64_t>(std::min(1e-6 / rows_.unit, 0x1p62));
    frame.heaviest = sizes_.size() - 1;
    while (sizes_[frame.heaviest] < most_branch - rounded) --frame.heaviest;
    return frame;
  }

  // Sum up what is known of the leaves below a node that is done.
  void add_up_leaves(const Frame& frame) {
    auto& node = at(frame.node);
    node.n_leaves = node.is_leaf();
    node.errors_of_whole = !node.is_leaf()       ? 0
                           : frame.cases.empty() ? node.errors
                                                 : estimate(at(frame.node).weights);
    for (const auto child : at(frame.node).children) {
      node.n_leaves += at(child).n_leaves;
      node.errors_of_whole += at(child).errors_of_whole;
    }
  }

  // Decide about a node whose children are done; true: its frame starts again with the child that was raised.
  bool decide(Frame& frame) {
    if (frame.branches.empty()) return false;
    end_ = frame.branches[0].begin;
    auto& node = at(frame.node);
    const double as_leaf = node.errors, as_tree = frame.errors;
    const auto child = at(frame.node).children[frame.heaviest];
    const bool is_leaf_no_worse = is_no_worse(as_leaf, as_tree);
    // Whether so many errors rule raising out, so that it makes no difference how many more there are.
    const auto too_many = [&](double raised) {
      return most_fewer_ && (is_leaf_no_worse ? is_no_worse(as_leaf, raised) : !is_no_worse(raised, as_tree));
    };
    const double raised =
        rules_.raises ? errors_if_raised(frame, too_many) : std::numeric_limits<double>::infinity();
    if (is_leaf_no_worse && is_no_worse(as_leaf, raised)) {
      node.children = {};
      return false;
    }
    if (is_no_worse(raised, as_tree)) {
      send(child, node.whole);
      std::ranges::copy(node.all_weights, at(child).all_weights.begin());
      frame = open(child, frame.cases);
      return true;
    }
    node.errors = as_tree;
    return false;
  }

  PrunedTree lay_out(std::int32_t root) {
    PrunedTree out;
    static_cast<CutTree&>(out) = lay_out_left(root, rows_.labels.size(), [&](std::size_t node) {
      return at(static_cast<std::int32_t>(node)).children;
    });
    for (const auto id : out.origin) {
      const auto& node = at(id);
      out.label.push_back(node.label);
      out.errors.push_back(node.errors);
      out.n_rows.push_back(node.n_rows);
      for (const auto weight : node.all_weights)
        out.weights.push_back(static_cast<double>(weight) * rows_.unit);
    }
    return out;
  }

  ErrorBasedRules rules_;
  std::optional<double> most_fewer_;  // by which a leaf's estimate can fall if rows are added
  std::vector<Range> branches_;
  std::vector<Sent> sent_;
};

}  // namespace

PrunedTree prune_error_based(const PrunedRows& rows, const Predictor& predictor, const Children& children,
                             const ErrorBasedRules& rules) {
  if (predictor.lets_rows_stop())
    throw std::invalid_argument("error-based pruning has no place for rows that stop at inner nodes");
  if (!rows.ends.empty()) {
    const auto n_counted = std::ranges::count_if(rows.weights, [](auto weight) { return weight > 0; });
    check_length("ends", rows.ends.size(), static_cast<std::size_t>(n_counted), "rows of positive weight");
    check_numbers("ends", rows.ends, predictor.n_nodes(), "nodes");
  }
  return ErrorBased(rows, predictor, children, rules).prune();
}

}  // namespace treewright
