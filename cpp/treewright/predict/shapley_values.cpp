// Exact Shapley values of the columns, row by row, in one walk over the tree.
//
// Let O and Z be the share of the row that the steps of a path decided by one column leave, if the column is
// known and if it is not. A leaf contributes to column i its outcome times the integral over t from 0 to 1 of
//
//     (O_i - Z_i) / m_i * m,   where m_j = t O_j + (1 - t) Z_j for every column j and m is their product.
//
// The first factor is the same for all leaves below the last step that column i decides. So every step gives
// its column the sum, over all leaves below, of m times outcome, multiplied by its own first factor less that
// of the step before it by the same column. That takes a division and a few products per node and point.
#include "treewright/predict/predict.hpp"

namespace treewright {
namespace {

constexpr std::size_t kNodesOfTask = 16384;  // visited per task
// A smaller share of a row counts as nothing, so that no quotient overflows.
constexpr double kNothing = 1e-280;

}  // namespace

class Predictor::ShapleyGame {
 public:
  ShapleyGame(const Predictor& tree, std::span<const Column> columns, std::span<const double> of_nodes,
              std::size_t width, Quadrature quadrature)
      : tree_(tree),
        columns_(columns),
        of_nodes_(of_nodes),
        width_(width),
        points_(quadrature.points),
        n_points_(points_.size()),
        keys_(columns.size()),
        is_integer_(columns.size()),
        last_step_(columns.size()),
        steps_(std::size_t{tree.depth_} + 1),
        mixed_(quadrature.weights.begin(), quadrature.weights.end()),
        inverse_(steps_.size() * n_points_, 1),
        sums_(inverse_.size() * width),
        dues_(columns.size() * width * n_points_) {
    mixed_.resize(inverse_.size());  // at the root, the weight of each point
    for (const auto& [column, has_categories] : tree.kinds_)
      is_integer_[index(column)] = columns[index(column)].type() == ValueType::Int64;
  }

  // Add the Shapley values of a row to `values`, `width` per column.
  void play(std::size_t row, double* values) {
    row_ = row;
    for (const auto& [number, has_categories] : tree_.kinds_) {
      const auto& column = columns_[index(number)];
      auto& key = keys_[index(number)];
      with_type(column.type(), [&]<class Value>() { key = node_key(column.value<Value>(row)); });
    }
    std::ranges::fill(dues_, 0);
    begin(0, 0);
    for (std::size_t depth = 0;;) {
      auto& step = steps_[depth];
      if (step.next_child < step.end_of_children) {
        const auto child = step.next_child++;
        if (!go_on(depth, child)) continue;
        if (tree_.is_leaf(child)) {
          const auto* const outcome = of_nodes_.data() + index(tree_.number_[child]) * width_;
          const auto* const mixed = of_step(mixed_, depth + 1);
          auto* sum = of_step(sums_, (depth + 1) * width_);
          for (std::size_t k = 0; k < width_; ++k)
            for (std::size_t i = 0; i < n_points_; ++i) *sum++ = mixed[i] * outcome[k];
          end(depth + 1);
        } else {
          begin(++depth, child);
        }
      } else if (depth > 0) {
        end(depth--);
      } else {
        break;
      }
    }
    const auto* due = dues_.data();
    for (std::size_t i = 0; i < columns_.size() * width_; ++i)
      for (std::size_t point = 0; point < n_points_; ++point) values[i] += *due++;
  }

 private:
  // A step of the path to the current node, one per level; step 0 leads to the root.
  struct Step {
    std::uint32_t first_child, next_child, end_of_children;  // of the node that it leads to
    std::int32_t branch;                                     // that the row takes there
    std::size_t decides;                                     // the column that decides there
    std::size_t decided;                                     // the column that decided this step
    std::size_t before;               // the last step above that this column decided; 0: none
    double with_it = 1, without = 1;  // share of the row that this column's steps leave so far
  };

  double* of_step(std::vector<double>& values, std::size_t step) { return values.data() + step * n_points_; }

  // Enter a node with children, and find the row's branch there.
  void begin(std::size_t depth, std::uint32_t at) {
    auto& step = steps_[depth];
    const auto& node = tree_.nodes_[at];
    const auto& rest = tree_.rest_[at];
    std::fill_n(of_step(sums_, depth * width_), n_points_ * width_, 0.0);
    step.first_child = step.next_child = node.first_child;
    step.end_of_children = node.first_child + rest.n_children;
    step.decides = node.column;
    const auto branch = node.branch(keys_[node.column], is_integer_[node.column], tree_.branch_table_.data());
    step.branch = static_cast<std::int32_t>(branch);
    if (branch != kAsk) return;
    const std::span asked(tree_.asked_.data() + rest.first_asked, tree_.asked_.data() + rest.last_asked);
    const auto known = first_to_know(asked, columns_, row_);
    step.branch = known.branch < 0 ? rest.missing_branch : known.branch;
    if (known.branch >= 0) step.decides = index(asked[known.by].column);
  }

