// Grow trees by the new criterion and by Gini, on tables that are counted and on others; they are the same.
#include <cstdio>
#include <vector>

#include "treewright/criteria/registry.hpp"
#include "treewright/engine/grow.hpp"

using namespace treewright;

namespace {

Tree grow(const char* criterion, std::uint64_t n_values, bool weighted) {
  const std::uint32_t n = 3000;
  std::vector<std::vector<double>> values(4, std::vector<double>(n));
  Target target{.n_classes = 3};
  std::uint64_t state = n_values;
  const auto draw = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
  std::vector<double> weights;
  for (std::uint32_t row = 0; row < n; ++row) {
    for (auto& column : values) column[row] = static_cast<double>(draw() % n_values);
    const double signal = (values[0][row] + values[1][row]) / static_cast<double>(n_values);
    target.classes.push_back(static_cast<std::uint16_t>(draw() % 4 == 0 ? draw() % 3 : signal * 1.49));
    weights.push_back(1 + static_cast<double>(draw() % 3));
  }
  target.weights = weighted ? whole_weights(weights) : equal_weights(n);
  std::vector<Column> columns;
  for (const auto& column : values) columns.emplace_back(column.data(), sizeof(double), ValueType::Float64);
  Pool pool(2);
  auto table = read_table(columns, std::vector<std::uint32_t>(4), n, pool);
  Recipe recipe;
  recipe.criterion = find_criterion(criterion);
  recipe.limits.measure_in(target.weights.unit);
  Progress watch;
  return grow_tree(table, target, recipe, pool, watch);
}

}  // namespace

int main() {
  for (const std::uint64_t n_values : {10u, 1u << 30}) {
    for (const bool weighted : {false, true}) {
      const auto ours = grow("plain_gini", n_values, weighted), known = grow("gini", n_values, weighted);
      const bool is_same = ours.question.column == known.question.column && ours.child == known.child &&
                           ours.n_rows == known.n_rows && ours.value == known.value;
      std::printf("%zu nodes, %s\n", ours.n_rows.size(), is_same ? "the same" : "another tree");
      if (!is_same || ours.n_rows.size() < 100) return 1;
    }
  }
}
