// Grows trees from tables that are the same on every machine and prints a line for each: its digest, its
// number of nodes, how it was grown, its name. Every build of the core prints the same lines, whatever the
// compiler and the CPU; `recorded.txt` holds them. The argument "portable" turns off the code that only some
// CPUs can run.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "hash.hpp"
#include "plans.hpp"
#include "tables.hpp"
#include "treewright/engine/grow.hpp"
#include "treewright/portable.hpp"
#include "treewright/predict/predict.hpp"
#include "treewright/table/table.hpp"

namespace treewright::digests {
namespace {

// The rows that take part, as the bindings pass them to the core: those of positive weight.
struct Ready {
  Table table;
  Target target;

  Ready(const Plan& plan, Pool& pool) {
    const auto& drawn = *plan.table;
    std::vector<bool> takes_part;
    std::vector<double> weights;
    for (std::size_t row = 0; row < drawn.n_rows(); ++row) {
      const auto weight = plan.is_weighted ? draw_below(9, 7, row) : 1;
      takes_part.push_back(weight > 0);
      if (weight == 0) continue;
      weights.push_back(static_cast<double>(weight) / 3);
      if (plan.of_classes) {
        target.classes.push_back(drawn.classes[row]);
      } else {
        target.numbers.push_back(drawn.numbers[row]);
      }
    }
    target.n_classes = plan.of_classes ? drawn.n_classes : 0;
    target.weights = plan.is_weighted ? whole_weights(std::move(weights)) : equal_weights(drawn.n_rows());
    if (!plan.is_weighted) takes_part.clear();
    table =
        take_rows(read_table(drawn.columns(), drawn.n_categories(), drawn.n_rows(), pool), takes_part, pool);
    if (plan.recipe.cut_at == CutAt::Observed) table.remember_order(pool);
  }
};

// Questions with all their arrays written out.
struct Written {
  const QuestionArrays& of;
  std::vector<std::int64_t> cut_integer;
  std::vector<std::int32_t> set_begin;

  explicit Written(const QuestionArrays& questions)
      : of(questions),
        cut_integer(MostlyZeros(questions.cut_integer).written_out()),
        set_begin(MostlyZeros(questions.set_begin).written_out()) {}
  QuestionViews views() const {
    return {of.column, of.cut, cut_integer, set_begin, of.set_code, of.set_branch};
  }
};

// The leaf of every row.
std::vector<std::int32_t> leaves_of_rows(const Tree& tree, const DrawnTable& drawn, Pool& pool) {
  const Written question(tree.question), surrogate(tree.surrogate);
  const auto surrogate_begin = MostlyZeros(tree.surrogate_begin).written_out();
  const Predictor predictor({.question = question.views(),
                             .child_begin = tree.child_begin,
                             .child = tree.child,
                             .missing_branch = tree.missing_branch,
                             .weight = tree.weight,
                             .surrogate_begin = surrogate_begin,
                             .surrogate = surrogate.views(),
                             .surrogate_low_branch = tree.surrogate_low_branch});
  std::vector<std::int32_t> leaves(drawn.n_rows());
  const auto columns = drawn.columns();
  predictor.apply(columns, leaves, pool);
  return leaves;
}

void print_tree(Plan plan) {
  Pool pool(2);
  Ready ready(plan, pool);
  plan.recipe.limits.measure_in(ready.target.weights.unit);
  Progress watch;
  const auto tree = grow_tree(ready.table, ready.target, plan.recipe, pool, watch);
  Hash hash;
  hash.add(tree);
  hash.add(leaves_of_rows(tree, *plan.table, pool));
  std::printf("%016" PRIx64 " %6zu nodes, %s: %s\n", hash.value(), tree.question.column.size(),
              watch.path.c_str(), plan.name.c_str());
}

void print_fingerprint(const DrawnTable& drawn) {
  const Column target(drawn.numbers.data(), sizeof(double), ValueType::Float64);
  Pool pool(2);
  std::printf("%016" PRIx64 " of the rows: %s\n",
              fingerprint(drawn.columns(), target, nullptr, drawn.n_rows(), pool), drawn.name.c_str());
}

}  // namespace
}  // namespace treewright::digests

int main(int n_words, char** words) {
  using namespace treewright::digests;
  if (n_words > 1 && std::strcmp(words[1], "portable") == 0) treewright::uses_avx2 = false;
  try {
    const auto tables = draw_tables();
    for (const auto& table : tables) print_fingerprint(table);
    for (const auto& plan : plans_for(tables)) print_tree(plan);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
