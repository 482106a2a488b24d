// A fake engine drives the grower: it shows the least that an engine has to do.
#include <cstdint>
#include <span>
#include <vector>

#include "check.hpp"
#include "treewright/engine/grow.hpp"

using namespace treewright;

namespace {

// Rows 0 .. n - 1, where row i has the value i: every node is split in the middle, down to single rows.
class HalvingEngine final : public Engine {
 public:
  HalvingEngine(std::uint32_t n, std::size_t batch) : n_(n), batch_(batch) {}

  std::size_t n_columns() const override { return 1; }
  std::size_t batch() const override { return batch_; }
  OpenNode root() override { return node_of({0, n_, 0}); }

  void propose(std::span<const OpenNode> nodes, std::span<Proposal> proposals) override {
    largest_call = std::max(largest_call, nodes.size());
    ++n_calls;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      proposals[i].candidates.assign(1, {.column = 0});
      proposals[i].noted.assign(1, {});
      proposals[i].candidates[0].offer(nodes[i].facts.rows, nodes[i].handle.size() / 2, false);
      proposals[i].candidates[0].score.gain = nodes[i].facts.rows;
    }
  }
  void ask(std::span<const OpenNode> nodes, std::span<Question> questions) override {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      questions[i] = {.cut = {.number = nodes[i].handle.begin + nodes[i].winner.n_left - 0.5}};
  }
  void route(std::span<const OpenNode> nodes, std::span<const Question> questions,
             std::span<const std::span<OpenNode>> children) override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto middle = static_cast<std::uint32_t>(questions[i].cut.number + 0.5);
      const NodeHandle rows = nodes[i].handle;
      children[i][0].handle = {rows.begin, middle, 0};
      children[i][1].handle = {middle, rows.end, 0};
      for (auto& child : children[i]) child.facts = node_of(child.handle).facts;
    }
  }
  void settle(std::span<const OpenNode> nodes, LeafStore& leaves) override {
    for (const auto& node : nodes) leaves.weights.push_back(node.handle.begin);
  }

  std::size_t n_calls = 0, largest_call = 0;

 private:
  static OpenNode node_of(NodeHandle rows) {
    return {.handle = rows,
            .facts = {.rows = rows.size(), .weight = rows.size(), .is_pure = rows.size() < 2}};
  }

  std::uint32_t n_;
  std::size_t batch_;
};

GrowingTree grow(HalvingEngine& engine, Recipe recipe) {
  static const CriterionEntry none{.word = "none"};
  recipe.criterion = &none;
  Progress watch;
  Grower grower(recipe, watch);
  GrowingTree growing;
  growing.leaves.n_classes = 1;
  auto root = engine.root();
  root.id = growing.add(root.facts.rows, root.facts.weight);
  grower.grow(engine, root, growing);
  return growing;
}

// The splits of a tree, sorted so that the order of growth does not matter.
std::vector<std::pair<double, std::uint32_t>> splits_of(const GrowingTree& growing) {
  std::vector<std::pair<double, std::uint32_t>> splits;
  for (const auto& node : growing.nodes) {
    if (node.split >= 0)
      splits.emplace_back(growing.splits[static_cast<std::size_t>(node.split)].cut.number, node.rows);
  }
  std::sort(splits.begin(), splits.end());
  return splits;
}

// Whether every leaf of a tree with a ledger has this reason to be one.
bool ends_by(const GrowingTree& growing, Stop why) {
  for (std::size_t i = 0; i < growing.nodes.size(); ++i) {
    if (growing.nodes[i].split < 0 && growing.entries[i].stop != why) return false;
  }
  return true;
}

}  // namespace

TEST(a_fake_engine_grows_a_tree_to_single_rows) {
  HalvingEngine engine(100, 1);
  const auto growing = grow(engine, {.keeps_ledger = true});
  CHECK(growing.nodes.size() == 199);
  CHECK(growing.leaves.size() == 100);
  CHECK(engine.largest_call == 1);
  CHECK(ends_by(growing, Stop::Pure));
}

TEST(the_tree_is_the_same_however_many_nodes_an_engine_takes_at_once) {
  for (const auto order : {Order::Depth, Order::Breadth, Order::Best}) {
    HalvingEngine alone(1000, 1), together(1000, 64);
    const auto expected = splits_of(grow(alone, {.order = order}));
    CHECK(splits_of(grow(together, {.order = order})) == expected);
    CHECK(together.largest_call > 1);
    CHECK(together.n_calls < alone.n_calls / 4);
  }
}

TEST(a_limit_on_leaves_takes_nodes_one_by_one) {
  Recipe recipe{.order = Order::Best};
  recipe.limits.max_leaves = 10;
  HalvingEngine alone(1000, 1), together(1000, 64);
  CHECK(splits_of(grow(alone, recipe)) == splits_of(grow(together, recipe)));
  CHECK(grow(together, recipe).leaves.size() == 10);
}

TEST(limits_on_depth_and_rows_close_nodes_with_their_reason) {
  Recipe recipe{.keeps_ledger = true};
  recipe.limits.max_depth = 2;
  HalvingEngine engine(64, 1);
  const auto growing = grow(engine, recipe);
  CHECK(growing.leaves.size() == 4);
  CHECK(ends_by(growing, Stop::MaxDepth));
}