  // Take a step to a child. False if nothing of the row gets there, whether the column is known or not.
  bool go_on(std::size_t depth, std::uint32_t child) {
    const auto& above = steps_[depth];
    auto& step = steps_[depth + 1];
    step.decided = above.decides;
    step.before = last_step_[step.decided];
    const auto& before = steps_[step.before];
    const auto share = tree_.rest_[child].share;
    const auto own_share = above.branch == kEveryBranch                                            ? share
                           : child - above.first_child == static_cast<std::uint32_t>(above.branch) ? 1.0
                                                                                                   : 0.0;
    step.with_it = before.with_it * own_share;
    step.without = before.without * share;
    if (std::max(step.with_it, step.without) < kNothing) return false;
    last_step_[step.decided] = depth + 1;
    const auto *mixed_above = of_step(mixed_, depth), *inverse_before = of_step(inverse_, step.before);
    auto *mixed = of_step(mixed_, depth + 1), *inverse = of_step(inverse_, depth + 1);
    for (std::size_t i = 0; i < n_points_; ++i) {
      const double own = points_[i] * step.with_it + (1 - points_[i]) * step.without;
      inverse[i] = 1 / own;
      mixed[i] = mixed_above[i] * (own * inverse_before[i]);
    }
    return true;
  }

  // Go back a step, below which everything is summed up, and credit its column.
  void end(std::size_t depth) {
    heed_interrupts_after(n_points_ * (width_ + 1));
    const auto& step = steps_[depth];
    const auto& before = steps_[step.before];
    last_step_[step.decided] = step.before;
    const auto *inverse = of_step(inverse_, depth), *inverse_before = of_step(inverse_, step.before);
    const double gap = step.with_it - step.without, gap_before = before.with_it - before.without;
    const auto* sum = of_step(sums_, depth * width_);
    auto* sum_above = of_step(sums_, (depth - 1) * width_);
    auto* due = of_step(dues_, step.decided * width_);
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t i = 0; i < n_points_; ++i) {
        due[i] += (gap * inverse[i] - gap_before * inverse_before[i]) * sum[i];
        sum_above[i] += sum[i];
      }
      sum += n_points_;
      sum_above += n_points_;
      due += n_points_;
    }
  }

  const Predictor& tree_;
  std::span<const Column> columns_;
  std::span<const double> of_nodes_;
  std::size_t width_;
  std::span<const double> points_;
  std::size_t n_points_;

  std::size_t row_ = 0;
  std::vector<std::int64_t> keys_;  // of the row, by column
  std::vector<std::uint8_t> is_integer_;
  std::vector<std::size_t> last_step_;  // that each column decided; 0: none
  std::vector<Step> steps_;
  // By step and point: m; 1 / m of the column that decided the step; sums of m times each outcome below.
  std::vector<double> mixed_, inverse_, sums_;
  std::vector<double> dues_;  // by column, outcome and point
};

void Predictor::shapley_values(std::span<const Column> columns, std::size_t n_rows,
                               std::span<const double> of_nodes, std::size_t width, Quadrature quadrature,
                               std::span<double> out, Pool& pool) const {
  check_kinds(columns);
  if (lets_rows_stop_) throw std::invalid_argument("rows may stop at a node of this tree, and have no leaf");
  if (quadrature.points.empty() || quadrature.points.size() != quadrature.weights.size())
    throw std::invalid_argument("there are " + std::to_string(quadrature.points.size()) + " points with " +
                                std::to_string(quadrature.weights.size()) + " weights; give each point one");
  std::ranges::fill(out, 0.0);
  if (n_nodes() == 1) return;
  std::vector<std::unique_ptr<ShapleyGame>> games(static_cast<std::size_t>(pool.n_threads()));
  const auto n_of_task = kNodesOfTask / n_nodes() + 1;
  pool.run((n_rows + n_of_task - 1) / n_of_task, [&](std::size_t task, int thread) {
    auto& game = games[static_cast<std::size_t>(thread)];
    if (!game) game = std::make_unique<ShapleyGame>(*this, columns, of_nodes, width, quadrature);
    for (auto row = task * n_of_task; row < std::min(n_rows, (task + 1) * n_of_task); ++row)
      game->play(row, out.data() + row * columns.size() * width);
  });
}

}  // namespace treewright
